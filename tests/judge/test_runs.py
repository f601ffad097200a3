"""The runner: a lesson's runs against their transcripts."""

from __future__ import annotations

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import harness  # noqa: E402

from workbook import runs, starters  # noqa: E402
from workbook.lesson import Fault  # noqa: E402


class Runs(unittest.TestCase):
    """Each test has its own copy of the sources; the programs are those that
    were built from them."""

    def setUp(self):
        root = os.path.join(harness.own(self), "sample")
        harness.copy(root)
        self.lesson = harness.sample()
        self.lesson.root = root

    def change(self, path: str, old: str, new: str) -> None:
        text = starters.read_text(path)
        self.assertIn(old, text)
        harness.write(path, text.replace(old, new))

    def check(self, run: str, code: int, *sentences: str) -> None:
        outcome = runs.check(self.lesson, run)
        told = "\n".join(outcome.words)
        self.assertEqual(outcome.code, code, told)
        for sentence in sentences:
            self.assertIn(sentence, told)

    def test_as_expected(self):
        for run in ("default", "small", "none", "dies"):
            self.check(run, 0, f"90_sample, run {run}: as expected")

    def test_the_expect_lines_are_the_transcript(self):
        """The guard of every lesson.c: its `// expect:` lines are what its
        program prints."""
        source = self.lesson.source("lesson.c")
        self.change(source, "// expect: {addr}", "// expect: {addr}!")
        starters.write(self.lesson)  # as an author would
        self.check(
            "default",
            1,
            "run default: SIM_MACHINE=v100x8 ",
            "stdout is not what the // expect: lines of lessons/90_sample/lesson.c say",
            "line 3 of stdout:",
            "expected  {addr}!",
        )

    def test_a_changed_program_is_the_students_right(self):
        self.change(self.lesson.source("lesson.c"), "// expect: {addr}", "// expect: mine")
        self.check(
            "default", 77, "Skipped: you changed lessons/90_sample/lesson.c, and it prints something else"
        )

    def test_but_not_an_authors(self):
        self.lesson.author = True
        self.change(self.lesson.source("lesson.c"), "// expect: {addr}", "// expect: mine")
        self.check("default", 1, "line 3 of stdout:")

    def test_a_changed_comment_changes_nothing(self):
        self.change(self.lesson.source("lesson.c"), "a sample", "my sample")
        self.check("default", 0)

    def test_a_transcript_of_its_own(self):
        self.change(self.lesson.test("expected", "small.txt"), "on v100x4", "on v100x8")
        self.check("small", 1, "stdout is not tests/lessons/90_sample/expected/small.txt", "line 1 of stdout")

    def test_simulated_values_are_exact(self):
        self.change(self.lesson.test("expected", "small.txt"), "{bytes:4}", "{bytes:5}")
        self.check("small", 1, "expected  {bytes:5} GPUs")

    def test_stderr_must_be_as_expected(self):
        self.change(self.lesson.test("expected", "small.err"), "done", "begun")
        self.check("small", 1, "stderr is not tests/lessons/90_sample/expected/small.err")

    def test_stderr_must_be_empty(self):
        os.remove(self.lesson.test("expected", "small.err"))
        self.check("small", 1, "stderr is not empty", "a line 1 that nobody expected", "log: done")

    def test_exit_code(self):
        self.change(self.lesson.test("runs"), "-            77", "-            0")
        self.check("none", 1, "it ended with 77; the table says 0")

    def test_a_run_that_is_to_be_skipped(self):
        os.remove(self.lesson.test("expected", "none.txt"))
        self.check("none", 0)
        self.lesson.programs["lesson"] = self.program("exit 77")
        self.check("none", 1, "it ended with 77 and did not say why")
        self.lesson.programs["lesson"] = self.program("echo why not >&2; exit 77")
        self.check("none", 0)
        self.lesson.programs["lesson"] = self.program("echo here we go")
        self.check("none", 1, "and it ended with 0, not 77")

    def test_no_transcript_anywhere(self):
        self.lesson.programs["other"] = self.program("echo x")
        self.change(self.lesson.test("runs"), "dies     v100x8", "other    v100x8")
        with self.assertRaises(Fault) as caught:
            runs.check(self.lesson, "dies")
        self.assertIn("expected/dies.txt is missing: scripts/record writes it", str(caught.exception))

    def program(self, script: str) -> str:
        path = harness.write(os.path.join(harness.own(self, "p"), "p"), f"#!/bin/sh\n{script}\n")
        os.chmod(path, 0o755)
        return path

    def test_signal(self):
        self.change(self.lesson.test("runs"), "SIGABRT", "SIGSEGV")
        self.check("dies", 1, "it ended with SIGABRT; the table says SIGSEGV")

    def test_a_dead_program_shows_its_stderr(self):
        self.change(self.lesson.source("dies.c"), "// expect: touching GPU 99", "// expect: more")
        starters.write(self.lesson)
        self.check("dies", 1, "stderr was:", "  | sim: there is no GPU 99 on v100x8")

    def test_needs_a_real_gpu(self):
        self.check("here", 77, "Skipped: this run needs a real GPU.")

    def test_needs_the_simulator(self):
        self.lesson.backend = "cuda"
        self.check("small", 77, "Skipped: this run needs the simulator.")
        self.check("dies", 77, "Skipped: this run needs the simulator.")

    def test_real_hardware_varies_where_declared(self):
        self.lesson.backend = "cuda"
        self.check("default", 0)

    def test_real_hardware_skips_with_the_programs_words(self):
        self.lesson.backend = "cuda"
        self.lesson.programs["lesson"] = self.program("echo this needs 8 GPUs; exit 77")
        self.check("default", 77, "Skipped: this needs 8 GPUs")

    def test_not_built(self):
        self.lesson.programs["lesson"] = "/nowhere/lesson"
        with self.assertRaises(Fault) as caught:
            runs.check(self.lesson, "default")
        self.assertIn("is not built: run cmake --build --preset sim", str(caught.exception))

    def test_recording(self):
        os.remove(self.lesson.test("expected", "small.err"))
        self.change(self.lesson.test("expected", "none.txt"), "needs", "wants")
        for run in ("small", "none"):
            runs.record(self.lesson, run)
            self.check(run, 0)
        told = runs.record(self.lesson, "default")
        self.assertIn("which you write by hand", told[1])


class Tables(unittest.TestCase):
    def refused(self, text: str, sentence: str) -> None:
        lesson = harness.sample()
        lesson.root = harness.own(self)
        harness.write(lesson.test("runs"), text)
        with self.assertRaises(Fault) as caught:
            runs.table(lesson)
        self.assertIn(sentence, str(caught.exception))

    def test_sentences(self):
        self.refused("a lesson any 0\n", "runs:1: five words make a run")
        self.refused("\n# x\na lesson any - -1\n", "runs:3: exit is 0 to 255 or a signal's name, not '-1'")
        self.refused("a lesson any PATH=x 0\n", "environment is - or SIM_…/CUDA_… NAME=value")
        self.refused("a lesson any - 0\na lesson any - 0\n", "there is a run 'a' already")
        self.refused("a other any - 0\n", "add_lesson() names no program 'other'")

    def test_environment(self):
        lesson = harness.sample()
        lesson.root = harness.own(self)
        harness.write(lesson.test("runs"), "a lesson any CUDA_VISIBLE_DEVICES=6,7;SIM_LOG=1 0\n")
        row = runs.find(lesson, "a")
        self.assertEqual(row.env, (("CUDA_VISIBLE_DEVICES", "6,7"), ("SIM_LOG", "1")))
        self.assertEqual(row.only(), "sim")
        with self.assertRaises(Fault):
            runs.find(lesson, "b")


if __name__ == "__main__":
    unittest.main()
