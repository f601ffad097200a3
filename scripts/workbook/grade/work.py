"""Grade one submission, exercise by exercise; keep each verdict at once.

A verdict is kept under a hash of all it depends on, so that a run that was
killed goes on where it stood, and a second run grades only what changed.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, field

from .. import judge, manifest, probing, verdict
from ..lesson import Fault, Lesson, key_of, remove_tree, write_whole
from ..verdict import Verdict
from . import reader, seeds, submissions
from .sandbox import Sandbox
from .submissions import Submission, Taken

POINTS, NOTHING, NOT_GRADABLE, FAULT = "points", "not attempted", "not gradable", "grader fault"


@dataclass
class Course:
    """What one run of the grader works with."""

    lessons: list[Lesson]
    root: str
    out: str
    level: str
    key: str = ""
    force: bool = False  # grade again what is kept
    stop: threading.Event = field(default_factory=threading.Event)
    files: dict[str, str] = field(default_factory=dict)  # hashes of our own


@dataclass
class Graded:
    """One student's verdicts, in the course's order."""

    student: str
    path: str
    verdicts: list[Verdict]
    taken: Taken
    level: str
    reused: int = 0

    @property
    def points(self) -> float:
        return round(sum(one.points for one in self.verdicts), 2)

    @property
    def max_points(self) -> float:
        return sum(one.max_points for one in self.verdicts)

    @property
    def faults(self) -> int:
        return sum(kind(one) == FAULT for one in self.verdicts)


def kind(one: Verdict) -> str:
    """Which of four things an outcome is."""
    if one.outcome == verdict.FAULT:
        return FAULT
    if one.outcome in (verdict.NOT_ATTEMPTED, verdict.NEEDS, verdict.ABSENT):
        return NOTHING
    unfit = (verdict.NOT_COMPILED, verdict.MISSING, verdict.FORBIDDEN, verdict.UNREADABLE)
    if one.outcome in unfit:
        return NOT_GRADABLE
    return POINTS


def grade(
    course: Course, submission: Submission, slot: int, done: Callable[[bool], None]
) -> Graded:
    """`done(reused)` is called after each exercise. Raises nothing: what goes
    wrong on our side is a verdict `grader fault`."""
    taken = reader.take(submission, course.lessons, course.root)
    graded = Graded(submission.student, submission.path, [], taken, course.level)
    sandbox = Sandbox(course.level, slot)
    for lesson in course.lessons:
        for slug in lesson.exercises:
            if course.stop.is_set():
                return graded
            one, reused = _exercise(course, submission.student, taken, lesson, slug, sandbox)
            graded.verdicts.append(one)
            graded.reused += reused
            done(reused)
    return graded


def _exercise(
    course: Course, student: str, taken: Taken, lesson: Lesson, slug: str, sandbox: Sandbox
) -> tuple[Verdict, bool]:
    shown = f"lessons/{lesson.name}/{slug}.c"
    data = taken.files.get((lesson.name, slug))
    blank = Verdict(lesson.name, slug, verdict.FAULT, "", shown=shown)
    try:
        rules = manifest.read(lesson, slug)
        blank.title, blank.max_points = rules.title, rules.points
        if taken.problem:
            blank.outcome, blank.sentence = verdict.UNREADABLE, taken.problem
            return blank, False
        if data is None:
            blank.outcome = verdict.ABSENT
            blank.sentence = f"Not handed in: there is no file {shown} in the submission."
            return blank, False
        secret = None
        if course.key:
            count = len(rules.seeds)
            secret = seeds.derive(course.key, student, lesson.name, slug, count, data)
        kept = os.path.join(course.out, "kept", student, f"{lesson.name}.{slug}.json")
        mark = _mark(course, lesson, slug, data, secret)
        if not course.force:
            old = _read_kept(kept, mark)
            if old:
                return old, True
        one = _judge(lesson, slug, data, shown, secret, sandbox)
        if one.outcome != verdict.FAULT:  # a fault is tried again
            os.makedirs(os.path.dirname(kept), exist_ok=True)
            write_whole(kept, json.dumps({"mark": mark, "verdict": asdict(one)}))
        return one, False
    except Exception as error:  # noqa: BLE001  one exercise never ends the class
        blank.sentence = f"The grader itself failed: {type(error).__name__}: {error}"
        return blank, False


def _judge(
    lesson: Lesson, slug: str, data: bytes, shown: str, secret: list[int] | None, sandbox: Sandbox
) -> Verdict:
    """In a folder that holds this file alone."""
    work = tempfile.mkdtemp(dir=lesson.scratch("tmp"))
    try:
        source = os.path.join(work, slug + ".c")
        with open(source, "wb") as file:
            file.write(data)
        sandbox.lend(source, 0o644)
        sandbox.lend(work, 0o755)
        return judge.check(
            lesson, slug, source, "the submission's file", sandbox, secret, shown=shown
        )
    finally:
        remove_tree(work)


def _read_kept(path: str, mark: str) -> Verdict | None:
    try:
        with open(path, encoding="utf-8") as file:
            kept = json.load(file)
        return Verdict(**kept["verdict"]) if kept["mark"] == mark else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _mark(
    course: Course, lesson: Lesson, slug: str, data: bytes, secret: list[int] | None
) -> str:
    """A hash of all that a verdict depends on."""
    ours = [lesson.test(key_of(slug) + ".json"), lesson.solution(slug)]
    folder = lesson.test("wrong")
    if os.path.isdir(folder):
        names = sorted(name for name in os.listdir(folder) if name.startswith(slug + "."))
        ours += [os.path.join(folder, name) for name in names]
    whole = hashlib.sha256(data)
    whole.update(probing.fingerprint(lesson, slug, "").encode())
    for path in [*ours, *_judge_files()]:
        if path not in course.files:
            course.files[path] = _digest(path)
        whole.update(course.files[path].encode())
    whole.update(json.dumps([secret, course.level]).encode())
    return whole.hexdigest()


def edition(course: Course) -> str:
    """A hash of what this clone judges by, wherever the clone stands."""
    whole = hashlib.sha256()
    paths = _judge_files()
    for lesson in course.lessons:
        for slug in lesson.exercises:
            paths += [lesson.test(key_of(slug) + ".json"), lesson.solution(slug)]
    for path in paths:
        whole.update(f"{os.path.basename(path)} {_digest(path)}\n".encode())
    return whole.hexdigest()


def _judge_files() -> list[str]:
    folder = os.path.dirname(os.path.abspath(judge.__file__))
    return sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".py"))


def _digest(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return submissions.digest(file.read())
    except OSError:
        return "absent"


def control(course: Course) -> None:
    """The first exercise's own solution must pass as a submission would, or
    the whole class would lose by our fault."""
    for lesson in course.lessons:
        for slug in lesson.exercises[:1]:
            if not os.path.isfile(lesson.solution(slug)):
                continue
            with open(lesson.solution(slug), "rb") as file:
                data = file.read()
            one = _judge(lesson, slug, data, "our solution", None, Sandbox(course.level))
            if one.outcome not in (verdict.PASSED, verdict.NEEDS):
                words = "\n".join(verdict.lines(one))
                raise Fault(f"our own solution does not pass in this sandbox; no grading.\n{words}")
            return
