"""What the judge found, and how it is told."""

from __future__ import annotations

from dataclasses import dataclass, field

PASSED = "passed"
NOT_ATTEMPTED = "not attempted"
NEEDS = "needs"
WRONG = "wrong"
CRASHED = "crashed"
TIMED_OUT = "timed out"
ENDED_EARLY = "ended early"
TOO_MUCH = "too much"
NOT_COMPILED = "does not compile"
MISSING = "missing function"
FORBIDDEN = "forbidden symbol"
ABSENT = "absent"
UNREADABLE = "cannot be unpacked"
FAULT = "grader fault"

SKIPPED = (NOT_ATTEMPTED, NEEDS)


@dataclass
class Verdict:
    """One exercise's outcome. `whose` says whose code ran; `sentence` is the
    headline, `details` what follows it, `recognised` the wrong answer's name."""

    lesson: str
    slug: str
    outcome: str
    sentence: str
    whose: str = "your file"
    shown: str = ""
    title: str = ""
    details: list[str] = field(default_factory=list)
    compiler: list[str] = field(default_factory=list)  # to be shown
    warnings: list[str] = field(default_factory=list)  # whatever it said
    printed: list[str] = field(default_factory=list)
    recognised: str = ""
    parts: list[str] = field(default_factory=list)  # how the points came about
    points: float = 0.0
    max_points: float = 0.0
    why: str = ""
    line: int = 0  # of the student's file, where a crash or a time limit met it
    seeds: list[int] = field(default_factory=list)
    runs: int = 0

    @property
    def exit_code(self) -> int:
        if self.outcome == PASSED:
            return 0
        if self.outcome in SKIPPED:
            return 77
        return 3 if self.outcome == FAULT else 1


def number(points: float) -> str:
    """Points as a person reads them: whole, or with one decimal. What is
    counted and written into tables keeps its hundredths."""
    return f"{round(points, 1):g}"


def points(verdict: Verdict) -> str:
    return f"{number(verdict.points)} of {number(verdict.max_points)} points"


def lines(verdict: Verdict) -> list[str]:
    """The verdict as ctest and a terminal show it, without what comes next."""
    head = f"{verdict.lesson}/{verdict.slug}"
    if verdict.title:
        head += f"  {verdict.title}"
    score = ""
    if verdict.outcome not in (*SKIPPED, FAULT):
        score = f"  ({points(verdict)})"
    place = f"{verdict.shown}:{verdict.line}" if verdict.line else verdict.shown
    out = [head, f"{verdict.whose} {place}: {verdict.outcome}{score}".replace("  :", ":")]
    out += ["", *wrap(verdict.sentence, "  ")]
    out += verdict.details
    if 0 < verdict.points < verdict.max_points:
        out += parts(verdict)
    if verdict.compiler:
        out += ["", *verdict.compiler]
    if verdict.printed:
        out += ["", "  It also printed:", *("  | " + line for line in verdict.printed)]
    if verdict.outcome == PASSED and verdict.why:
        out += ["", *wrap("Why: " + verdict.why, "  ")]
    return out


def parts(verdict: Verdict) -> list[str]:
    """How the points came about, to stand below the rest."""
    lines: list[str] = []
    for text in verdict.parts:
        lines += wrap(text.lstrip(), "  " + " " * (len(text) - len(text.lstrip())))
    return ["", *lines] if lines else []


def wrap(text: str, indent: str, width: int = 80) -> list[str]:
    """Words in lines of at most `width`; line breaks in the text stay."""
    out: list[str] = []
    for part in text.split("\n"):
        line = ""
        for word in part.split(" "):
            if line and len(indent) + len(line) + 1 + len(word) > width:
                out.append(indent + line)
                line = word
            else:
                line = f"{line} {word}" if line else word
        out.append((indent + line).rstrip())
    return out
