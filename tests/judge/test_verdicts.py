"""Each outcome of the judge, and the sentence a student reads."""

from __future__ import annotations

import os
import sys
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import flat, judged, own, sample, words, write  # noqa: E402

from workbook import compiler, judge, manifest, probing, starters, verdict  # noqa: E402
from workbook.facts import Told  # noqa: E402
from workbook.launcher import Limits, Plain  # noqa: E402

HEAD = "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
ADD = HEAD + "int64_t add_up(const int64_t *x, int n) {"
RIGHT = ADD + " int64_t s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }\n"
PLACE = (
    '#include "workbook/machine.h"\n' + HEAD + "int place(char *out, int size) {(void)out; (void)size;"
)


class Passed(unittest.TestCase):
    def test_right(self):
        result = judged(self, RIGHT)
        self.assertEqual(result.outcome, "passed")
        self.assertEqual((result.points, result.exit_code), (10, 0))
        self.assertIn("Passed: right in 2 runs (1 machine, 2 seeds).", words(result))
        self.assertIn("Why: A sum starts at 0 and meets each number once.", words(result))
        self.assertIn("your file ", words(result))

    def test_solution_and_whose(self):
        lesson = sample()
        result = judge.check(lesson, "ex2_place", lesson.solution("ex2_place"), "the solution")
        self.assertEqual(result.outcome, "passed")
        self.assertIn("the solution solutions/90_sample/ex2_place.c: passed", words(result))

    def test_what_it_prints_is_not_graded(self):
        result = judged(self, RIGHT.replace("return", 'puts("hello"); return'))
        self.assertEqual(result.outcome, "passed")

    def test_other_seeds(self):
        result = judged(self, RIGHT, seeds=[7, 8, 9])
        self.assertEqual((result.outcome, result.runs, result.seeds), ("passed", 3, [7, 8, 9]))


class NotAttempted(unittest.TestCase):
    def starter(self) -> str:
        return starters.text_for(sample(), "ex1_add_up")

    def test_starter(self):
        result = judged(self, self.starter())
        self.assertEqual((result.outcome, result.exit_code), ("not attempted", 77))
        self.assertIn("is still the starter", flat(result))

    def test_white_space_aside(self):
        text = self.starter().replace("\n", "\r\n").replace("    ", "\t") + "\n\n"
        self.assertEqual(judged(self, text).outcome, "not attempted")

    def test_any_letter_is_an_attempt(self):
        result = judged(self, self.starter().replace("TODO", "todo"))
        self.assertEqual((result.outcome, result.recognised), ("wrong", "starter"))
        self.assertIn("This does what the untouched starter does", flat(result))

    def test_forced(self):
        result = judged(self, self.starter(), force=True)
        self.assertEqual((result.outcome, result.points, result.exit_code), ("wrong", 0, 1))

    def test_absent(self):
        result = judge.check(sample(), "ex1_add_up", os.path.join(own(self), "gone.c"))
        self.assertEqual((result.outcome, result.exit_code), ("absent", 1))
        self.assertIn("There is no file", words(result))


class NotCompiled(unittest.TestCase):
    def test_the_compilers_words_are_clickable(self):
        result = judged(self, ADD + "\n    return x +; }\n")
        self.assertEqual(result.outcome, "does not compile")
        self.assertIn("Your file does not compile.", words(result))
        self.assertRegex(words(result), r"(?m)^.*/ex1_add_up\.c:5:\d+: error: ")

    def test_path_from_the_root(self):
        lesson = sample()
        path = write(os.path.join(lesson.root, "lessons", "90_sample", "own.c"), "int x =\n")
        self.addCleanup(os.remove, path)
        result = judge.check(lesson, "ex1_add_up", path)
        self.assertRegex(words(result), r"(?m)^lessons/90_sample/own\.c:\d+:\d+: error: ")

    def test_empty_file(self):
        result = judged(self, "")
        self.assertEqual((result.outcome, result.points), ("missing function", 0))

    def test_undeclared(self):
        result = judged(self, ADD + " return add(x, n); }")
        self.assertEqual(result.outcome, "does not compile")
        self.assertIn("add", words(result))

    def test_not_defined(self):
        result = judged(self, "long more(int);\n" + ADD + " (void)x; return more(n); }")
        self.assertEqual(result.outcome, "does not compile")
        self.assertIn("Your file calls more(), which does not exist", flat(result))

    def test_no_return_value(self):
        self.assertEqual(judged(self, ADD + " }").outcome, "does not compile")

    def test_the_compiler_gives_up(self):
        with mock.patch.object(compiler, "LIMITS", Limits(seconds=0.5, megabytes=4096)):
            result = judged(self, '#include "/dev/zero"\n')
        self.assertEqual(result.outcome, "does not compile")
        self.assertIn("the compiler gave up after 0.5 s", flat(result))

    def test_the_compiler_eats_memory(self):
        with mock.patch.object(compiler, "LIMITS", Limits(seconds=20, megabytes=150)):
            result = judged(self, '#include "/dev/zero"\n')
        self.assertIn("the compiler needed more than it may have", flat(result))

    def test_what_the_linker_refuses(self):
        result = judged(self, 'extern _Thread_local int mine __asm__("stdout");\n'
                        + ADD + " (void)x; return n + mine; }")
        self.assertEqual((result.outcome, result.exit_code), ("does not compile", 1))
        self.assertIn("the linker cannot make a program of it", flat(result))
        self.assertNotIn(sample().root, words(result))

    def test_not_in_utf8(self):
        path = os.path.join(own(self), "ex1_add_up.c")
        for code in ("utf-16", "utf-16-be"):
            with open(path, "wb") as file:
                file.write(RIGHT.encode(code))
            result = judge.check(sample(), "ex1_add_up", path)
            self.assertIn("save it as UTF-8", flat(result))

    def test_a_mark_and_windows_line_ends(self):
        path = os.path.join(own(self), "ex1_add_up.c")
        with open(path, "wb") as file:
            file.write(RIGHT.replace("\n", "\r\n").encode("utf-8-sig"))
        self.assertEqual(judge.check(sample(), "ex1_add_up", path).outcome, "passed")

    def test_long_lines_are_cut(self):
        result = judged(self, "#error " + "x" * 9999 + "\n")
        self.assertIn("more letters ...]", words(result))
        self.assertLess(len(words(result)), 2000)

    def test_warnings_are_shown_with_a_wrong_answer(self):
        result = judged(self, ADD + " int unused; (void)x; (void)n; return 5; }")
        self.assertEqual(result.outcome, "wrong")
        self.assertIn("warning: unused variable", words(result))


class Ended(unittest.TestCase):
    def limited(self, limits: Limits, text: str):
        rules = manifest.read(sample(), "ex1_add_up")
        rules.limits = limits
        with mock.patch.object(manifest, "read", return_value=rules):
            return judged(self, text)

    def test_segmentation_fault(self):
        result = judged(self, ADD + " (void)x; (void)n; return *(volatile int *)8; }")
        self.assertEqual(result.outcome, "crashed")
        self.assertIn("Crashed on machine v100x8, with seed 1: it followed a NULL", flat(result))
        self.assertIn("(SIGSEGV)", words(result))

    def test_the_simulators_words(self):
        result = judged(self, PLACE + " machine_touch(9); return 0; }", "ex2_place")
        self.assertEqual(result.outcome, "crashed")
        self.assertIn("a check failed and stopped it (SIGABRT)", flat(result))
        self.assertIn("  | sim: there is no GPU 9 on v100x8", words(result))

    def test_how_far_it_came(self):
        result = judged(self, ADD + " return n ? x[0] : *(volatile int *)8; }")
        self.assertIn("this was wrong already: the sum that you returned: expected ", flat(result))
        result = judged(self, RIGHT.replace("return s", "return n ? s : *(volatile int *)8"))
        self.assertIn("right until then; the last thing seen: the sum that you returned.", flat(result))

    def test_timed_out(self):
        result = self.limited(Limits(seconds=0.3), ADD + " (void)x; for (;;) n++; }")
        self.assertEqual((result.outcome, result.runs), ("timed out", 1))
        self.assertIn("Timed out on machine v100x8, with seed 1: still running after 0.3 s", flat(result))

    def test_memory(self):
        body = " (void)x; (void)n; for (;;) { volatile char *p = malloc(1 << 20); for (int i = 0; i < 1 << 20; i += 64) p[i] = 1; } }"
        result = self.limited(Limits(seconds=60, megabytes=200), ADD + body)
        self.assertEqual(result.outcome, "too much")
        self.assertIn("more than 200 MB of memory", flat(result))

    def test_output(self):
        text = ADD + ' (void)x; for (;;) puts("again and again and again"); }'
        result = self.limited(Limits(seconds=60, flood=4 << 20), text)
        self.assertEqual(result.outcome, "too much")
        self.assertIn("more than 4 MB of output", flat(result))
        self.assertIn("again and again", words(result))
        self.assertLess(len(words(result)), 4000)

    def test_exit(self):
        for code, how in ((0, "without a word"), (3, "with exit 3"), (77, "without a word")):
            result = judged(self, ADD + f" (void)x; (void)n; exit({code}); }}")
            self.assertEqual((result.outcome, result.points), ("ended early", 0))
            self.assertIn(f"Ended early on machine v100x8, with seed 1: the program stopped {how}", flat(result))


class Wrong(unittest.TestCase):
    def test_first_difference(self):
        result = judged(self, ADD + " (void)x; return n ? 12345 : 0; }")
        self.assertEqual((result.outcome, result.points), ("wrong", 0))
        self.assertIn("Wrong on machine v100x8, with seed 1.", words(result))
        self.assertIn("  The sum that you returned:", words(result))
        self.assertIn("    got       12345", words(result))
        self.assertNotIn("^ column", words(result))  # for texts alone
        self.assertEqual(result.recognised, "")

    def test_what_it_printed(self):
        result = judged(self, ADD + ' (void)x; printf("n is %d\\n", n); return -5; }')
        self.assertIn("It also printed:\n  | n is ", words(result))

    def test_visible_white_space(self):
        body = ' snprintf(out, (size_t)size, "cuda:7 \\n"); return machine_gpus(); }'
        result = judged(self, PLACE + body, "ex2_place")
        self.assertIn("    expected  cuda:7\n    got       cuda:7·⏎\n", words(result))
        self.assertIn("^ column 7", words(result))

    def test_no_caret_under_another_word(self):
        body = ' snprintf(out, (size_t)size, "not written"); return machine_gpus(); }'
        result = judged(self, PLACE + body, "ex2_place")
        self.assertIn("    got       not written", words(result))
        self.assertNotIn("^ column", words(result))

    def test_where_no_machine_plays_a_part(self):
        rules = manifest.read(sample(), "ex1_add_up")
        rules.machines = [manifest.Place("none")]
        lesson = sample()
        lesson.build = own(self, "sim")  # what is kept there is no other test's
        with mock.patch.object(manifest, "read", return_value=rules):
            result = judged(self, ADD + " (void)x; return n; }", lesson=lesson)
        self.assertIn("  Wrong with seed 1.", words(result))

    def test_partial_credit(self):
        body = ' snprintf(out, (size_t)size, "cuda:%d", machine_gpus() - 1); return 8; }'
        result = judged(self, PLACE + body, "ex2_place")
        self.assertEqual((result.outcome, result.points), ("wrong", 4))
        self.assertIn("wrong  (4 of 6 points)", words(result))
        self.assertIn("on machine v100x4, SIM_ORDER=adversarial, with seed 1", flat(result))

    def test_recognised(self):
        body = ' snprintf(out, (size_t)size, "cuda:%d", machine_gpus()); return machine_gpus(); }'
        result = judged(self, PLACE + body, "ex2_place")
        self.assertEqual((result.recognised, result.points), ("from_one", 2))
        self.assertIn("You count GPUs from 1: the last of eight is cuda:7.", flat(result))

    def test_nearly_recognised(self):
        body = ' snprintf(out, (size_t)size, "cuda:%d", machine_gpus()); return 5; }'
        result = judged(self, PLACE + body, "ex2_place")
        self.assertEqual((result.outcome, result.recognised), ("wrong", ""))

    def test_recognised_crash(self):
        lesson = sample()
        text = starters.read_text(lesson.test("wrong", "ex1_add_up.crash.c"))
        result = judged(self, "// mine\n" + text)
        self.assertEqual((result.outcome, result.recognised), ("crashed", "crash"))
        self.assertIn("You read x[1000000]", flat(result))

    def test_a_crash_without_a_word_is_like_any_other(self):
        lesson = sample()
        with mock.patch.object(probing.Bank, "told", lambda *_: Told([], "SIGSEGV")):
            rules = manifest.read(lesson, "ex1_add_up")
            result = judge.known(
                lesson, "ex1_add_up", "crash", probing.Bank(lesson, "ex1_add_up", rules)
            )
        self.assertEqual((result.outcome, result.recognised), ("crashed", ""))


class Forged(unittest.TestCase):
    """Facts written by the student's own hand do not pass."""

    def test_facts_and_a_quiet_end(self):
        line = r'"{\"n\": \"sum\", \"k\": \"int\", \"v\": 1}\n{\"end\": \"\"}\n"'
        body = f" (void)x; (void)n; for (int fd = 3; fd < 20; fd++) dprintf(fd, {line}); exit(0); }}"
        result = judged(self, "#define _GNU_SOURCE\n" + ADD + body)
        self.assertEqual(result.outcome, "ended early")

    def test_a_closed_descriptor(self):
        body = " (void)x; (void)n; for (int fd = 3; fd < 20; fd++) close(fd); return 0; }"
        result = judged(self, "#include <unistd.h>\n" + ADD + body)
        self.assertEqual(result.outcome, "ended early")
        self.assertIn("the facts' descriptor is closed", words(result))

    def test_garbage_in_the_pipe(self):
        body = ' (void)x; (void)n; dprintf(3, "["); for (int fd = 3; fd < 20; fd++) dprintf(fd, "["); return 0; }'
        self.assertNotEqual(judged(self, ADD + body).outcome, "passed")

    def test_the_environment_is_clean(self):
        body = ' (void)x; (void)n; extern char **environ; for (char **e = environ; *e; e++) puts(*e); return 5; }'
        with mock.patch.dict(os.environ, {"SECRET_TOKEN": "s3cret", "LD_PRELOAD": ""}):
            result = judged(self, ADD + body)
        self.assertIn("LANG=C.UTF-8", words(result))
        self.assertNotIn("s3cret", words(result))


class Faults(unittest.TestCase):
    """Our own mistakes are never the student's."""

    def fault(self, sentence: str, lesson) -> None:
        result = judged(self, RIGHT, lesson=lesson)
        self.assertEqual((result.outcome, result.exit_code), ("grader fault", 3))
        self.assertIn("The lesson's own files are at fault, not yours.", words(result))
        self.assertIn(sentence, flat(result))

    def test_no_probe(self):
        lesson = sample()
        lesson.probes["ex1_add_up"] = "/nowhere/probe.o"
        self.fault("is not built: run cmake --build --preset sim", lesson)

    def test_broken_manifest(self):
        with mock.patch.object(manifest, "REQUIRED", {**manifest.REQUIRED, "more": str}):
            self.fault("tests/lessons/90_sample/ex1.json: 'more' is missing or empty", sample())

    def test_broken_reference(self):
        lesson = sample()
        broken = write(os.path.join(own(self, "s"), "ex1.c"), ADD + " abort(); }")
        with mock.patch.object(type(lesson), "solution", lambda *_: broken):
            result = judge.check(lesson, "ex1_add_up", write(own(self, "t") + "x.c", RIGHT))
        self.assertEqual(result.outcome, "grader fault")
        self.assertIn("does not hold up on machine v100x8, with seed 1", flat(result))

    def test_a_probe_that_cannot_be_linked(self):
        lesson = sample()
        lesson.link.append("/nowhere/library.so")
        result = judged(self, RIGHT, lesson=lesson)
        self.assertEqual((result.outcome, result.exit_code), ("grader fault", 3))
        self.assertIn("library.so", flat(result))

    def test_a_full_disk(self):
        full = mock.Mock(f_bavail=0, f_frsize=4096)
        with mock.patch.object(compiler.os, "statvfs", lambda path: full):
            self.assertEqual(judged(self, RIGHT).outcome, "passed")
            result = judged(self, "int64_t add_up(\n")
        self.assertEqual((result.outcome, result.exit_code), ("grader fault", 3))
        self.assertIn("the disk is full, make room there", flat(result))

    def test_no_compiler(self):
        lesson = sample()
        lesson.cc = "no-such-compiler"
        result = judged(self, RIGHT, lesson=lesson)
        self.assertEqual(result.outcome, "grader fault")
        self.assertIn("no-such-compiler", flat(result))


class Hardware(unittest.TestCase):
    """On real GPUs there is one machine, and times are nobody's promise."""

    def real(self):
        lesson = sample()
        lesson.backend = "cuda"
        return lesson

    def test_one_machine(self):
        result = judged(self, RIGHT, lesson=self.real())
        self.assertEqual((result.outcome, result.runs), ("passed", 2))

    def test_needs(self):
        rules = manifest.read(sample(), "ex1_add_up")
        rules.machines = [manifest.Place("v100x8", sim=True)]
        with mock.patch.object(manifest, "read", return_value=rules):
            result = judged(self, RIGHT, lesson=self.real())
        self.assertEqual((result.outcome, result.exit_code), ("needs", 77))
        self.assertIn("Skipped: this exercise needs the simulator.", words(result))


class Launched(unittest.TestCase):
    def test_everything_goes_through_the_launcher(self):
        class Counting(Plain):
            seen: list[str] = []

            def run(self, argv, cwd, env, limits, ro=(), rw=()):
                self.seen.append(os.path.basename(argv[0]))
                return super().run(argv, cwd, env, limits, ro, rw)

        launcher = Counting()
        self.assertEqual(judged(self, RIGHT, launcher=launcher).outcome, "passed")
        self.assertEqual(launcher.seen, ["cc", "cc", "exe", "exe"])

    def test_nothing_is_left_behind(self):
        lesson = sample()
        lesson.build = own(self, "build")  # nobody else writes there
        judged(self, RIGHT, lesson=lesson)
        judged(self, "nonsense", lesson=lesson)
        self.assertEqual(os.listdir(lesson.scratch("tmp")), [])


class Outcomes(unittest.TestCase):
    def test_exit_codes(self):
        codes = {"passed": 0, "not attempted": 77, "needs": 77, "grader fault": 3}
        for name in vars(verdict).values():
            if isinstance(name, str) and name in (*codes, "wrong", "crashed", "absent"):
                result = verdict.Verdict("l", "e", name, "s")
                self.assertEqual(result.exit_code, codes.get(name, 1))


if __name__ == "__main__":
    unittest.main()
