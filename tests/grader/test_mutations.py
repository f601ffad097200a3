"""The mutants of a file: which there are, and that the run over them fails
where it should."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import ctokens  # noqa: E402
import mutate  # noqa: E402
import mutations  # noqa: E402
from mutate import CAUGHT, SAME, SURVIVED, Exercise  # noqa: E402

TEXT = """#include <x.h> // 1 + 1
int table[] = {1, 2};
int f(int a, int b)
{
    //: return 1;
    int n = 0;
    if (a < b && !g(a, b))
        free(a);
    return n ? a : device_cuda(2); // a - b
}
"""


def after(text: str = TEXT) -> list[str]:
    return [one.name.split("  =>  ")[1] for one in mutations.mutants(text)]


class Mutations(unittest.TestCase):
    def test_each_kind(self):
        for line in (
            "int n = 1;",
            "if (a <= b && !g(a, b))",
            "if (a < b || !g(a, b))",
            "if (a < b && g(a, b))",
            "if (a < b && !g(b, a))",
            "if (1 && !g(a, b))",
            "if (!(a < b && !g(a, b)))",
            "if (b < b && !g(a, b))",
            ";",
            "(a);",
            "return n ? device_cuda(2) : a;",
            "return n ? a : device_cuda(0);",
            "return n ? a : device_cpu();",
            "return 0;",
        ):
            self.assertIn(line, after())

    def test_nothing_outside_of_code(self):
        for one in mutations.mutants(TEXT):
            self.assertTrue(one.text.startswith(TEXT[: TEXT.index("int n")]), one.name)
            self.assertIn("// a - b", one.text)

    def test_no_program_twice(self):
        every = [ctokens.plain(one.text) for one in mutations.mutants(TEXT)]
        self.assertEqual(len(every), len(set(every)))
        self.assertNotIn(ctokens.plain(TEXT), every)
        names = [one.name for one in mutations.mutants(TEXT.replace("free(a)", "n = n + n"))]
        self.assertEqual(len(names), len(set(names)))

    def test_brackets_in_texts_and_comments(self):
        text = 'int f(void)\n{\n    // ((\n    return puts("(;{") + 1;\n}\n'
        self.assertIn('return puts("(;{") - 1;', after(text))


class Conclusion(unittest.TestCase):
    def conclude(self, fates: dict[str, str], explained: dict[str, str]) -> int:
        one = Exercise(mock.Mock(number="02"), "ex1_x", explained, fates=fates)
        with contextlib.redirect_stdout(io.StringIO()):
            return mutate.conclude([one], True)

    def test_ends(self):
        many = {f"m{n}": CAUGHT for n in range(99)}
        self.assertEqual(self.conclude(many, {}), 0)
        self.assertEqual(self.conclude({**many, "x": SURVIVED}, {}), 1)
        self.assertEqual(self.conclude({**many, "x": SURVIVED}, {"x": "equal"}), 0)
        self.assertEqual(self.conclude({**many, "x": SAME}, {}), 0)
        self.assertEqual(self.conclude(many, {"m1": "no longer a survivor"}), 1)
        self.assertEqual(self.conclude(many, {"gone": "no longer a mutant"}), 1)
        self.assertEqual(self.conclude({}, {}), 1)
        low = {f"s{n}": SURVIVED for n in range(9)}
        self.assertEqual(self.conclude({**many, **low}, dict.fromkeys(low, "equal")), 1)


if __name__ == "__main__":
    unittest.main()
