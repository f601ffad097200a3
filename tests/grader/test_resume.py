"""Killed half-way, started again: nothing lost, nothing graded twice. The
number of jobs changes nothing. Only what changed is graded again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import classroom  # noqa: E402
from classroom import SLUG, own, solution, write, wrong  # noqa: E402

STUDENTS = 6


class Resume(unittest.TestCase):
    def setUp(self):
        classroom.need_namespaces()
        self.folder = own(self, "class")
        self.out = own(self, "out")
        for at in range(STUDENTS):
            text = solution() if at % 3 else wrong("last_left_out")
            path = os.path.join(self.folder, f"s{at}", SLUG + ".c")
            write(path, f"// of student {at}\n{text}")

    def kept(self, out: str) -> dict[str, int]:
        """What is graded, and when it was written."""
        found = {}
        for at, _, names in os.walk(os.path.join(out, "kept")):
            for name in names:
                if name.endswith(".json"):
                    found[os.path.join(at, name)] = os.stat(os.path.join(at, name)).st_mtime_ns
        return found

    def read(self, out: str, name: str) -> str:
        with open(os.path.join(out, name), encoding="utf-8") as file:
            return file.read()

    def test_killed_half_way(self):
        command = [sys.executable, "-IS", os.path.join(classroom.ROOT, "scripts", "grade")]
        command += ["--root", classroom.sample_root(), self.folder, "--out", self.out, "--jobs", "1"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        grader = subprocess.Popen(command, start_new_session=True, **quiet)
        self.assertTrue(classroom.wait_for(lambda: len(self.kept(self.out)) >= 3))
        grader.send_signal(signal.SIGKILL)
        grader.wait()
        before = self.kept(self.out)
        self.assertLess(len(before), STUDENTS)
        self.assertFalse(os.path.exists(os.path.join(self.out, "gradebook.csv")))
        done = classroom.grade(self.folder, "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        after = self.kept(self.out)
        self.assertEqual(len(after), STUDENTS)
        self.assertEqual({path: after[path] for path in before}, before)

        other = own(self, "other")
        done = classroom.grade(self.folder, "--out", other, "--jobs", "4")
        for name in ("gradebook.csv", "gradebook-long.csv", "junit.xml", "summary.txt"):
            self.assertEqual(self.read(self.out, name), self.read(other, name))

    def test_only_what_changed(self):
        classroom.grade(self.folder, "--out", self.out)
        before = self.kept(self.out)
        self.assertEqual(classroom.rows(self.out)[("s0", SLUG)]["points"], "0")
        write(os.path.join(self.folder, "s0", SLUG + ".c"), solution())
        done = classroom.grade(self.folder, "--out", self.out)
        self.assertIn(f"{STUDENTS - 1} kept from before", done.stderr)
        after = self.kept(self.out)
        self.assertEqual([p for p in before if before[p] != after[p]],
                         [os.path.join(self.out, "kept", "s0", f"90_sample.{SLUG}.json")])
        self.assertEqual(classroom.rows(self.out)[("s0", SLUG)]["points"], "10")

    def test_nobody_listens(self):
        """`grade … | head`: the results are written all the same."""
        read, write_to = os.pipe()
        os.close(read)
        command = [sys.executable, "-IS", os.path.join(classroom.ROOT, "scripts", "grade")]
        command += ["--root", classroom.sample_root(), self.folder + "/s1", "--out", self.out]
        done = subprocess.run(command, stdout=write_to, stderr=write_to, check=False)
        os.close(write_to)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(classroom.rows(self.out)[("s1", SLUG)]["points"], "10")

    def test_one_again(self):
        one = os.path.join(self.folder, "s1")
        classroom.grade(one, "--out", self.out)
        before = self.kept(self.out)
        classroom.grade(one, "--out", self.out, "--again")
        self.assertNotEqual(self.kept(self.out), before)


if __name__ == "__main__":
    unittest.main()
