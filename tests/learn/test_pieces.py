"""The parts of scripts/learn that need no workbook: the progress file, the
doctor's findings, noticing saves, colour."""

from __future__ import annotations

import io
import os
import sys
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from classroom import harness  # noqa: E402

from workbook import starters  # noqa: E402
from workbook.learn import doctor, notify, paper, progress, tell  # noqa: E402
from workbook.learn.course import Course  # noqa: E402


class File(unittest.TestCase):
    def setUp(self):
        self.root = harness.own(self)
        self.path = os.path.join(self.root, ".progress")

    def test_read_what_was_written(self):
        with progress.change(self.root) as one:
            one.now = "02_move/ex1_first"
            one.entry("02_move/ex1_first").state = "does not compile"
            one.entry("02_move/ex2_second").hints = 2
            one.entry("02_move/ex3_third")  # only asked for
        two = progress.read(self.root)
        self.assertEqual(two.now, "02_move/ex1_first")
        self.assertEqual(two.entry("02_move/ex1_first").state, "does not compile")
        self.assertEqual(two.entry("02_move/ex2_second").hints, 2)
        with open(self.path, encoding="utf-8") as file:
            self.assertNotIn("ex3_third", file.read())

    def test_a_lesson_with_another_number(self):
        harness.write(self.path, "02_move/ex1_first  passed  1\n")
        found = progress.read(self.root)
        self.assertTrue(found.passed("03_move/ex2_first"))
        self.assertFalse(found.passed("03_move/ex2_other"))

    def test_odd_lines_and_other_peoples_lines(self):
        harness.write(self.path, "what\n# x\n02_gone/ex1_a  passed  many\n\n\x00\n")
        with progress.change(self.root) as one:
            one.entry("03_b/ex1_c").state = "wrong"
        self.assertTrue(progress.read(self.root).passed("02_gone/ex1_a"))


class Doctor(unittest.TestCase):
    def test_misspelt_variables(self):  # seeds T2
        found = doctor.environment({"CUDA_VISIBLE_DEVICE": "1", "PATH": "x", "SIM_MACHINE": "t4"})
        self.assertEqual([one.state for one in found], ["broken", "note"])
        self.assertIn("CUDA_VISIBLE_DEVICE is set, and nothing reads it", found[0].what)
        self.assertEqual(
            found[0].fix, "unset CUDA_VISIBLE_DEVICE; export CUDA_VISIBLE_DEVICES=1"
        )
        self.assertEqual(doctor.environment({"CUDA_PATH": "", "CUDA_DEVICE_ORDER": ""}), [])
        found = doctor.environment({"CUDA_VISIBLE_DEVICES": ""})
        self.assertEqual([one.state for one in found], ["note"])

    def test_gpus(self):
        card = "GPU 0: NVIDIA T4 (UUID: GPU-1)\n"
        self.assertIn("GPU 0: NVIDIA T4. To use", doctor.gpus(0, card).what)
        self.assertEqual(doctor.gpus(6, "No devices were found\n").state, "missing")
        broken = doctor.gpus(9, "NVIDIA-SMI has failed because it couldn't communicate\n")
        self.assertEqual(broken.state, "broken")
        self.assertIn("couldn't communicate", broken.what)

    def test_a_tool_that_is_missing(self):
        with mock.patch("shutil.which", lambda name: name == "apt-get" and "/x" or None):
            one = doctor.tool("missing", "required", "cmake", "CMake 3.25 or newer", "cmake", "all")
            two = doctor.tool("missing", "light", "pandoc", "pandoc", "pandoc", "the book")
        self.assertEqual((one.state, one.required), ("missing", True))
        self.assertEqual(one.fix, "sudo apt-get install cmake")
        self.assertEqual(two.what, "pandoc: not here; switches off: the book")
        self.assertFalse(two.required)

    def test_a_compiler_that_does_not_compile(self):
        with mock.patch("shutil.which", lambda name: "/usr/bin/" + name):
            one = doctor.tool("missing", "required", "cc", "a C11 compiler", "gcc", "everything")
        self.assertEqual(one.state, "broken")
        self.assertIn("cannot compile a C11 program", one.what)

    def test_the_real_probes_answer(self):
        found = doctor.tools(Course(harness.ROOT, "sim"))
        self.assertIn("a C11 compiler", [one.what for one in found if one.state == "ok"])
        self.assertTrue(any("CUDA Toolkit" in one.what for one in found))

    def test_a_drive_of_windows(self):
        with mock.patch.object(notify, "file_system", lambda path: "9p"), mock.patch(
            "platform.release", lambda: "5.15-microsoft-standard-WSL2"
        ):
            one = doctor.watching(Course(harness.ROOT, "sim"))[0]
        self.assertIn("the files are on 9p, where saving is not announced", one.what)
        self.assertIn("not under /mnt", one.fix)


class Noticing(unittest.TestCase):
    def test_the_file_system_of_a_path(self):
        mounts = harness.write(
            os.path.join(harness.own(self), "mounts"),
            "d / ext4 rw 0 0\nC: /mnt/c 9p rw 0 0\nx /mnt/a\\040b fuse.sshfs rw 0 0\nbad\n",
        )
        for path, kind in (("/mnt/c/x", "9p"), ("/mnt/cc", "ext4"), ("/mnt/a b/x", "fuse.sshfs")):
            self.assertEqual(notify.file_system(path, mounts), kind)
        self.assertTrue(notify.remote("9p") and notify.remote("fuse.sshfs"))
        self.assertFalse(notify.remote("ext4") or notify.remote(""))

    def changes(self, look: bool):
        path = harness.write(os.path.join(harness.own(self), "a.c"), "one")
        saved = notify.Saved(path, look)
        self.addCleanup(saved.close)
        self.assertFalse(saved.changed())
        harness.write(path, "longer")
        self.assertTrue(saved.changed(saved.fd >= 0))
        self.assertFalse(saved.changed())
        harness.write(path + "~", "other")
        os.replace(path + "~", path)
        self.assertTrue(saved.changed(saved.fd >= 0))
        harness.write(path + ".swp", "beside")
        self.assertFalse(saved.changed(saved.fd >= 0))
        os.remove(path)
        self.assertTrue(saved.changed(saved.fd >= 0))

    def test_saves(self):
        self.changes(look=True)
        self.changes(look=False)

    def test_no_inotify_left(self):
        class Libc:
            def inotify_init1(self, flags):
                notify.ctypes.set_errno(24)
                return -1

        with mock.patch.object(notify.ctypes, "CDLL", lambda *a, **k: Libc()):
            saved = notify.Saved(os.path.join(harness.own(self), "a.c"))
        self.assertEqual((saved.fd, saved.seconds), (-1, notify.LOOK_SECONDS))
        self.assertEqual(saved.why, "inotify: Too many open files")


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Shown(unittest.TestCase):
    def test_colour_only_where_it_is_welcome(self):
        def colour(stream, plain=False, **env):
            with mock.patch.dict(os.environ, env, clear=True):
                return paper.paper_for(stream, plain).colour

        self.assertTrue(colour(Terminal(), TERM="xterm"))
        self.assertFalse(colour(Terminal(), TERM="xterm", NO_COLOR="1"))
        self.assertFalse(colour(Terminal(), TERM="dumb"))
        self.assertFalse(colour(Terminal(), plain=True, TERM="xterm"))
        self.assertFalse(colour(io.StringIO(), TERM="xterm"))

    def test_the_first_error_before_warnings(self):
        lines = [
            "a.c: In function 'f':",
            "a.c:3:1: warning: unused",
            "    3 | x",
            "a.c:4:1: error: bad",
            "    4 | y",
            "a.c:4:2: note: because",
            "a.c:9:1: error: worse",
        ]
        block, after = tell.first_error(paper.Paper(), lines)
        self.assertEqual(block, ["a.c:4:1: error: bad", "    4 | y"])
        self.assertIn("There is one more error", " ".join(" ".join(after).split()))
        self.assertEqual(tell.first_error(paper.Paper(), ["odd"]), (["odd"], []))

    def test_the_note_that_shows_a_declaration(self):
        lines = [
            "a.c:4:9: error: passing argument 2 of 'add' makes pointer from integer",
            "    4 | add(x, 1)",
            "In file included from a.c:1:",
            "                 from b.h:2:",
            "t.h:7:3: note: expected 'Tensor *' but argument is of type 'int'",
            "    7 | Tensor *add(Tensor *a, Tensor *b);",
            "a.c: In function 'g':",
            "a.c:9:1: error: worse",
        ]
        block, _ = tell.first_error(paper.Paper(), lines)
        self.assertEqual(block, [lines[0], lines[1], lines[4], lines[5]])

    def test_the_note_that_names_a_header(self):
        error = "ex1.c:7:14: error: implicit declaration of function ‘malloc’"
        note = "ex1.c:3:1: note: include ‘<stdlib.h>’ or provide a declaration of ‘malloc’"
        lines = [error, "    7 |     malloc(4);", note, "  +++ |+#include <stdlib.h>",
                 "ex1.c:7:14: warning: incompatible implicit declaration"]
        block, _ = tell.first_error(paper.Paper(), lines)
        self.assertEqual(block, lines[:4])

    def test_lines_are_broken_at_their_spaces(self):
        lines = paper.fold(["  one two three", "\x1b[1mfour five\x1b[0m", "  4 | y + y + y"], 9)
        self.assertEqual(lines[:3], ["  one two", "  three", "\x1b[1mfour five\x1b[0m"])
        self.assertEqual(lines[3:], ["  4 | y + y + y"])
        self.assertEqual(paper.rows(lines, 9), 5)

    def test_on_a_small_screen_the_new_hint_and_the_end_stay(self):
        top = [f"line {at}" for at in range(12)]
        hints, end = [["", "hint 1"], ["", "hint 2"]], ["", "next"]

        def shown(room: int) -> list[str]:
            lines = paper.fit(top, hints, end, room, 80, "more")
            self.assertLessEqual(len(lines), room)
            self.assertEqual(lines[-3:], ["hint 2", "", "next"])
            return lines

        self.assertEqual(shown(18)[:12], top)
        self.assertEqual(shown(16), [*top, *hints[1], *end])
        self.assertEqual(shown(12)[6:8], ["line 6", "(5 more lines: more)"])
        self.assertIn("(11 more lines: more)", shown(6))

    def test_long_lines_of_a_program(self):
        lines = tell.fit(["  | " + "word " * 20, "a.c:1:1: error: " + "x" * 80])
        self.assertEqual([len(line) <= 80 for line in lines], [True, True, False])
        self.assertTrue(lines[1].startswith("  | word"))

    def test_the_answer_without_its_marks(self):
        text = "a\n//> answer\n    //: b\nc\n//< answer\n//> x\nd\n//< x\n"
        self.assertEqual(starters.answer_of(text), "a\nc\nd\n")


if __name__ == "__main__":
    unittest.main()
