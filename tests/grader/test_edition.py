"""The student edition of the whole workbook, from an instructor's repository
to a student's clone: it configures, builds, teaches and tests by itself, and
the classroom's workflow does in it what it says. (scripts/check-all)"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import classroom  # noqa: E402
from test_workflow import steps  # noqa: E402

LESSON, SLUG = "02_tensor_transfer", "ex1_move_and_square"
WHO = ["-c", "user.name=instructor", "-c", "user.email=instructor@example.org"]


class Edition(unittest.TestCase):
    """In the order of their names, on one clone."""

    @classmethod
    def setUpClass(cls):
        if not shutil.which("git") or not shutil.which("bash"):
            raise unittest.SkipTest("needs git and bash")
        cls.base = tempfile.mkdtemp(prefix="edition-")
        cls.addClassCleanup(shutil.rmtree, cls.base, ignore_errors=True)
        made = os.path.join(cls.base, "instructor")
        cls.env = {**os.environ, "NO_COLOR": "1"}
        if shutil.which("ccache"):
            cls.env["CMAKE_C_COMPILER_LAUNCHER"] = "ccache"
        cls.summary = os.path.join(cls.base, "summary.md")
        cls.env["GITHUB_STEP_SUMMARY"] = cls.summary
        cls.clone = os.path.join(cls.base, "student")
        for words in (
            [sys.executable, "-IS", os.path.join(classroom.ROOT, "scripts/handout"), made],
            ["git", "init", "-q", made],
            ["git", "-C", made, "add", "."],
            ["git", "-C", made, *WHO, "commit", "-qm", "The workbook"],
            ["git", "clone", "-q", made, cls.clone],
        ):
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr
        # Another clone has other clones' files only by git.
        shutil.rmtree(made)

    def type(self, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run(words, cwd=self.clone, env=self.env, capture_output=True,
                              text=True, check=False)

    def step(self, part: str) -> subprocess.CompletedProcess:
        """A step of the workflow, as the runner would run it."""
        run = next(step["run"] for step in steps() if part in step.get("name", ""))
        return self.type("bash", "-e", "-o", "pipefail", "-c", run)

    def place(self, path: str, *source: str) -> str:
        target = os.path.join(self.clone, path)
        if source:
            shutil.copy(os.path.join(classroom.ROOT, *source), target)
        return target

    def told(self) -> str:
        with open(self.summary, encoding="utf-8") as file:
            words = file.read()
        os.remove(self.summary)
        return words

    def test_1_the_workflow(self):
        done = self.step("Build")
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-3000:])
        self.assertEqual(self.type("git", "status", "--short").stdout, "")
        # Nothing attempted is no failure.
        done = self.step("Check")
        self.assertEqual(done.returncode, 0, done.stdout[-3000:])
        self.assertEqual(self.step("Say").returncode, 0)
        self.assertRegex(self.told(), r"\*\*\d+ not attempted\*\*")
        # One right, one wrong: the job is red, and the summary says which.
        self.place(f"lessons/{LESSON}/{SLUG}.c", "solutions", LESSON, SLUG + ".c")
        wrong = sorted(os.listdir(os.path.join(classroom.ROOT, "tests/lessons", LESSON, "wrong")))
        wrong = next(name for name in wrong if name.startswith("ex2_same_object."))
        self.place(f"lessons/{LESSON}/ex2_same_object.c", "tests/lessons", LESSON, "wrong", wrong)
        self.assertNotEqual(self.step("Check").returncode, 0)
        self.assertEqual(self.step("Say").returncode, 0)
        words = self.told()
        self.assertIn(f"| {LESSON} | {SLUG} | passed | 10 of 10 |", words)
        self.assertIn(f"| {LESSON} | ex2_same_object | wrong |", words)

    def test_2_learn(self):
        done = self.type("./scripts/learn", "check", "02", "ex1")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("passed", done.stdout)
        done = self.type("./scripts/learn", "solution", "02", "ex1")
        self.assertIn("The reference answer is not part of this edition.", done.stdout)
        done = self.type("./scripts/learn", "check", "02", "ex2")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for words in ((), ("list",), ("hint",), ("next",), ("progress",), ("doctor",)):
            done = self.type("./scripts/learn", *words)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_3_reset(self):
        """Also for who has no history: the starter is part of the edition."""
        os.rename(os.path.join(self.clone, ".git"), os.path.join(self.base, "git"))
        try:
            for ex in ("ex1", "ex2"):
                done = self.type("./scripts/learn", "reset", "02", ex)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertIn(".c.saved-1", done.stdout)
        finally:
            os.rename(os.path.join(self.base, "git"), os.path.join(self.clone, ".git"))
        self.assertEqual(self.type("git", "status", "--short").stdout, "")

    def test_4_the_book(self):
        if not shutil.which("pandoc"):
            self.skipTest("needs pandoc")
        done = self.type("cmake", "--build", "--preset", "sim", "--target", "book")
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-3000:])
        page = os.path.join(self.clone, "build/sim/book/html/index.html")
        self.assertTrue(os.path.exists(page))

    def test_5_ctest(self):
        done = self.type("ctest", "--preset", "sim", "-j", str(os.cpu_count()))
        self.assertEqual(done.returncode, 0, done.stdout[-6000:])


if __name__ == "__main__":
    unittest.main()
