"""The starter again, and the reference answer: the student's file is copied
beside itself before anything is written over it."""

from __future__ import annotations

import os
import subprocess

from .. import starters
from ..lesson import Fault
from .course import Exercise


def starter(item: Exercise) -> str:
    """The starter's text: from the solution, from the copy that an edition
    without solutions has, or from git's history. Raises Fault."""
    try:
        return starters.text_for(item.lesson, item.slug)
    except Fault:
        pass
    known = starters.sums(item.lesson).get(item.slug + ".c", "")
    for text in _candidates(item):
        if starters.sum_text(text) == known:
            return text
    raise Fault(
        f"The starter of {item.shown} is not to be found: neither its solution nor a copy "
        "nor git's history is here. Take the file from where you got the workbook."
    )


def _candidates(item: Exercise):
    try:
        yield starters.read_text(item.lesson.test("expected", item.slug + ".starter.c"))
    except OSError:
        pass
    path = os.path.relpath(item.path, item.lesson.root)
    log = _git(item, "log", "--format=%H", "-n", "30", "--", path)
    for commit in log.split():
        yield _git(item, "show", f"{commit}:./{path}")
    folder = os.path.dirname(item.path)
    for name in sorted(os.listdir(folder)):
        saved = name.startswith(item.slug + ".c.saved-")
        if saved and os.path.isfile(os.path.join(folder, name)):
            yield starters.read_text(os.path.join(folder, name))


def _git(item: Exercise, *words: str) -> str:
    try:
        done = subprocess.run(
            ["git", *words], cwd=item.lesson.root, capture_output=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "surrogateescape") if done.returncode == 0 else ""


def reset(item: Exercise) -> list[str]:
    """Write the starter; what it says, the student reads."""
    text = starter(item)
    told = []
    if os.path.lexists(item.path) and not os.path.isfile(item.path):
        # A folder, a pipe, a link that leads nowhere: whoever made it may want it.
        copy = starters.free_name(item.path)
        os.rename(item.path, copy)
        told.append(f"What stood in its place is kept as {item.lesson.shown(copy)}")
    elif os.path.exists(item.path):
        if item.text() == text:
            return [f"{item.shown} is already the starter; nothing was changed."]
        if not item.untouched():
            copy = starters.save(item.path)
            told.append(f"Your file is kept as {item.lesson.shown(copy)}")
    with open(item.path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.write(text)
    return [*told, f"{item.shown} is the starter again."]
