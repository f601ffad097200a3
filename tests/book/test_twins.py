"""Two editions of the sample book: they lead to each other, the translation
has the parts of what it was made from, and says so when it is behind."""
from __future__ import annotations

import contextlib
import io
import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import reading
import search
import translation

SKIP = 77
ENGLISH, CHINESE = "book/01_sample.md", "book/zh/01_sample.md"
BOXES = {"ex1": {"title": "第一次搬动", "hints": ["想法", "函数", "差一行"]}}


class Twins(unittest.TestCase):
    """The sample as its own Chinese edition; each test may break it."""

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.root, self.tree = reading.sample(self.folder)
        folder = self.root / "book/zh"
        folder.mkdir()
        for path in (self.root / "book").glob("*.md"):
            shutil.copy(path, folder)
        self.write("01_sample.json", json.dumps(BOXES))
        self.translation("--made-all")

    def write(self, name: str, text: str) -> None:
        (self.root / "book/zh" / name).write_text(text, "utf-8")

    def translation(self, *more: str) -> str:
        said = io.StringIO()
        with contextlib.redirect_stdout(said), \
                contextlib.redirect_stderr(said):
            translation.main(["--root", str(self.root), *more])
        return said.getvalue()

    def render(self, only: str = "") -> dict[str, reading.Page]:
        done = reading.build(self.root, self.tree, "--only", only)
        self.assertEqual(done.returncode, 0, done.stderr)
        return reading.read_all(self.tree / "book/html")

    def change(self, path: str, old: str, new: str) -> None:
        file = self.root / path
        text = file.read_text("utf-8")
        self.assertIn(old, text)
        file.write_text(text.replace(old, new, 1), "utf-8")

    def refused(self, sentence: str) -> None:
        done = reading.build(self.root, self.tree)
        self.assertEqual(done.returncode, 1, "the build did not fail")
        self.assertIn(sentence, done.stderr)

    def test_they_lead_to_each_other(self) -> None:
        made = self.render()
        self.assertEqual(reading.faults(made), [])
        for name, page in made.items():
            there = name.removeprefix("zh/") if name.startswith("zh/") else (
                "zh/" + name)
            self.assertIn(there, made)
            self.assertEqual(set(page.ids), set(made[there].ids), name)
            up = "../" if name.startswith("zh/") else ""
            self.assertIn(up + there, page.links)
            for lang in ("en", "zh-CN"):
                self.assertIn(f'<link rel="alternate" hreflang="{lang}" ',
                              page.text)
        page = made["zh/01_sample.html"]
        self.assertIn('<html lang="zh-CN">', page.text)
        for words in ("先猜一猜", "第一次搬动", "提示 2 / 3", "横轴："):
            self.assertIn(words, page.text)

    def test_lines_of_chinese_are_joined(self) -> None:
        self.change("book/zh/index.md", "\n\n", "\n\n一行中文\n接着一行，\n"
                    "`code` 在这里\n再来 one\ntwo。\n\n")
        text = self.render("index")["zh/index.html"].text
        self.assertIn('一行中文接着一行，<code lang="en">code</code> '
                      "在这里再来 one\ntwo。", text)

    def test_what_earns_points_is_said_in_chinese(self) -> None:
        self.change("tests/lessons/01_sample/ex1.json", '"why"',
                    '"facts": {"a": {"means": "the result", "weight": 1}, "b": '
                    '{"means": "the rest", "weight": 1}},\n  "why"')
        self.write("phrases", "# English | Chinese\nthe rest | 其余\n")
        text = self.render("01_sample")["zh/01_sample.html"].text
        self.assertIn("<li>5 分：the result</li><li>5 分：其余</li>", text)
        self.assertIn("book/zh/phrases lacks: the result", self.translation())

    def test_a_term_is_found_by_either_name(self) -> None:
        self.change("book/zh/glossary.md", "[device]{#term-device}",
                    "[设备]{#term-device}")
        self.change(CHINESE, "[device]{.term}",
                    '[设备]{.term} [装置]{.term of="device"}')
        text = self.render("01_sample")["zh/01_sample.html"].text
        for words in ("设备", "装置"):
            self.assertIn('<a href="glossary.html#term-device" class="term">'
                          f"{words}</a>", text)

    # -- behind

    def test_a_page_that_is_behind_says_so(self) -> None:
        behind = '<p class="behind">英文版在这一页翻译之后有改动'
        self.change(ENGLISH, "# ", "# Now ")
        made = self.render()
        self.assertIn(behind, made["zh/01_sample.html"].text)
        self.assertNotIn(behind, made["zh/index.html"].text)
        self.assertNotIn('class="behind"', made["01_sample.html"].text)
        self.assertIn("book/zh/01_sample: the English is newer",
                      self.translation())
        self.assertNotIn("newer", self.translation("--made", "01_sample"))
        made = self.render("01_sample")
        self.assertNotIn(behind, made["zh/01_sample.html"].text)

    def test_a_changed_hint_counts(self) -> None:
        self.change("tests/lessons/01_sample/ex1.json", '"hints": [',
                    '"hints":  [')
        self.assertNotIn("newer", self.translation())
        self.change("tests/lessons/01_sample/ex1.json", "A first move",
                    "The first move")
        self.assertIn("book/zh/01_sample.json: the English is newer",
                      self.translation())
        self.assertIn('class="behind"',
                      self.render("01_sample")["zh/01_sample.html"].text)

    def test_a_name_that_is_not_there(self) -> None:
        self.assertIn("there is no book/zh/gone",
                      self.translation("--made", "gone"))

    # -- what is refused

    def test_missing_twin(self) -> None:
        (self.root / "book/zh/01_sample.md").unlink()
        self.refused("book/01_sample.md:1: book/zh lacks 01_sample.md: every "
                     "page has its twin")

    def test_page_without_original(self) -> None:
        self.write("02_more.md", "# More\n")
        self.refused("book/zh/02_more.md:1: this page has no twin")

    def test_other_ids(self) -> None:
        self.change(CHINESE, "{#stays}", "{#resta}")
        self.refused("book/zh/01_sample.md:1: this page lacks the id 'stays'"
                     ": it must have those of book/01_sample.md")

    def test_other_fences(self) -> None:
        self.change(CHINESE, ' highlight="2"', "")
        self.refused("the two must have the same fences, boxes and sections "
                     "in the same order")

    def test_a_box_left_out(self) -> None:
        self.change(CHINESE, "::: today", "::: note")
        self.refused("here stands '::: note', and in book/01_sample.md:")

    def test_titles_may_differ(self) -> None:
        self.change(CHINESE, 'title="', 'title="图：')
        self.render("01_sample")

    def test_exercise_without_hints(self) -> None:
        self.write("01_sample.json", '{"ex1": {"title": "无"}}')
        self.refused("book/zh/01_sample.json: 'ex1' must have a title and "
                     "three hints, and nothing else")


class Search(unittest.TestCase):
    def test_words_of_both_editions_are_the_same_ones(self) -> None:
        words = json.loads((reading.ROOT / "book/template/words.json")
                           .read_text("utf-8"))
        free = {"keys", "costs", "sections", "lanes"}

        def names(group: dict, over: str = "") -> set[str]:
            found = set()
            for key, word in group.items():
                found.add(over + key)
                if isinstance(word, dict) and key not in free:
                    found |= names(word, f"{over}{key}.")
            return found

        self.assertEqual(names(words["en"]), names(words["zh"]))

    def test_the_index_holds_both_names_of_a_term(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            search.write_index(Path(folder), "zh", [],
                               [["gpu memory", "显存"]])
            text = (Path(folder) / "search-index.js").read_text("utf-8")
        self.assertIn('"terms":[["gpu memory","显存"]]', text)


if __name__ == "__main__":
    if not shutil.which("pandoc"):
        print("Skipped: pandoc is not installed.")
        sys.exit(SKIP)
    unittest.main()
