"""A function of another type than the probe calls is refused; one of the same
type, however it is written, is not."""

from __future__ import annotations

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import ROOT, flat, judged, sample  # noqa: E402

from workbook import compiler, prototype  # noqa: E402

HEAD = "#include <stdint.h>\n"
BODY = "{ int64_t s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }\n"
FIRST = "int64_t add_up(const int64_t *x, int n)"


class Types(unittest.TestCase):
    def refused(self, text: str):
        result = judged(self, text)
        self.assertEqual((result.outcome, result.points), ("does not compile", 0))
        self.assertIn("Your add_up() takes or returns other types", flat(result))
        self.assertIn(FIRST, flat(result))

    def passes(self, text: str):
        self.assertEqual(judged(self, text).outcome, "passed")

    def test_a_float_for_an_int(self):
        self.refused(HEAD + FIRST.replace("int n", "float n") + BODY)

    def test_another_result(self):
        self.refused(HEAD + "unsigned " + FIRST.replace("int64_t add", "int add") + BODY)
        self.refused(HEAD + FIRST.replace("int64_t add", "double add") + BODY)

    def test_one_more(self):
        self.refused(HEAD + FIRST.replace("n)", "n, int m)") + BODY.replace("s = 0", "s = m"))

    def test_the_right_line_in_a_comment(self):
        self.refused(HEAD + f"/* {FIRST} {{ */\n" + FIRST.replace("int n", "float n") + BODY)

    def test_the_right_line_left_out(self):
        kept = f"#if 0\n{FIRST} {{ return 0; }}\n#endif\n"
        self.refused(HEAD + kept + FIRST.replace("int n", "float n") + BODY)

    def test_other_names(self):
        text = FIRST.replace("*x", "*all").replace("n)", "many)")
        self.passes(HEAD + text + BODY.replace("x[", "all[").replace("< n", "< many"))

    def test_another_spelling(self):
        self.passes(HEAD + "long add_up(long const x[], const int n)" + BODY)

    def test_by_a_macro(self):
        self.passes(HEAD + f"#define NUMBER int64_t\n{FIRST.replace('int64_t', 'NUMBER')}" + BODY)

    def test_names_that_a_header_has_too(self):
        text = "static int probe_int(void) { return 0; }\n#define int64_t long\n"
        self.passes(text + FIRST.replace("n)", "m)") + "{ int n = m + probe_int();" + BODY[1:])


class Declarations(unittest.TestCase):
    def test_found(self):
        probe = (
            "/* f(int a); is the student's */\n#include <x.h>\n"
            "static int g(void) { return f(1); }\n"
            "int f(int a,\n      void (*work)(int)); // the student's\nint main(void) { h(2); }\n"
        )
        found = prototype.declarations(probe, ["f", "h"])
        self.assertEqual(found, {"f": "int f(int a, void (*work)(int))"})


class Headers(unittest.TestCase):
    def test_of_ours_and_of_cuda(self):
        lesson = sample()
        lesson.root = ROOT
        for name, header in (
            ("scope_open", '"tensor/scope.h"'),
            ("shape", '"array/shape.h"'),
            ("cudaMalloc", "<cuda_runtime.h>"),
            ("cublasSgemm", "<cublas_v2.h>"),
            ("cudasimNow", ""),
            ("tensor_nowhere", ""),
        ):
            self.assertEqual(compiler.header_of(name, lesson), header)

    def test_the_sentence(self):
        result = judged(self, "int add_up(void) { return cudaSetDevice(1); }\n")
        self.assertIn("cudaSetDevice() is declared in <cuda_runtime.h>: #include", flat(result))
        result = judged(self, "int add_up(void) { return malloc_later(1); }\n")
        self.assertNotIn("is declared in", flat(result))


if __name__ == "__main__":
    unittest.main()
