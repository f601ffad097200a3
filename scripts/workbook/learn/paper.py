"""How words reach the reader: 80 columns, colour where it is welcome.

Colour and signs only repeat what the words say.
"""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass

from ..verdict import wrap

WIDTH = 80


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


def say(lines: list[str]) -> None:
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()
