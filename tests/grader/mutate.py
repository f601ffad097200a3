"""Judge small changes of the solutions: would a student with this slip get
full marks?

    python3 tests/grader/mutate.py [NN [exK]] [--sample N] [--jobs N] [--list]

Each mutant (mutations.py) is judged by the verdict function of ctest, learn
and grade. Left out are those that do not compile and those that are the same
program: their object code is the solution's. A survivor fails the run, unless
survivors.txt says why it is no mistake; an entry there that no longer stands
for a survivor fails it too.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "scripts")]

import mutations  # noqa: E402
from mutations import Mutant  # noqa: E402
from workbook import judge, starters, verdict  # noqa: E402
from workbook import lesson as lessons  # noqa: E402
from workbook.launcher import Limits, Plain, clean_environment  # noqa: E402
from workbook.lesson import Fault, Lesson, key_of  # noqa: E402

EXPLAINED = os.path.join(HERE, "survivors.txt")
GOAL = 95.0
NOT_BUILT = (verdict.NOT_COMPILED, verdict.MISSING, verdict.FORBIDDEN)
CAUGHT, SURVIVED, SAME, STILLBORN = "caught", "survived", "same program", "not built"


class Quick(Plain):
    """A mutant that loops need not loop for as long as a student may."""

    def run(self, argv, cwd, env, limits: Limits, **more):
        if limits.seconds <= 5:
            limits = Limits(2.0, limits.megabytes)
        return super().run(argv, cwd, env, limits, **more)


@dataclass
class Exercise:
    lesson: Lesson
    slug: str
    explained: dict[str, str]
    mutants: list[Mutant] = field(default_factory=list)
    fates: dict[str, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        return f"{self.lesson.number} {key_of(self.slug)}"

    def count(self, fate: str) -> int:
        return sum(one == fate for one in self.fates.values())


def read_explained(path: str) -> dict[str, dict[str, str]]:
    """Blocks of three lines: `NN exK`, the mutant, `why: ` and the reason (which
    may go on, indented); blank lines between them, # before a remark."""
    found: dict[str, dict[str, str]] = {}
    with open(path, encoding="utf-8") as file:
        text = "\n".join(line for line in file.read().split("\n") if not line.startswith("#"))
    for block in text.split("\n\n"):
        lines = [line.strip() for line in block.strip().split("\n")]
        if lines == [""]:
            continue
        why = [at for at, line in enumerate(lines) if line.startswith("why: ")]
        if len(why) != 1 or why[0] < 2:
            raise Fault(f"{path}: a block needs NN exK, mutants and why:\n{block}")
        for name in lines[1 : why[0]]:
            found.setdefault(lines[0], {})[name] = " ".join(lines[why[0] :])[5:]
    return found


def fate(lesson: Lesson, slug: str, solution: str, mutant: Mutant) -> str:
    with tempfile.TemporaryDirectory(dir=lesson.scratch("tmp")) as work:
        source = os.path.join(work, slug + ".c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(mutant.text)
        said = judge.check(lesson, slug, source, "a mutant", Quick(), force=True)
        if said.outcome in (verdict.FAULT, verdict.NEEDS, verdict.ABSENT):
            raise Fault(f"{lesson.name} {slug}: {mutant.name}\n{said.sentence}")
        if said.outcome in NOT_BUILT:
            return STILLBORN
        if said.points < said.max_points:
            return CAUGHT
        same = code(lesson, slug, mutant.text, work) == code(lesson, slug, solution, work)
        return SAME if same else SURVIVED


def code(lesson: Lesson, slug: str, text: str, folder: str) -> bytes:
    """What the compiler makes of a file, names of files aside."""
    source, unit = os.path.join(folder, slug + ".c"), os.path.join(folder, slug + ".o")
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    words = [word for word in lesson.compile if word not in ("-g", "-O1")]
    argv = [lesson.cc, *words, "-w", "-O2", "-c", slug + ".c", "-o", unit]
    env = clean_environment(folder)
    subprocess.run(argv, cwd=folder, env=env, check=True, capture_output=True)
    with open(unit, "rb") as file:
        return file.read()


def find(words: list[str], preset: str) -> list[Exercise]:
    explained = read_explained(EXPLAINED)
    root = lessons.checkout()
    found = []
    for name in lessons.names(root):
        lesson = lessons.find(name, preset, root)
        if words and words[0] not in (name, lesson.number):
            continue
        for slug in [lesson.exercise(words[1])] if words[1:] else lesson.exercises:
            one = Exercise(lesson, slug, {})
            one.explained = explained.get(one.key, {})
            one.mutants = mutations.mutants(starters.read_text(lesson.solution(slug)))
            found.append(one)
    if not found:
        raise Fault(f"there is no lesson {words[0]}")
    return found


def sample(found: list[Exercise], n: int) -> None:
    """The same few of all, whoever asks; no loops that wait for their end."""
    every = [(one, mutant) for one in found for mutant in one.mutants if mutant.kind != "condition"]
    chosen = random.Random(38).sample(every, min(n, len(every)))
    for one in found:
        one.mutants = [mutant for other, mutant in chosen if other is one]


def run(found: list[Exercise], jobs: int) -> None:
    with ThreadPoolExecutor(jobs) as pool:
        for one in found:
            text = starters.read_text(one.lesson.solution(one.slug))

            def judged(mutant: Mutant, one: Exercise = one, text: str = text) -> str:
                return fate(one.lesson, one.slug, text, mutant)

            fates = pool.map(judged, one.mutants)
            one.fates = {mutant.name: said for mutant, said in zip(one.mutants, fates)}
            tell(one)


def tell(one: Exercise) -> None:
    caught = one.count(CAUGHT)
    survived = [name for name, said in one.fates.items() if said == SURVIVED]
    unknown = [name for name in survived if name not in one.explained]
    score = 100 * caught / max(1, caught + len(survived))
    print(
        f"{one.key} {one.slug:26} {caught:4} of {caught + len(survived):3} caught {score:6.1f} %"
        f"  explained {len(survived) - len(unknown)}, same program {one.count(SAME)},"
        f" not built {one.count(STILLBORN)}",
        flush=True,
    )
    for name in unknown:
        print(f"    SURVIVED  {name}")


def conclude(found: list[Exercise], whole: bool) -> int:
    caught = sum(one.count(CAUGHT) for one in found)
    explained, unknown, stale = 0, 0, []
    for one in found:
        survived = {name for name, said in one.fates.items() if said == SURVIVED}
        explained += len(survived & set(one.explained))
        unknown += len(survived - set(one.explained))
        stale += [f"{one.key}: {name}" for name in one.explained if name not in survived]
    judged = caught + explained + unknown
    if judged == 0:
        print("no mutant was judged")
        return 1
    print(f"{caught} of {judged} mutants caught: {100 * caught / judged:.1f} %", end="; ")
    print(f"survivors explained: {explained}, not explained: {unknown}")
    if whole:
        for name in stale:
            print(f"survivors.txt names what is no survivor: {name}")
    low = whole and 100 * caught / judged < GOAL
    if low:
        print(f"the goal is {GOAL:g} %")
    return 1 if unknown or low or (whole and stale) else 0


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("words", nargs="*", metavar="NN [exK]")
    parser.add_argument("--sample", type=int, default=0, metavar="N")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--list", action="store_true", help="the mutants' names alone")
    parser.add_argument("--preset", default="sim")
    options = parser.parse_args(argv[1:])
    try:
        found = find(options.words, options.preset)
        if any(one.lesson.backend != "sim" for one in found):
            print("needs the simulator: a mutant may do anything to a GPU")
            return 77
        if options.list:
            for one in found:
                print(*(f"{one.key}  {mutant.name}" for mutant in one.mutants), sep="\n")
            return 0
        if options.sample:
            sample(found, options.sample)
            found = [one for one in found if one.mutants]
        run(found, options.jobs)
        return conclude(found, not options.sample)
    except Fault as fault:
        print(fault)
        return 3


if __name__ == "__main__":
    sys.exit(main(sys.argv))
