"""The starter out of git's history, a clone without git, and an update of the
clone under a file that the student has changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import classroom  # noqa: E402

FILE = "lessons/90_sample/ex1_add_up.c"


def git(folder: str, *words: str) -> subprocess.CompletedProcess:
    env = {"PATH": os.environ["PATH"], "HOME": folder, "GIT_CONFIG_NOSYSTEM": "1"}
    named = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"]
    named += ["-c", "init.defaultBranch=main", "-c", "core.autocrlf=false"]
    command = ["git", *named, *words]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, check=False)


@unittest.skipUnless(shutil.which("git"), "needs git")
class Git(classroom.Clone):
    def setUp(self):
        super().setUp()
        self.starter = self.read(self.ex1)

    def commit(self, folder: str, words: str) -> None:
        self.assertEqual(git(folder, "add", "lessons", "tests").returncode, 0)
        self.assertEqual(git(folder, "commit", "-qm", words).returncode, 0)

    def without_solutions(self) -> None:
        shutil.rmtree(os.path.join(self.root, "solutions"))

    def test_reset_from_history(self):
        git(self.root, "init", "-q")
        self.commit(self.root, "the workbook")
        self.without_solutions()
        self.save(self.ex1, classroom.WRONG)
        self.commit(self.root, "my work, committed")
        code, said = self.learn("reset", "ex1")
        self.assertEqual((code, self.read(self.ex1)), (0, self.starter), said)
        kept = [n for n in os.listdir(os.path.dirname(self.ex1)) if "ex1_add_up.c.saved-" in n]
        self.assertEqual(len(kept), 1, said)
        self.assertIn(kept[0], said)
        self.assertEqual(self.read(os.path.join(os.path.dirname(self.ex1), kept[0])), classroom.WRONG)

    def test_without_git_nothing_is_lost(self):
        self.without_solutions()
        self.save(self.ex1, classroom.WRONG)
        code, said = self.learn("reset", "ex1")
        self.assertNotEqual(code, 0)
        self.assertIn("is not to be found", " ".join(said.split()))
        self.assertEqual(self.read(self.ex1), classroom.WRONG)

    def test_another_text_of_that_name_is_not_believed(self):
        self.save(self.ex1, classroom.BROKEN)
        git(self.root, "init", "-q")
        self.commit(self.root, "no starter was ever here")
        self.without_solutions()
        self.assertNotEqual(self.learn("reset", "ex1")[0], 0)
        self.assertEqual(self.read(self.ex1), classroom.BROKEN)

    def test_an_update_does_not_overwrite(self):
        git(self.root, "init", "-q")
        self.commit(self.root, "the workbook")
        student = os.path.join(os.path.dirname(self.root), "student")
        git(os.path.dirname(self.root), "clone", "-q", self.root, student)
        mine = os.path.join(student, FILE)
        self.save(mine, classroom.WRONG)
        self.save(self.ex1, self.starter + "// a new edition\n")
        self.commit(self.root, "a new edition")
        self.assertNotEqual(git(student, "pull", "-q", "--ff-only").returncode, 0)
        self.assertEqual(self.read(mine), classroom.WRONG)
        self.save(mine, self.starter)
        self.assertEqual(git(student, "pull", "-q", "--ff-only").returncode, 0)
        self.assertIn("// a new edition", self.read(mine))


if __name__ == "__main__":
    unittest.main()
