"""The book itself: rendered afresh, every page looked through, every chapter
with its parts, both themes readable.

    test_book.py BUILD_TREE
"""
from __future__ import annotations

import re
import shutil
import sys
import unittest
from pathlib import Path

import reading  # finds the book's tools
import check

SKIP = 77
TREE = Path(sys.argv.pop(1)) if len(sys.argv) > 1 else (
    reading.ROOT / "build/sim")
BOOK = reading.ROOT / "book"
CHAPTERS = sorted(BOOK.glob("[0-9][0-9]_*.md"))
# Text on ground, as the stylesheet pairs them.
PAIRS = [("ink", ground) for ground in
         ("bg", "panel", "mark", "accent-soft", "host-fill", "gpu-fill")]
PAIRS += [("muted", ground) for ground in ("bg", "panel", "code-bg")]
PAIRS += [("accent", ground) for ground in ("bg", "panel", "accent-soft")]
PAIRS += [(ink, ground) for ground in ("code-bg", "mark", "panel") for ink in
          ("code-ink", "kw", "type", "string", "value", "comment", "pre",
           "call")]
PAIRS += [("muted", "gpu-fill"), ("out-ink", "out-bg"),
          ("out-muted", "out-bg"), ("predict", "panel"), ("cost", "panel"),
          ("today", "panel"), ("trap", "panel"), ("trap", "code-bg"),
          ("c1", "bg"), ("c2", "bg"), ("c3", "bg"), ("c4", "bg"),
          ("bg", "c1"), ("bg", "c2"), ("bg", "muted"), ("ink", "rule")]


def luminance(colour: str) -> float:
    parts = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045
                        else ((part + 0.055) / 1.055) ** 2.4
                        for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


class Looks(unittest.TestCase):
    """Colours: WCAG AA asks for 4.5 to 1."""

    def setUp(self) -> None:
        css = (BOOK / "template/1-theme.css").read_text("utf-8")
        found = [dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))
                 for block in re.findall(r"\{([^{}]*--bg[^{}]*)\}", css)]
        self.light, self.dark, self.chosen = found[:3]

    def test_contrast_in_both_themes(self) -> None:
        for name, theme in (("light", self.light), ("dark", self.dark)):
            for ink, ground in PAIRS:
                ratio = contrast(theme[ink], theme[ground])
                self.assertGreaterEqual(
                    ratio, 4.5, f"{name}: {ink} on {ground} is {ratio:.2f}")

    def test_the_two_ways_to_dark_agree(self) -> None:
        self.assertEqual(self.dark, self.chosen)
        self.assertEqual(set(self.dark), set(self.light))


class Pages(unittest.TestCase):
    """The rendered pages."""

    @classmethod
    def setUpClass(cls) -> None:
        # They stay: the tests in a browser, of validity, … read them.
        folder = TREE / "tests/book/pages"
        shutil.rmtree(folder, ignore_errors=True)
        # What the lessons' own tests compare is not run a second time here;
        # that the build compares it is book.drift's.
        done = reading.build(reading.ROOT, TREE, "--no-runs", "--out",
                             str(folder))
        cls.said = done.stderr
        cls.pages = reading.read_all(folder) if (
            done.returncode == 0) else {}

    def test_every_page_renders(self) -> None:
        self.assertTrue(self.pages, self.said)
        for path in CHAPTERS:
            self.assertIn(f"{path.stem}.html", self.pages)
        for name in ("index", "rosetta", "proofs", "machines", "conformance",
                     "calls", "floors", "glossary", "sources"):
            self.assertIn(f"{name}.html", self.pages)

    def test_every_run_that_is_shown_has_its_test(self) -> None:
        tests = check.test_names(TREE, "ctest")
        for path in CHAPTERS:
            shown = set(re.findall(r'\brun="([^"]+)"',
                                   path.read_text("utf-8")))
            for run in shown:
                self.assertIn(f"lesson.{run.replace('/', '.')}", tests,
                              path.name)

    def test_links_ids_assets_sizes(self) -> None:
        self.assertEqual(reading.faults(self.pages), [])

    def test_no_page_is_an_orphan(self) -> None:
        reached = {target.partition("#")[0] for page in self.pages.values()
                   for target in page.links}
        for name in self.pages:
            self.assertIn(name.split("/")[-1], reached)

    def test_no_solution_is_shown(self) -> None:
        for name, page in self.pages.items():
            shown = "solutions/"
            if Path(name).stem == "instructors":  # it says where they lie
                shown = '<code class="path">solutions/'
            self.assertNotIn(shown, page.text, name)


class Chapters(unittest.TestCase):
    """Every chapter has its parts (book/README.md, The frame)."""

    def test_parts(self) -> None:
        for path in CHAPTERS:
            text = path.read_text("utf-8")
            boxes = re.findall(r"^:{3,} *\{?\.?(\w+)", text, re.M)
            with self.subTest(chapter=path.stem):
                for box in ("goals", "recap"):
                    self.assertEqual(boxes.count(box), 1, box)
                for box in ("predict", "answer", "pytorch", "cost", "today",
                            "trap"):
                    self.assertIn(box, boxes)
                self.assertEqual(boxes.count("predict"),
                                 boxes.count("answer"))
                self.assertLess(text.index("::: goals"),
                                text.index("\n## "))
                self.assertIn("{#exercises}", text)
                last = re.findall(r"^## .*\{#([\w-]+)\}", text, re.M)[-1]
                self.assertEqual(last, "read-on")

    def test_a_prediction_before_outputs(self) -> None:
        for path in CHAPTERS:
            text = path.read_text("utf-8")
            first = text.find("```{.output")
            with self.subTest(chapter=path.stem):
                self.assertNotEqual(first, -1)
                self.assertIn("::: predict", text[:first])

    def test_every_prediction_has_its_output_in_its_fold(self) -> None:
        for path in CHAPTERS + sorted(BOOK.glob("zh/[0-9][0-9]_*.md")):
            text = path.read_text("utf-8")
            with self.subTest(chapter=str(path.relative_to(BOOK))):
                followed = re.findall(r"^::: predict\n.*?^:::\n:::\n\n"
                                      r"(```\{\.output )?", text,
                                      re.M | re.S)
                self.assertEqual(len(followed), text.count("::: predict"))
                self.assertNotIn("", followed)

    def test_every_exercise_has_its_box(self) -> None:
        for path in CHAPTERS:
            text = path.read_text("utf-8")
            tests = reading.ROOT / "tests/lessons" / path.stem
            for manifest in sorted(tests.glob("ex*.json")):
                with self.subTest(exercise=f"{path.stem}/{manifest.stem}"):
                    self.assertIn(f'lesson="{path.stem}" '
                                  f'ex="{manifest.stem}"', text)

    def test_every_lesson_has_its_chapter(self) -> None:
        lessons = {p.name for p
                   in (reading.ROOT / "lessons").glob("[0-9][0-9]_*")
                   if (p / "CMakeLists.txt").exists()}
        self.assertEqual(lessons - {path.stem for path in CHAPTERS}, set())


if __name__ == "__main__":
    if not shutil.which("pandoc"):
        print("Skipped: pandoc is not installed.")
        sys.exit(SKIP)
    unittest.main()
