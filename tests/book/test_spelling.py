"""English words are spelt right: hunspell's American dictionary and words.txt.

Read: chapters, README files, CONTRIBUTING, what the simulator conforms to;
what the manifests say to students; comments of public headers. Code, names
and addresses are not words. A word of words.txt that nobody uses is stale.

    test_spelling.py [--list]   prints the unknown words and where each stands
"""
from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import unittest
from collections.abc import Iterator
from pathlib import Path

SKIP = 77
ROOT = Path(__file__).resolve().parents[2]
WORDS = Path(__file__).resolve().parent / "words.txt"
PROSE = ("book/[a-z0-9]*.md", "*.md", "scripts/*/README.md",
         "lib/sim/CONFORMANCE.md")
HEADERS = ("lib/*/*.h", "lib/sim/include/*.h")
FENCE = re.compile(r"^ {0,3}(```+|~~~+)([^\n]*)\n(.*?)^ {0,3}\1[^\n]*$",
                   re.M | re.S)
TELLS = (".figure", ".exercise")  # fences with prose inside
TITLE = re.compile(r'\{[^}\n]*?title="([^"]*)"[^}\n]*\}')
# In Markdown these are not prose: code, attributes, addresses, HTML, and
# blocks that are set in by four spaces after an empty line.
MARKUP = re.compile(r"`+[^`]*`+|\{[^}\n]*\}|\]\([^)]*\)|<[^>]*>|"
                    r"https?://\S+|\n\n(?: {4}[^\n]*\n+)+|\$[^$\n]+\$")
COMMENT = re.compile(r"/\*(.*?)\*/|//([^\n]*)", re.S)
WORD = re.compile(r"[A-Za-z]+(?:['’][a-z]+)*")
SPOKEN = ("title", "why", "story", "means", "question", "sentence", "says")


def blank(match: re.Match) -> str:
    """Keeps the lines, so that a word's line is right."""
    return re.sub(r"[^\n]", " ", match.group(0))


def told(match: re.Match) -> str:
    """Of a fence: its title, and the story that some have inside."""
    title = TITLE.search(match[2])
    inside = match[3] if any(kind in match[2] for kind in TELLS) else ""
    inside = re.sub(r"^[^\n]*(?:: |->|^=)[^\n]*$", "", inside, flags=re.M) \
        if 'kind="places"' in match[2] else inside
    said = (title[1] if title else "") + "\n" + inside
    return said + "\n" * (match.group(0).count("\n") - said.count("\n"))


def markdown(text: str) -> str:
    """The prose of Markdown, each word on its line."""
    text = FENCE.sub(told, text)
    text = re.sub(r"^:::+ *\w*", "", TITLE.sub(r"\1", text), flags=re.M)
    return MARKUP.sub(blank, text)


def chunks(text: str) -> Iterator[tuple[int, str]]:
    """Words and their lines. What looks like a name or a path is none."""
    for number, line in enumerate(text.splitlines(), 1):
        for chunk in line.split():
            for part in re.split(r"[-–—…/]", chunk):
                part = part.strip(".,;:!?()[]\"'“”‘’*_|#&+%·→≥≤")
                part = re.sub(r"['’]s?$", "", part)
                if WORD.fullmatch(part) and not re.search(
                        r".[A-Z]|(.)\1\1", part) and len(part) > 2:
                    yield number, part


def spoken(value: object, key: str = "") -> Iterator[str]:
    """What a manifest says in words."""
    if isinstance(value, dict):
        for name, inner in value.items():
            told = key in ("wrong", "wrongs") or name in SPOKEN
            yield from spoken(inner, "wrong" if told else name)
    elif isinstance(value, list):
        for inner in value:
            yield from spoken(inner, key)
    elif isinstance(value, str) and key in ("wrong", "hints"):
        yield value


def texts() -> Iterator[tuple[str, str]]:
    """Every piece of English that a reader sees, by file."""
    for pattern in PROSE:
        for path in sorted(ROOT.glob(pattern)):
            yield (str(path.relative_to(ROOT)),
                   markdown(path.read_text("utf-8")))
    for path in sorted(ROOT.glob("tests/lessons/*/ex*.json")):
        for said in spoken(json.loads(path.read_text("utf-8"))):
            yield str(path.relative_to(ROOT)), MARKUP.sub(blank, said)
    for pattern in HEADERS:
        for path in sorted(ROOT.glob(pattern)):
            text = path.read_text("utf-8")
            said, last = "", 0
            for found in COMMENT.finditer(text):
                said += re.sub(r"[^\n]", " ", text[last:found.start()])
                said += found.group(0)
                last = found.end()
            yield str(path.relative_to(ROOT)), MARKUP.sub(blank, said)


def names() -> set[str]:
    """Every name that a header declares or a program uses: a comment and a
    manifest may speak of it without code marks."""
    found: set[str] = set()
    for pattern in (*HEADERS, "lessons/*/*.c"):
        for path in ROOT.glob(pattern):
            code = COMMENT.sub(" ", path.read_text("utf-8"))
            found.update(re.findall(r"[A-Za-z_]\w*", code))
    return found


def unknown() -> dict[str, list[str]]:
    """Words that hunspell does not know, and where they stand."""
    seen: dict[str, list[str]] = {}
    ours = names()
    for name, text in texts():
        plain = name.endswith(".md")
        for line, word in chunks(text):
            if plain or word not in ours:
                seen.setdefault(word, []).append(f"{name}:{line}")
    done = subprocess.run(["hunspell", "-d", "en_US", "-i", "utf-8", "-l"],
                          input="\n".join(sorted(seen)) + "\n", text=True,
                          capture_output=True, check=True)
    return {word: seen[word] for word in done.stdout.split() if word in seen}


class Spelling(unittest.TestCase):
    """Words are known, and the list of our own is neither long nor stale."""

    def setUp(self) -> None:
        self.listed = WORDS.read_text("utf-8").split()

    def test_words_are_known(self) -> None:
        bad = [f"{places[0]}: \"{word}\"" for word, places
               in sorted(unknown().items()) if word not in self.listed
               and word.lower() not in self.listed]
        self.assertEqual(bad, [], "spelt wrong, or new: then it belongs into "
                         "tests/book/words.txt\n" + "\n".join(bad))

    def test_list_is_sorted_and_used(self) -> None:
        self.assertEqual(self.listed, sorted(set(self.listed)))
        used = unknown()
        used = {*used, *(word.lower() for word in used)}
        self.assertEqual([w for w in self.listed if w not in used], [],
                         "words that nobody uses, or that are English")


if __name__ == "__main__":
    if not shutil.which("hunspell"):
        print("Skipped: needs hunspell (./scripts/test --full installs it).")
        sys.exit(SKIP)
    if "--list" in sys.argv:
        for word, places in sorted(unknown().items()):
            print(word, len(places), *places[:3])
        sys.exit(0)
    unittest.main()
