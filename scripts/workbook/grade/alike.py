"""How alike two students' files are, beyond what the workbook gave to both.

A file becomes tokens: comments and layout go, a name of the student's own is
any name. What counts are runs of RUN tokens that neither the starter, the
reference answer nor a known wrong answer holds, and that not a third of the
class has. A run that few have weighs more than one that more have.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations

RUN = 6  # tokens
FEWEST = 10  # runs of one's own that two files must share
TOKEN = re.compile(
    r"""(?P<space>\s+|\\\n)|(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))
    |(?P<string>"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)
    |(?P<name>[A-Za-z_]\w*)|(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
    |(?P<mark>->|\+\+|--|<<=|>>=|<<|>>|[-+*/%&|^=!<>]=|&&|\|\||.)""",
    re.X | re.S,
)
KEYWORDS = set(
    "auto break case char const continue default do double else enum extern float for goto if "
    "inline int long register restrict return short signed sizeof static struct switch typedef "
    "union unsigned void volatile while bool true false NULL include define".split()
)

Gram = tuple[str, ...]


def tokens(text: str, known: set[str]) -> list[tuple[str, int]]:
    """What the compiler would see, each with its line (from 0). Names that are
    not in `known` are the student's own and all alike."""
    found = []
    line = 0
    for match in TOKEN.finditer(text):
        kind, word = match.lastgroup, match[0]
        if kind == "name":
            found.append((word if word in KEYWORDS or word in known else "name", line))
        elif kind not in ("space", "comment"):
            found.append(("string" if kind == "string" else word, line))
        line += word.count("\n")
    return found


def names(text: str) -> set[str]:
    """All names in the code; comments are anybody's words."""
    return {match[0] for match in TOKEN.finditer(text) if match.lastgroup == "name"}


def grams(seen: list[tuple[str, int]]) -> dict[Gram, list[int]]:
    """Each run of tokens, with the lines in which it begins."""
    found: dict[Gram, list[int]] = {}
    for at in range(len(seen) - RUN + 1):
        run = tuple(word for word, _ in seen[at : at + RUN])
        found.setdefault(run, []).append(at)
    return found


def comments(text: str) -> set[str]:
    """Lines of comments with three words or more, in lower case."""
    lines = set()
    for match in TOKEN.finditer(text):
        if match.lastgroup == "comment":
            for line in match[0].splitlines():
                words = re.findall(r"[^\W_]+", line.lower())
                if len(words) >= 3:
                    lines.add(" ".join(words))
    return lines


@dataclass
class Given:
    """What everybody had, or could not but write: an exercise's starter, its
    answer and its known wrong answers; the names of the library."""

    texts: list[str]
    known: set[str]
    runs: set[Gram] = field(default_factory=set)
    said: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.known = self.known.union(*(names(text) for text in self.texts[:1]))
        for text in self.texts:
            self.runs |= set(grams(tokens(text, self.known)))
            self.said |= comments(text)


@dataclass
class File:
    """One student's file, and what in it is their own."""

    student: str
    text: str
    seen: list[tuple[str, int]] = field(default_factory=list)
    own: dict[Gram, list[int]] = field(default_factory=dict)
    said: set[str] = field(default_factory=set)

    def lines(self, runs: set[Gram]) -> set[int]:
        """The lines that these runs cover."""
        return {
            self.seen[at + step][1] for run in runs for at in self.own.get(run, [])
            for step in range(RUN)
        }


def read(student: str, text: str, given: Given) -> File:
    file = File(student, text, tokens(text, given.known))
    file.own = {run: at for run, at in grams(file.seen).items() if run not in given.runs}
    file.said = comments(text) - given.said
    return file


@dataclass
class Pair:
    one: File
    two: File
    share: float  # of the smaller one's own runs, weighted; 0 to 1
    runs: set[Gram]
    said: set[str]  # comments that both have, and few others


def compare(files: list[File]) -> tuple[list[File], list[Pair]]:
    """Who has enough of their own, and every two of these; the most alike
    first. What more than a third of the class wrote (and more than three) is
    how the exercise is solved: it is nobody's own."""
    have = Counter(run for file in files for run in file.own)
    say = Counter(line for file in files for line in file.said)
    many = max(3, len(files) // 3)
    rare = {line for line, count in say.items() if count <= many}
    weight = {run: math.log((len(files) + 1) / n) for run, n in have.items() if n <= many}
    own = {file.student: file.own.keys() & weight.keys() for file in files}
    whole = {student: sum(weight[run] for run in runs) for student, runs in own.items()}
    files = [file for file in files if len(own[file.student]) >= FEWEST or file.said & rare]
    pairs = []
    for one, two in combinations(files, 2):
        runs = own[one.student] & own[two.student]
        least = min(whole[one.student], whole[two.student])
        enough = len(runs) >= FEWEST and least > 0
        share = sum(weight[run] for run in runs) / least if enough else 0.0
        pairs.append(Pair(one, two, share, runs, one.said & two.said & rare))
    pairs.sort(key=lambda p: (-p.share, -len(p.said), p.one.student, p.two.student))
    return files, pairs
