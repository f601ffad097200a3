"""Where a program was when it stopped: the line, the function, the reason; and
that what it says of itself changes no outcome."""

from __future__ import annotations

import os
import random
import sys
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import flat, judged, own, sample, words, write  # noqa: E402

from workbook import crash, crash_words, judge, manifest, probing  # noqa: E402
from workbook import lesson as lessons  # noqa: E402
from workbook.crash import Frame, Record, Stop  # noqa: E402
from workbook.facts import Told  # noqa: E402
from workbook.launcher import Limits, Plain  # noqa: E402
from workbook.probing import Heard  # noqa: E402

HEAD = """\
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#line 12
"""
ADD = "int64_t add_up(const int64_t *x, int n)\n{\n    (void)x, (void)n;\n"
LINE = 15  # of the first line after ADD, where nothing stands before it
RIGHT = "    int64_t s = 0;\n    for (int i = 0; i < n; i++)\n        s += x[i];\n    return s;\n}\n"
FORGED = (
    "signal 11 code 1 address 0 home - write 0 stack 0\\n"
    "failure <b>\\033[31m\\177 passed  (10 of 10 points)\\n"
    "frame . 1\\nframe ../../passwd ffff\\nframe . zz\\nframe . ffffffffffffffffff\\n"
)
FORGE = (
    "    for (int fd = 3, seen = 0; fd < 64; fd++)\n"
    "        if (fcntl(fd, F_GETFD) >= 0 && ++seen == 2)\n"  # the first is the facts'
    f'            dprintf(fd, "%s", "{FORGED}");\n'
)
SHUT = "    for (int fd = 3; fd < 20; fd++)\n        close(fd);\n"

# What a student's function does, and what the verdict says of it.
STOPS = {
    "null": (
        "    const int64_t *volatile p = NULL;\n    return p[1];\n}\n",
        f"followed a NULL pointer (SIGSEGV). Where: ex1_add_up.c:{LINE + 1}, in add_up(), "
        "called from main().",
    ),
    "wild": (
        "    volatile int64_t *p = (int64_t *)0x123456789000;\n    p[n] = 1;\n    return 1;\n}\n",
        "memory that is not its own (SIGSEGV). Where: ex1_add_up.c:16, in add_up()",
    ),
    "junk": (
        "    volatile char *p = (char *)0xfff9fff9fff9fff9;\n    return *p;\n}\n",
        "(SIGSEGV). Where: ex1_add_up.c:16, in add_up()",
    ),
    "no function": (
        "    int64_t (*volatile f)(int) = NULL;\n    return 1 + f(n);\n}\n",
        "it jumped to where no function is (SIGSEGV). Where: ex1_add_up.c:16, in add_up(), called from "
        "main(). Look for a function pointer that was never set",
    ),
    "far function": (
        "    int64_t (*volatile f)(int) = (int64_t(*)(int))0x5000000;\n    return 1 + f(n);\n}\n",
        "it jumped to where no function is (SIGSEGV). Where: ex1_add_up.c:16, in add_up()",
    ),
    "large array": (
        "    volatile int64_t big[2000000];\n    big[n] = n;\n    return big[n];\n}\n",
        "its stack is full (SIGSEGV). Where: ex1_add_up.c:16, in add_up()",
    ),
    "division": (
        "    volatile int zero = 0;\n    return n / zero;\n}\n",
        "divided a whole number by zero (SIGFPE). Where: ex1_add_up.c:16, in add_up()",
    ),
    "assert": (
        "    assert(n < -5);\n    return n;\n}\n",
        "an assert() failed (SIGABRT). Where: ex1_add_up.c:15, in add_up(), which called the C "
        "library.",
    ),
    "twice": (
        "    char *volatile p = malloc(9);\n    free(p);\n    free(p);\n    return n;\n}\n",
        "freed the same memory twice (SIGABRT). Where: ex1_add_up.c:17, in add_up()",
    ),
    "free": (
        "    char *volatile p = calloc(9, 9);\n    free(p + 8);\n    return n;\n}\n",
        "it freed what malloc() did not give (SIGABRT). Where: ex1_add_up.c:16, in add_up()",
    ),
    "heap": (
        "    volatile size_t *p = malloc(9);\n    p[-1] = 17;\n    free((void *)p);\n    return n;\n}\n",
        "it found its heap damaged (SIGABRT). Where: ex1_add_up.c:17, in add_up()",
    ),
    "C library": (
        "    char *volatile p = NULL;\n    return (int64_t)strlen(p);\n}\n",
        "NULL pointer (SIGSEGV). Where: ex1_add_up.c:16, in add_up(), which called the C library.",
    ),
    "file": (
        "    FILE *f = tmpfile();\n"
        "    char *p = mmap(NULL, 99, PROT_READ, MAP_SHARED, fileno(f), 0);\n"
        "    return p[5];\n}\n",
        "it touched memory that is not there (SIGBUS). Where: ex1_add_up.c:17, in add_up()",
    ),
    "sent": (
        "    static int sent;\n    if (!sent++)\n        pthread_kill(pthread_self(), SIGFPE);\n"
        "    return n;\n}\n",
        "(SIGFPE). Where: ex1_add_up.c:17, in add_up(), which called the C library.",
    ),
    "trap": (
        "    if (n > -5)\n        __builtin_trap();\n    return n;\n}\n",
        "Where: ex1_add_up.c:16, in add_up(), called from main().",
    ),
}
HELPERS = {
    "inlined": (
        "static int64_t get(const int64_t *p)\n{\n    return *(volatile const int64_t *)p;\n}\n",
        "    return get((int64_t *)8) + 1;\n}\n",
        "Where: ex1_add_up.c:14, in get(), called from add_up(), line 19.",
    ),
    "recursion": (
        "static int64_t down(const int64_t *x, int n)\n{\n"
        "    return n == -1 ? 0 : x[0] + down(x, n + 1) * 2;\n}\n",
        "    return down(x, n);\n}\n",
        "its calls go on and on until the stack is full (SIGSEGV). Where: ex1_add_up.c:14, in "
        "down(), which called down(). Look for the case in which a function must stop calling itself.",
    ),
    "literal": (
        'static const char *const words = "abc";\n',
        "    ((volatile char *)words)[1] = 'x';\n    return words[1];\n}\n",
        "it wrote to memory that may only be read (SIGSEGV). Where: ex1_add_up.c:16, in add_up()",
    ),
    "a frame overwritten": (  # so that the walk over the stack faults, too
        "static __attribute__((noinline)) void fill(char *p, int n)\n{\n"
        "    memset(p, 0x41, (size_t)(64 + n));\n}\n",
        "    char word[8];\n    fill(word, n);\n    return word[3];\n}\n",
        "(SIGSEGV). Where: ex1_add_up.c:",
    ),
    "called back": (
        "static int by(const void *a, const void *b)\n{\n"
        "    return *(volatile int *)NULL + (a < b);\n}\n",
        "    int y[2] = {n, 1};\n    qsort(y, 2, sizeof *y, by);\n    return y[0];\n}\n",
        "NULL pointer (SIGSEGV). Where: ex1_add_up.c:14, in by().",
    ),
}


class Where(unittest.TestCase):
    def test_the_line_and_the_reason(self):
        for name, (body, sentence) in STOPS.items():
            with self.subTest(name):
                result = judged(self, HEAD + ADD + body)
                self.assertEqual((result.outcome, result.points), ("crashed", 0))
                self.assertIn(sentence, flat(result))

    def test_helpers(self):
        for name, (helper, body, sentence) in HELPERS.items():
            with self.subTest(name):
                result = judged(self, HEAD + helper + ADD + body)
                self.assertEqual(result.outcome, "crashed")
                self.assertIn(sentence, flat(result))

    def test_the_place_can_be_clicked(self):
        result = judged(self, HEAD + ADD + STOPS["null"][0], shown="lessons/90/ex1.c")
        self.assertEqual(result.line, LINE + 1)
        self.assertIn(f"your file lessons/90/ex1.c:{LINE + 1}: crashed  (0 of", words(result))
        self.assertIn(f"Where: ex1.c:{LINE + 1}, in add_up()", words(result))
        self.assertLessEqual(max(map(len, words(result).split("\n"))), 80)

    def test_timed_out(self):
        rules = manifest.read(sample(), "ex1_add_up")
        rules.limits = Limits(seconds=1)
        body = "    for (;;)\n        n++;\n    return n;\n}\n"
        read = mock.patch.object(manifest, "read", return_value=rules)
        with read, mock.patch.object(probing, "LOOK", 0.5):
            result = judged(self, HEAD + ADD.replace("int n)", "volatile int n)") + body)
        self.assertEqual(result.outcome, "timed out")
        self.assertRegex(flat(result), r"after 1 s\. Where it was then: ex1_add_up\.c:1[56], in add_")
        self.assertIn("Look for a loop that never ends", flat(result))

    def test_nothing_is_added_to_what_it_printed(self):
        result = judged(self, HEAD + ADD + '    fputs("mine", stderr);\n    abort();\n}\n')
        self.assertEqual([line for line in result.details if line], ["  | mine"])

    def test_without_the_tool(self):
        with mock.patch.object(crash.shutil, "which", return_value=None):
            result = judged(self, HEAD + ADD + STOPS["null"][0])
        self.assertIn("it followed a NULL pointer (SIGSEGV).", flat(result))
        self.assertNotIn("Where:", flat(result))
        self.assertEqual(result.line, 0)


class Forged(unittest.TestCase):
    """A record is the program's own word: good for a hint and no more."""

    def test_it_helps_nobody(self):
        for body, outcome, points in (
            (FORGE + RIGHT, "passed", 10),
            (FORGE + "    return 5;\n}\n", "wrong", 0),
            (FORGE + "    exit(0);\n}\n", "ended early", 0),
        ):
            with self.subTest(outcome):
                result = judged(self, HEAD + ADD + body)
                self.assertEqual((result.outcome, result.points), (outcome, points))
                self.assertNotIn("Where:", flat(result))

    def test_its_own_record_comes_last(self):
        result = judged(self, HEAD + ADD + FORGE + "    abort();\n}\n")
        self.assertIn("(SIGABRT). Where: ex1_add_up.c:18, in add_up()", flat(result))

    def test_only_a_hint_is_lost(self):
        body = FORGE + SHUT + "    return *(volatile int *)64;\n}\n"
        result = judged(self, HEAD + ADD + body)
        self.assertEqual((result.outcome, result.points, result.line), ("crashed", 0, 0))
        self.assertTrue(words(result).replace("\n", "").isprintable())
        self.assertNotIn("passwd", words(result))

    def test_no_garbage_is_too_bad(self):
        dice = random.Random(1)
        parts = [b"signal 11 code 1 address 0 home . write 1 stack 1", b"\n", b"frame . 1f", b"\0",
                 b"frame libc.so 0", b"failure \xff\x1b[2J", b"end", b"-", b"\xf0\x9f"]
        for _ in range(300):
            record = crash.read(b"".join(dice.choices(parts, k=200)), "SIGSEGV")
            stop = Stop(record, [Frame("f", 3)])
            told = crash_words.crashed("here", "SIGSEGV", "", stop, "ex1.c")
            self.assertTrue(told.replace("\n", "").isprintable())
            self.assertLess(len(told), 800)

    def test_what_is_read_has_bounds(self):
        line = b"signal 11 code 1 address 0 home . write 0 stack 0\n"
        record = crash.read(line + b"frame . 1\n" * 9999 + b"failure " + b"x" * 9999, "SIGSEGV")
        self.assertEqual((len(record.frames), len(record.failure)), (crash.MOST_FRAMES, 300))
        for odd in (b"frame . -1\n", b"frame . 1;ls\n", b"frame . " + b"f" * 17 + b"\n"):
            self.assertEqual(crash.read(line + odd, "SIGSEGV").frames, [])
        self.assertIsNone(crash.read(line, "SIGFPE"))
        self.assertIsNone(crash.read(line, "time"))
        self.assertIsNone(crash.read(line.replace(b"11", b"999"), "SIGSEGV"))

    def test_the_resolver_runs_where_the_program_ran(self):
        class Counting(Plain):
            seen: list[list[str]] = []

            def run(self, argv, cwd, env, limits, ro=(), rw=()):
                self.seen.append([os.path.basename(argv[0]), *(["rw"] if rw else [])])
                return super().run(argv, cwd, env, limits, ro, rw)

        judged(self, HEAD + ADD + STOPS["null"][0], launcher=Counting())
        self.assertEqual(Counting.seen[-1], ["addr2line"])


class Words(unittest.TestCase):
    def words(self, end: str, stop: Stop, err: str = "") -> str:
        return " ".join(crash_words.crashed("here", end, err, stop, "ex1.c").split())

    def test_in_the_exercises_own_program(self):
        stop = Stop(Record("SIGSEGV", 1, 1 << 40), [Frame(""), Frame("main")])
        told = self.words("SIGSEGV", stop)
        self.assertIn("Where: in the exercise's own program, outside your functions.", told)
        self.assertIn("Look at what your function returned", told)

    def test_nothing_known(self):
        told = self.words("SIGSEGV", Stop())
        self.assertEqual(told.split(". ")[0], "Crashed here: it touched memory that is not its own (SIGSEGV)")
        self.assertNotIn("Where:", told)

    def test_a_failure_that_nobody_read(self):
        stop = Stop(Record("SIGSEGV", 1, 8, failure="RuntimeError: no"), [Frame("f", 3)], True)
        self.assertIn("A call had failed, and nobody asked why: RuntimeError: no.", self.words("SIGSEGV", stop))
        stop.record.failure = ""
        self.assertIn("status_sentence() says why", self.words("SIGSEGV", stop))

    def test_null_that_the_library_refuses(self):
        err = "lib/tensor/a.c:1: 'x' is NULL, but nothing has failed: this is a mistake\n"
        self.assertIn("it gave NULL to a function that needs a value (SIGABRT)", self.words("SIGABRT", Stop(), err))

    def test_a_damaged_frame(self):
        err = "*** stack smashing detected ***: terminated\n"
        self.assertIn("it wrote past the end of a local array", self.words("SIGABRT", Stop(), err))

    def test_a_sanitizers_report(self):
        err = (
            "=\n==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6\n"
            "READ of size 4 at 0x602 thread T0\n"
            "    #0 0x7f1 in strlen (/usr/lib/libasan.so+0x1)\n"
            "    #1 0x401 in get /w/ex1.c:7:3\n    #2 0x402 in add_up /w/ex1.c:12\n"
            "    #3 0x403 in main /r/ex1.probe.c:9\n\n"
            "freed by thread T0 here:\n    #0 0x1 in other /w/ex1.c:99\n"
        )
        heard = Heard(Told([], "sanitizer"), "", err)
        stop = crash.find(sample(), heard, "exe", "/w/ex1.c", "", None)
        self.assertIn(
            "Where: ex1.c:7, in get(), which called strlen().", self.words("sanitizer", stop, err)
        )
        heard.err = "/w/ex1.c:5:3: runtime error: division by zero\n"
        self.assertEqual(crash.find(sample(), heard, "exe", "/w/ex1.c", "", None).line(), 5)


class Library(unittest.TestCase):
    """The workbook's own lessons: what a GPU's memory and the library add."""

    def judged(self, lesson: str, slug: str, text: str):
        path = os.path.join(os.environ["WORKBOOK_JUDGE_DIR"], f"../../lessons/{lesson}/lesson.json")
        if not os.path.exists(path):
            self.skipTest(f"{lesson} is not configured")
        found = lessons.read(os.path.realpath(path))
        if found.backend != "sim" or found.sanitized:
            self.skipTest("needs the simulator without a sanitizer")
        if not os.path.exists(found.probes[slug]):
            self.skipTest(f"{lesson} is not built")
        return judge.check(found, slug, write(os.path.join(own(self), slug + ".c"), text))

    def test_a_gpus_memory(self):
        result = self.judged(
            "03_mixed_device_errors",
            "ex4_peer_copy_by_hand",
            """\
            #include <cuda_runtime.h>
            cudaError_t my_peer_copy(float *to, int to_gpu, const float *from, int from_gpu, size_t n)
            {
                (void)to_gpu, (void)from_gpu;
                for (size_t i = 0; i < n; i++)
                    to[i] = from[i];
                return cudaSuccess;
            }
            """,
        )
        self.assertIn(
            "it followed a pointer into GPU 1's memory, which the CPU cannot read (SIGSEGV). "
            "Where: ex4_peer_copy_by_hand.c:6, in my_peer_copy(), called from main(). "
            "Copy the bytes to host memory first, by cudaMemcpy or tensor_to.",
            flat(result),
        )
        self.assertIn("  | cudasim: segmentation fault: the host followed", words(result))

    def test_a_failed_call_and_a_call_of_the_library(self):
        text = """\
            #include "device/device.h"
            #include "tensor/functional.h"
            #include "tensor/tensor.h"
            Tensor *square_on(Tensor *x, Device device)
            {
                Tensor *y = tensor_add(x, tensor_to(x, device_cuda(1)));
                return %s;
            }
            // device
            """
        slug = "ex1_move_and_square"
        result = self.judged("02_tensor_transfer", slug, text % "*(volatile int *)y ? y : NULL")
        self.assertIn(f"Where: {slug}.c:7, in square_on()", flat(result))
        self.assertIn("nobody asked why: RuntimeError: expected device cpu but", flat(result))
        result = self.judged("02_tensor_transfer", slug, text % "tensor_pow((Tensor *)8, 2)")
        self.assertIn(f"Where: {slug}.c:7, in square_on(), which called tensor_pow().", flat(result))


if __name__ == "__main__":
    unittest.main()
