"""Where a tensor lives, as its printed lines say."""
from __future__ import annotations

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "book/tools"))

import draw_places  # noqa: E402

PRINTED = ["tensor([1, 2, 3])", "tensor([[-0.4627],",
           "        [ 0.6041]], device='cuda:7',", "       grad_fn=<A>)",
           "tensor([4], device='cuda:1')"]


class Places(unittest.TestCase):
    def place(self, line: str) -> str:
        panels, _, _ = draw_places.read(["= now", f"y: {line}", "So."],
                                        PRINTED, "a run")
        return panels[0].slips[0].place

    def test_one_line(self) -> None:
        self.assertEqual(self.place(PRINTED[0]), "cpu")
        self.assertEqual(self.place(PRINTED[4]), "cuda:1")

    def test_the_place_may_stand_on_a_later_line(self) -> None:
        self.assertEqual(self.place(PRINTED[1]), "cuda:7")


if __name__ == "__main__":
    unittest.main()
