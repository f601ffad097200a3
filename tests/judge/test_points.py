"""How facts become points, how a run's end is named, and what a kept program
depends on."""

from __future__ import annotations

import os
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import harness  # noqa: E402

from workbook import judge, probing  # noqa: E402
from workbook.facts import Told  # noqa: E402
from workbook.launcher import Result  # noqa: E402
from workbook.manifest import Manifest, Rule  # noqa: E402
from workbook.probing import Run  # noqa: E402

RUNS = [Run("v100x8", (), 1), Run("t4", (), 1)]


def told(*values: int) -> Told:
    return Told([{"n": name, "k": "int", "v": value} for name, value in zip("abc", values)])


def points(one: Told, two: Told, **rules: Rule) -> float:
    """Of 10, where 1, 2, 3 is right in both runs."""
    manifest = Manifest("t", 10, ["f"], [], [1], [], "", {}, facts=rules)
    expected = dict.fromkeys(RUNS, told(1, 2, 3))
    return judge._points(manifest, expected, dict(zip(RUNS, (one, two))), False)


class Points(unittest.TestCase):
    RIGHT = told(1, 2, 3)
    A_WRONG = told(9, 2, 3)

    def test_all_or_nothing_without_weights(self):
        self.assertEqual(points(self.RIGHT, self.A_WRONG, b=Rule()), 0)

    def test_weights(self):
        weights = {"a": Rule(weight=3), "b": Rule(weight=1)}
        self.assertEqual(points(self.RIGHT, self.A_WRONG, **weights), 2.5)
        self.assertEqual(points(self.A_WRONG, self.RIGHT, **weights), 2.5)
        self.assertEqual(points(told(1, 9, 3), self.RIGHT, **weights), 7.5)
        self.assertEqual(points(self.RIGHT, self.RIGHT, **weights), 10)

    def test_the_rest_is_a_part(self):
        weights = {"a": Rule(weight=3), "*": Rule(weight=1)}
        self.assertEqual(points(self.RIGHT, told(1, 9, 3), **weights), 7.5)
        self.assertEqual(points(told(1, 9, 3), told(1, 2, 9), **weights), 7.5)
        self.assertEqual(points(self.A_WRONG, self.RIGHT, **weights), 2.5)
        self.assertEqual(points(self.RIGHT, Told(told(1).facts, "SIGSEGV"), **weights), 7.5)
        self.assertEqual(points(self.RIGHT, Told(self.RIGHT.facts, "SIGABRT"), **weights), 7.5)
        self.assertEqual(points(self.RIGHT, self.RIGHT, **weights), 10)

    def test_required(self):
        weights = {"a": Rule(required=True), "b": Rule(weight=1)}
        self.assertEqual(points(self.RIGHT, self.A_WRONG, **weights), 0)
        self.assertEqual(points(self.RIGHT, told(1, 2, 9), **weights), 10)

    def test_the_rule_is_told(self):
        rules = {"a": Rule(weight=3, means="the sum"), "b": Rule(weight=1)}
        rules["c"] = Rule(required=True, means="the count")
        manifest = Manifest("t", 10, ["f"], [], [1], [], "", {}, facts=rules)
        expected = dict.fromkeys(RUNS, self.RIGHT)
        said = dict(zip(RUNS, (self.A_WRONG, told(1, 2, 9))))
        self.assertEqual(
            judge._parts(manifest, expected, said, False),
            ["The 10 points come in parts; a part counts when it is right in every run:",
             "  0 of 7.5: the sum", "  2.5 of 2.5: b",
             "No part counts before this is right: the count."],
        )
        manifest.facts = {"a": Rule(weight=4, means="the sum"), "b": Rule(weight=3)}
        lines = judge._parts(manifest, expected, said, False)
        self.assertEqual(lines[1:], ["  0 of 5.7: the sum", "  4.3 of 4.3: b"])
        self.assertEqual(judge._points(manifest, expected, said, False), 4.29)  # as it is counted
        manifest.facts = {"a": Rule(weight=1), "*": Rule(weight=1, means="all else")}
        lines = judge._parts(manifest, expected, dict(zip(RUNS, (told(1, 2, 9),) * 2)), False)
        self.assertEqual(lines[1:], ["  5 of 5: a", "  0 of 5: all else (here: c)"])
        manifest.facts = {"a": Rule()}
        self.assertEqual(judge._parts(manifest, expected, said, False), [])

    def test_a_run_that_ended_has_no_right_facts_after_its_end(self):
        weights = {"a": Rule(weight=1), "c": Rule(weight=1)}
        self.assertEqual(points(self.RIGHT, Told(told(1, 2).facts, "SIGSEGV"), **weights), 5)

    def test_a_run_that_was_not_made_counts(self):
        expected = dict.fromkeys(RUNS, self.RIGHT)
        manifest = Manifest("t", 10, [], [], [], [], "", {}, facts={"a": Rule(weight=1)})
        self.assertEqual(judge._points(manifest, expected, {RUNS[0]: self.RIGHT}, False), 0)

    def test_a_fact_too_many(self):
        manifest = Manifest("t", 10, [], [], [], [], "", {})
        found = judge._differences(manifest, told(1, 2), self.RIGHT, False)
        self.assertEqual([(item.name, item.expected, item.got) for item in found], [("c", "(nothing more)", "3")])


class Ends(unittest.TestCase):
    def test_names(self):
        for result, closed, name in (
            (Result(code=0), True, ""),
            (Result(code=0), False, "early"),
            (Result(code=77), False, "skip"),
            (Result(code=77), True, "exit 77"),
            (Result(code=1), True, "exit 1"),
            (Result(signal="SIGSEGV"), False, "SIGSEGV"),
            (Result(signal="SIGKILL", stopped="time"), False, "time"),
            (Result(code=1, err="x\n==1==ERROR: AddressSanitizer: heap"), False, "sanitizer"),
        ):
            self.assertEqual(probing._end(result, closed), name)


class Kept(unittest.TestCase):
    """A kept program is made anew when anything it depends on changes."""

    def test_dependencies(self):
        lesson = harness.sample()
        folder = harness.own(self)
        header = harness.write(os.path.join(folder, "a.h"), "1")
        library = harness.write(os.path.join(folder, "lib.so"), "1")
        probe = harness.write(os.path.join(folder, "probe.o"), "1")
        lesson.watched = [folder, library]
        lesson.probes["ex1_add_up"] = probe
        seen = set()

        def changed() -> bool:
            probing._digests.clear()
            before = len(seen)
            seen.add(probing.fingerprint(lesson, "ex1_add_up", text))
            return len(seen) > before

        text = "int x;"
        self.assertTrue(changed())
        self.assertFalse(changed())
        for path in (header, library, probe):
            harness.write(path, "2")
            self.assertTrue(changed(), path)
        text = "int y;"
        self.assertTrue(changed())
        lesson.compile = [*lesson.compile, "-O2"]
        self.assertTrue(changed())


class SideBySide(unittest.TestCase):
    """Verdicts on one exercise at the same time, with nothing kept yet."""

    def test_all_the_same(self):
        lesson = harness.sample()
        lesson.build = harness.own(self, "build")
        path = lesson.test("wrong", "ex2_place.from_one.c")

        def one(_: int) -> str:
            return judge.check(lesson, "ex2_place", path).recognised

        with ThreadPoolExecutor(6) as pool:
            self.assertEqual(list(pool.map(one, range(6))), ["from_one"] * 6)
        names = [name.rsplit("-", 1)[0] for name in os.listdir(lesson.scratch("kept"))]
        self.assertEqual(len(names), len(set(names)), names)
        self.assertEqual(os.listdir(lesson.scratch("tmp")), [])


if __name__ == "__main__":
    unittest.main()
