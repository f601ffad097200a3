"""What other programs read: the gradebook, JUnit, Gradescope, the late table."""

from __future__ import annotations

import csv
import io
import json
import os
import sys
import unittest
import xml.etree.ElementTree as xml

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from classroom import own, write  # noqa: E402

from workbook import verdict  # noqa: E402
from workbook.grade import gradebook, late, main, report, work  # noqa: E402
from workbook.grade.submissions import Taken  # noqa: E402
from workbook.lesson import Fault  # noqa: E402

POLICY = late.Policy(grace=1, per_day=10)


def one(slug: str, outcome: str, points: float = 0.0, **more) -> verdict.Verdict:
    made = verdict.Verdict("02_x", slug, outcome, "A sentence.", points=points, **more)
    made.max_points = 10
    return made


def graded(student: str, *verdicts: verdict.Verdict) -> work.Graded:
    return work.Graded(student, "", list(verdicts), Taken(), "namespaces")


ANN = graded("ann", one("ex1", "passed", 10), one("ex2", "not attempted"))
BOB = graded("bob", one("ex1", "wrong", 2.5, recognised="moved"), one("ex2", "does not compile"))
CY = graded("cy", one("ex1", "grader fault"), one("ex2", "absent"))
CLASS = [ANN, BOB, CY]


class Names(unittest.TestCase):
    def test_a_late_table_may_have_the_names_as_people_write_them(self):
        path = write(os.path.join(own(self), "late.csv"), "student,days\nJosé Núñez,2\n李明,1\n")
        self.assertEqual(sorted(late.read(path)), ["José_Núñez", "李明"])

    def test_a_mark_where_a_spreadsheet_needs_it(self):
        self.assertEqual(main._marked("student,ann\n"), "student,ann\n")
        self.assertEqual(main._marked("student,李明\n"), "\ufeffstudent,李明\n")

    def test_files_under_another_name_are_told(self):
        eve = graded("eve", one("ex1", "absent"))
        eve.taken.misnamed = ["ex1 (2).c: is it ex1.c?"]
        self.assertIn("  ex1 (2).c: is it ex1.c?", report.text(eve, None, POLICY, False))
        self.assertIn("files under another name: eve", gradebook.summary([eve]))


class Tables(unittest.TestCase):
    def wide(self, table=None) -> list[list[str]]:
        return list(csv.reader(io.StringIO(gradebook.wide(CLASS, table or {}, POLICY))))

    def test_wide(self):
        rows = self.wide()
        self.assertEqual(rows[0][:3], ["student", "02_x/ex1", "02_x/ex2"])
        self.assertEqual(rows[1][:4], ["(points possible)", "10", "10", "20"])
        self.assertEqual(rows[2], ["ann", "10", "", "10", "20", "0", "10"])
        self.assertEqual(rows[3], ["bob", "2.5", "0", "2.5", "20", "0", "2.5"])

    def test_a_fault_is_never_a_zero(self):
        self.assertEqual(self.wide()[4], ["cy", "fault", "", "fault", "20", "0", "fault"])
        rows = list(csv.DictReader(io.StringIO(gradebook.long(CLASS))))
        self.assertEqual([r["points"] for r in rows if r["kind"] == "grader fault"], [""])
        whole = json.loads(gradebook.gradescope(CY, False))
        self.assertNotIn("score", whole)
        self.assertNotIn("tests", whole)  # their sum would be a grade
        self.assertIn("? of 10 points", report.text(CY, None, POLICY, False))
        self.assertIn("no total yet", report.text(CY, None, POLICY, False))

    def test_the_four_kinds(self):
        rows = list(csv.DictReader(io.StringIO(gradebook.long(CLASS))))
        self.assertEqual(
            [row["kind"] for row in rows],
            ["points", "not attempted", "points", "not gradable", "grader fault", "not attempted"],
        )

    def test_late(self):
        table = {"ann": late.Late(3.5), "bob": late.Late(9, 8)}
        rows = self.wide(table)
        self.assertEqual(rows[2][-2:], ["3", "7"])  # a day free, three begun
        self.assertEqual(rows[3][-2:], ["0", "2.5"])  # extended
        self.assertIn("3 days late, 10 % a day: 7 points", report.text(ANN, table["ann"], POLICY, False))
        self.assertEqual(late.Late(99).kept(POLICY, 10), 0)

    def test_the_late_table(self):
        path = os.path.join(own(self), "late.csv")
        write(path, "student,days,extension\nann,2,\nbob,3,1.5\n")
        self.assertEqual(late.read(path), {"ann": late.Late(2, 0), "bob": late.Late(3, 1.5)})
        write(path, "student;days;extension\nann;1,5;\nbob;3;1\n")
        self.assertEqual(late.read(path), {"ann": late.Late(1.5, 0), "bob": late.Late(3, 1)})
        for text, sentence in (
            ("name,days\nann,2\n", "the columns are student,days,extension"),
            ("student,days\nann,two\n", "days and extension are numbers"),
            ("student,days\nann,nan\n", "and finite"),
            ("student,days,extension\nann,1,inf\n", "and finite"),
            ("student,days\nann,1\nann,2\n", "ann stands there twice"),
        ):
            write(path, text)
            with self.assertRaisesRegex(Fault, sentence):
                late.read(path)
        with self.assertRaisesRegex(Fault, "cannot be read"):
            late.read(path + ".none")

    def test_junit(self):
        BOB.verdicts[0].printed = ["\x1b[2J ]]> \0 \ud800 <b>"]
        suites = xml.fromstring(gradebook.junit(CLASS, False).encode("utf-8", "backslashreplace"))
        self.assertEqual([s.get("failures") for s in suites], ["0", "2", "0"])
        self.assertEqual([s.get("skipped") for s in suites], ["1", "0", "1"])
        self.assertEqual([s.get("errors") for s in suites], ["0", "0", "1"])

    def test_gradescope(self):
        whole = json.loads(gradebook.gradescope(BOB, True))
        self.assertEqual(whole["score"], 2.5)
        self.assertEqual([t["score"] for t in whole["tests"]], [2.5, 0])
        self.assertEqual([t["max_score"] for t in whole["tests"]], [10, 10])
        self.assertEqual({t["status"] for t in whole["tests"]}, {"failed"})

    def test_summary(self):
        words = gradebook.summary(CLASS)
        self.assertIn("3 submissions", words)
        self.assertIn("02_x/ex1: 1 of 2 pass", words)
        self.assertIn("1  02_x/ex1: moved", words)
        self.assertEqual(gradebook.summary([]), "0 submissions\n")

    def test_who_handed_in_nothing_to_grade(self):
        """Not unpacked is not "not attempted", and neither is a zero unsaid."""
        dan = graded("dan", one("ex1", verdict.UNREADABLE))
        dan.taken.problem = "The archive cannot be read: it ends too early"
        self.assertEqual(work.kind(dan.verdicts[0]), work.NOT_GRADABLE)
        self.assertEqual(gradebook.cell(dan.verdicts[0]), "0")
        self.assertEqual(gradebook.cell(one("ex1", "absent")), "")
        words = gradebook.summary([dan, graded("eve", one("ex1", "absent"))])
        self.assertIn("could not be unpacked: dan\n", words)
        self.assertIn("no exercise's file in: eve\n", words)
        self.assertIn("No exercise's file was found", "\n".join(report.notes(CY)))
        self.assertEqual(report.notes(dan), [])

    def test_people_read_tenths_and_tables_keep_hundredths(self):
        eve = graded("eve", one("ex1", "wrong", 4.29), one("ex2", "wrong", 1.88))
        for words in (report.text(eve, None, POLICY, False), report.page(eve, None, POLICY, False)):
            for told in ("6.2 of 20 points", "4.3 of 10 points", "1.9 of 10 points"):
                self.assertIn(told, words)
        table = gradebook.wide([eve], {}, POLICY)
        self.assertIn("eve,4.29,1.88,6.17,20,0,6.17", table)

    def test_who_handed_in_twice(self):
        words = gradebook.summary([ANN, graded("ann~2", one("ex1", "passed", 10))])
        self.assertIn("handed in more than once: ann~2\n", words)

    def test_how_the_points_came_about(self):
        for points in (0, 2.5):
            part = one("ex1", "wrong", points, parts=["The 10 points come in parts:", "  2.5 of 5: a"])
            words = "\n".join(report.body(part, False))
            self.assertEqual(words.count("  2.5 of 5: a"), 1)

    def test_the_page_escapes(self):
        evil = graded("eve", one("ex1", "wrong", printed=["</pre><script>x</script>"]))
        evil.taken.altered.append("<img src=x>")
        page = report.page(evil, None, POLICY, False)
        self.assertNotIn("<script", page)
        self.assertNotIn("<img", page)
        self.assertIn("&lt;script&gt;", page)


if __name__ == "__main__":
    unittest.main()
