"""A class of two hundred, made up, over all lessons, graded by scripts/grade.

    python3 tests/grader/class_of_200.py [--students N] [--lessons NN,…] [--jobs N,M]

Correct, wrong, hostile, mixed, empty, untouched: who hands in what follows from
the student's number. Says how many submissions a minute; fails unless each
kind gets what is due to it, and a second grading, with another number of jobs,
writes the same gradebook, byte for byte.
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import resource
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import classroom  # noqa: E402
from ctokens import Code  # noqa: E402
from workbook import lesson as lessons  # noqa: E402
from workbook import manifest, starters  # noqa: E402
from workbook.lesson import Lesson  # noqa: E402

# Ten students: what each of them hands in. Attacks that only cost time are
# left to test_class.py.
KINDS = ("correct", "mixed", "correct", "wrong", "mixed", "starter", "correct", "hostile",
         "mixed", "empty")
SLOW = {"endless_loop", "fork_bomb", "ld_preload", "daemon", "compile_time", "compile_device"}
# Not junit.xml: it shows what programs print, their folders' names among it.
BOOKS = ("gradebook.csv", "gradebook-long.csv", "summary.txt")


class Writer:
    """The files of a made-up student."""

    def __init__(self, root: str, folder: str, words: list[str]) -> None:
        self.folder = folder
        self.lessons = [lessons.find(name, "sim", root) for name in words]
        self.attacks = [name for name in classroom.attack_names(True) if name not in SLOW]

    def wrong(self, lesson: Lesson, slug: str, chance: random.Random) -> str:
        names = sorted(manifest.read(lesson, slug).wrong)
        return starters.read_text(lesson.test("wrong", f"{slug}.{chance.choice(names)}.c"))

    def hostile(self, lesson: Lesson, slug: str, chance: random.Random) -> str:
        """The starter, whose function attacks first."""
        text = starters.text_for(lesson, slug)
        code = Code(text)
        asked = manifest.read(lesson, slug).defines
        for head, opening, _ in reversed(code.bodies):
            if code.word(head - 1) in asked:
                at = code.all[opening].end
                text = f"{text[:at]} (void)attack_it((const int64_t[1]){{1}}, 1);{text[at:]}"
        attack = classroom.attack(chance.choice(self.attacks), self.folder, self.folder, 9)
        hidden = "#include <stdint.h>\nstatic int64_t attack_it(const int64_t *x, int n);\n"
        return f"#define _GNU_SOURCE\n{hidden}#define add_up attack_it\n{attack}\n{text}"

    def text(self, kind: str, lesson: Lesson, slug: str, chance: random.Random) -> str | None:
        if kind == "mixed":
            kinds = ("correct", "correct", "correct", "wrong", "wrong", "starter", "absent")
            return self.text(chance.choice(kinds), lesson, slug, chance)
        if kind == "hostile" and chance.random() > 0.1:
            kind = "starter"
        if kind == "correct":
            return starters.read_text(lesson.solution(slug))
        if kind == "starter":
            return starters.text_for(lesson, slug)
        if kind == "absent":
            return None
        return "" if kind == "empty" else getattr(self, kind)(lesson, slug, chance)

    def student(self, number: int) -> None:
        kind = KINDS[number % len(KINDS)]
        chance = random.Random(number)
        for lesson in self.lessons:
            for slug in lesson.exercises:
                text = self.text(kind, lesson, slug, chance)
                if text is None:
                    continue
                if kind not in ("starter", "empty", "hostile"):
                    text = f"// {number:03}'s own file\n{text}"
                where = os.path.join(self.folder, f"{number:03}_{kind}", "lessons", lesson.name)
                classroom.write_exactly(os.path.join(where, slug + ".c"), text)


def grade(folder: str, out: str, jobs: int, words: str) -> float:
    command = [sys.executable, "-IS", os.path.join(classroom.ROOT, "scripts", "grade"), folder]
    command += ["--out", out, "--jobs", str(jobs), "--again", "--lessons", words]
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"grade ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")
    return time.monotonic() - start


def complaints(out: str) -> list[str]:
    """Rows that are not what their student's kind must get."""
    found = []
    with open(os.path.join(out, "gradebook-long.csv"), newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        kind, points = row["student"].split("_")[1], float(row["points"])
        full = float(row["max"])
        if row["kind"] == "grader fault":
            found.append(f"{row['student']} {row['exercise']}: grader fault")
        if kind == "correct" and points != full:
            found.append(f"{row['student']} {row['exercise']}: {points:g} of {full:g}")
        if kind in ("starter", "empty", "hostile") and points:
            found.append(f"{row['student']} {row['exercise']}: {points:g} points for nothing")
        if kind == "wrong" and (points >= full or not row["recognised"]):
            found.append(f"{row['student']} {row['exercise']}: {points:g}, {row['outcome']}")
    return found


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--students", type=int, default=200)
    parser.add_argument("--lessons", default="")
    parser.add_argument("--jobs", default=f"{os.cpu_count() or 1},3")
    options = parser.parse_args(argv[1:])
    classroom.need_namespaces()
    root = classroom.ROOT
    words = options.lessons or ",".join(lessons.names(root))
    place = os.path.join(os.environ["WORKBOOK_JUDGE_DIR"], f"class_of_{options.students}")
    folder = classroom.fresh(os.path.join(place, "submissions"))
    writer = Writer(root, folder, words.split(","))
    for number in range(options.students):
        writer.student(number)
    books, before = [], 0.0
    for jobs in map(int, options.jobs.split(",")):
        out = classroom.fresh(os.path.join(place, f"grades_{jobs}"))
        seconds = grade(folder, out, jobs, words)
        each = sum(len(lesson.exercises) for lesson in writer.lessons)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu, before = used.ru_utime + used.ru_stime - before, used.ru_utime + used.ru_stime
        print(f"{options.students} submissions of {each} exercises, {jobs} jobs: {seconds:.1f} s "
              f"({cpu:.1f} s of CPU), {60 * options.students / seconds:.1f} submissions a minute; "
              f"load {os.getloadavg()[0]:.1f}", flush=True)
        wrong = complaints(out)
        if wrong:
            print(*wrong[:20], sep="\n")
            return 1
        books.append([classroom.read_bytes(os.path.join(out, name)) for name in BOOKS])
    if any(one != books[0] for one in books):
        print("the gradebooks differ")
        return 1
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv))
    except classroom.unittest.SkipTest as skip:
        print(skip)
        sys.exit(77)
