"""What one submission's grading leaves for the gradebook, and many of these put
together: `grade --merge` writes what one run over the whole class would."""

from __future__ import annotations

import json
import os
from dataclasses import asdict

from ..lesson import Fault, write_whole
from ..verdict import Verdict
from . import seeds, work
from .submissions import Submission, Taken, listed
from .work import Course, Graded

FOLDER = "graded"


def keep(course: Course, graded: list[Graded]) -> None:
    """OUT/graded/NAME.json, a file a student."""
    folder = os.path.join(course.out, FOLDER)
    os.makedirs(folder, exist_ok=True)
    edition = work.edition(course)
    for one in graded:
        taken = {
            "files": sorted([*key] for key in one.taken.files),
            "altered": one.taken.altered,
            "odd": one.taken.odd,
            "misnamed": one.taken.misnamed,
            "problem": one.taken.problem,
        }
        whole = {
            "student": one.student,
            "edition": edition,
            "secret": seeds.mark(course.key),
            "level": one.level,
            "taken": taken,
            "verdicts": [asdict(verdict) for verdict in one.verdicts],
        }
        path = os.path.join(folder, one.student + ".json")
        write_whole(path, json.dumps(whole, separators=(",", ":")) + "\n")


def _files(folders: list[str]) -> list[str]:
    """Of results folders, or of folders that hold some."""
    found = []
    for folder in folders:
        here = os.path.join(folder, FOLDER)
        inside = [os.path.join(folder, name, FOLDER) for name in _names(folder)]
        for place in [here] if os.path.isdir(here) else filter(os.path.isdir, inside):
            found += [os.path.join(place, name) for name in _names(place) if name.endswith(".json")]
    if not found:
        raise Fault(f"no results in {', '.join(folders)}: a results folder holds {FOLDER}/NAME.json")
    return found


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except NotADirectoryError:
        return []
    except OSError as error:
        raise Fault(f"{folder} cannot be read: {error.strerror}") from None


def _read(path: str) -> tuple[Graded, str, str]:
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        taken = Taken(**{**data["taken"], "files": {tuple(k): b"" for k in data["taken"]["files"]}})
        verdicts = [Verdict(**one) for one in data["verdicts"]]
        graded = Graded(data["student"], "", verdicts, taken, data["level"])
        return graded, data["edition"], data["secret"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Fault(f"{path} cannot be read: {error}; grade that submission again") from None


def earlier(out: str, graded: list[Graded]) -> list[str]:
    """Whose results stand in `out` from another run: another part of the class,
    or somebody whose submission was taken away since."""
    there = {name[:-5] for name in listed(os.path.join(out, FOLDER)) if name.endswith(".json")}
    return sorted(there - {one.student for one in graded})


def merge(folders: list[str], expected: list[Submission]) -> tuple[list[Graded], bool]:
    """Everybody's results in the order of one run, and whether the inputs were
    secret; of `expected` alone, where there are any. Raises Fault where the
    parts do not belong together."""
    class_ = {one.student for one in expected}
    found: dict[str, Graded] = {}
    origin: dict[str, str] = {}
    kinds: dict[tuple, str] = {}
    for path in _files(folders):
        one, edition, secret = _read(path)
        if class_ and one.student not in class_:
            continue
        if one.student in found:
            raise Fault(f"two results of {one.student}: {origin[one.student]} and {path}; "
                        "remove one of them")
        found[one.student], origin[one.student] = one, path
        names = tuple((v.lesson, v.slug) for v in one.verdicts)
        kinds.setdefault((edition, secret, names), path)
    absent = [one.student for one in expected if one.student not in found]
    if absent:
        raise Fault(f"not graded yet: {', '.join(absent)}; run their part again")
    if len(kinds) > 1:
        raise Fault("these were not graded alike (another workbook, other lessons, or another key "
                    "of secret inputs): " + " and ".join(list(kinds.values())[:2]))
    ((_, secret, _),) = kinds
    return [found[student] for student in sorted(found)], bool(secret)
