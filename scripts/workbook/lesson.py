"""Where a lesson's files are, and how its programs are built.

`add_lesson()` (scripts/cmake/Lesson.cmake) writes lesson.json into the build
tree; this module reads it. Nothing here runs anything.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import threading
from dataclasses import dataclass, field


class Fault(Exception):
    """Something of ours is broken or missing; never the student's doing."""


@dataclass
class Lesson:
    name: str  # 02_tensor_transfer
    root: str  # holds lessons/, solutions/, tests/
    build: str  # build/<preset>
    backend: str = "sim"
    author: bool = False
    cc: str = "cc"
    compile: list[str] = field(default_factory=list)
    link: list[str] = field(default_factory=list)
    watched: list[str] = field(default_factory=list)  # what a verdict depends on
    programs: dict[str, str] = field(default_factory=dict)
    probes: dict[str, str] = field(default_factory=dict)
    seen_from: str = ""  # the folder that shown paths start from; "": root

    @property
    def number(self) -> str:
        return self.name.split("_", 1)[0]

    @property
    def preset(self) -> str:
        return os.path.basename(self.build)

    @property
    def exercises(self) -> list[str]:
        return list(self.probes)

    @property
    def sanitized(self) -> bool:
        return any(word.startswith("-fsanitize") for word in self.compile)

    def source(self, name: str) -> str:
        return os.path.join(self.root, "lessons", self.name, name)

    def solution(self, slug: str) -> str:
        return os.path.join(self.root, "solutions", self.name, slug + ".c")

    def test(self, *parts: str) -> str:
        return os.path.join(self.root, "tests", "lessons", self.name, *parts)

    def scratch(self, *parts: str) -> str:
        """A place of the judge in the build tree; made when asked for."""
        path = os.path.join(self.build, "judge", *parts)
        os.makedirs(path, exist_ok=True)
        return path

    def shown(self, path: str) -> str:
        """A path as people click it: from the checkout's root, unless they
        stand elsewhere."""
        inside = os.path.relpath(path, self.root)
        if inside.startswith(".."):
            return path
        return os.path.relpath(path, self.seen_from) if self.seen_from else inside

    def exercise(self, word: str) -> str:
        """The exercise that `ex1`, `1` or its whole name means."""
        for slug in self.exercises:
            key = slug.split("_", 1)[0]
            if word in (slug, key, key[2:], slug + ".c"):
                return slug
        known = ", ".join(self.exercises) or "none"
        raise Fault(f"lesson {self.name} has no exercise '{word}'; it has: {known}")


def key_of(slug: str) -> str:
    """ex1_first_move -> ex1, the stem of its manifest and probe."""
    return slug.split("_", 1)[0]


def read(path: str) -> Lesson:
    """The lesson that a lesson.json describes."""
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
    except FileNotFoundError:
        raise Fault(f"{path} is missing: configure first, cmake --preset sim") from None
    except ValueError as error:
        raise Fault(f"{path} cannot be read: {error}; configure again") from None
    folders = [folder for folder in data.pop("include").split("|") if folder]
    defines = [word for word in data.pop("define").split("|") if word]
    data["compile"] += [f"-I{folder}" for folder in dict.fromkeys(folders)]
    data["compile"] += [f"-D{word}" for word in dict.fromkeys(defines)]
    found = Lesson(**data)
    # A run may also ask the simulated machine's nvidia-smi.
    found.programs.setdefault("smi", os.path.join(found.build, "bin", "smi"))
    return found


def checkout() -> str:
    here = os.path.dirname(os.path.abspath(__file__))
    return os.path.dirname(os.path.dirname(here))


def find(word: str, preset: str = "sim", root: str = "") -> Lesson:
    """`02`, `02_tensor_transfer`, its folder, or a path to a lesson.json."""
    if word.endswith(".json"):
        return read(word)
    root = root or checkout()
    lessons = os.path.join(root, "build", preset, "lessons")
    word = os.path.basename(word.rstrip("/"))
    for name in names(root):
        if word in (name, name.split("_", 1)[0]):
            return read(os.path.join(lessons, name, "lesson.json"))
    raise Fault(f"there is no lesson '{word}'; there are: {', '.join(names(root)) or 'none'}")


def names(root: str) -> list[str]:
    """All lessons of a checkout, in order."""
    lessons = os.path.join(root, "lessons")
    return sorted(
        name
        for name in os.listdir(lessons)
        if name[:1].isdigit() and os.path.isfile(os.path.join(lessons, name, "CMakeLists.txt"))
    )


def bare(root: str, words: list[str]) -> list[Lesson]:
    """Lessons as their folders show them, for what needs no build tree."""
    found = []
    for name in names(root):
        folder = os.path.join(root, "solutions", name)
        if words and not {name, name.split("_", 1)[0]} & set(words):
            continue
        slugs = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        probes = {slug[:-2]: "" for slug in slugs if slug.endswith(".c")}
        found.append(Lesson(name, root, os.path.join(root, "build", "sim"), probes=probes))
    if not found:
        raise Fault(f"there is no lesson {' '.join(words)}; there are: {', '.join(names(root))}")
    return found


def remove_tree(path: str) -> None:
    """Also folders in folders, deeper than Python can go: a program of a
    student's may have made them."""
    try:
        shutil.rmtree(path, ignore_errors=True)
    except RecursionError:
        pass
    if os.path.lexists(path):
        subprocess.run(["rm", "-rf", "--", path], capture_output=True, check=False)


def write_whole(path: str, text: str) -> None:
    """All of it or nothing, also when two write at once."""
    half = f"{path}.{os.getpid()}-{threading.get_ident()}"
    try:
        with open(half, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(half, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(half)
        raise
