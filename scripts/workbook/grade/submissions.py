"""Who handed in what: from paths to students' exercise files."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass, field

from ..lesson import Fault, Lesson
from . import archive
from .archive import Member, Unreadable


@dataclass
class Submission:
    """`student` is a name that is safe as a file's and in a table."""

    student: str
    path: str


@dataclass
class Taken:
    """The exercise files of one submission, by (lesson, slug), and what was
    noticed beside them. `problem`: nothing could be read, and why."""

    files: dict[tuple[str, str], bytes] = field(default_factory=dict)
    altered: list[str] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)
    problem: str = ""


def find(paths: list[str], name: str = "") -> list[Submission]:
    """One submission a path, or one for each entry of a folder of them, by
    students' names. With `name`, the paths are one submission, of that student."""
    if name:
        if len(paths) != 1 or not os.path.lexists(paths[0]):
            raise Fault("--student names whose the one submission is: give one path")
        return [Submission(_safe(name), os.path.abspath(paths[0]))]
    found: list[Submission] = []
    names: dict[str, int] = {}
    for path in paths:
        if not os.path.lexists(path):
            raise Fault(f"there is no submission {path}")
        path = os.path.abspath(path)
        each = [path] if _is_one(path) else _entries(path)
        for one in each:
            student = _student(one)
            names[student] = names.get(student, 0) + 1
            if names[student] > 1:
                student += f"~{names[student]}"
            found.append(Submission(student, one))
    if not found:
        raise Fault(f"no submissions in {', '.join(paths)}: folders, zips and tarballs count")
    return sorted(found, key=lambda one: one.student)


def _entries(folder: str) -> list[str]:
    return [
        os.path.join(folder, name)
        for name in sorted(os.listdir(folder))
        if not name.startswith(".")
        and (os.path.isdir(os.path.join(folder, name)) or archive.suffix(name))
    ]


def _is_one(path: str) -> bool:
    """A submission itself, and no folder of submissions."""
    if not os.path.isdir(path) or archive.is_bare(path):
        return True
    names = os.listdir(path)
    if ".git" in names or "lessons" in names:
        return True
    return any(re.match(r"(ex[0-9]+_\w+\.c|[0-9]{2}_\w+)$", name) for name in names)


def _student(path: str) -> str:
    name = os.path.basename(path)
    name = name[: len(name) - len(archive.suffix(name))]
    name = name[:-4] if name.endswith(".git") else name
    return _safe(name.replace("~", "_"))


def _safe(name: str) -> str:
    name = re.sub(r"[^\w.@+~-]", "_", name, flags=re.ASCII).lstrip(".+-@~")[:100]
    return name or "unnamed"


def take(submission: Submission, lessons: list[Lesson], root: str) -> Taken:
    """Read the named exercise files; compare the rest with `root`, the
    instructor's clone. Never raises for what a student handed in."""
    taken = Taken()
    wanted = {(lesson.name, slug) for lesson in lessons for slug in lesson.exercises}
    ranks: dict[tuple[str, str], tuple] = {}
    try:
        for member in archive.members(submission.path, taken.odd):
            key, rank = _exercise(member.path, wanted)
            if key is None:
                _compare(member, root, taken.altered)
                continue
            if key in ranks and ranks[key] <= rank:
                taken.odd.append(f"{member.path}: a second file of this name; left out")
                continue
            taken.files[key] = member.read()
            if key in ranks:
                taken.odd.append(f"{ranks[key][-1]}: a second file of this name; left out")
            ranks[key] = rank
    except (Unreadable, OSError) as problem:
        taken.problem = str(problem)
        taken.files.clear()
    taken.altered.sort()
    return taken


def _exercise(path: str, wanted: set[tuple[str, str]]) -> tuple[tuple[str, str] | None, tuple]:
    """Which exercise a file is, and how surely: lessons/NN_name/exK_slug.c,
    then NN_name/exK_slug.c, then the bare name where one lesson has it."""
    parts = path.split("/")
    if not parts[-1].endswith(".c"):
        return None, ()
    slug = parts[-1][:-2]
    parent = parts[-2] if len(parts) > 1 else ""
    above = parts[-3] if len(parts) > 2 else ""
    if (parent, slug) in wanted:
        if above in ("solutions", "tests"):
            return None, ()
        return (parent, slug), (0 if above == "lessons" else 1, len(parts), path)
    of_slug = [key for key in wanted if key[1] == slug]
    if len(of_slug) != 1 or re.match(r"[0-9]{2}_|wrong$|solutions$", parent):
        return None, ()
    return of_slug[0], (2, len(parts), path)


def _compare(member: Member, root: str, altered: list[str]) -> None:
    """A file of ours that the student changed: told, not used."""
    parts = member.path.split("/")
    for skip in (0, 1):  # at the top, or in one folder
        inside = "/".join(parts[skip:])
        ours = os.path.join(root, inside)
        if not inside or len(altered) >= 50 or os.path.islink(ours) or not os.path.isfile(ours):
            continue
        if inside.endswith(".sum"):
            return
        if member.size != os.path.getsize(ours):
            altered.append(inside)
        elif member.size <= archive.MOST_OF_ONE:
            with open(ours, "rb") as file:
                if file.read() != member.read():
                    altered.append(inside)
        return


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
