"""The student edition: it tells no answer, and judges as the whole one does."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import classroom  # noqa: E402
from classroom import SLUG, own, sample_root, solution, starter, write, wrong  # noqa: E402

from workbook import handout, judge  # noqa: E402
from workbook import lesson as lessons  # noqa: E402


class Edition(unittest.TestCase):
    def setUp(self):
        self.out = os.path.join(own(self), "edition")
        command = [sys.executable, "-IS", os.path.join(classroom.ROOT, "scripts", "handout")]
        self.command = [*command, "--root", sample_root(), self.out]
        self.done = subprocess.run(self.command, capture_output=True, text=True, check=False)
        self.lesson = lessons.find("90", "sim", sample_root())

    def test_no_answers_and_no_wrong_answers(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        names = handout.tracked(self.out)
        self.assertIn(f"lessons/90_sample/{SLUG}.c", names)
        self.assertIn("tests/lessons/90_sample/expected/ex1.facts.json", names)
        self.assertEqual([n for n in names if "solutions" in n or "wrong" in n], [])
        with open(os.path.join(self.out, "lessons/90_sample", SLUG + ".c")) as file:
            self.assertEqual(file.read(), starter())

    def test_a_leak_is_seen(self):
        self.assertEqual(handout.leaks([self.lesson], self.out), [])
        write(os.path.join(self.out, "book/notes.md"), "See:\n" + solution())
        self.assertEqual(
            handout.leaks([self.lesson], self.out),
            [f"book/notes.md: holds the answer of 90_sample/{SLUG}"],
        )
        write(os.path.join(self.out, "solutions/90_sample/a.c"), "")
        self.assertIn("solutions/90_sample/a.c", handout.leaks([self.lesson], self.out))

    def test_the_same_verdicts(self):
        """Judged with the recorded facts, as a student would."""
        student = lessons.find("90", "sim", sample_root())
        student.root = self.out
        student.build = os.path.join(self.out, "build/sim")
        path = os.path.join(own(self, "file"), SLUG + ".c")
        for text in (solution(), wrong("last_left_out"), wrong("crash"), "int x;"):
            write(path, text)
            one, two = (judge.check(where, SLUG, path) for where in (self.lesson, student))
            self.assertEqual(
                (one.outcome, one.points, one.recognised, one.sentence),
                (two.outcome, two.points, two.recognised, two.sentence),
            )

    def test_a_folder_in_use_is_left_alone(self):
        done = subprocess.run(self.command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 3)
        self.assertIn("is not empty", done.stderr)

    def test_the_whole_workbook(self):
        """Every lesson's answers, against the files as they would go out."""
        root = classroom.ROOT
        found = lessons.bare(root, [])
        out = os.path.join(own(self), "whole")
        handout.copy(root, out)
        self.assertEqual(handout.leaks(found, out), [])
        shutil.rmtree(out)


if __name__ == "__main__":
    unittest.main()
