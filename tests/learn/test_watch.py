"""`learn watch` at a terminal: saves, keys, and the terminal afterwards."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import termios
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import classroom  # noqa: E402
from classroom import ENDLESS, LEARN, WRONG  # noqa: E402

PATIENCE = 60.0  # seconds until a test gives up; nothing is measured


class AtTerminal(classroom.Clone):
    """`self.until(words)` reads what is shown until the words are there."""

    def start(self, *words: str, **extra: str):
        self.master, self.slave = pty.openpty()
        self.addCleanup(os.close, self.master)
        self.addCleanup(os.close, self.slave)
        self.before = termios.tcgetattr(self.slave)
        self.seen = ""
        self.child = subprocess.Popen(
            [*LEARN, "--root", self.root, "watch", *words],
            cwd=self.root,
            env=self.environment(TERM="xterm", **extra),
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            start_new_session=True,
            preexec_fn=self.take_terminal,
        )
        self.addCleanup(self.child.wait)
        self.addCleanup(self.child.kill)

    def take_terminal(self):
        """The terminal is the child's own, so that Ctrl-C reaches it."""
        import fcntl

        fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)

    def until(self, words: str) -> str:
        """What was shown up to these words; the rest stays for the next call."""
        end = time.monotonic() + PATIENCE
        while words not in self.seen:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.master], [], [], left)[0]:
                self.fail(f"'{words}' was never shown; this was: {self.seen}")
            data = os.read(self.master, 1 << 16).decode("utf-8", "replace")
            self.seen += re.sub(r"\x1b\[[0-9;]*[a-zA-Z]", "", data.replace("\r\n", "\n"))
        shown, _, self.seen = self.seen.partition(words)
        return shown + words

    def press(self, keys: str):
        os.write(self.master, keys.encode())

    def ended(self, code: int):
        self.assertEqual(self.child.wait(PATIENCE), code)
        self.assertEqual(termios.tcgetattr(self.slave), self.before)
        left = os.path.join(self.root, "build/sim/judge/tmp")
        self.assertEqual(os.listdir(left) if os.path.exists(left) else [], [])

    def open_starter(self, *words: str, **extra: str):
        self.start(*words, **extra)
        self.until("not attempted")
        self.until("q quit")


class Watch(AtTerminal):
    def test_from_starter_to_pass(self):
        self.start()
        out = self.until("q quit")
        self.assertIn("checking your file lessons/90_sample/ex1_add_up.c", out)
        self.assertIn("Return the sum of the first n numbers", out)
        self.save(self.ex1, self.answer("ex1_add_up"))
        self.assertIn("saved ", self.until("checking your file"))
        out = self.until("q quit")
        self.assertIn("ex1_add_up.c: passed  (10 of 10 points)", out)
        self.assertIn("Why it works", out)
        self.assertIn("next: press n", out)
        self.assertIn("now 90_sample/ex1_add_up\n", self.progress())
        self.press("n")
        self.assertIn("ex2_place  exercise 2 of 2", self.until("q quit"))
        self.assertIn("now 90_sample/ex2_place\n", self.progress())
        self.press("q")
        self.until("next: ./scripts/learn")
        self.ended(0)

    def test_keys_on_a_wrong_answer(self):
        self.save(self.ex1, WRONG)
        self.start("90", "ex1")
        self.assertIn("wrong", self.until("q quit"))
        self.press("h")
        self.assertIn("Hint 1 of 3: Visit each number once.", self.until("q quit"))
        self.press("h")
        out = self.until("q quit")
        self.assertIn("Hint 2 of 3: A for loop", out)
        self.assertNotIn("Hint 3", out)
        self.press("l")
        self.assertIn("ex2_place", self.until("r: back to the exercise"))
        self.press("r")
        self.assertIn("again ", self.until("checking your file"))
        self.assertIn("Your sum leaves out the last number", self.until("q quit"))
        self.press("\x03")
        self.until("next: ./scripts/learn watch 90 ex1")
        self.ended(130)

    def test_a_hint_is_seen_on_a_small_screen(self):
        self.save(self.ex1, WRONG.replace("int64_t sum", 'puts("1\\n2\\n3\\n4"); int64_t sum'))
        self.start("90", "ex1", LINES="16", COLUMNS="80")
        self.assertIn("next: change the file", self.until("q quit"))
        self.press("h")
        out = self.until("q quit")
        self.assertIn("Hint 1 of 3", out)
        self.assertIn("more lines: ./scripts/learn check 90 ex1", out)
        self.press("q")
        self.ended(0)

    def test_a_list_that_would_not_fit(self):
        self.start("90", "ex1", LINES="10", COLUMNS="80")
        self.until("q quit")
        self.press("l")
        out = self.until("q quit")
        self.assertIn("ex2_place", out)
        self.assertIn("all lessons: ./scripts/learn list", out)
        self.press("q")
        self.ended(0)

    def test_a_file_that_is_gone(self):
        self.open_starter("90", "ex1")
        os.remove(self.ex1)
        self.until("next: ./scripts/learn reset 90 ex1")
        self.press("q")
        self.ended(0)
        code, out = self.learn()
        self.assertEqual(code, 0)
        self.assertIn("Return the sum of the first n numbers", out)
        self.assertIn("next: ./scripts/learn reset 90 ex1", out)

    def test_an_open_exercise_is_left_only_when_asked_twice(self):
        self.open_starter()
        self.press("n")
        self.until("Press n again to leave it for later.")
        self.assertIn("now 90_sample/ex1_add_up\n", self.progress())
        self.press("n")
        self.assertIn("ex2_place", self.until("q quit"))
        self.press("q")
        self.ended(0)

    def test_looking_instead_of_being_told(self):
        self.start("--poll")
        self.until("looking at the file ten times a second: asked for")
        self.until("q quit")
        for text, outcome in ((WRONG, "wrong"), (self.answer("ex1_add_up"), "passed")):
            self.save(self.ex1, text)
            self.until(f"ex1_add_up.c{':2' if outcome == 'wrong' else ''}: {outcome}")
            self.until("q quit")
        os.remove(self.ex1)
        self.until("absent")
        self.press("q")
        self.ended(0)

    def test_a_save_overtakes_a_check_that_runs(self):
        self.open_starter()
        self.save(self.ex1, ENDLESS)
        self.until("checking your file")
        self.save(self.ex1, self.answer("ex1_add_up"))
        out = self.until("passed")
        self.assertNotIn("timed out", out)
        self.until("q quit")
        self.press("q")
        self.ended(0)

    def test_leaving_in_the_middle_of_a_check(self):
        self.save(self.ex1, ENDLESS)
        self.start()
        self.until("checking your file")
        self.press("q")
        self.ended(0)

    def test_a_regression_is_told_in_the_background(self):
        self.save(self.ex1, self.answer("ex1_add_up"))
        self.learn("check", "90", "ex1")
        self.save(self.ex1, WRONG)
        self.save(self.ex2, self.answer("ex2_place"))
        self.start("90", "ex2")
        self.until("ex2_place.c: passed")
        self.until("90_sample/ex1_add_up passed before and does not any more: wrong.")
        self.press("q")
        self.ended(0)
        self.assertRegex(self.progress(), r"ex1_add_up +wrong")

    def test_plain_clears_no_screen(self):
        self.start("--plain")
        end = self.until("q quit")
        self.assertNotIn("\x1b", end)
        self.press("q")
        self.ended(0)

    def test_ended_from_outside(self):
        self.open_starter()
        self.child.terminate()
        self.ended(130)

    def test_without_a_terminal(self):
        child = subprocess.Popen(
            [*LEARN, "--root", self.root, "watch"], env=self.environment(), cwd=self.root,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
        )
        self.addCleanup(child.stdout.close)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        shown = []
        for line in child.stdout:
            shown.append(line)
            if line.startswith("next: change the file"):
                break
        self.save(self.ex1, self.answer("ex1_add_up"))
        for line in child.stdout:
            shown.append(line)
            if line.startswith("next: ") and "change" not in line:
                break
        self.assertTrue(any("passed  (10 of 10" in line for line in shown))
        self.assertIn("learn next", shown[-1])  # there is no key to press
        self.assertFalse(any("keys:" in line for line in shown))


if __name__ == "__main__":
    unittest.main()
