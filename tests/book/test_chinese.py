"""The Chinese edition's own writing: what a Chinese editor would mark.

Prose without a Chinese character was left untranslated; a half-width comma
between Chinese characters, and Chinese that touches Latin without a space,
are slips of the keyboard.
"""
from __future__ import annotations

import json
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "book/tools"))

import markdown as md  # noqa: E402
import sources as src  # noqa: E402
import translation  # noqa: E402

FOLDER = ROOT / "book/zh"
HAN = "[\u3400-\u9fff]"
STOP = "，。；：！？、（）《》「」“”…—"
CODE, TITLE = "\x01", "\x02"        # stands for inline code; a title's end
RULES = (
    (re.compile(rf"{HAN}[,;:!?]|{HAN}\.(?!\w)|[,;:!?] ?{HAN}"),
     "half-width punctuation beside Chinese"),
    (re.compile(rf"{HAN}[A-Za-z0-9{CODE}]|[A-Za-z0-9{CODE}]{HAN}"),
     "no space between Chinese and Latin"),
    (re.compile(rf"[{STOP[:-4]}] (?=\S)|(?<=\S) [{STOP[:-4]}]"),
     "a space beside full-width punctuation"),
    (re.compile(rf"{HAN} {HAN}"), "a space between Chinese characters"),
    (re.compile(rf"\({HAN}|{HAN}\)"), "half-width brackets around Chinese"),
    (re.compile("您"), "the reader is 你"),
)


def plain(text: str) -> str:
    """Prose without code, links' targets, attributes and emphasis."""
    text = md.INLINE_CODE.sub(CODE, text)
    text = re.sub(r"《[^》]*》", "《》", text)   # a title is what it is
    text = re.sub(r"\]\([^)]*\)", "]", text)
    text = re.sub(r"\]\{[^}]*\}|\{#[^}]*\}", "]", text)
    text = re.sub(r"<https?:[^>]*>", "", text)
    return re.sub(r"[*\[\]]|\\(?=.)", "", text)


def prose(text: str) -> list[tuple[int, str]]:
    """(line, paragraph) of everything that is read as a sentence; a title,
    which may be code, ends with the mark TITLE."""
    found: list[tuple[int, str]] = []
    lines: list[str] = []
    start, fence, shown = 0, "", True

    def close() -> None:
        if lines:
            found.append((start, md.joined(lines)))
            lines.clear()

    for number, line in enumerate(text.splitlines(), 1):
        mark = md.FENCE.match(line)
        if mark and not fence:
            close()
            fence, shown = mark[2], bool(re.match(
                r"\{\.(exercise|figure)", mark[3]))
            title = re.search(r'title="([^"]*)"', mark[3])
            if title:
                found.append((number, title[1] + TITLE))
        elif mark and not mark[3] and mark[2].startswith(fence):
            close()
            fence, shown = "", True
        elif fence and (not shown or re.match(
                r"^= |^[\w.]+: |^[\w.]+ -> ", line)):
            close()
        elif line.startswith((":::", "{{")) or not line.strip():
            close()
            title = re.search(r'title="([^"]*)"', line)
            if line.startswith(":::") and title:
                found.append((number, title[1] + TITLE))
        else:
            item = re.match(r"^\s*([-*] |\d+\. |: {2,}|\|)", line)
            if item or line.startswith("#"):
                close()
            if not lines:
                start = number
            lines.append(re.sub(r"^#+ ", "", line[item.end():] if item
                                else line).strip())
            if line.startswith("#"):
                close()
    close()
    return found


def slips(text: str) -> list[tuple[int, str, str]]:
    """(line, what is wrong, where)."""
    found = []
    for number, paragraph in prose(text):
        titled = paragraph.endswith(TITLE)
        bare = plain(paragraph.removesuffix(TITLE))
        for cell in bare.split("|"):
            for rule, words in RULES:
                hit = rule.search(cell.strip())
                if hit:
                    at = hit.start()
                    found.append((number, words, cell.strip()[
                        max(0, at - 8):at + 10].replace(CODE, "`…`")))
        if not titled and not re.search(HAN, bare) and re.search(
                r"[a-z]+ [a-z]+ [a-z]+", bare):
            found.append((number, "no Chinese in it", bare[:40]))
    return found


class Edition(unittest.TestCase):
    def test_pages(self) -> None:
        for path in sorted(FOLDER.glob("*.md")):
            with self.subTest(page=path.name):
                self.assertEqual(slips(path.read_text("utf-8")), [])

    def test_exercises(self) -> None:
        for path in sorted(FOLDER.glob("*.json")):
            for name, words in json.loads(path.read_text("utf-8")).items():
                with self.subTest(exercise=f"{path.stem}/{name}"):
                    text = "\n\n".join([words["title"], *words["hints"]])
                    self.assertEqual(slips(text), [])
                    for text in (words["title"], *words["hints"]):
                        self.assertRegex(text, HAN)

    def test_phrases(self) -> None:
        for english, chinese in translation.phrases(src.Tree(ROOT)).items():
            with self.subTest(note=english):
                self.assertEqual(slips(chinese), [])

    def test_words(self) -> None:
        """The words of boxes, buttons, pictures and made pages."""
        def every(value: object) -> list[str]:
            if isinstance(value, str):
                return [value]
            inside = value.values() if isinstance(value, dict) else value
            return [word for part in inside for word in every(part)]

        words = json.loads((ROOT / "book/template/words.json").read_text(
            "utf-8"))["zh"]
        for text in every(words):
            with self.subTest(words=text):
                self.assertEqual(slips(re.sub(r"\{\w+\}", "X", text)), [])

    def test_every_exercise_is_translated(self) -> None:
        if not (FOLDER / "index.md").exists():
            self.skipTest("there is no Chinese edition yet")
        for path in sorted((ROOT / "tests/lessons").glob("*/ex*.json")):
            boxes = FOLDER / f"{path.parent.name}.json"
            with self.subTest(exercise=f"{path.parent.name}/{path.stem}"):
                self.assertIn(path.stem, json.loads(
                    boxes.read_text("utf-8")))

    def test_what_is_behind_is_told(self) -> None:
        """Not a fault: the page says so itself. But one reads it here."""
        late = translation.behind(src.Tree(ROOT))
        noted = set(translation.read(src.Tree(ROOT)))
        for name in [*late, *translation.still_english(src.Tree(ROOT))]:
            print("behind the English: " + name)
        self.assertEqual(noted - set(translation.translated(src.Tree(ROOT))),
                         set(), "made_from names pages that are not there")


class Rules(unittest.TestCase):
    """Each rule, broken once."""

    def test_good(self) -> None:
        for text in ("张量住在 GPU 上，拷贝要花时间。", "`tensor_to` 返回一份拷贝。",
                     "一行中文\n接着一行，\n`x` 在主机上。", "8 × Tesla V100：3 µs",
                     "**不要**写成 `x`（原因见下）。", "```bash\nls -l a b c\n```",
                     "[锁页内存]{.term of=\"pinned memory\"}更快。"):
            self.assertEqual(slips(text), [], text)

    def test_bad(self) -> None:
        for text in ("张量,拷贝", "张量住在GPU 上", "返回`x` 的拷贝",
                     "张量， 拷贝", "张量 住在", "看(这里)", "请您看",
                     "It was left untranslated", "- one two three four"):
            self.assertNotEqual(slips(text), [], text)


if __name__ == "__main__":
    unittest.main()
