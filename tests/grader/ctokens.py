"""C's tokens, the brackets that belong together, and the bodies of functions."""

from __future__ import annotations

import re
from dataclasses import dataclass

TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:[^\n\\]|\\.)*)
    |(?P<text>L?"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<number>\.?\d(?:[\w.]|[eEpP][+-])*)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<sign>->|\+\+|--|<<=|>>=|<<|>>|[-+*/%&|^<>=!]=|&&|\|\||\.\.\.|.)""",
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
OPENING, CLOSING = "([{", ")]}"
PAIR = dict(zip(OPENING, CLOSING))


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    found = []
    for match in TOKEN.finditer(text):
        if match.lastgroup != "skip":
            found.append(Token(match.lastgroup or "", match[0], match.start(), match.end()))
    return found


def plain(text: str) -> str:
    """The tokens alone: two files with the same are the same program."""
    return " ".join(token.text for token in tokens(text))


class Code:
    """A file's tokens, the partner of each bracket, and what lies in bodies."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.all = tokens(text)
        self.partner: dict[int, int] = {}
        waiting: list[int] = []
        for at, token in enumerate(self.all):
            if token.kind == "sign" and token.text in OPENING:
                waiting.append(at)
            elif token.kind == "sign" and token.text in CLOSING and waiting:
                self.partner[at] = waiting.pop()
                self.partner[self.partner[at]] = at
        self.bodies = self._bodies()

    def word(self, at: int) -> str:
        return self.all[at].text if 0 <= at < len(self.all) else ""

    def span(self, first: int, last: int) -> str:
        """The text from token `first` to token `last`, both included."""
        return self.text[self.all[first].start : self.all[last].end]

    def _bodies(self) -> list[tuple[int, int, int]]:
        """Functions: (parameters' bracket, opening brace, closing brace)."""
        found, at = [], 0
        while at < len(self.all):
            end = self.partner.get(at)
            if self.word(at) == "{" and end:
                if self.word(at - 1) == ")":
                    found.append((self.partner[at - 1], at, end))
                at = end
            at += 1
        return found

    def parts(self, opening: int, sign: str) -> list[tuple[int, int]]:
        """What lies between the brackets, cut at `sign` on their level."""
        found, first, at = [], opening + 1, opening + 1
        end = self.partner[opening]
        while at < end:
            if self.word(at) in OPENING and at in self.partner:
                at = self.partner[at]
            elif self.word(at) == sign:
                found.append((first, at - 1))
                first = at + 1
            at += 1
        if end > first:
            found.append((first, end - 1))
        return [(one, two) for one, two in found if two >= one]
