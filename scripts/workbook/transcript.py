"""A program's expected output, and the words for where the real one differs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from . import show

EXPECT = re.compile(r"//\s?expect:(?: (.*))?$")
FIELD = re.compile(r"\{(ns|bytes|name|id|addr)(?::([^{}]*))?\}")
SHAPES = {
    "ns": r"-?\d[\d,]*(?:\.\d+)?",
    "bytes": r"\d[\d,]*(?:\.\d+)?",
    "name": r"[^'\"|\n]+?",
    "id": r"[0-9A-Za-z:._-]+",
    "addr": r"0x[0-9a-fA-F]+",
}


def expectations(source: str) -> str:
    """The transcript that a program's `// expect:` lines make."""
    found = [EXPECT.search(line.rstrip()) for line in source.splitlines()]
    return "".join((match[1] or "") + "\n" for match in found if match)


def pattern(line: str, real: bool) -> re.Pattern[str]:
    """One expected line as a pattern: fields match their shape, all else
    itself. `{ns:1,234}` is that very text unless the hardware is real."""
    out, at = [], 0
    for field in FIELD.finditer(line):
        if line[max(0, field.start() - 1) : field.start()] == "{":
            continue
        out.append(_literal(line[at : field.start()]))
        if field[2] is not None and not real:
            out.append(re.escape(field[2]))
        else:
            out.append(SHAPES[field[1]])
        at = field.end()
    out.append(_literal(line[at:]))
    return re.compile("".join(out))


def _literal(text: str) -> str:
    return re.escape(re.sub(r"\{(?=\{(?:ns|bytes|name|id|addr)[}:])", "", text))


@dataclass
class Miss:
    """Where an output first differs: line (from 1), and both texts; None is
    a line that is not there."""

    line: int
    expected: str | None
    got: str | None


def compare(expected: str, got: str, real: bool) -> Miss | None:
    """None when the whole output is as expected, in order."""
    if expected == got:
        return None
    want, have = _lines(expected), _lines(got)
    for number in range(max(len(want), len(have))):
        one = want[number] if number < len(want) else None
        two = have[number] if number < len(have) else None
        if one is None or two is None or not pattern(one, real).fullmatch(two):
            return Miss(number + 1, one, two)
    if expected and got and expected.endswith("\n") != got.endswith("\n"):
        return Miss(len(have), want[-1] + "\n" * expected.endswith("\n"), have[-1])
    return None


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def explain(miss: Miss, stream: str) -> list[str]:
    """The words for a miss in `stream` (stdout, stderr)."""
    if miss.got is None:
        return [
            f"line {miss.line} of {stream} is missing:",
            f"  expected  {show.visible(miss.expected or '')}",
            "  got       (the output ends here)",
        ]
    if miss.expected is None:
        return [
            f"{stream} has a line {miss.line} that nobody expected:",
            "  expected  (the output ends here)",
            f"  got       {show.visible(miss.got)}",
        ]
    return [f"line {miss.line} of {stream}:", *show.side_by_side(miss.expected, miss.got)]
