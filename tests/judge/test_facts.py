"""Facts: how they are read from the pipe, compared and put into words."""

from __future__ import annotations

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import harness  # noqa: E402, F401

from workbook import facts, judge, probing, show  # noqa: E402
from workbook.facts import Told  # noqa: E402
from workbook.manifest import Manifest, Rule  # noqa: E402


def fact(kind: str, value, **parts) -> dict:
    return {"n": "it", "k": kind, "v": value, **parts}


def tensor(values, dtype="float32", shape=(2, 2), device="cuda:0") -> dict:
    return fact("tensor", values, dtype=dtype, shape=list(shape), device=device)


def differ(one, two, rule=Rule(), real=False):
    return facts.differ(one, two, rule, real)


class Parsed(unittest.TestCase):
    LINE = b'{"n": "a", "k": "int", "v": 1}\n'

    def test_whole(self):
        said, closed = facts.parse(self.LINE * 2 + b'{"end": "xyz"}\n', "xyz")
        self.assertEqual((len(said), closed), (2, True))

    def test_not_closed(self):
        for data in (b"", self.LINE, self.LINE + b'{"end": ""}\n', self.LINE + b'{"end": "no"}\n'):
            self.assertFalse(facts.parse(data, "xyz")[1], data)

    def test_nothing_may_follow_the_end(self):
        self.assertFalse(facts.parse(b'{"end": "xyz"}\n' + self.LINE, "xyz")[1])

    def test_garbage_ends_it(self):
        for bad in (b"\xff\xfe\n", b"[1]\n", b"17\n", b'{"n": 3, "k": "int"}\n', b'{"n": "a"}\n', b"{\n"):
            said, closed = facts.parse(self.LINE + bad + b'{"end": "xyz"}\n', "xyz")
            self.assertEqual((len(said), closed), (1, False), bad)

    def test_what_no_probe_states(self):
        for bad in (
            "[" * 99_999,
            '{"n": "a", "k": "int", "v": 1%s}' % ("0" * 999),
            '{"n": "a", "k": "int", "v": [1]}',
            '{"n": "a", "k": [], "v": 1}',
            '{"n": "a\\nb", "k": "int", "v": 1}',
            '{"n": "%s", "k": "int", "v": 1}' % ("a" * 201),
            '{"n": "a", "k": "text", "v": "%s"}' % ("a" * (1 << 20)),
            '{"n": "a", "k": "tensor", "v": 5}',
            '{"n": "a", "k": "tensor", "v": [[5]]}',
            '{"n": "a", "k": "tensor", "v": [%s0]}' % ("0, " * 4096),
            '{"n": "a", "k": "tensor", "v": [], "shape": 3}',
            '{"n": "a", "k": "tensor", "v": [], "device": {}}',
        ):
            said, closed = facts.parse(self.LINE + bad.encode() + b'\n{"end": "xyz"}\n', "xyz")
            self.assertEqual((len(said), closed), (1, False), bad[:40])

    def test_no_more_facts_than_any_probe_has(self):
        said, closed = facts.parse(self.LINE * 9999 + b'{"end": "xyz"}\n', "xyz")
        self.assertLess(len(said), 5000)
        self.assertFalse(closed)


class Compared(unittest.TestCase):
    def test_whole_numbers_are_exact(self):
        self.assertIsNone(differ(fact("int", 3), fact("int", 3)))
        self.assertIsNotNone(differ(fact("int", 10**9), fact("int", 10**9 + 1)))
        self.assertIsNotNone(differ(fact("int", 1), fact("int", True)))
        self.assertIsNotNone(differ(fact("int", None), fact("int", 0)))

    def test_reals_have_a_tolerance(self):
        self.assertIsNone(differ(fact("real", 1.0), fact("real", 1.000001)))
        self.assertIsNotNone(differ(fact("real", 1.0), fact("real", 1.001)))
        self.assertIsNone(differ(fact("real", 1.0), fact("real", 1.001), Rule(rel=0.01)))
        self.assertIsNotNone(differ(fact("real", 1.0), fact("real", 1.000001), Rule(rel=0, abs=0)))
        self.assertIsNone(differ(fact("real", 0.0), fact("real", 0.5), Rule(abs=0.5)))

    def test_not_a_number(self):
        self.assertIsNone(differ(fact("real", "nan"), fact("real", "nan")))
        self.assertIsNotNone(differ(fact("real", 1.0), fact("real", "nan")))
        self.assertIsNotNone(differ(fact("real", "inf"), fact("real", "-inf")))
        self.assertIsNotNone(differ(fact("real", "inf"), fact("real", 1e300), Rule(rel=1)))

    def test_at_most(self):
        rule = Rule(at_most=True)
        self.assertIsNone(differ(fact("int", 3), fact("int", 1), rule))
        self.assertIsNotNone(differ(fact("int", 3), fact("int", 4), rule))

    def test_times(self):
        self.assertIsNotNone(differ(fact("ns", 1000), fact("ns", 1001)))
        self.assertIsNone(differ(fact("ns", 1000), fact("ns", 1001), Rule(rel=0.01)))
        self.assertIsNone(differ(fact("ns", 1000), fact("ns", 9999), real=True))

    def test_simulator_only(self):
        self.assertIsNone(differ(fact("int", 1), fact("int", 2), Rule(sim=True), real=True))
        self.assertIsNotNone(differ(fact("int", 1), fact("int", 2), Rule(sim=True)))

    def test_kinds_and_names(self):
        self.assertIsNotNone(differ(fact("int", 1), fact("text", "1")))
        self.assertIsNotNone(differ(fact("int", 1), {**fact("int", 1), "n": "other"}))
        self.assertIsNotNone(differ(fact("int", 1), None))

    def test_rule_names_it(self):
        found = differ(fact("int", 1), fact("int", 2), Rule(means="copies made"))
        self.assertEqual((found.what, found.expected, found.got), ("copies made", "1", "2"))


class Tensors(unittest.TestCase):
    def told(self, one, two) -> tuple[str, str, str]:
        found = differ(one, two)
        return found.what, found.expected, found.got

    def test_same(self):
        self.assertIsNone(differ(tensor([1.0, 2, 3, 4]), tensor([1.0, 2, 3, 4.00000001])))

    def test_parts_in_order(self):
        right = tensor([1, 2, 3, 4])
        wrong = tensor([1, 2, 3, 5], dtype="int64", device="cpu")
        self.assertEqual(self.told(right, wrong), ("it: its dtype", "float32", "int64"))
        wrong["dtype"] = "float32"
        self.assertEqual(self.told(right, wrong), ("it: its device", "cuda:0", "cpu"))
        wrong["device"] = "cuda:0"
        self.assertEqual(self.told(right, wrong), ("it: element [1, 1]", "4", "5"))
        wrong["shape"] = [4]
        self.assertEqual(self.told(right, wrong), ("it: its shape", "(2, 2)", "(4)"))

    def test_null(self):
        found = differ(tensor([1, 2, 3, 4]), fact("tensor", None))
        self.assertEqual(found.got, "no tensor (NULL)")
        self.assertEqual(found.expected, "a tensor (2, 2) float32 on cuda:0: 1, 2, 3, 4")
        self.assertIsNone(differ(fact("tensor", None), fact("tensor", None)))

    def test_integers_are_exact(self):
        big = 10**8
        one = tensor([big], "int64", (1,))
        self.assertIsNotNone(differ(one, tensor([big + 1], "int64", (1,))))

    def test_too_few_values(self):
        self.assertEqual(self.told(tensor([1, 2, 3, 4]), tensor([1]))[0], "it: how many elements")


class Alike(unittest.TestCase):
    """When a student's facts count as those of a known wrong answer."""

    RULES = Manifest("t", 1, ["f"], [], [1], [], "", {}, facts={"it": Rule()})

    def alike(self, want, known, said) -> bool:
        as_told = [Told([one] if one else []) for one in (want, known, said)]
        return judge.alike(self.RULES, *as_told, real=False)

    def test_same_mistake(self):
        self.assertTrue(self.alike(fact("int", 1), fact("int", 2), fact("int", 2)))
        self.assertFalse(self.alike(fact("int", 1), fact("int", 2), fact("int", 3)))
        self.assertFalse(self.alike(fact("int", 1), fact("int", 2), None))

    def test_of_times_only_whether_they_are_right(self):
        self.assertTrue(self.alike(fact("ns", 1), fact("ns", 2), fact("ns", 3)))
        self.assertFalse(self.alike(fact("ns", 1), fact("ns", 2), fact("ns", 1)))

    def test_last_words(self):
        def same(one: str, two: str, facts_before: int) -> bool:
            before = [fact("int", 1)] * facts_before
            ends = [Told(before, "SIGSEGV", probing.last_words(err, "SIGSEGV")) for err in (one, two)]
            return judge.alike(self.RULES, Told(before), *ends, False)

        self.assertTrue(same("sim: /a/b.c:3 host read of 0x7f at cuda:7", "sim: /c.c:4 host read of 0x12 at cuda:1", 0))
        self.assertFalse(same("sim: host read", "sim: host write", 0))
        self.assertFalse(same("sim: host read", "sim: host write", 1))
        self.assertFalse(same("", "", 0))
        self.assertTrue(same("", "", 1))

    def test_one_long_word(self):
        # Without a "/" in it, a search for one must not begin anew at each letter.
        word = "x" * (1 << 18)
        self.assertEqual(probing.last_words(word + " at 12", "exit 1"), word + " at #")
        self.assertEqual(probing.last_words("12/a 0xff", "exit 1"), "# #")

    def test_a_sanitizers_last_words(self):
        err = "==9==ERROR: AddressSanitizer: x\nSUMMARY: AddressSanitizer: stack-buffer-overflow /a.c:5 in f\n#"
        told = probing.last_words(err, "sanitizer")
        self.assertEqual(told, "AddressSanitizer: stack-buffer-overflow f")

    def test_ends(self):
        one, two = Told([], "SIGSEGV", "w"), Told([], "SIGABRT", "w")
        self.assertTrue(judge.alike(self.RULES, one, one, one, False))
        self.assertFalse(judge.alike(self.RULES, one, one, two, False))


class Words(unittest.TestCase):
    def test_status(self):
        self.assertEqual(facts.words(fact("status", None)), "no failure")
        self.assertEqual(
            facts.words(fact("status", "too big", code="RuntimeError")), 'RuntimeError "too big"'
        )

    def test_plain(self):
        self.assertEqual(facts.words(fact("bool", True)), "true")
        self.assertEqual(facts.words(fact("text", None)), "NULL")
        self.assertEqual(facts.words(fact("ns", 5)), "5 ns (simulated)")

    def test_long_texts_never_look_equal(self):
        one, two = "a" * 200 + "x" + "b" * 200, "a" * 200 + "y" + "b" * 200
        left, right = show.pair(one, two)
        self.assertNotEqual(left, right)
        self.assertTrue(left.startswith("… a") and left.endswith("b …"))
        left, right = show.pair("a" * 200, "a" * 199)
        self.assertNotEqual(left, right)
        left, right = show.pair("a" * 200, "a" * 300)
        self.assertNotEqual(left, right)

    def test_nothing(self):
        self.assertEqual(show.pair("", "x"), ("(nothing)", "x"))

    def test_spaces_show_where_they_matter(self):
        self.assertEqual(show.pair("a b", "a  b"), ("a·b", "a··b"))
        self.assertEqual(show.pair("a b", "a c"), ("a b", "a c"))
        self.assertEqual(show.pair("a", "a\t"), ("a", "a→"))

    def test_control_characters(self):
        self.assertEqual(show.visible("a\x1b[31m\x07\r"), "a\\e[31m\\x07\\r")

    def test_counts(self):
        self.assertEqual([show.count(n, "copy") for n in (0, 1, 2)], ["0 copies", "1 copy", "2 copies"])


if __name__ == "__main__":
    unittest.main()
