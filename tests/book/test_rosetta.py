"""The Rosetta page: its pairs are the chapters', its calls the log's."""
from __future__ import annotations

import json
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "book/tools"))

import capture  # noqa: E402
import rosetta  # noqa: E402
import sources as src  # noqa: E402

CHAPTER = """# Title

## Moved {#moved}

::: pytorch
```python
x = x.cuda(7)
x
```

```{.c file="lessons/02_x/lesson.c" region="moved"}
```
:::

::: predict
Where?
:::

:::: pytorch
```python
y = x**2
```
::::

## Alone {#alone}

::: pytorch
```python
z = 1
```

```{.c file="lessons/02_x/a.c" region="one"}
```

```{.c file="lessons/02_x/b.c" region="two"}
```
:::
"""


SAY = json.loads((ROOT / "book/template/words.json").read_text("utf-8"))["en"]


class Log:
    """Programs whose log is given."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines

    def window(self, run: src.Run, region: str) -> list[str]:
        del run, region
        return self.lines


class Rosetta(unittest.TestCase):
    def test_pairs_are_the_boxes_that_have_both_languages(self) -> None:
        pairs = rosetta.pairs_of(CHAPTER)
        self.assertEqual([p.section for p in pairs], ["moved", "alone"])
        self.assertEqual(pairs[0].python, "x = x.cuda(7)\nx")
        self.assertEqual(pairs[1].places, [("lessons/02_x/a.c", "one"),
                                           ("lessons/02_x/b.c", "two")])

    def test_calls_are_counted_in_the_order_of_the_log(self) -> None:
        tree = src.Tree(ROOT)
        log = Log(["1.0 us  cudaMallocAsync(cuda:0+0x0, 24) = 0",
                   "2.0 us  cudaMemcpyAsync(…) = 0",
                   "3.0 us  cudaMemcpyAsync(…) = 0"])
        place = ("lessons/02_tensor_transfer/lesson.c", "moved")
        self.assertEqual(rosetta.calls_of(tree, log, [place]),
                         ["cudaMallocAsync", "cudaMemcpyAsync ×2"])

    def test_calls_that_cannot_be_told_apart_are_not_denied(self) -> None:
        class Untold(Log):
            def window(self, run: src.Run, region: str) -> list[str]:
                raise capture.Untold("prints nothing")
        tree, untold = src.Tree(ROOT), Untold([])
        place = ("lessons/02_tensor_transfer/lesson.c", "moved")
        self.assertIsNone(rosetta.calls_of(tree, untold, [place]))
        pair = rosetta.pairs_of(CHAPTER)[0]._replace(places=[place])
        shown = rosetta.pair_html(tree, untold, "02_x", pair, "no CUDA call")
        self.assertNotIn("no CUDA call", shown)
        shown = rosetta.pair_html(tree, Log([]), "02_x", pair, "no CUDA call")
        self.assertIn("no CUDA call", shown)

    def test_every_chapter_with_pairs_is_there(self) -> None:
        tree = src.Tree(ROOT)
        chapters = [(path.stem, path.stem, path.read_text("utf-8")) for path
                    in sorted((ROOT / "book").glob("[0-9][0-9]_*.md"))]
        text = rosetta.page(tree, Log(["1.0 us  cudaFree(0) = 0"]), chapters,
                            SAY["rosetta"])
        for name, _, chapter in chapters:
            for pair in rosetta.pairs_of(chapter):
                self.assertIn(f'{name}.html#{pair.section}"', text)

    def test_each_promise_has_its_row(self) -> None:
        page = rosetta.proof_page(src.Tree(ROOT), SAY["proofs"])
        for row in ("0.1", "3.7", "4.11", "T26", "block C"):
            self.assertIn(f"<td>{row}</td>", page)
        self.assertIn("tests/lessons/05_loss_buffers/runs", page)


if __name__ == "__main__":
    unittest.main()
