"""The loop through plain ctest, as a student meets it: one exercise at a time,
each with its own verdict, whatever the others do."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import harness  # noqa: E402

from workbook import starters  # noqa: E402


class Loop(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = os.path.join(os.environ["WORKBOOK_JUDGE_DIR"], "loop")
        harness.copy(cls.root)
        done = harness.configure(cls.root)
        assert done.returncode == 0, done.stdout + done.stderr

    def setUp(self):
        shutil.rmtree(os.path.join(self.root, "lessons"))
        shutil.copytree(
            os.path.join(harness.HERE, "sample", "lessons"), os.path.join(self.root, "lessons")
        )
        harness.generate(self.root)

    def source(self, name: str) -> str:
        return os.path.join(self.root, "lessons", "90_sample", name)

    def ctest(self, *words: str) -> tuple[dict[str, str], str]:
        """Each test's state, and the whole output."""
        build = os.path.join(self.root, "build", "sim")
        command = ["ctest", "--test-dir", build, "--output-on-failure", "-j2", *words]
        done = subprocess.run(command, capture_output=True, text=True)
        found = re.findall(r"Test +#\d+: (\S+) \.+ *\**(\w+(?: Run)?)", done.stdout)
        return dict(found), done.stdout + done.stderr

    def test_a_fresh_clone_is_green(self):
        states, output = self.ctest()
        self.assertEqual(
            states,
            {
                "lesson.90_sample.default": "Passed",
                "lesson.90_sample.small": "Passed",
                "lesson.90_sample.none": "Passed",
                "lesson.90_sample.dies": "Passed",
                "lesson.90_sample.here": "Skipped",
                "exercise.90_sample.ex1_add_up": "Skipped",
                "exercise.90_sample.ex2_place": "Skipped",
                "exercises.90_sample": "Passed",
                "solution.90_sample": "Passed",
            },
            output,
        )

    def test_labels(self):
        for label, count in (("90", 9), ("lesson", 5), ("exercise", 3), ("solution", 1)):
            output = self.ctest("-N", "-L", f"^{label}$")[1]
            self.assertIn(f"Total Tests: {count}", output)

    def test_one_compile_error_breaks_nobody_else(self):
        harness.write(self.source("ex1_add_up.c"), "int64_t add_up(\n")
        harness.write(self.source("ex2_place.c"), starters.read_text(self.solution("ex2_place")))
        states, output = self.ctest("-L", "90")
        wrong = [name for name, state in states.items() if state == "Failed"]
        self.assertEqual(wrong, ["exercise.90_sample.ex1_add_up"])
        self.assertEqual(states["exercise.90_sample.ex2_place"], "Passed")
        self.assertIn("your file lessons/90_sample/ex1_add_up.c: does not compile", output)
        self.assertRegex(output, r"(?m)^lessons/90_sample/ex1_add_up\.c:1:\d+: error: ")
        self.assertIn("then: ctest --preset sim -R 90_sample.ex1_add_up", output)

    def solution(self, slug: str) -> str:
        return os.path.join(self.root, "solutions", "90_sample", slug + ".c")

    def test_the_table_of_states(self):
        harness.write(self.source("ex2_place.c"), starters.read_text(self.solution("ex2_place")))
        output = self.ctest("-R", "exercises", "-V")[1]
        self.assertRegex(output, r"ex1_add_up +not attempted +0/10\n")
        self.assertRegex(output, r"ex2_place +passed +6/6\n")
        self.assertIn("6 of 16 points", output)

    def test_a_deleted_file_does_not_break_the_configuration(self):
        os.remove(self.source("ex1_add_up.c"))
        done = harness.configure(self.root)
        self.assertEqual(done.returncode, 0, done.stderr)
        states, output = self.ctest("-R", "exercise\\.")
        self.assertEqual(states["exercise.90_sample.ex1_add_up"], "Failed")
        self.assertIn("There is no file lessons/90_sample/ex1_add_up.c", output)

    def test_what_add_lesson_refuses(self):
        self.addCleanup(harness.configure, self.root)
        self.addCleanup(self.setUp)
        for text, sentence in (
            ("add_lesson(lesson)", "is how it is called"),
            ("add_lesson(PROGRAMS lesson EXERCISES a)", "an exercise is named exK_slug, not a"),
            ("add_lesson(PROGRAMS lesson EXERCISES ex9_no)", "needs tests/lessons/90_sample/ex9.probe.c"),
        ):
            harness.write(self.source("CMakeLists.txt"), text + "\n")
            done = harness.configure(self.root)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(sentence, " ".join(done.stderr.split()))

    def test_authors_also_guard_the_tree(self):
        self.assertEqual(harness.configure(self.root, "-DWORKBOOK_AUTHOR=ON").returncode, 0)
        self.addCleanup(harness.configure, self.root, "-DWORKBOOK_AUTHOR=OFF")
        states, output = self.ctest("-R", "starter")
        self.assertEqual(states, {"starter.90_sample": "Passed"}, output)
        harness.write(self.source("ex1_add_up.c"), "int64_t add_up(\n")
        states, output = self.ctest("-R", "starter")
        self.assertEqual(states, {"starter.90_sample": "Failed"}, output)
        self.assertIn("lessons/90_sample/ex1_add_up.c is not what its solution makes of it", output)


if __name__ == "__main__":
    unittest.main()
