"""What pictures promise: an arrow joins work to work, names stand in order."""
from __future__ import annotations

import re
import unittest

import reading  # noqa: F401 (finds the tools)
import draw_curve
import draw_timeline
from draw_timeline import Bar, Flow


def bar(lane: str, start: float, length: float) -> Bar:
    return Bar(lane, "work", start, length, "kernel")


class Arrows(unittest.TestCase):
    """From the end of what was waited for to the start of what waited."""

    BARS = [bar("a", 0, 10), bar("a", 10, 10), bar("b", 30, 5)]

    def test_an_arrow_ends_where_the_work_begins(self) -> None:
        made = draw_timeline.deciding([Flow(("a", 21), ("b", 22))], self.BARS)
        self.assertEqual(made, [Flow(("a", 20), ("b", 30))])

    def test_none_to_a_stream_that_is_idle_from_then_on(self) -> None:
        self.assertEqual(draw_timeline.deciding(
            [Flow(("a", 20), ("b", 40))], self.BARS), [])

    def test_none_from_a_stream_that_has_done_nothing(self) -> None:
        self.assertEqual(draw_timeline.deciding(
            [Flow(("c", 20), ("b", 22))], self.BARS), [])

    def test_none_within_one_stream(self) -> None:
        self.assertEqual(draw_timeline.deciding(
            [Flow(("a", 10), ("a", 10))], self.BARS), [])

    def test_of_several_the_last_decides(self) -> None:
        made = draw_timeline.deciding(
            [Flow(("a", 20), ("b", 22)), Flow(("a", 10), ("b", 22))],
            self.BARS)
        self.assertEqual(made, [Flow(("a", 20), ("b", 30))])


class Together(unittest.TestCase):
    """Calls too short for a name are drawn as one bar that counts them."""

    SAY = {"short_copy": "copy", "calls_together": "{count} calls"}

    @staticmethod
    def call(start: float, length: float, name: str = "cudaSetDevice") -> Bar:
        return Bar("host", name, start, length, "call")

    def names(self, bars: list[Bar]) -> list[str]:
        return [bar.name for bar in draw_timeline.together(bars, 10.0,
                                                           self.SAY)]

    def test_neighbours_are_counted(self) -> None:
        bars = [self.call(at, 1) for at in range(7)]
        made = draw_timeline.together(bars, 10.0, self.SAY)
        self.assertEqual([(b.name, b.start, b.length) for b in made],
                         [("7 calls", 0, 7)])
        self.assertEqual(made[0].parts, ("cudaSetDevice",) * 7)

    def test_what_has_room_for_its_name_stands_apart(self) -> None:
        self.assertEqual(self.names([
            self.call(0, 1), self.call(1, 1), self.call(2, 20, "cudaFree"),
            self.call(22, 1)]), ["2 calls", "cudaFree", "cudaSetDevice"])

    def test_a_pause_parts_them(self) -> None:
        self.assertEqual(self.names([self.call(0, 1), self.call(3, 1)]),
                         ["cudaSetDevice"] * 2)

    def test_work_of_a_gpu_is_never_joined(self) -> None:
        bars = [bar("a", 0, 1), bar("a", 1, 1)]
        self.assertEqual(draw_timeline.together(bars, 1.0, self.SAY), bars)


class Names(unittest.TestCase):
    """Each curve's name beside its end."""

    def test_in_the_order_of_the_ends_and_apart(self) -> None:
        shapes = draw_curve.names_at(
            [(600, 100), (600, 90), (600, 101), (600, 20)],
            ["third", "second", "fourth", "first"])
        found = [re.search(r'y="([\d.]+)".*>(\w+)<', s).groups()
                 for s in shapes]
        self.assertEqual([name for _, name in found],
                         ["first", "second", "third", "fourth"])
        heights = [float(y) for y, _ in found]
        self.assertTrue(all(low - high >= 15 for high, low
                            in zip(heights, heights[1:])))

    def test_a_name_keeps_the_colour_of_its_curve(self) -> None:
        shapes = draw_curve.names_at([(600, 90), (600, 20)], ["one", "two"])
        self.assertIn("small s2", shapes[0])
        self.assertIn("small s1", shapes[1])


if __name__ == "__main__":
    unittest.main()
