"""Many machines, one gradebook: the Slurm array and the GNU parallel recipe
grade one submission a job; what is merged is what one run writes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import classroom  # noqa: E402
from classroom import SLUG, own, sample_root, solution, starter, write, wrong  # noqa: E402

from workbook.grade import gather, seeds, submissions  # noqa: E402

CLASSROOM = os.path.join(classroom.ROOT, "scripts", "classroom")
KEY = ("--root", sample_root(), "--seed", "a key")


def written(out: str) -> dict[str, str]:
    """What grade wrote for people and other programs."""
    found = {}
    for path in classroom.tree(out):
        name = os.path.relpath(path, out)
        if not name.startswith(("kept/", "graded/")):
            with open(path, encoding="utf-8") as file:
                found[name] = file.read()
    return found


def said(done: subprocess.CompletedProcess) -> str:
    """All but the last line, which names the folder of the results."""
    return done.stdout[: done.stdout.rindex("next: ")]


class Machines(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        classroom.need_namespaces()
        base = os.path.join(os.environ["WORKBOOK_JUDGE_DIR"], "machines")
        cls.base, cls.folder = base, os.path.join(classroom.fresh(base), "class")
        for student, text in (("ann", solution()), ("bo b", wrong("last_left_out")),
                              ("cy", starter())):
            write(os.path.join(cls.folder, student, SLUG + ".c"), text)
        # Two of one name: the second is `ann~2`, wherever it is graded.
        with open(os.path.join(cls.folder, "ann.zip"), "wb") as file:
            file.write(b"PK\3\4 broken")
        cls.one = os.path.join(base, "one")
        done = classroom.grade(cls.folder, "--out", cls.one, "--seed", "a key")
        assert done.returncode == 0, done.stderr
        cls.summary = said(done)

    def merged(self, parts: str) -> None:
        """As one run: every file, and what it says."""
        out = own(self, "merged")
        done = classroom.grade("--merge", parts, "--of", self.folder, "--out", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(said(done), self.summary)
        self.assertEqual(written(out), written(self.one))

    def slurm(self, task: int, parts: str) -> subprocess.CompletedProcess:
        words = ["sh", os.path.join(CLASSROOM, "grade.slurm"), self.folder, parts, *KEY]
        env = {**os.environ, "SLURM_ARRAY_TASK_ID": str(task)}
        env["SLURM_SUBMIT_DIR"] = classroom.ROOT
        return subprocess.run(words, env=env, capture_output=True, text=True, check=False)

    def test_a_slurm_array(self):
        parts = own(self, "parts")
        listed = classroom.grade("--list", self.folder).stdout.splitlines()
        self.assertEqual([line.split("\t")[0] for line in listed],
                         ["ann", "ann~2", "bo_b", "cy"])
        for task in range(1, len(listed) + 1):
            done = self.slurm(task, parts)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.merged(parts)
        done = self.slurm(5, parts)
        self.assertEqual(done.returncode, 2)
        self.assertIn("There is no submission number 5", done.stderr)

        # What is not complete, or not of one piece, is refused.
        shutil.rmtree(os.path.join(parts, "cy"))
        done = classroom.grade("--merge", parts, "--of", self.folder, "--out", own(self, "x"))
        self.assertEqual((done.returncode, done.stderr),
                         (3, "grade: not graded yet: cy; run their part again\n"))
        classroom.grade(os.path.join(self.folder, "cy"), "--out", os.path.join(parts, "cy"))
        done = classroom.grade("--merge", parts, "--out", own(self, "x"))
        self.assertIn("these were not graded alike", done.stderr)
        path = os.path.join(parts, "cy", "graded", "cy.json")
        with open(path, encoding="utf-8") as file:
            whole = {**json.load(file), "secret": seeds.mark("another key")}
        write(path, json.dumps(whole))
        done = classroom.grade("--merge", parts, "--out", own(self, "x"))
        self.assertIn("or another key", done.stderr)
        done = classroom.grade("--merge", parts, self.one, "--out", own(self, "x"))
        self.assertIn("two results of ann", done.stderr)
        done = classroom.grade("--merge", own(self, "x"), "--out", own(self, "y"))
        self.assertIn("no results in", done.stderr)

    def test_those_of_the_class_alone(self):
        """Results of somebody whose submission was taken away since."""
        fewer = own(self, "class")
        shutil.copytree(os.path.join(self.folder, "cy"), os.path.join(fewer, "cy"))
        graded, secret = gather.merge([self.one], submissions.find([fewer]))
        self.assertEqual(([one.student for one in graded], secret), (["cy"], True))
        self.assertEqual(gather.earlier(self.one, graded), ["ann", "ann~2", "bo_b"])
        self.assertEqual(gather.earlier(own(self), graded), [])

    def test_gnu_parallel(self):
        """Two job slots on this machine, as parallel's --sshlogin has it."""
        if "--long" not in sys.argv:
            self.skipTest("with --long")
        if not shutil.which("parallel"):
            self.skipTest("needs GNU parallel (package parallel)")
        parts, out = own(self, "parts"), own(self, "out")
        words = [os.path.join(CLASSROOM, "grade-parallel"), self.folder, parts, out, *KEY]
        env = {**os.environ, "GRADE_LOGINS": "2/:", "NO_COLOR": "1"}
        done = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(said(done), self.summary)
        self.assertEqual(written(out), written(self.one))


if __name__ == "__main__":
    unittest.main(argv=[word for word in sys.argv if word != "--long"])
