"""How words reach the reader: 80 columns, colour where it is welcome.

Colour and signs only repeat what the words say.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from dataclasses import dataclass

from ..verdict import wrap

WIDTH = 80
PAINT = re.compile(r"\x1b\[[0-9;]*m")
CODE = re.compile(r"\s*\d* \| ")  # the compiler's excerpt: a caret stands below it


@dataclass(frozen=True)
class Paper:
    """`plain`: one line after the other, for screen readers and files."""

    plain: bool = False
    colour: bool = False

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text

    def strong(self, text: str) -> str:
        return self._paint("1", text)

    def quiet(self, text: str) -> str:
        return self._paint("2", text)

    def good(self, text: str) -> str:
        return self._paint("32", text)

    def bad(self, text: str) -> str:
        return self._paint("31", text)

    def words(self, text: str, indent: str = "") -> list[str]:
        return wrap(text, indent, WIDTH)

    def rows(self, pairs: list[tuple[str, str]]) -> list[str]:
        """Two columns; a long second one goes on below itself."""
        width = max((len(name) for name, _ in pairs), default=0)
        out = []
        for name, text in pairs:
            first, *rest = wrap(text, " " * (width + 2), WIDTH)
            out += [f"{name:{width}}  {first.strip()}", *rest]
        return out


def paper_for(stream, plain: bool) -> Paper:
    """NO_COLOR, a dumb terminal and no terminal at all are respected."""
    colour = (
        not plain
        and stream.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM", "dumb") != "dumb"
    )
    return Paper(plain, colour)


def rows_of_terminal() -> int:
    return shutil.get_terminal_size((WIDTH, 24)).lines


def columns_of_terminal() -> int:
    return shutil.get_terminal_size((WIDTH, 24)).columns


def fold(lines: list[str], columns: int) -> list[str]:
    """Longer lines broken at their spaces, so that no word is cut in two."""
    out = []
    for line in lines:
        words = line.lstrip(" ")
        if len(PAINT.sub("", line)) <= columns or CODE.match(line):
            out.append(line)
        else:
            out += wrap(words, line[: len(line) - len(words)], columns)
    return out


def rows(lines: list[str], columns: int) -> int:
    """How many rows of the screen they take."""
    return sum(max(1, -(-len(PAINT.sub("", line)) // columns)) for line in lines)


def fit(
    top: list[str], hints: list[list[str]], end: list[str], room: int, columns: int, more: str
) -> list[str]:
    """What fits into `room` rows. The end stays, and the newest hint; what goes
    first is how the top ends (`more` shows it), then the older hints."""

    def whole(body: list[str], given: list[list[str]]) -> list[str]:
        return [*body, *(line for hint in given for line in hint), *end]

    least = min(len(top), 14)  # a verdict's words, without what comes after them
    cut = least < len(top)  # then a line says so
    while len(hints) > 1 and rows(whole(top[:least], hints), columns) + cut > room:
        hints = hints[1:]
    if rows(whole(top, hints), columns) <= room:
        return whole(top, hints)
    kept = len(top)
    while kept > 1 and rows(whole(top[:kept], hints), columns) >= room:
        kept -= 1
    left = len(top) - kept
    note = f"({left} more line{'' if left == 1 else 's'}: {more})"
    return whole([*top[:kept], note], hints)


def say(lines: list[str]) -> None:
    if sys.stdout.isatty():
        lines = fold(lines, columns_of_terminal())
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()
