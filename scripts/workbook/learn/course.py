"""The exercises in their order, and how a student names one of them."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field

from .. import lesson as lessons
from .. import manifest, starters
from ..lesson import Fault, Lesson
from ..manifest import Manifest


class NotReady(Exception):
    """The build tree is missing or of another place: scripts/start helps."""


class Unknown(Exception):
    """A name that no exercise has."""


@dataclass(frozen=True)
class Exercise:
    lesson: Lesson
    slug: str

    @property
    def key(self) -> str:
        return f"{self.lesson.name}/{self.slug}"

    @property
    def short(self) -> str:
        """As it is typed: `02 ex1`."""
        return f"{self.lesson.number} {lessons.key_of(self.slug)}"

    @property
    def path(self) -> str:
        return self.lesson.source(self.slug + ".c")

    @property
    def shown(self) -> str:
        return self.lesson.shown(self.path)

    def manifest(self) -> Manifest:
        return manifest.read(self.lesson, self.slug)

    def text(self) -> str:
        """The student's file, or nothing where there is none."""
        try:
            return starters.read_text(self.path) if os.path.isfile(self.path) else ""
        except OSError:
            return ""

    def untouched(self) -> bool:
        try:
            there = os.path.isfile(self.path)  # a pipe would have us wait
            return there and starters.untouched(self.lesson, self.slug, self.path)
        except (OSError, Fault):
            return False

    def task(self, text: str = "") -> list[str]:
        """The first comment of the file (or of `text`), without its frame."""
        found = re.match(r"\s*/\*(.*?)\*/", text or self.text(), re.DOTALL)
        lines = found[1].split("\n") if found else []
        lines = [re.sub(r"^\s*\*? ?", "", line).rstrip() for line in lines]
        lines = [line for line in lines if not re.match(r"(check|book|run)  ", line)]
        return "\n".join(lines).strip().split("\n")

    def place(self) -> str:
        """Where to write, as `file:line`: the TODO, else the function."""
        marks = ["TODO"]
        try:
            marks += [name + "(" for name in self.manifest().defines]
        except Fault:
            pass
        lines = self.text().split("\n")
        for mark in marks:
            for number, line in enumerate(lines, 1):
                if mark in line and not line.lstrip().startswith(("*", "/*")):
                    return f"{self.shown}:{number}"
        return self.shown

    def chapter(self) -> str:
        """The chapter: rendered where it was, else its text; "" where neither."""
        book = os.path.join(self.lesson.build, "book", "html", self.lesson.name + ".html")
        text = os.path.join(self.lesson.root, "book", self.lesson.name + ".md")
        for path in (book, text):
            if os.path.exists(path):
                return self.lesson.shown(path)
        return ""


@dataclass
class Course:
    root: str
    preset: str
    lessons: list[Lesson] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # what is not as it should be

    @property
    def exercises(self) -> list[Exercise]:
        return [Exercise(lesson, slug) for lesson in self.lessons for slug in lesson.exercises]

    def command(self, *words: str) -> str:
        """`./scripts/learn …`, right for the folder you stand in."""
        return " ".join([self.script("learn"), *words])

    def script(self, name: str) -> str:
        path = os.path.relpath(os.path.join(self.root, "scripts", name))
        return path if path.startswith("..") else "./" + path

    def find(self, words: list[str], now: Exercise) -> list[Exercise]:
        """What the words name: `02 ex1`, `ex1` (of the lesson of `now`), `02`
        (all of it), an exercise's whole name or its file; nothing: `now`."""
        if not words:
            return [now]
        if len(words) == 1:
            return self._one_word(words[0], now)
        if len(words) > 2:
            raise Unknown(f"Name one exercise, as in: 02 ex1. These are {len(words)} words.")
        lesson = self._lesson(words[0])
        if lesson is None:
            raise Unknown(f"There is no lesson '{words[0]}'. There are: {self._numbers()}.")
        return [self._of(lesson, words[1])]

    def _one_word(self, word: str, now: Exercise) -> list[Exercise]:
        stem = re.sub(r"\.c$", "", os.path.basename(word.rstrip("/")))
        folder = os.path.basename(os.path.dirname(word.rstrip("/")))
        found = [
            item
            for item in self.exercises
            if item.slug == stem and folder in ("", item.lesson.name, ".")
        ]
        if len(found) == 1:
            return found
        lesson = self._lesson(stem)
        if lesson is not None:
            return [Exercise(lesson, slug) for slug in lesson.exercises]
        if re.fullmatch(r"ex\d+", stem):
            return [self._of(now.lesson, stem)]
        raise Unknown(f"There is no lesson or exercise '{word}'. Lessons: {self._numbers()}.")

    def _lesson(self, word: str) -> Lesson | None:
        for lesson in self.lessons:
            if word == lesson.name or (word.isdigit() and int(word) == int(lesson.number)):
                return lesson
        return None

    def _of(self, lesson: Lesson, word: str) -> Exercise:
        try:
            return Exercise(lesson, lesson.exercise(word))
        except Fault:
            known = ", ".join(lessons.key_of(slug) for slug in lesson.exercises) or "none"
            raise Unknown(
                f"Lesson {lesson.name} has no exercise '{word}'. It has: {known}."
            ) from None

    def _numbers(self) -> str:
        return ", ".join(lesson.number for lesson in self.lessons)


def open_course(root: str, preset: str) -> Course:
    """Raises NotReady when nothing is built here."""
    build = os.path.join(root, "build", preset)
    course = Course(root, preset)
    if not os.path.exists(os.path.join(build, "CMakeCache.txt")):
        which = "The workbook" if preset == "sim" else f"The preset {preset}"
        raise NotReady(f"{which} is not built yet. One command does that, in a minute or two.")
    missing = []
    for name in lessons.names(root):
        try:
            lesson = lessons.read(os.path.join(build, "lessons", name, "lesson.json"))
        except Fault:
            missing.append(name)
            continue
        if os.path.realpath(lesson.root) != os.path.realpath(root):
            raise NotReady("This folder was moved or copied after it was built. Build it anew.")
        lesson.seen_from = os.getcwd()
        course.lessons.append(lesson)
    if missing:
        course.notes.append(
            f"Not built yet: {', '.join(missing)}. To build it: {course.script('start')}"
        )
    if not course.exercises:
        raise NotReady("No lesson is built yet. One command does that, in a minute or two.")
    if stale(course):
        course.notes.append(
            "The library's sources are newer than what is built. To build them: "
            + course.script("start")
        )
    return course


def stale(course: Course) -> bool:
    """Whether lib/ holds a source newer than everything built from it."""
    built = [path for path in course.lessons[0].watched if os.path.isfile(path)]
    if not built:
        return True
    newest = max(os.path.getmtime(path) for path in built)
    for folder, _, names in os.walk(os.path.join(course.root, "lib")):
        for name in names:
            if name.endswith((".c", ".h")) and ".saved-" not in name:
                if os.path.getmtime(os.path.join(folder, name)) > newest:
                    return True
    return False
