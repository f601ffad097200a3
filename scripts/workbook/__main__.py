"""The commands behind ctest and the scripts: python3 scripts/workbook …

  run LESSON RUN            compare a run of a lesson with its transcript
  record LESSON [RUN…]      write transcripts from what the runs print now
  exercise LESSON EX [--seeds 1,2]   the verdict on the student's file
  exercises LESSON          the state of each exercise of a lesson
  summary                   the states of all, as a table in Markdown
  solution LESSON [EX]      an exercise's own files: solution, starter, wrong answers
  starter LESSON            the files in the tree are the generated ones
  starters [--check] [LESSON…]   write starters and sums from the solutions

LESSON is 02, 02_tensor_transfer or a build tree's lesson.json; --preset P
(default sim) says which build tree.
"""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from workbook import lesson as lessons  # noqa: E402
from workbook.lesson import Fault, Lesson  # noqa: E402

FAULT = 3
SKIP = 77


def run(lesson: Lesson, words: list[str]) -> int:
    from workbook import runs

    if len(words) != 1:
        raise Fault("run LESSON RUN")
    outcome = runs.check(lesson, words[0])
    print("\n".join(outcome.words))
    return outcome.code


def record(lesson: Lesson, words: list[str]) -> int:
    from workbook import runs

    for name in words or [row.run for row in runs.table(lesson) if row.only() != "cuda"]:
        print("\n".join(runs.record(lesson, name)))
    return 0


def exercise(lesson: Lesson, words: list[str]) -> int:
    from workbook import judge, state, verdict

    seeds = None
    if len(words) == 3 and words[1] == "--seeds":
        seeds = [int(word) for word in words[2].split(",") if word.isdigit()]
    if len(words) != 1 and not seeds:
        raise Fault("exercise LESSON EX [--seeds 1,2]")
    slug = lesson.exercise(words[0])
    result = judge.check(lesson, slug, seeds=seeds)
    if not seeds:
        state.keep(lesson, result)
    print("\n".join(verdict.lines(result)))
    for line in state.next_lines(lesson, result):
        print(line)
    return result.exit_code


def exercises(lesson: Lesson, words: list[str]) -> int:
    from workbook import state

    print("\n".join(state.table(lesson)))
    return 0


def solution(lesson: Lesson, words: list[str]) -> int:
    from workbook import author

    slugs = [lesson.exercise(word) for word in words] or lesson.exercises
    if lesson.backend != "sim":
        code, told = author.solutions_here(lesson, slugs)
        print("\n".join(told))
        return code
    problems = [line for slug in slugs for line in author.solution(lesson, slug)]
    print("\n".join(problems) or f"{lesson.name}: {len(slugs)} exercises hold up")
    return 1 if problems else 0


def starter(lesson: Lesson, words: list[str]) -> int:
    from workbook import starters

    stale = starters.stale(lesson)
    for name in stale:
        shown = lesson.shown(lesson.source(name))
        print(f"{shown} is not what its solution makes of it: run scripts/starters {lesson.number}")
    if not stale:
        print(f"{lesson.name}: starters and sums are as generated")
    return 1 if stale else 0


def starters_command(words: list[str], preset: str) -> int:
    """Needs no build tree: the exercises are what solutions/ holds."""
    from workbook import starters

    only_check = "--check" in words
    words = [word for word in words if word != "--check"]
    root = lessons.checkout()
    bad = 0
    for lesson in lessons.bare(root, words):
        if only_check:
            bad += starter(lesson, [])
            continue
        told = starters.write(lesson)
        print("\n".join(told) or f"{lesson.name}: nothing to write")
    return 1 if bad else 0


def summary(preset: str) -> int:
    from workbook import state

    found = [lessons.find(name, preset) for name in lessons.names(lessons.checkout())]
    print("\n".join(state.markdown(found)))
    return 0


COMMANDS = {
    "run": run,
    "record": record,
    "exercise": exercise,
    "exercises": exercises,
    "solution": solution,
    "starter": starter,
}


def main(argv: list[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    words = argv[1:]
    preset = "sim"
    if "--preset" in words[:-1]:
        at = words.index("--preset")
        preset = words[at + 1]
        del words[at : at + 2]
    if not words or words[0] in ("-h", "--help", "help"):
        print(__doc__.strip())
        return 0 if words else 2
    try:
        if words[0] == "starters":
            return starters_command(words[1:], preset)
        if words == ["summary"]:
            return summary(preset)
        if words[0] not in COMMANDS or len(words) < 2:
            print(f"workbook: unknown: {' '.join(words)}\n\n{__doc__.strip()}", file=sys.stderr)
            return 2
        return COMMANDS[words[0]](lessons.find(words[1], preset), words[2:])
    except Fault as fault:
        print(f"grader fault: {fault}")
        return FAULT
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv))
