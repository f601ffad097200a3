"""Who handed in what: from paths to students' exercise files."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from dataclasses import dataclass, field

from ..lesson import Fault, checkout
from ..lesson import names as lesson_names
from . import archive
from .archive import Member, Unreadable

LONGEST = 150  # bytes of a student's name: it becomes a file's


@dataclass
class Submission:
    """`student` is a name that is safe as a file's and in a table."""

    student: str
    path: str


@dataclass
class Taken:
    """The exercise files of one submission, by (lesson, slug), and what was
    noticed beside them. `misnamed`: what looks like an exercise's file and is
    called otherwise. `problem`: nothing could be read, and why."""

    files: dict[tuple[str, str], bytes] = field(default_factory=dict)
    altered: list[str] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)
    misnamed: list[str] = field(default_factory=list)
    problem: str = ""


def find(paths: list[str], name: str = "", root: str = "") -> list[Submission]:
    """One submission a path, or one for each entry of a folder of them, by
    students' names. With `name`, the paths are one submission, of that student.
    `root`: the clone, whose lessons' names tell one from a class."""
    if name:
        if len(paths) != 1 or not os.path.lexists(paths[0]):
            raise Fault("--student names whose the one submission is: give one path")
        return [Submission(safe(name), os.path.abspath(paths[0]))]
    found: list[Submission] = []
    names: dict[str, int] = {}
    known = set(lesson_names(root or checkout()))
    for path in paths:
        if not os.path.lexists(path):
            raise Fault(f"there is no submission {path}")
        path = os.path.abspath(path)
        each = [path] if _is_one(path, known) else _entries(path)
        for one in each:
            if any(unicodedata.category(letter) == "Cc" for letter in one):
                raise Fault(f"rename {one!r}: a list of submissions cannot hold that name")
            student = _student(one)
            names[student] = names.get(student, 0) + 1
            if names[student] > 1:
                student += f"~{names[student]}"
            found.append(Submission(student, one))
    if not found:
        raise Fault(f"no submissions in {', '.join(paths)}: folders, zips and tarballs count")
    return sorted(found, key=lambda one: one.student)


def passed_over(paths: list[str], root: str = "") -> list[str]:
    """What stands in a class's folder and is nobody's submission."""
    known = set(lesson_names(root or checkout()))
    found: list[str] = []
    for path in paths:
        if not _is_one(os.path.abspath(path), known):
            taken = {os.path.basename(one) for one in _entries(path)}
            names = sorted(name for name in os.listdir(path) if not name.startswith("."))
            found += [name for name in names if name not in taken]
    return found


def _entries(folder: str) -> list[str]:
    """Folders and archives; archives of kinds that are not taken too, so that
    their students have a row, which says so."""
    return [
        os.path.join(folder, name)
        for name in sorted(os.listdir(folder))
        if not name.startswith(".")
        and (os.path.isdir(os.path.join(folder, name)) or archive.ending(name))
    ]


def _is_one(path: str, known: set[str]) -> bool:
    """A submission itself, and no folder of submissions. A student may well be
    called 01_ann, and be no lesson."""
    if not os.path.isdir(path) or archive.is_bare(path):
        return True
    names = set(os.listdir(path))
    if ".git" in names or known & names:
        return True
    inside = listed(os.path.join(path, "lessons"))
    if any(re.match(r"[0-9]{2}_\w+$", name) for name in inside):
        return True
    return any(re.match(r"ex[0-9]+_\w+\.c$", name) for name in names)


def listed(path: str) -> list[str]:
    """The names in a folder; none where there is no such folder."""
    try:
        return os.listdir(path)
    except OSError:
        return []


def _student(path: str) -> str:
    # The same name, and so the same secret inputs, whatever the locale.
    name = os.fsencode(os.path.basename(path)).decode("utf-8", "surrogateescape")
    name = name[: len(name) - len(archive.ending(name))]
    name = name[:-4] if name.endswith(".git") else name
    return safe(name.replace("~", "_"))


def safe(name: str) -> str:
    """Letters and digits of any script stay, composed; what a shell, a table
    or a path might take for its own becomes _."""
    name = unicodedata.normalize("NFC", name)
    name = "".join(c if _is_of_a_name(c) else "_" for c in name).lstrip(".+-@~")
    while len(name.encode()) > LONGEST:
        name = name[:-1]
    return name or "unnamed"


def _is_of_a_name(letter: str) -> bool:
    if letter.isascii():
        return letter.isalnum() or letter in "_.@+~-"
    return unicodedata.category(letter)[0] in "LMN" and letter.isprintable()


def read(path: str, wanted: set[tuple[str, str]], root: str) -> Taken:
    """What a path holds, read in this process."""
    taken = Taken()
    ranks: dict[tuple[str, str], tuple] = {}
    nearly: list[tuple[str, str]] = []
    try:
        for member in archive.members(path, taken.odd):
            key, rank = _exercise(member.path, wanted)
            if key is None:
                _compare(member, root, taken.altered)
                meant = _meant(member.path, wanted)
                if meant and len(nearly) < 50:
                    nearly.append((meant, f"{member.path}: is it {meant}.c?"))
                elif archive.ending(member.path) and len(taken.odd) < 50:
                    taken.odd.append(f"{member.path}: an archive in what you handed in")
                continue
            if key in ranks and ranks[key] < rank:
                taken.odd.append(f"{member.path}: a second file of this name; left out")
                continue
            taken.files[key] = member.read()
            if ranks.get(key) == rank:  # whoever unpacks the archive sees the later
                taken.odd.append(f"{member.path}: there twice; the later one is taken")
            elif key in ranks:
                taken.odd.append(f"{ranks[key][-1]}: a second file of this name; left out")
            ranks[key] = rank
    except (Unreadable, OSError) as problem:
        taken.problem = str(problem)
        taken.files.clear()
    there = {slug for _, slug in taken.files}
    taken.misnamed = [line for slug, line in nearly if slug not in there]
    taken.altered.sort()
    del taken.odd[50:]
    return taken


def _meant(path: str, wanted: set[tuple[str, str]]) -> str:
    """The exercise whose name a file nearly has: `ex1_add (2).c`, `EX1_ADD.C`,
    `ex1-add.c.txt`, `02_lesson/ex1.c`. "" when there is none."""
    *above, name = path.split("/")
    if not {"tests", "solutions", "build"}.isdisjoint(above):
        return ""
    bare = re.sub(r"[^a-z0-9]", "", name.lower())
    if not re.search(r"\.(c|txt|cpp|h)$", name.lower()) or not re.match("ex[0-9]", bare):
        return ""
    place = above[-1] if above else ""
    number = re.match("ex[0-9]+", bare)[0]
    alike = [
        slug
        for lesson, slug in sorted(wanted)
        if bare.startswith(slug.replace("_", ""))
        or (lesson == place and slug.startswith(number + "_"))
    ]
    return max(alike, key=len, default="")


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
        if re.search(r"\.sum$|(^|/)lessons/[^/]+/ex[0-9]+_\w+\.c$", inside):
            return  # generated; or an exercise that is not graded now: for changing
        if member.size != os.path.getsize(ours):
            altered.append(inside)
        elif member.size <= archive.MOST_OF_ONE:
            with open(ours, "rb") as file:
                if file.read() != member.read():
                    altered.append(inside)
        return


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
