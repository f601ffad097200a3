"""Text for people: two values side by side, so that the difference is seen."""

from __future__ import annotations

WIDTH = 60
LONGEST = 400  # of a line of somebody else's output, in letters
MARKS = {"\n": "⏎", "\t": "→", "\r": "\\r", "\0": "\\0", "\x1b": "\\e"}


def visible(text: str, spaces: bool = False) -> str:
    """Control characters as marks; spaces as dots where they matter."""
    out = []
    for char in text:
        if char in MARKS:
            out.append(MARKS[char])
        elif char == " " and spaces:
            out.append("·")
        elif not char.isprintable():
            out.append(char.encode("unicode_escape").decode())
        else:
            out.append(char)
    return "".join(out)


def first_difference(one: str, two: str) -> int:
    """The first column (from 0) where two texts differ."""
    for at, (a, b) in enumerate(zip(one, two)):
        if a != b:
            return at
    return min(len(one), len(two))


def pair(expected: str, got: str) -> tuple[str, str]:
    """Both texts, with the same window around their first difference: they
    never look equal when they are not."""
    spaces = "".join(expected.split()) == "".join(got.split()) or any(
        text != text.strip() for text in (expected, got)
    )
    at = first_difference(expected, got)
    start = max(0, at - WIDTH // 2) if max(len(expected), len(got)) > WIDTH else 0
    return _window(expected, start, spaces), _window(got, start, spaces)


def _window(text: str, start: int, spaces: bool) -> str:
    if not text:
        return "(nothing)"
    end = start + WIDTH
    before = "… " if start else ""
    after = " …" if end < len(text) else ""
    part = text[start:end]
    return before + (visible(part, spaces) if part else "(ends here)") + after


def side_by_side(
    expected: str, got: str, indent: str = "  ", caret: bool = True
) -> list[str]:
    """Two lines, and a caret under the first column that differs where both
    fit on one line as they are, and most of them is alike."""
    left, right = pair(expected, got)
    lines = [f"{indent}expected  {left}", f"{indent}got       {right}"]
    if caret and max(len(expected), len(got)) <= WIDTH and _mostly_alike(expected, got):
        at = len(visible(expected[: first_difference(expected, got)]))
        lines.append(f"{indent}          {' ' * at}^ column {at + 1}")
    return lines


def _mostly_alike(one: str, two: str) -> bool:
    """Whether they begin and end alike, for half of the longer."""
    start = first_difference(one, two)
    end = first_difference(one[start:][::-1], two[start:][::-1])
    return 2 * (start + end) >= max(len(one), len(two)) and bool(one and two)


def head(text: str, lines: int) -> list[str]:
    """The first lines of a program's output, made safe to print."""
    every = text.rstrip("\n").split("\n") if text.strip() else []
    shown = [_cut(visible(line).replace("→", "    ")) for line in every[:lines]]
    if len(every) > lines:
        shown.append(f"[... {len(every) - lines} more lines ...]")
    return shown


def _cut(line: str) -> str:
    left_out = len(line) - LONGEST
    return line if left_out <= 0 else f"{line[:LONGEST]} [... {left_out} more letters ...]"


def count(number: int, noun: str) -> str:
    """`1 copy`, `2 copies`, `3 tests`."""
    if number == 1:
        return f"1 {noun}"
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{number} {plural}"
