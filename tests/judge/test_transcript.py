"""Transcripts: what `// expect:` lines make, what fields match, and the words
for a difference."""

from __future__ import annotations

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import harness  # noqa: E402, F401

from workbook import transcript  # noqa: E402


def same(expected: str, got: str, real: bool = False) -> bool:
    return transcript.compare(expected, got, real) is None


class Expected(unittest.TestCase):
    def test_lines(self):
        source = 'f(); // expect: one\n    // expect: two  spaces \n// expect:\n//expect: four\nint expect;\n'
        self.assertEqual(transcript.expectations(source), "one\ntwo  spaces\n\nfour\n")

    def test_carriage_returns(self):
        self.assertEqual(transcript.expectations("// expect: a\r\n// expect: b\r\n"), "a\nb\n")

    def test_more_than_one_space(self):
        self.assertEqual(transcript.expectations("// expect:         [0.1]])\n"), "        [0.1]])\n")


class Compared(unittest.TestCase):
    def test_exact(self):
        self.assertTrue(same("a\nb\n", "a\nb\n"))
        for got in ("a\n", "a\nb\nc\n", "a\nb", "b\na\n", "a \nb\n", "", "a\n\nb\n"):
            self.assertFalse(same("a\nb\n", got), got)

    def test_patterns_are_not_regular_expressions(self):
        self.assertFalse(same("a.c\n", "abc\n"))
        self.assertTrue(same("f(x) [1] $ ^ \\d *\n", "f(x) [1] $ ^ \\d *\n"))

    def test_fields(self):
        for field, good, bad in (
            ("ns", "1,234", "soon"),
            ("bytes", "12", "-"),
            ("name", "Tesla V100-PCIE-32GB", "a'b"),
            ("id", "GPU-1:2.3_x", "two words"),
            ("addr", "0x7fae", "7fae"),
        ):
            self.assertTrue(same(f"<{{{field}}}>\n", f"<{good}>\n"), field)
            self.assertFalse(same(f"<{{{field}}}>\n", f"<{bad}>\n"), field)
            self.assertFalse(same(f"<{{{field}}}>\n", "<>\n"), field)

    def test_exact_when_simulated(self):
        self.assertTrue(same("{ns:1,234} ns\n", "1,234 ns\n"))
        self.assertFalse(same("{ns:1,234} ns\n", "1,235 ns\n"))
        self.assertTrue(same("{ns:1,234} ns\n", "99 ns\n", real=True))
        self.assertFalse(same("{ns:1,234} ns\n", "fast ns\n", real=True))

    def test_braces(self):
        self.assertTrue(same("{a: 1}\n", "{a: 1}\n"))
        self.assertTrue(same("{{ns}\n", "{ns}\n"))
        self.assertFalse(same("{{ns}\n", "12\n"))
        self.assertTrue(same("{{}}\n", "{{}}\n"))


class Told(unittest.TestCase):
    def told(self, expected: str, got: str) -> str:
        return "\n".join(transcript.explain(transcript.compare(expected, got, False), "stdout"))

    def test_changed(self):
        told = self.told("a\nx = 1\n", "a\nx = 2\n")
        self.assertEqual(
            told, "line 2 of stdout:\n  expected  x = 1\n  got       x = 2\n                ^ column 5"
        )

    def test_missing(self):
        self.assertIn("line 2 of stdout is missing:\n  expected  b", self.told("a\nb\n", "a\n"))

    def test_one_too_many(self):
        self.assertIn("a line 2 that nobody expected", self.told("a\n", "a\nb\n"))
        self.assertIn("got       b", self.told("a\n", "a\nb\n"))

    def test_last_newline(self):
        told = self.told("a\n", "a")
        self.assertIn("expected  a⏎\n  got       a", told)


if __name__ == "__main__":
    unittest.main()
