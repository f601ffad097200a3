"""From a save of a right, a wrong, a crashing and a broken file to
`learn watch`'s first line, and to its verdict, in ms.

Run by hand, after scripts/start: python3 tests/bench/watch_latency.py
[rounds] [lesson exercise]. It works on a copy: your files stay as they are.
"""

from __future__ import annotations

import json
import os
import pty
import select
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
from workbook import lesson as lessons  # noqa: E402
from workbook import manifest, starters  # noqa: E402


def clone(folder: str, lesson: lessons.Lesson) -> None:
    """One lesson's files, and a build tree that names the copy."""
    for part in ("lessons", "solutions", "tests/lessons"):
        source = os.path.join(ROOT, part, lesson.name)
        shutil.copytree(source, os.path.join(folder, part, lesson.name))
    built = os.path.join(ROOT, "build/sim/lessons", lesson.name, "lesson.json")
    with open(built, encoding="utf-8") as file:
        data = json.load(file)
    data.update(root=folder, build=os.path.join(folder, "build/sim"))
    target = os.path.join(folder, "build/sim/lessons", lesson.name)
    os.makedirs(target)
    with open(os.path.join(target, "lesson.json"), "w", encoding="utf-8") as file:
        json.dump(data, file)
    with open(os.path.join(folder, "build/sim/CMakeCache.txt"), "w", encoding="utf-8"):
        pass


def until(master: int, words: bytes) -> float:
    """The moment the words were shown."""
    seen = b""
    while words not in seen:
        if not select.select([master], [], [], 60)[0]:
            raise SystemExit(f"never shown: {words!r} after {seen!r}")
        seen += os.read(master, 1 << 16)
    return time.monotonic()


def save(path: str, text: str) -> float:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return time.monotonic()


def texts(lesson: lessons.Lesson, slug: str) -> dict[str, str]:
    """What a student saves: right, wrong, crashing, broken."""
    answer = starters.answer_of(starters.read_text(lesson.solution(slug)))
    rules = manifest.read(lesson, slug)
    wrong = next(iter(rules.wrong))
    # The last function of a file is the one that is asked for.
    at = answer.rindex("\n{\n") + len("\n{\n")
    return {
        "right": answer,
        "wrong": starters.read_text(lesson.test("wrong", f"{slug}.{wrong}.c")),
        "crash": f"{answer[:at]}    *(volatile int *)0 = 1;\n{answer[at:]}",
        "does not compile": answer[:at] + "    int no no;\n" + answer[at:],
    }


def measure(folder: str, lesson: lessons.Lesson, slug: str, rounds: int) -> None:
    path = os.path.join(folder, "lessons", lesson.name, slug + ".c")
    learn = [sys.executable, "-IS", os.path.join(ROOT, "scripts/workbook/learn")]
    master, slave = pty.openpty()
    command = [*learn, "--root", folder, "watch", lesson.number, slug.split("_")[0]]
    child = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, cwd=folder)
    until(master, b"q quit")
    for kind, text in texts(lesson, slug).items():
        first, whole = [], []
        for number in range(rounds + 1):
            saved = save(path, f"// {number}\n{text}")
            began = until(master, b"checking your file")
            ended = until(master, b"q quit")
            if number:  # the first builds our own answers
                first.append(1000 * (began - saved))
                whole.append(1000 * (ended - saved))
        for name, values in (("first line", first), ("verdict", whole)):
            print(f"{lesson.number} {slug}: {kind}: {name}: median "
                  f"{statistics.median(values):.0f} ms, slowest {max(values):.0f} ms, "
                  f"of {rounds} saves", flush=True)
    os.write(master, b"q")
    child.wait()


def main(argv: list[str]) -> int:
    rounds = int(argv[1]) if len(argv) > 1 else 20
    word = argv[2] if len(argv) > 2 else "02"
    lesson = lessons.find(word)
    slug = lesson.exercise(argv[3] if len(argv) > 3 else "ex1")
    with tempfile.TemporaryDirectory() as folder:
        clone(folder, lesson)
        measure(folder, lesson, slug, rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
