"""The student edition: it tells no answer, and judges as the whole one does."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import classroom  # noqa: E402
from classroom import SLUG, own, sample_root, solution, starter, write, wrong  # noqa: E402

from workbook import handout, judge  # noqa: E402
from workbook import lesson as lessons  # noqa: E402
from workbook.lesson import Fault  # noqa: E402


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
        self.assertIn(f"tests/lessons/90_sample/expected/{SLUG}.starter.c", names)
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

    def test_an_edition_that_would_leak_is_none(self):
        with mock.patch.object(handout, "leaks", return_value=["a.md: holds it"]):
            with self.assertRaisesRegex(Fault, "a.md: holds it"):
                handout.make([self.lesson], sample_root(), self.out)
        self.assertFalse(os.path.exists(self.out))

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
        with open(os.path.join(out, "README.md"), encoding="utf-8") as file:
            readme = file.read()
        for word in ("solutions/", "`grade`", "handout", "CONTRIBUTING", "tests/style", "instructors"):
            self.assertNotIn(word, readme)
        gone = ("book/instructors.md", "book/zh/instructors.md", "scripts/gradescope",
                "scripts/similarity", "scripts/classroom", "tests/book")
        for name in gone:
            self.assertFalse(os.path.exists(os.path.join(out, name)), name)
        self.assertTrue(os.path.exists(os.path.join(out, "tests/style/seeds_rows.txt")))
        shutil.rmtree(out)

    def test_what_git_does_not_know_is_no_edition(self):
        """Half a lesson would go out: say what to type instead."""
        root = os.path.join(own(self, "root"))
        shutil.copytree(os.path.join(sample_root(), "lessons"), os.path.join(root, "lessons"))
        if not shutil.which("git"):
            self.skipTest("needs git")
        subprocess.run(["git", "init", "-q", root], check=True)
        write(os.path.join(root, "README.md"), "A workbook.\n")
        subprocess.run(["git", "-C", root, "add", "README.md"], check=True)
        with self.assertRaisesRegex(handout.Fault, "git add lessons/90_sample"):
            handout.whole(root)
        subprocess.run(["git", "-C", root, "add", "."], check=True)
        handout.whole(root)


if __name__ == "__main__":
    unittest.main()
