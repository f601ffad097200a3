"""Checks, and what they leave behind: the progress file, the kept verdicts,
earlier exercises that no longer pass."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Iterator

from .. import judge, probing, state, verdict
from ..lesson import Fault
from ..verdict import Verdict
from . import progress as progress_file
from .course import Course, Exercise
from .progress import Progress


def current(course: Course, progress: Progress) -> Exercise:
    """Where the student is: what they worked on last, else the first open."""
    for item in course.exercises:
        if item.key == progress.now:
            return item
    return first_open(course, progress) or course.exercises[-1]


def first_open(
    course: Course, progress: Progress, behind: Exercise | None = None
) -> Exercise | None:
    """The first exercise that does not pass; with `behind`, the first after
    that one, going round."""
    every = course.exercises
    if behind in every:
        at = every.index(behind) + 1
        every = every[at:] + every[: at - 1]
    for item in every:
        if not progress.passed(item.key):
            return item
    return None


def judged(item: Exercise) -> Verdict:
    """The verdict on the file as it is now; kept for ctest's table too."""
    result = judge.check(item.lesson, item.slug)
    state.keep(item.lesson, result)
    return result


def record(course: Course, results: list[Verdict], now: Exercise | None = None) -> Progress:
    """Write what was found to the progress file."""
    with progress_file.change(course.root) as progress:
        for result in results:
            if result.outcome != verdict.FAULT:
                progress.entry(f"{result.lesson}/{result.slug}").state = result.outcome
        if now:
            progress.now = now.key
    return progress


def to_recheck(course: Course, progress: Progress, but: Exercise) -> list[Exercise]:
    """The passed exercises for which something changed since they passed."""
    found = []
    for item in course.exercises:
        if item != but and progress.passed(item.key):
            try:
                kept = state.fresh(item.lesson, item.slug)
            except (Fault, OSError):
                continue
            if kept.get("outcome") != verdict.PASSED:
                found.append(item)
    return found


def afresh(items: list[Exercise]) -> Iterator[Verdict]:
    """One verdict after the other, with the libraries as they are now."""
    probing.forget()
    for item in items:
        yield judged(item)


def warm(item: Exercise) -> Iterator[Verdict]:
    """Build and run our own answers while the student thinks: the first
    verdict then takes no longer than the others. Gives none itself."""
    probing.forget()
    try:
        rules = item.manifest()
        bank = probing.Bank(item.lesson, item.slug, rules)
        for role in ("reference", "starter", *bank.names()):
            for run in probing.runs(item.lesson, rules):
                bank.told(role, run)
    except (Fault, OSError):
        pass  # the check itself will say so
    return iter(())


def many(items: list[Exercise]) -> Iterator[Verdict]:
    """In the same order, several at once."""
    probing.forget()
    pool = ThreadPoolExecutor(max(1, min(4, os.cpu_count() or 1)))
    try:
        yield from pool.map(judged, items)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def regressions(results: list[Verdict]) -> list[Verdict]:
    fine = (verdict.PASSED, verdict.NEEDS, verdict.FAULT)
    return [result for result in results if result.outcome not in fine]


def regression_line(result: Verdict) -> str:
    return (
        f"{result.lesson}/{result.slug} passed before and does not any more: {result.outcome}."
    )
