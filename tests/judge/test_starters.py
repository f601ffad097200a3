"""Starters: made from solutions, known again by their sums, never in the way
of a student's work."""

from __future__ import annotations

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import harness  # noqa: E402

from workbook import lesson as lessons  # noqa: E402
from workbook import starters  # noqa: E402
from workbook.lesson import Fault  # noqa: E402

SOLUTION = """\
int f(int x)
{
    //> answer
    //: (void)x;
    //: return 0; // TODO: twice x
    //:
    int y = 2 * x;
    //> inner
    return y;
    //< inner
    //< answer
}
//> other
int a;
//< other
"""

STARTER = """\
int f(int x)
{
    (void)x;
    return 0; // TODO: twice x

}
int a;
"""


class Made(unittest.TestCase):
    def test_starter(self):
        self.assertEqual(starters.starter_of(SOLUTION), STARTER)

    def refused(self, text: str, sentence: str):
        with self.assertRaises(Fault) as caught:
            starters.starter_of(text, "s.c")
        self.assertEqual(str(caught.exception), sentence)

    def test_regions_that_do_not_match_up(self):
        self.refused("int x;\n", "s.c: no answer region ('//> answer' … '//< answer')")
        self.refused("//> answer\n", "s.c:1: this answer region never ends")
        self.refused("\n//< answer\n", "s.c:2: an answer region ends that never began")
        self.refused("//> answer\n//> answer\n", "s.c:2: an answer region inside another")
        self.refused("//: x\n", "s.c:1: a '//:' line outside an answer region")

    def test_sums_leave_white_space_aside(self):
        self.assertEqual(starters.sum_text("a b\n"), starters.sum_text("\ta\r\nb"))
        self.assertNotEqual(starters.sum_text("a b"), starters.sum_text("a c"))


class Written(unittest.TestCase):
    def setUp(self):
        self.root = os.path.join(harness.own(self), "sample")
        harness.copy(self.root)
        self.lesson = lessons.bare(self.root, ["90"])[0]
        self.ex1 = self.lesson.source("ex1_add_up.c")

    def test_sums_name_every_file(self):
        names = set(starters.sums(self.lesson))
        self.assertEqual(names, {"ex1_add_up.c", "ex2_place.c", "lesson.c", "dies.c"})

    def test_nothing_to_write(self):
        self.assertEqual(starters.stale(self.lesson), [])
        self.assertEqual(starters.write(self.lesson), [])

    def test_a_changed_solution(self):
        path = self.lesson.solution("ex1_add_up")
        harness.write(path, starters.read_text(path).replace("the sum\n", "the whole sum\n"))
        self.assertEqual(starters.stale(self.lesson), ["ex1_add_up.c", "starters.sum"])
        starters.write(self.lesson)
        self.assertIn("the whole sum", starters.read_text(self.ex1))
        self.assertEqual(starters.stale(self.lesson), [])
        self.assertEqual([n for n in os.listdir(os.path.dirname(self.ex1)) if "saved" in n], [])

    def test_a_students_work_is_kept(self):
        harness.write(self.ex1, "int mine;\n")
        harness.write(self.ex1 + ".saved-1", "older\n")
        told = starters.write(self.lesson)
        self.assertIn("as ex1_add_up.c.saved-2", told[0])
        self.assertEqual(starters.read_text(self.ex1 + ".saved-2"), "int mine;\n")
        self.assertEqual(starters.read_text(self.ex1 + ".saved-1"), "older\n")

    def test_untouched_without_sums(self):
        os.remove(self.lesson.source("starters.sum"))
        self.assertTrue(starters.untouched(self.lesson, "ex1_add_up", self.ex1))

    def test_not_one_byte_is_needed(self):
        os.remove(self.lesson.source("starters.sum"))
        os.remove(self.lesson.solution("ex1_add_up"))
        with self.assertRaises(Fault) as caught:
            starters.untouched(self.lesson, "ex1_add_up", self.ex1)
        self.assertIn("is missing, and so is its starter's sum", str(caught.exception))

    def test_the_names_of_lessons(self):
        with self.assertRaises(Fault) as caught:
            lessons.bare(self.root, ["17"])
        self.assertEqual(str(caught.exception), "there is no lesson 17; there are: 90_sample")


if __name__ == "__main__":
    unittest.main()
