"""Boxes with a rule of their own: a prediction takes what answers it into its
fold, a trap is a belief in quotes."""
from __future__ import annotations

import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import reading  # finds the book's tools

SKIP = 77
CHAPTER = "book/01_sample.md"


class Boxes(unittest.TestCase):
    """Each test has a copy of the sample to change."""

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.root, self.tree = reading.sample(self.folder)

    def render(self) -> str:
        done = reading.build(self.root, self.tree)
        self.assertEqual(done.returncode, 0, done.stderr)
        return (self.tree / "book/html/01_sample.html").read_text("utf-8")

    def change(self, old: str, new: str) -> int:
        """Replace text; the line number where it stood."""
        file = self.root / CHAPTER
        text = file.read_text(encoding="utf-8")
        self.assertIn(old, text)
        file.write_text(text.replace(old, new, 1), encoding="utf-8")
        return text[:text.index(old)].count("\n") + 1

    def test_what_a_run_showed_is_in_the_fold_of_its_prediction(self) -> None:
        text = self.render()
        box = text.split('<div class="box predict">')[1]
        question, fold = box.split('<details class="answer">', 1)
        fold = fold.split('<h2', 1)[0]
        self.assertIn("Which of the two lines", question)
        self.assertTrue(fold.startswith(
            '<summary data-title="What it prints">Show what it prints'), fold)
        end = fold.index("</details>\n</div>")
        for inside in ("The second,", "<samp>tensor([1, 2, 3])",
                       '<details class="calllog">', 'id="moved"'):
            self.assertIn(inside, fold[:end])
            self.assertEqual(text.count(inside), 1)
        self.assertIn('<button class="outputs" type="button" hidden', text)

    def test_a_trap_is_a_belief_in_quotes(self) -> None:
        self.assertIn('<span class="label">Often said, and wrong:</span> '
                      "“Equal ids show that <code>.to</code> is not in "
                      "place”", self.render().replace("\n", " "))

    def test_what_stands_between_keeps_an_output_in_the_open(self) -> None:
        output = '```{.output run="01_sample/default" region="transfer"}'
        shown = '<samp>tensor([1, 2, 3])'
        for between in ("A word.\n\n", "```bash\ntrue\n```\n\n",
                        "### And so {#so}\n\n"):
            self.change(output, between + output)
            text = self.render()
            with self.subTest(between=between):
                self.assertIn('<details class="answer"><summary>Answer<',
                              text)
                self.assertLess(text.index("</details>", text.index(
                    'class="answer"')), text.index(shown))
            self.change(between + output, output)

    def test_a_question_without_an_answer_folds_nothing(self) -> None:
        self.change("::: answer\nThe second, `cuda:7`. A tensor on the CPU "
                    "prints no device at all.\n:::\n:::", ":::")
        self.assertNotIn('class="answer"', self.render())

    def test_points_read_well(self) -> None:
        manifest = self.root / "tests/lessons/01_sample/ex1.json"
        text = manifest.read_text("utf-8")
        for weights, shown, rounded in (((3, 4), ("4.3", "5.7"), True),
                                        ((1, 3), ("2.5", "7.5"), False),
                                        ((2, 8), ("2", "8"), False)):
            facts = ", ".join(f'"{name}": {{"weight": {weight}}}' for
                              name, weight in zip("ab", weights))
            manifest.write_text(text.replace(
                '"points"', f'"facts": {{{facts}}}, "points"', 1), "utf-8")
            page = self.render()
            with self.subTest(weights=weights):
                self.assertIn("The 10 points come in parts;", page)
                self.assertEqual(rounded, "shown to one decimal" in page)
                for name, share in zip("ab", shown):
                    self.assertIn(f"<li>{share} points: {name}</li>", page)

    def test_trap_without_the_belief(self) -> None:
        line = self.change('::: {.trap title="Equal ids show that `.to` is '
                           'not in place"}', "::: trap")
        done = reading.build(self.root, self.tree)
        self.assertEqual(done.returncode, 1, "the build did not fail")
        self.assertIn(f'{CHAPTER}:{line}: a trap has a title="…": what is '
                      "often said", done.stderr)


if __name__ == "__main__":
    if not shutil.which("pandoc"):
        print("Skipped: pandoc is not installed.")
        sys.exit(SKIP)
    unittest.main()
