"""Names that a student's file must define, and those it may not use."""

from __future__ import annotations

import os
import sys
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import flat, judged, sample  # noqa: E402

from workbook import manifest  # noqa: E402

HEAD = "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
RIGHT = (
    HEAD + "int64_t add_up(const int64_t *x, int n) {"
    " int64_t s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }\n"
)


class Names(unittest.TestCase):
    def refused(self, text: str, sentence: str, outcome: str = "forbidden symbol"):
        result = judged(self, text)
        self.assertEqual((result.outcome, result.points), (outcome, 0))
        self.assertIn(sentence, flat(result))

    def test_missing(self):
        text = RIGHT.replace("add_up", "addup")
        self.refused(text, "The function add_up() is missing", "missing function")

    def test_static(self):
        text = RIGHT.replace("int64_t add_up", "static __attribute__((used)) int64_t add_up")
        self.refused(text, "Your add_up() is static", "missing function")

    def test_main(self):
        self.refused(RIGHT + "int main(void) { return 0; }", "Your file has a main()")

    def test_helper(self):
        text = "int help(void) { return 1; }\n" + RIGHT
        self.refused(text, "Write 'static' in front of it: only add_up() may be seen")

    def test_library_function(self):
        text = "int memcmp(const void *a, const void *b, unsigned long n) {(void)a;(void)b;(void)n;return 0;}\n"
        self.refused(text + RIGHT, "Your file defines memcmp for the whole program")

    def test_global_variable(self):
        self.refused("int counter;\n" + RIGHT, "Your file defines counter")

    def test_constructor(self):
        text = RIGHT + "__attribute__((constructor)) static void first(void) { exit(0); }\n"
        self.refused(text, "runs code before or after main()")

    def test_destructor(self):
        text = RIGHT + "__attribute__((destructor)) static void last(void) { exit(0); }\n"
        self.refused(text, "runs code before or after main()")

    def test_code_that_the_loader_runs(self):
        text = "static int one(void) { exit(0); }\n"
        text += "static int (*choose(void))(void) { return one; }\n"
        text += 'static int chosen(void) __attribute__((ifunc("choose")));\n'
        text = HEAD + text + RIGHT.replace("return", "s += chosen(); return")
        self.refused(text, "runs code before or after main()")

    def test_words_that_forge_counts(self):
        for name in ("cudasim_reset_counts", "ledger_printing_begin"):
            text = f"void {name}(void);\n" + RIGHT.replace("return", f"{name}(); return")
            self.refused(text, f"Your file calls {name}(), which no exercise here needs")

    def test_calls_that_no_exercise_needs(self):
        for call in ("fork()", "_exit(1)", 'system("true")', "kill(getppid(), 9)"):
            text = "#include <signal.h>\n#include <unistd.h>\n"
            text += RIGHT.replace("return", f"{call}; return")
            name = call.split("(")[0]
            self.refused(text, f"Your file calls {name}(), which no exercise here needs")

    def test_states_no_facts_itself(self):
        text = "void fact_int(const char *, int64_t);\n"
        text = HEAD + text + RIGHT.replace("return", 'fact_int("sum", 1); return')
        self.refused(text, "Your file calls fact_int()")

    def test_allowed_by_the_manifest(self):
        rules = manifest.read(sample(), "ex1_add_up")
        rules.allow = ["counter"]
        with mock.patch.object(manifest, "read", return_value=rules):
            self.assertEqual(judged(self, "int counter;\n" + RIGHT).outcome, "passed")


if __name__ == "__main__":
    unittest.main()
