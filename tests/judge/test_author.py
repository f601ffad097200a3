"""What an author is told: each mistake in a lesson's own files is named."""

from __future__ import annotations

import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import harness  # noqa: E402

from workbook import author, judge, manifest, probing, starters  # noqa: E402
from workbook.lesson import Fault  # noqa: E402


class Author(unittest.TestCase):
    def setUp(self):
        root = os.path.join(harness.own(self), "sample")
        harness.copy(root)
        self.lesson = harness.sample()
        self.lesson.root = root
        # Its solutions change: what is kept of them must not drive out what
        # the tests beside this one have kept.
        self.lesson.build = os.path.join(os.environ["WORKBOOK_JUDGE_DIR"], "author", "sim")

    def told(self, slug: str = "ex1_add_up") -> str:
        return "\n".join(author.solution(self.lesson, slug))

    def change(self, path: str, old: str, new: str) -> None:
        text = starters.read_text(path)
        self.assertIn(old, text)
        harness.write(path, text.replace(old, new))

    def test_all_is_well(self):
        self.assertEqual([self.told(slug) for slug in self.lesson.exercises], ["", ""])

    def test_a_solution_that_does_not_compile(self):
        self.change(self.lesson.solution("ex1_add_up"), "return sum", "return summ")
        self.assertIn("solutions/90_sample/ex1_add_up.c:20:12: error: ", self.told())

    def test_a_solution_that_says_something_else_each_time(self):
        path = self.lesson.solution("ex1_add_up")
        self.change(path, "#include <stdint.h>", "#include <stdint.h>\n#include <unistd.h>")
        self.change(path, "return sum", "return sum + getpid()")
        self.assertIn("ex1_add_up: the solution does not pass:", self.told())

    def test_a_solution_with_warnings(self):
        self.change(self.lesson.solution("ex1_add_up"), "int64_t sum = 0;", "int64_t sum = 0; int no;")
        self.assertIn("the solution compiles with warnings:", self.told())

    def test_points_that_do_not_add_up_as_shown(self):
        self.change(self.lesson.test("ex2.json"), '"weight": 2', '"weight": 6')
        self.assertIn("the part 'name' is 5.14 of 6 points: choose", self.told("ex2_place"))

    def test_a_probe_without_a_declaration(self):
        path = self.lesson.test("ex1.probe.c")
        self.change(path, "int64_t add_up(const int64_t *x, int n);", "#include <x.h>")
        self.assertIn("ex1.probe.c does not declare add_up()", self.told())

    def test_a_starter_that_passes(self):
        self.change(self.lesson.solution("ex2_place"), '"TODO");', '"cuda:%d", machine_gpus() - 1);')
        self.change(self.lesson.solution("ex2_place"), "return -1", "return machine_gpus()")
        starters.write(self.lesson)
        self.assertIn("ex2_place: the starter passes", self.told("ex2_place"))

    def test_a_starter_with_warnings(self):
        self.change(self.lesson.solution("ex1_add_up"), "//: (void)x;", "//:")
        starters.write(self.lesson)
        self.assertIn("the starter compiles with warnings:", self.told())

    def test_a_starter_that_is_stale(self):
        self.change(self.lesson.solution("ex1_add_up"), "TODO: the sum", "TODO: sum")
        self.assertIn("its starter is not the one in starters.sum: run scripts/starters", self.told())

    def test_a_wrong_answer_that_passes(self):
        self.change(self.lesson.test("wrong", "ex1_add_up.last_left_out.c"), "n - 1", "n")
        self.assertIn("wrong answer last_left_out passes", self.told())

    def test_two_wrong_answers_that_are_one(self):
        text = starters.read_text(self.lesson.test("wrong", "ex2_place.from_one.c"))
        harness.write(self.lesson.test("wrong", "ex2_place.always_seven.c"), text)
        told = self.told("ex2_place")
        self.assertIn("wrong answer always_seven is recognised as from_one:", told)
        self.assertIn("from_one and always_seven tell the same facts", told)

    def test_a_wrong_answer_with_all_the_points(self):
        self.change(self.lesson.test("ex2.json"), '"weight": 2', '"weight": 0')
        self.assertIn("wrong answer from_one gets all the points", self.told("ex2_place"))

    def test_a_starter_gets_no_points_for_what_is_right(self):
        self.change(self.lesson.solution("ex2_place"), "return -1", "return machine_gpus()")
        bank = probing.Bank(self.lesson, "ex2_place", manifest.read(self.lesson, "ex2_place"))
        tried = judge.known(self.lesson, "ex2_place", "starter", bank)
        self.assertEqual((tried.outcome, tried.recognised, tried.points), ("wrong", "starter", 0))

    def test_files_and_sentences_belong_together(self):
        os.rename(
            self.lesson.test("wrong", "ex1_add_up.crash.c"),
            self.lesson.test("wrong", "ex1_add_up.boom.c"),
        )
        told = self.told()
        self.assertIn("wrong/ex1_add_up.boom.c has no sentence in the manifest", told)
        self.assertIn("the manifest's 'crash' has no file wrong/ex1_add_up.crash.c", told)

    def test_names_of_our_own(self):
        self.change(self.lesson.test("ex1.json"), '"crash":', '"starter":')
        self.assertIn("a wrong answer cannot be called 'starter'", self.told())

    def test_facts_need_words(self):
        self.change(self.lesson.test("ex2.json"), '"means": "the name you wrote", ', "")
        self.assertIn("fact 'name' has a rule without 'means'", self.told("ex2_place"))

    def test_rules_need_facts(self):
        self.change(self.lesson.test("ex1.json"), '"sum": {', '"some": {')
        self.assertIn("the manifest has rules for 'some', which the probe never states", self.told())

    def test_no_fact_is_wrong_at_no_cost(self):
        path, weight = self.lesson.test("ex2.json"), 'you returned", "weight": 1}'
        self.change(path, weight, 'you returned"}')
        self.assertIn("'count' has no weight, though other facts", self.told("ex2_place"))
        rest = '"*": {"means": "the rest", "weight": 1}, "count": {'
        self.change(path, '"count": {', rest)
        self.assertEqual(self.told("ex2_place"), "")
        self.change(path, 'you returned"}', weight)
        self.assertIn("'*' has a weight, but every fact", self.told("ex2_place"))


class Manifests(unittest.TestCase):
    def setUp(self):
        with open(harness.sample().test("ex1.json"), encoding="utf-8") as file:
            self.data = json.load(file)

    def refused(self, sentence: str, **change) -> None:
        data = {name: value for name, value in {**self.data, **change}.items() if value is not None}
        with self.assertRaises(Fault) as caught:
            manifest.parse(data)
        self.assertIn(sentence, str(caught.exception))

    def test_sentences(self):
        self.refused("unknown entry 'point'", point=3)
        self.refused("'points' has the wrong type", points="3")
        self.refused("'title' is missing or empty", title=None)
        self.refused("'defines' is missing or empty", defines=[])
        self.refused("'hints' are three", hints=["one"])
        self.refused("'seeds' are whole numbers", seeds=["a"])
        self.refused("a machine is a name or {machine, env, sim}", machines=[3])
        self.refused("env holds SIM_… and CUDA_… alone, not 'PATH'", machines=[{"env": {"PATH": "x"}}])
        self.refused("fact 'sum' has a rule that is not known", facts={"sum": {"tolerance": 1}})
        with self.assertRaises(Fault):
            manifest.parse([])

    def test_missing_and_broken_files(self):
        lesson = harness.sample()
        lesson.root = harness.own(self)
        with self.assertRaises(Fault) as caught:
            manifest.read(lesson, "ex1_add_up")
        self.assertIn("tests/lessons/90_sample/ex1.json is missing", str(caught.exception))
        harness.write(lesson.test("ex1.json"), "{")
        with self.assertRaises(Fault) as caught:
            manifest.read(lesson, "ex1_add_up")
        self.assertIn("ex1.json is not JSON", str(caught.exception))


class StudentEdition(unittest.TestCase):
    """Without solutions, recorded facts stand in, and say the same."""

    def setUp(self):
        root = os.path.join(harness.own(self), "sample")
        harness.copy(root)
        self.lesson = harness.sample()
        self.lesson.root = root
        rules = manifest.read(self.lesson, "ex2_place")
        bank = probing.Bank(self.lesson, "ex2_place", rules)
        told = bank.record(probing.runs(self.lesson, rules))
        self.wrong = starters.read_text(bank.source("from_one"))
        self.right = starters.read_text(self.lesson.solution("ex2_place"))
        self.student = os.path.join(root, "student.c")
        os.remove(self.lesson.solution("ex2_place"))
        os.remove(bank.source("from_one"))
        os.remove(bank.source("always_seven"))
        harness.write(self.lesson.test("expected", "ex2.facts.json"), json.dumps(told))

    def check(self, text: str, **options):
        return judge.check(self.lesson, "ex2_place", harness.write(self.student, text), **options)

    def test_same_verdicts(self):
        self.assertEqual(self.check(self.right).outcome, "passed")
        self.assertEqual(self.check(self.wrong).recognised, "from_one")
        starter = starters.read_text(self.lesson.source("ex2_place.c"))
        self.assertEqual(self.check(starter).outcome, "not attempted")
        self.assertEqual(self.check(starter, force=True).recognised, "starter")

    def test_what_the_linker_refuses_is_the_students(self):
        text = self.right + "\nextern _Thread_local int mine __asm__(\"stdout\");\n"
        result = self.check(text + "static int *own(void) { return &mine; }\n"
                            "static int *(*volatile keep)(void) __attribute__((used)) = own;\n")
        self.assertEqual(result.outcome, "does not compile", harness.flat(result))

    def test_other_seeds_are_not_recorded(self):
        result = self.check(self.right, seeds=[99])
        self.assertEqual(result.outcome, "grader fault")
        self.assertIn("has no facts of the reference on machine v100x8, with seed 99", harness.flat(result))

    def test_nothing_to_compare_with(self):
        os.remove(self.lesson.test("expected", "ex2.facts.json"))
        self.assertIn("nothing to compare with", harness.flat(self.check(self.right)))


if __name__ == "__main__":
    unittest.main()
