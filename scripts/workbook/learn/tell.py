"""What the student reads about a verdict, and what comes next."""

from __future__ import annotations

import dataclasses
import difflib
import os
import re

from .. import starters, verdict
from ..lesson import Fault
from ..verdict import Verdict
from . import answers
from .course import Course, Exercise
from .paper import WIDTH, Paper
from .progress import Progress

# What the compiler says between its messages, and the note that shows how a
# function is declared: what it wants where something else was given, or which
# header it takes.
ASIDE = re.compile(r"\S+: In function|In file included from|\s+from \S+:\d+")
WANTED = re.compile(r" note: (expected|declared here|include )")
MESSAGE = re.compile(r"^(\S+:\d+:(?:\d+:)?) (fatal error|error|warning|note): ")


def head(paper: Paper, item: Exercise) -> list[str]:
    """Which exercise this is about."""
    title = item.manifest().title
    number = item.lesson.exercises.index(item.slug) + 1
    of = f"exercise {number} of {len(item.lesson.exercises)}: {title}"
    if len(item.key) + 2 + len(of) <= WIDTH:
        return [f"{paper.strong(item.key)}  {of}"]
    return [paper.strong(item.key), *paper.words(of, "  ")]


def told(paper: Paper, item: Exercise, result: Verdict) -> list[str]:
    """The verdict in the judge's own words, the file as `file:line`."""
    whole = (verdict.PASSED, verdict.ABSENT, verdict.NOT_COMPILED)
    shown = item.shown if result.outcome in whole or result.line else item.place()
    shown_result = dataclasses.replace(result, shown=shown, why="")
    after: list[str] = []
    if result.outcome == verdict.NOT_COMPILED:
        shown_result.compiler, after = first_error(paper, result.compiler)
        shown_result.compiler = [
            re.sub(r"^/[^:]+(?=:\d)", lambda path: item.lesson.shown(path[0]), line)
            for line in shown_result.compiler
        ]
    _, outcome, *rest = verdict.lines(shown_result)
    state = ": " + result.outcome
    broken = outcome.replace("  (", "\n  (") if len(outcome) > WIDTH else outcome
    outcomes = broken.replace(state, ": " + _coloured(paper, result.outcome), 1).split("\n")
    return [*head(paper, item), *outcomes, *fit(rest), *after]


def fit(lines: list[str]) -> list[str]:
    """What a program printed, in 80 columns; the compiler's lines stay, since
    their paths are to be clicked."""
    out = []
    for line in lines:
        bar = line.startswith("  | ") and len(line) > WIDTH
        out += verdict.wrap(line[4:], "  | ", WIDTH) if bar else [line]
    return out


def _coloured(paper: Paper, outcome: str) -> str:
    if outcome == verdict.PASSED:
        return paper.good(outcome)
    return outcome if outcome in verdict.SKIPPED else paper.bad(outcome)


def first_error(paper: Paper, lines: list[str]) -> tuple[list[str], list[str]]:
    """The compiler's first error, and what to make of the others."""
    blocks: list[list[str]] = []
    for line in lines:
        if MESSAGE.match(line) or not blocks:
            blocks.append([])
        blocks[-1].append(line)
    kinds = [MESSAGE.match(block[0]) for block in blocks]
    errors = [at for at, kind in enumerate(kinds) if kind and kind[2].endswith("error")]
    if not errors:
        return lines, []
    first = errors[0]
    block = [line for line in blocks[first] if not ASIDE.match(line)]
    if first + 1 < len(blocks) and WANTED.search(blocks[first + 1][0]):
        block += [line for line in blocks[first + 1] if not ASIDE.match(line)]
    more = len(errors) - 1
    words = "This is the compiler's first message, and file:line is where it stopped."
    if more == 1:
        words += " There is one more error: it often goes when the first one goes."
    elif more:
        words += f" There are {more} more errors: they often go when the first one goes."
    return block, ["", *paper.words(words, "  ")]


def passed(paper: Paper, item: Exercise, result: Verdict) -> list[str]:
    """After a pass: why it works, the reference's way, the chapter."""
    out = []
    if result.why:
        out += ["", *paper.words("Why it works: " + result.why, "  ")]
    return [*out, "", *difference(paper, item)]


def chapter(item: Exercise) -> list[str]:
    return ["", f"chapter: {item.chapter()}"] if item.chapter() else []


def difference(paper: Paper, item: Exercise) -> list[str]:
    """From the student's own file to the reference answer."""
    try:
        answer = starters.answer_of(starters.read_text(item.lesson.solution(item.slug)))
    except OSError:
        return ["The reference answer is not part of this edition."]
    mine, theirs = item.text().rstrip("\n").split("\n"), answer.rstrip("\n").split("\n")
    if [line.strip() for line in mine] == [line.strip() for line in theirs]:
        return ["The reference answer is the same, word for word."]
    out = ["The reference answer, as a diff: - is your line, + is the reference's."]
    if paper.plain:
        out = ["The reference answer, compared with your file, line by line."]
    for line in list(difflib.unified_diff(mine, theirs, n=2, lineterm=""))[2:]:
        out.append(_diff_line(paper, line))
    return out


def _diff_line(paper: Paper, line: str) -> str:
    sign, text = line[:1], line[1:].rstrip()
    if sign == "@":
        return "" if paper.plain else paper.quiet("  ...")
    if paper.plain:
        return {"+": "reference: ", "-": "yours: "}.get(sign, "both: ") + text
    painted = {"+": paper.good, "-": paper.bad}.get(sign, str)
    return painted(sign + text)


def hints(paper: Paper, item: Exercise, shown: int) -> list[list[str]]:
    """The hints that were asked for so far."""
    every = enumerate(item.manifest().hints[:shown], 1)
    return [["", *paper.words(f"Hint {at} of 3: {hint}", "  ")] for at, hint in every]


def task(paper: Paper, item: Exercise) -> list[str]:
    """What the exercise asks, where to read, where to write."""
    lines = item.task()
    if not any(lines):  # the file, or its comment, is gone
        try:
            lines = item.task(answers.starter(item))
        except Fault:
            pass
    out = [*head(paper, item), ""]
    out += ["  " + line if line else "" for line in lines]
    rows = [("edit", item.place())]
    if item.chapter():
        rows.append(("read", item.chapter()))
    return [*out, "", *paper.rows(rows)]


def after(course: Course, progress: Progress, item: Exercise, result: Verdict) -> list[str]:
    """The next command; the last line of every message about a verdict."""
    if result.outcome == verdict.FAULT:
        return [
            "next: " + course.command("doctor"),
        ]
    if result.outcome == verdict.PASSED:
        return [next_line(course, progress, item)]
    out = []
    if result.outcome == verdict.ABSENT:
        return [bring_back(course, item)]
    if result.outcome == verdict.NEEDS:
        return ["next: " + course.command("next")]
    if not any(entry.state == verdict.PASSED for entry in progress.entries.values()):
        out.append("Trying costs nothing: change the file, save, check again, as often as you like.")
    left = 3 - progress.entry(item.key).hints
    if left > 0 and result.outcome != verdict.NOT_ATTEMPTED:
        out.append(f"stuck? {course.command('hint', item.short)}")
    out.append(f"next: {course.command('check', item.short)}   (after you saved the file)")
    return out


def bring_back(course: Course, item: Exercise) -> str:
    return f"next: {course.command('reset', item.short)}   (writes the starter again)"


def next_line(course: Course, progress: Progress, item: Exercise) -> str:
    if all(progress.passed(one.key) for one in course.exercises):
        return f"All exercises pass. next: {course.command('check', '--all')}"
    return "next: " + course.command("next")


def not_built(course: Course, sentence: str) -> list[str]:
    build = course.script("start")
    if course.preset != "sim":  # start builds sim alone
        build = f"cmake --preset {course.preset} && cmake --build --preset {course.preset}"
    return [sentence, "", "next: " + build]


def state_words(progress: Progress, item: Exercise) -> str:
    """The state as lists show it, also of what was never checked."""
    state = progress.entry(item.key).state
    if state and state != verdict.NOT_ATTEMPTED:
        return state
    try:
        edited = os.path.exists(item.path) and not item.untouched()
    except Fault:
        edited = False
    return "edited, not checked" if edited else verdict.NOT_ATTEMPTED
