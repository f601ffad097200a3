"""The last verdict on each exercise, kept in the build tree."""

from __future__ import annotations

import hashlib
import json
import os

from . import judge, probing, starters, verdict
from .lesson import Lesson, key_of, write_whole
from .verdict import Verdict


def _path(lesson: Lesson, slug: str) -> str:
    return os.path.join(lesson.scratch("state"), f"{lesson.name}.{slug}.json")


def _sum(lesson: Lesson, slug: str) -> str:
    """A hash of all that a verdict depends on: the student's file, the flags,
    the libraries, the exercise's own files."""
    whole = hashlib.sha256()
    for path in (
        lesson.source(slug + ".c"),
        lesson.source(starters.SUMS),
        lesson.solution(slug),
        lesson.test(key_of(slug) + ".json"),
    ):
        try:
            if not os.path.isfile(path):
                raise FileNotFoundError(path)
            with open(path, "rb") as file:
                whole.update(file.read())
        except OSError:
            whole.update(b"absent")
        whole.update(b"\0")
    whole.update(probing.fingerprint(lesson, slug, "").encode())
    return whole.hexdigest()


def keep(lesson: Lesson, result: Verdict) -> None:
    """Remember a verdict for as long as nothing changes that it depends on."""
    kept = {
        "sum": _sum(lesson, result.slug),
        "outcome": result.outcome,
        "points": result.points,
        "max_points": result.max_points,
        "title": result.title,
    }
    write_whole(_path(lesson, result.slug), json.dumps(kept))


def fresh(lesson: Lesson, slug: str) -> dict:
    """The verdict kept for the file as it is now; empty when there is none."""
    try:
        with open(_path(lesson, slug), encoding="utf-8") as file:
            kept = json.load(file)
        if kept["sum"] == _sum(lesson, slug):
            return kept
    except (OSError, ValueError, KeyError):
        pass
    return {}


def last(lesson: Lesson, slug: str) -> dict:
    """The verdict kept for the file as it is now, judged anew if need be."""
    kept = fresh(lesson, slug)
    if kept:
        return kept
    keep(lesson, judge.check(lesson, slug))
    with open(_path(lesson, slug), encoding="utf-8") as file:
        return json.load(file)


def table(lesson: Lesson) -> list[str]:
    """One line an exercise, and the sum of the points."""
    out = [lesson.name]
    got = most = 0.0
    width = max((len(slug) for slug in lesson.exercises), default=0)
    for slug in lesson.exercises:
        kept = last(lesson, slug)
        got += kept["points"]
        most += kept["max_points"]
        score = "/".join(verdict.number(kept[key]) for key in ("points", "max_points"))
        out.append(f"  {slug:{width}}  {kept['outcome']:16}  {score:>7}")
    out.append(f"  {verdict.number(got)} of {verdict.number(most)} points")
    return out


def markdown(lessons: list[Lesson]) -> list[str]:
    """The state of every exercise, for a page that shows Markdown."""
    rows = []
    counts: dict[str, int] = {}
    for lesson in lessons:
        for slug in lesson.exercises:
            kept = last(lesson, slug)
            counts[kept["outcome"]] = counts.get(kept["outcome"], 0) + 1
            score = " of ".join(verdict.number(kept[key]) for key in ("points", "max_points"))
            rows.append(f"| {lesson.name} | {slug} | {kept['outcome']} | {score} |")
    told = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
    head = [f"**{told or 'no exercises'}** (the public inputs; a grade may use others)", ""]
    return [*head, "| lesson | exercise | outcome | points |", "|---|---|---|---:|", *rows]


def next_lines(lesson: Lesson, result: Verdict) -> list[str]:
    """The next command, spelt out."""
    again = f"ctest --preset {lesson.preset} -R {lesson.name}.{result.slug}"
    if result.outcome == verdict.PASSED:
        rest = [s for s in lesson.exercises if last(lesson, s)["outcome"] != verdict.PASSED]
        rest = [slug for slug in rest if slug != result.slug]
        if rest:
            return ["", f"next: lessons/{lesson.name}/{rest[0]}.c"]
        return ["", f"next: all exercises of {lesson.name} pass; read on in the book"]
    if result.outcome == verdict.FAULT:
        return ["", "next: tell whoever gave you this workbook; it is not your mistake"]
    return ["", f"next: edit {result.shown}, then: {again}"]
