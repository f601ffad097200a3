"""Starters are made from solutions, and known again by their sums.

In a solution, lines between `//> answer` and `//< answer` are the answer;
the lines there that begin with `//:` are what the starter has instead.
"""

from __future__ import annotations

import hashlib
import os
import re

from .lesson import Fault, Lesson

OPEN = re.compile(r"^\s*//>\s*(\S+)\s*$")
CLOSE = re.compile(r"^\s*//<\s*(\S+)\s*$")
INSTEAD = re.compile(r"^(\s*)//: ?(.*)$")
SUMS = "starters.sum"


def starter_of(solution: str, shown: str = "the solution") -> str:
    """The starter's text. Raises Fault when the regions do not match up."""
    out: list[str] = []
    opened = 0
    answers = 0
    for number, line in enumerate(solution.split("\n"), 1):
        begins, ends = OPEN.match(line), CLOSE.match(line)
        if begins and begins[1] == "answer":
            if opened:
                raise Fault(f"{shown}:{number}: an answer region inside another")
            opened, answers = number, answers + 1
        elif ends and ends[1] == "answer":
            if not opened:
                raise Fault(f"{shown}:{number}: an answer region ends that never began")
            opened = 0
        elif begins or ends:
            continue
        elif opened:
            instead = INSTEAD.match(line)
            if instead:
                out.append((instead[1] + instead[2]).rstrip())
        elif INSTEAD.match(line):
            raise Fault(f"{shown}:{number}: a '//:' line outside an answer region")
        else:
            out.append(line)
    if opened:
        raise Fault(f"{shown}:{opened}: this answer region never ends")
    if not answers:
        raise Fault(f"{shown}: no answer region ('//> answer' … '//< answer')")
    return "\n".join(out)


def answer_of(solution: str) -> str:
    """The solution as a reader wants it: without the marker lines."""
    marks = (OPEN, CLOSE, INSTEAD)
    return "\n".join(
        line for line in solution.split("\n") if not any(mark.match(line) for mark in marks)
    )


def sum_of(text: str) -> str:
    """A hash of the text, white space aside."""
    return hashlib.sha256("".join(text.split()).encode()).hexdigest()


def read_text(path: str) -> str:
    """A source file's text; bytes that are not UTF-8 are kept as escapes."""
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read()


def sums(lesson: Lesson) -> dict[str, str]:
    """File name to sum, as lessons/NN_name/starters.sum has them."""
    try:
        lines = read_text(lesson.source(SUMS)).splitlines()
    except FileNotFoundError:
        return {}
    pairs = [line.split() for line in lines if line.strip() and not line.startswith("#")]
    return {pair[1]: pair[0] for pair in pairs if len(pair) == 2}


def sum_text(text: str) -> str:
    return sum_of(text.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))


def untouched(lesson: Lesson, slug: str, path: str) -> bool:
    """Whether the file is the starter, white space aside."""
    known = sums(lesson).get(slug + ".c")
    if not known:
        known = sum_text(text_for(lesson, slug))
    return sum_text(read_text(path)) == known


def text_for(lesson: Lesson, slug: str) -> str:
    """The starter, made from the solution now."""
    path = lesson.solution(slug)
    try:
        return starter_of(read_text(path), lesson.shown(path))
    except FileNotFoundError:
        raise Fault(f"{lesson.shown(path)} is missing, and so is its starter's sum") from None


def programs(lesson: Lesson) -> list[str]:
    """The worked programs: every .c of the lesson that is no exercise."""
    folder = lesson.source("")
    return sorted(
        name
        for name in os.listdir(folder)
        if name.endswith(".c") and name[:-2] not in lesson.exercises
    )


def generate(lesson: Lesson) -> dict[str, str]:
    """What the lesson's folder should hold: file name to text."""
    texts = {slug + ".c": text_for(lesson, slug) for slug in lesson.exercises}
    lines = ["# sha256 of each file as shipped, white space aside (scripts/starters)"]
    for name, text in texts.items():
        lines.append(f"{sum_text(text)}  {name}")
    for name in programs(lesson):
        lines.append(f"{sum_text(read_text(lesson.source(name)))}  {name}")
    texts[SUMS] = "\n".join(lines) + "\n"
    return texts


def stale(lesson: Lesson) -> list[str]:
    """The files that differ from what would be generated."""
    found = []
    for name, text in generate(lesson).items():
        path = lesson.source(name)
        if not os.path.exists(path) or read_text(path) != text:
            found.append(name)
    return found


def write(lesson: Lesson) -> list[str]:
    """Write what is stale. An exercise that is neither the shipped starter
    nor the new one is somebody's work: it is kept beside as .saved-N."""
    told = []
    shipped = sums(lesson)
    texts = generate(lesson)
    for name in stale(lesson):
        path = lesson.source(name)
        if os.path.exists(path) and name != SUMS:
            if sum_text(read_text(path)) not in (shipped.get(name), sum_text(texts[name])):
                told.append(f"kept your {lesson.shown(path)} as {os.path.basename(save(path))}")
        with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write(texts[name])
        told.append(f"wrote {lesson.shown(path)}")
    return told


def free_name(path: str) -> str:
    """Beside a file, a name that nothing has yet."""
    number = 1
    while os.path.lexists(f"{path}.saved-{number}"):
        number += 1
    return f"{path}.saved-{number}"


def save(path: str) -> str:
    """Copy a file beside itself under a name that is free."""
    copy = free_name(path)
    with open(path, "rb") as old, open(copy, "xb") as new:
        new.write(old.read())
    return copy
