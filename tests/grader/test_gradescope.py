"""The autograder for Gradescope: packed, unpacked, and run on a good, an empty,
an uncompilable and a hostile submission; its results.json keeps the rules.

Plain, it grades the sample workbook, at the second level of the sandbox where
the tests run as root: Gradescope's containers refuse namespaces. With --long
the whole workbook is packed, set up by setup.sh and run."""

from __future__ import annotations

import glob
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import classroom  # noqa: E402
from classroom import SLUG, own, sample_root, solution, write  # noqa: E402

from workbook.grade import gradescope, sandbox  # noqa: E402

LONG = "--long" in sys.argv
KEY = "the course's own key"
FOLDER = "02_tensor_transfer" if LONG else "90_sample"
SCRIPT = os.path.join(classroom.ROOT, "scripts", "gradescope")

HOSTILE = r"""
#include <stdint.h>
#include <stdio.h>
static void look(const char *path, const char *how)
{
    FILE *file = fopen(path, how);
    printf("%s %s\n", file ? "OPENED" : "shut", path);
    if (file && how[0] == 'w')
        fputs("{\"score\": 999}", file);
    if (file)
        fclose(file);
}
int64_t add_up(const int64_t *x, int n)
{
    look("@/source/settings.json", "r");
    look("@/source/workbook/solutions/@L", "r");
    look("@/source/workbook/tests/lessons/90_sample/ex1.json", "r");
    look("@/submission_metadata.json", "r");
    look("@/submission/lessons/@L", "r");
    look("@/results/results.json", "w");
    return x[0] - n;
}
"""


def pack(*words: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-IS", SCRIPT, *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


class Autograder(unittest.TestCase):
    """One autograder, set up once; a submission a test."""

    @classmethod
    def setUpClass(cls):
        level = sandbox.UID if os.geteuid() == 0 else sandbox.NAMESPACES
        why = sandbox.able(level)
        if why:
            raise unittest.SkipTest(f"needs the level {level}: {why}")
        # Where every user may pass, as in a container.
        cls.base = tempfile.mkdtemp(prefix="autograder-")
        cls.addClassCleanup(shutil.rmtree, cls.base, ignore_errors=True)
        os.chmod(cls.base, 0o755)
        cls.zip = os.path.join(cls.base, "autograder.zip")
        key = write(os.path.join(cls.base, "key"), KEY + "\n")
        root = classroom.ROOT if LONG else sample_root()
        cls.packed = pack("--root", root, "--seed-file", key, "--sandbox", level, cls.zip)
        assert cls.packed.returncode == 0, cls.packed.stderr
        os.remove(key)
        cls.source = os.path.join(cls.base, "source")
        with zipfile.ZipFile(cls.zip) as packed:
            for info in packed.infolist():
                path = packed.extract(info, cls.source)
                os.chmod(path, info.external_attr >> 16 & 0o777)
        cls.env = {**os.environ, "AUTOGRADER": cls.base}
        if LONG:
            setup = ["sh", os.path.join(cls.source, "setup.sh"), "--no-install"]
            done = subprocess.run(setup, env=cls.env, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        else:
            cls.set_up_sample()

    @classmethod
    def set_up_sample(cls):
        """What setup.sh would do; the sample has no scripts and presets."""
        book = os.path.join(cls.source, "workbook")
        shutil.copytree(os.path.join(classroom.ROOT, "scripts"), os.path.join(book, "scripts"))
        done = classroom.judge_harness.configure(book)
        assert done.returncode == 0, done.stdout + done.stderr
        for name in ("solutions", "tests", "scripts"):
            os.chmod(os.path.join(book, name), 0o700)

    def run_on(self, text: str | None) -> dict:
        """results.json for a submission whose first exercise has this text."""
        for name in ("submission", "results"):
            classroom.fresh(os.path.join(self.base, name))
        if text is not None:
            slug = "ex1_move_and_square" if LONG else SLUG
            write(os.path.join(self.base, "submission/lessons", FOLDER, slug + ".c"), text)
        who = {"id": 7, "users": [{"email": "Ann@example.org", "id": 1, "name": "Ann"}]}
        write(os.path.join(self.base, "submission_metadata.json"), json.dumps(who))
        copied = shutil.copy(os.path.join(self.source, "run_autograder"), self.base)
        self.done = subprocess.run([copied], cwd=self.base, env=self.env,
                                   capture_output=True, text=True, check=False)
        with open(os.path.join(self.base, "results/results.json"), encoding="utf-8") as file:
            whole = json.load(file)
        self.follows_the_rules(whole)
        return whole

    def follows_the_rules(self, whole: dict) -> None:
        """Gradescope, Autograder Specifications, Output format."""
        shown = ("hidden", "after_due_date", "after_published", "visible")
        fields = {"score": (int, float), "max_score": (int, float), "status": str, "name": str}
        fields.update(number=str, output=str, output_format=str, visibility=str)
        self.assertLessEqual(set(whole), {"score", "output", "tests", "visibility",
                                          "stdout_visibility"})
        self.assertIn(whole["visibility"], shown)
        self.assertEqual(whole["stdout_visibility"], "hidden")
        self.assertIsInstance(whole["output"], str)
        self.assertEqual("score" in whole, "tests" in whole)
        for test in whole.get("tests", []):
            self.assertEqual(set(test), set(fields))
            for name, kind in fields.items():
                self.assertIsInstance(test[name], kind, name)
            self.assertTrue(0 <= test["score"] <= test["max_score"])
            self.assertIn(test["status"], ("passed", "failed"))
            self.assertIn(test["output_format"], ("text", "html", "simple_format", "md", "ansi"))
            self.assertIn(test["visibility"], shown)
            self.assertLessEqual(len(test["output"]), 50_000)
        if "tests" in whole:
            total = sum(test["score"] for test in whole["tests"])
            self.assertAlmostEqual(whole["score"], total, 2)

    def first(self, whole: dict) -> dict:
        return next(test for test in whole["tests"] if test["name"].startswith(FOLDER + "/ex1"))

    def good(self) -> str:
        if not LONG:
            return solution()
        with open(os.path.join(classroom.ROOT, "solutions", FOLDER,
                               "ex1_move_and_square.c"), encoding="utf-8") as file:
            return file.read()

    def test_good(self):
        test = self.first(self.run_on(self.good()))
        self.assertEqual((test["score"], test["max_score"], test["status"]), (10, 10, "passed"))
        self.assertIn("--seeds", test["output"])  # secret, and to be seen again
        self.assertEqual(self.done.returncode, 0, self.done.stderr)

    def test_empty(self):
        whole = self.run_on(None)
        self.assertEqual((whole["score"], self.first(whole)["status"]), (0, "failed"))
        self.assertIn("No exercise's file was found", whole["output"])

    def test_not_compilable(self):
        test = self.first(self.run_on("int64_t add_up(\n"))
        self.assertEqual((test["score"], test["status"]), (0, "failed"))
        self.assertIn("does not compile", test["output"])
        self.assertIn(".c:1:", test["output"])

    @unittest.skipIf(LONG, "the sample's exercise prints what it saw")
    def test_hostile(self):
        text = HOSTILE.replace("@L", f"{FOLDER}/{SLUG}.c").replace("@", self.base)
        whole = self.run_on(text)
        test = self.first(whole)
        self.assertEqual((whole["score"], test["score"]), (0, 0))
        self.assertGreaterEqual(test["output"].count("shut "), 6, test["output"])
        self.assertNotIn("OPENED", test["output"])

    @unittest.skipIf(LONG, "told of the sample")
    def test_our_fault_is_no_zero(self):
        probe = glob.glob(os.path.join(self.source, "workbook/build/sim/**/ex1.probe.c.o"),
                          recursive=True)[0]
        os.rename(probe, probe + ".away")
        try:
            whole = self.run_on(self.good())
        finally:
            os.rename(probe + ".away", probe)
        self.assertNotIn("score", whole)
        self.assertIn("our fault", whole["output"])
        self.assertNotEqual(self.done.returncode, 0)

    def test_what_is_packed(self):
        with zipfile.ZipFile(self.zip) as packed:
            names = packed.namelist()
            modes = {info.filename: info.external_attr >> 16 for info in packed.infolist()}
            for name in names:
                data = packed.read(name)
                for word in (classroom.ROOT, socket.gethostname()):
                    if len(word) > 8:  # a short host's name is a word like others
                        self.assertNotIn(word.encode(), data, name)
        self.assertEqual(names[:3], ["setup.sh", "run_autograder", "settings.json"])
        self.assertEqual([modes[n] & 0o777 for n in names[:3]], [0o755, 0o755, 0o600])
        self.assertEqual(os.stat(self.zip).st_mode & 0o777, 0o600)
        self.assertFalse([n for n in names if "/build/" in n or "/.git/" in n])
        if LONG:
            self.assertIn("workbook/scripts/gradescope", names)


class Words(unittest.TestCase):
    def test_what_cannot_be_packed(self):
        done = pack("--root", sample_root(), "--lessons", "77", os.path.join(own(self), "a.zip"))
        self.assertEqual(done.returncode, 3)
        self.assertIn("there is no lesson '77'; there are: 90_sample", done.stderr)
        done = pack("--seed-file", "/nowhere", os.path.join(own(self), "a.zip"))
        self.assertIn("the key /nowhere cannot be read", done.stderr)
        empty = write(os.path.join(own(self), "key"), "\n")
        done = pack("--seed-file", empty, os.path.join(own(self, "b"), "a.zip"))
        self.assertIn("is empty", done.stderr)

    def test_whose_it_is(self):
        base = own(self)
        self.assertEqual(gradescope.student(base), "submission")
        path = os.path.join(base, "submission_metadata.json")
        for text, name in (
            ('{"users": [{"email": "Bob@x.org"}, {"email": "ann@x.org"}]}', "ann@x.org+bob@x.org"),
            ('{"users": [{"email": "../../etc"}]}', "_.._etc"),
            ('{"users": [{}]}', "submission"),
            ("not json", "submission"),
        ):
            write(path, text)
            self.assertEqual(gradescope.student(base), name)


if __name__ == "__main__":
    unittest.main(argv=[word for word in sys.argv if word != "--long"])
