"""Read an archive in a process of its own, which may not take all there is.

Python's readers of archives believe what they read: a bzip2 member of a zip is
unpacked whole, a thousand bytes to gigabytes; a tarball's extended head is
searched in time that grows with its square. Here that ends one submission.
"""

from __future__ import annotations

import base64
import json
import os
import sys
import tempfile
from collections.abc import Callable

from ..launcher import Limits, Plain, clean_environment
from ..lesson import Lesson, checkout
from . import archive, submissions
from .submissions import Submission, Taken, listed

LIMITS = Limits(seconds=60, megabytes=1024, kept=1 << 29, flood=1 << 28)


def take(submission: Submission, lessons: list[Lesson], root: str) -> Taken:
    """Read the named exercise files; compare the rest with `root`, the
    instructor's clone. Never raises for what a student handed in."""
    wanted = {(lesson.name, slug) for lesson in lessons for slug in lesson.exercises}
    taken = _read(submission.path, wanted, root)
    inner = [] if taken.problem or taken.files else _archives(submission.path)
    if len(inner) != 1:
        return taken
    # As some courses' pages hand out what was handed in: a folder for each
    # student, with the archive inside.
    inside = _read(inner[0], wanted, root)
    inside.odd.insert(0, f"{archive.printable(os.path.basename(inner[0]))}: taken from there")
    return inside


def _archives(path: str) -> list[str]:
    """In a folder, at its top."""
    if not os.path.isdir(path) or os.path.islink(path):
        return []
    found = [os.path.join(path, name) for name in sorted(listed(path)) if archive.suffix(name)]
    return [one for one in found if os.path.isfile(one) and not os.path.islink(one)]


def _read(path: str, wanted: set[tuple[str, str]], root: str) -> Taken:
    if os.path.isdir(path) and not os.path.islink(path) and not archive.is_bare(path):
        return submissions.read(path, wanted, root)
    return apart(path, wanted, root)


def apart(path: str, wanted: set[tuple[str, str]], root: str, limits: Limits = LIMITS) -> Taken:
    """What `submissions.read` finds in `path`. Never raises for what it holds."""
    scripts = os.path.join(checkout(), "scripts")
    start = "import sys; sys.dont_write_bytecode = True; sys.path.insert(0, sys.argv[1]); "
    start += "from workbook.grade import reader; sys.exit(reader.main(sys.argv[2:]))"
    words = [sys.executable, "-IS", "-c", start, scripts, path, root]
    with tempfile.TemporaryDirectory() as work:
        env = clean_environment(work)
        done = Plain().run([*words, json.dumps(sorted(wanted))], work, env, limits)
    why = {
        "time": f"it takes longer than {limits.seconds:g} s",
        "memory": f"it takes more than {limits.megabytes} MB of memory",
        "output": "it holds too much",
    }.get(done.stopped, "")
    if not why:
        try:
            return unpacked(done.out)
        except (ValueError, KeyError, TypeError):
            why = f"the reader ended with {done.signal or done.code} {done.err.strip()[-200:]}"
    return Taken(problem=f"The archive cannot be read: {why.strip()}.")


def packed(taken: Taken) -> str:
    files = [[*key, base64.b64encode(data).decode()] for key, data in taken.files.items()]
    return json.dumps({**vars(taken), "files": files})


def unpacked(text: str) -> Taken:
    whole = json.loads(text)
    files = {(name, slug): base64.b64decode(data) for name, slug, data in whole.pop("files")}
    return Taken(files, **whole)


def main(words: list[str], write: Callable[[str], object] = sys.stdout.write) -> int:
    path, root, wanted = words
    write(packed(submissions.read(path, {tuple(key) for key in json.loads(wanted)}, root)))
    return 0
