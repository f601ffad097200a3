"""The student edition: scripts/handout DIR

A copy of the workbook without the solutions, the known wrong answers and the
grader. Exercises are fresh starters. In place of the solutions stand the facts
that they tell for the public seeds: tests/lessons/NN_name/expected/.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys

from . import lesson as lessons
from . import manifest, probing, starters
from .lesson import Fault, Lesson, key_of, write_whole

# Folders and files that only whoever teaches needs.
LEFT_OUT = (
    "solutions/",
    "tests/judge/",
    "tests/grader/",
    "tests/style/",
    "tests/learn/",
    "tests/book/",
    "scripts/classroom/",
    "scripts/workbook/grade/",
    "scripts/workbook/handout.py",
    "scripts/grade",
    "scripts/gradescope",
    "scripts/similarity",
    "scripts/handout",
    "scripts/starters",
    "scripts/check-all",
    "book/instructors.md",
    "book/zh/instructors.md",
    "CONTRIBUTING.md",
    ".ci/",
    "build/",
)
# What the README says of these.
TOLD = (
    re.compile(r"^\| `solutions/NN_name/` \| .*\n", re.M),
    re.compile(r"; `tests/style/` holds [^|]*(?= \|)"),
    re.compile(r", `grade` \([^|]*?`handout` \(the student edition\)"),
    re.compile(r"^A newer version comes in [^|]*?/scripts/start\n\n", re.M),  # by git
    re.compile(r"^House rules, and how to add a lesson: .*\n\n?", re.M),
)
# In a folder that is left out, and yet part of the book: the page of proofs.
KEPT = ("tests/style/seeds_rows.txt",)
# What a workbook consists of where git does not say.
TOP = """CMakeLists.txt CMakePresets.json lessons lib solutions tests book scripts README.md
LICENSE CONTRIBUTING.md .clang-format .editorconfig .gitignore .ci""".split()
WRONG = re.compile(r"tests/lessons/[^/]+/wrong/")
LISTED = re.compile(r"add_subdirectory\((judge|grader|style|learn|book)\)\n")


def tracked(root: str) -> list[str]:
    """The files of the workbook; without git, all but what is built."""
    words = ["git", "-C", root, "ls-files", "-z"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode == 0 and done.stdout:
            return [name for name in done.stdout.split("\0") if name]
    except OSError:
        pass
    found = []
    for folder, names, files in os.walk(root):
        if folder == root:
            names[:] = [name for name in names if name in TOP]
            files = [name for name in files if name in TOP]
        names[:] = [name for name in names if name != "__pycache__"]
        found += [os.path.relpath(os.path.join(folder, name), root) for name in files]
    return sorted(found)


def whole(root: str) -> None:
    """Whether each lesson would go along; raises Fault with what to type."""
    names = set(tracked(root))
    absent = [f"lessons/{one}" for one in lessons.names(root)
              if f"lessons/{one}/CMakeLists.txt" not in names]
    if absent:
        raise Fault("git does not know of these yet, and only what it knows goes along; type\n"
                    + "\n".join(f"  git add {path}" for path in absent))


def belongs(name: str) -> bool:
    """Whether a student may have this file."""
    return name in KEPT or not name.startswith(LEFT_OUT) and not WRONG.match(name)


def copy(root: str, out: str) -> int:
    count = 0
    for name in tracked(root):
        source = os.path.join(root, name)
        if not belongs(name) or not os.path.isfile(source):
            continue
        target = os.path.join(out, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy(source, target)
        count += 1
    _cut(os.path.join(out, "tests", "CMakeLists.txt"), LISTED)
    _cut(os.path.join(out, "README.md"), *TOLD)
    _cut(os.path.join(out, "book", "zh", "made_from"), re.compile(r"^instructors .*\n", re.M))
    return count


def _cut(path: str, *patterns: re.Pattern) -> None:
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for pattern in patterns:
            text = pattern.sub("", text)
        write_whole(path, text)


def exercises(lesson: Lesson, out: str) -> None:
    """Fresh starters, and the facts that stand in for the answers."""
    for slug in lesson.exercises:
        text = starters.text_for(lesson, slug)
        path = os.path.join(out, "lessons", lesson.name, slug + ".c")
        with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write(text)
        # What `learn reset` writes: the student's own file is not it for long.
        kept = os.path.join(out, "tests", "lessons", lesson.name, "expected")
        os.makedirs(kept, exist_ok=True)
        shutil.copy(path, os.path.join(kept, slug + ".starter.c"))
        rules = manifest.read(lesson, slug)
        bank = probing.Bank(lesson, slug, rules)
        told = bank.record(probing.runs(lesson, rules))
        path = os.path.join(kept, key_of(slug) + ".facts.json")
        write_whole(path, json.dumps(told, separators=(",", ":")) + "\n")


def programs(lesson: Lesson) -> list[str]:
    folder = os.path.join(lesson.root, "lessons", lesson.name)
    names = [name[:-2] for name in os.listdir(folder) if name.endswith(".c")]
    return [name for name in names if name not in lesson.exercises]


def plain(text: str) -> str:
    """Without white space and without the markers of regions."""
    marks = (starters.OPEN, starters.CLOSE, starters.INSTEAD)
    lines = [line for line in text.split("\n") if not any(mark.match(line) for mark in marks)]
    return "".join("".join(lines).split())


def answers(text: str) -> list[str]:
    """The answer regions of a solution, white space aside, that are long
    enough to be known again elsewhere."""
    found: list[str] = []
    current: list[str] | None = None
    for line in text.split("\n"):
        begins, ends = starters.OPEN.match(line), starters.CLOSE.match(line)
        if begins and begins[1] == "answer":
            current = []
        elif ends and ends[1] == "answer":
            found.append(plain("\n".join(current or [])))
            current = None
        elif current is not None:
            current.append(line)
    return [answer for answer in found if len(answer) >= 50]


def leaks(found: list[Lesson], out: str) -> list[str]:
    """Answers of ours that stand somewhere in the edition. (What a lesson's
    own program shows is taught on purpose.)"""
    texts = {}
    shown = {f"lessons/{one.name}/{name}.c" for one in found for name in programs(one)}
    for name in tracked(out):
        with open(os.path.join(out, name), encoding="utf-8", errors="replace") as file:
            texts[name] = plain(file.read())
    told = [name for name in texts if not belongs(name)]
    for lesson in found:
        for slug in lesson.exercises:
            for answer in answers(starters.read_text(lesson.solution(slug))):
                told += [f"{n}: holds the answer of {lesson.name}/{slug}"
                         for n, text in texts.items() if answer in text and n not in shown]
    return told


def make(found: list[Lesson], root: str, out: str) -> int:
    """All of the edition, or, where something is wrong with it, no part."""
    try:
        count = copy(root, out)
        for one in found:
            exercises(one, out)
        told = leaks(found, out)
        if told:
            raise Fault("the edition would tell answers:\n  " + "\n  ".join(told))
    except BaseException:
        lessons.remove_tree(out)
        raise
    return count


def main(argv: list[str]) -> int:
    words = argv[1:]
    root = lessons.checkout()
    if words[:1] == ["--root"]:
        root, words = os.path.abspath(words[1]), words[2:]
    if len(words) != 1 or words[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    out = os.path.abspath(words[0])
    try:
        if os.path.exists(out) and os.listdir(out):
            raise Fault(f"{words[0]} is not empty: name a new folder")
        whole(root)
        found = [lessons.find(name, "sim", root) for name in lessons.names(root)]
        count = make(found, root, out)
    except (Fault, OSError) as fault:
        print(f"handout: {fault}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        print("handout: stopped; nothing was made", file=sys.stderr)
        return 130
    n_exercises = sum(len(one.exercises) for one in found)
    print(f"{words[0]}: {count} files, {n_exercises} exercises without their answers")
    print(f"next: hand out {words[0]}; a student begins with ./scripts/start")
    return 0
