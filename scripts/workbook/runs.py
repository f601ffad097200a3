"""Run a lesson's program as its table says, and compare what it printed."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from dataclasses import dataclass

from . import starters, transcript
from .launcher import Limits, Plain, Result, clean_environment
from .lesson import Fault, Lesson

DEFAULT_MACHINE = "v100x8"
LIMITS = Limits(seconds=60, megabytes=8192, kept=1 << 22)
SKIP = 77


@dataclass(frozen=True)
class Row:
    """One line of tests/lessons/NN_name/runs."""

    run: str
    program: str
    machine: str  # a machine's name, any, or real
    env: tuple[tuple[str, str], ...]
    exit: str

    def only(self) -> str:
        """sim, cuda, or "" for both."""
        if self.machine == "real":
            return "cuda"
        if self.machine != "any" or any(name.startswith("SIM_") for name, _ in self.env):
            return "sim"
        return ""


@dataclass
class Outcome:
    """What ctest needs: an exit code and the words."""

    code: int
    words: list[str]


def table(lesson: Lesson) -> list[Row]:
    path = lesson.test("runs")
    shown = lesson.shown(path)
    try:
        text = starters.read_text(path)
    except FileNotFoundError:
        raise Fault(f"{shown} is missing") from None
    rows: list[Row] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        rows.append(_row(line, f"{shown}:{number}"))
        if rows[-1].run in (row.run for row in rows[:-1]):
            raise Fault(f"{shown}:{number}: there is a run '{rows[-1].run}' already")
        if rows[-1].program not in lesson.programs:
            raise Fault(f"{shown}:{number}: add_lesson() names no program '{rows[-1].program}'")
    return rows


def _row(line: str, where: str) -> Row:
    words = line.split()
    if len(words) != 5:
        raise Fault(f"{where}: five words make a run: run program machine environment exit")
    run, program, machine, environment, ends = words
    if not re.fullmatch(r"\d{1,3}|SIG[A-Z0-9]+", ends):
        raise Fault(f"{where}: exit is 0 to 255 or a signal's name, not '{ends}'")
    env = []
    for part in environment.split(";") if environment != "-" else []:
        name, equals, value = part.partition("=")
        if not equals or not re.fullmatch(r"(SIM|CUDA|OMP|OPENBLAS)_\w+", name):
            raise Fault(f"{where}: environment is - or SIM_…/CUDA_… NAME=value joined by ;")
        env.append((name, value))
    return Row(run, program, machine, tuple(env), ends)


def find(lesson: Lesson, run: str) -> Row:
    for row in table(lesson):
        if row.run == run:
            return row
    raise Fault(f"{lesson.shown(lesson.test('runs'))} has no run '{run}'")


def start(lesson: Lesson, row: Row) -> Result:
    """Run the row's program, in an empty folder of its own."""
    exe = lesson.programs[row.program]
    if not os.path.exists(exe):
        raise Fault(
            f"{lesson.shown(exe)} is not built: run cmake --build --preset {lesson.preset}"
        )
    extra = dict(row.env)
    if lesson.backend == "sim":
        extra.setdefault(
            "SIM_MACHINE", DEFAULT_MACHINE if row.machine == "any" else row.machine
        )
    if lesson.sanitized and row.exit.startswith("SIG"):
        # The signal is expected: the sanitizer must not turn it into a report.
        extra["ASAN_OPTIONS"] = "handle_segv=0:handle_sigbus=0:handle_abort=0"
    work = tempfile.mkdtemp(dir=lesson.scratch("tmp"))
    try:
        env = clean_environment(work, extra)
        return Plain().run([exe], work, env, LIMITS, ro=(exe, *lesson.watched), rw=(work,))
    finally:
        shutil.rmtree(work, ignore_errors=True)


def check(lesson: Lesson, run: str) -> Outcome:
    """The verdict on one run."""
    row = find(lesson, run)
    only = row.only()
    if only and only != lesson.backend:
        place = "the simulator" if only == "sim" else "a real GPU"
        return Outcome(SKIP, [f"Skipped: this run needs {place}."])
    result = start(lesson, row)
    real = lesson.backend != "sim"
    ended = result.signal or str(result.code)
    if real and ended == str(SKIP) and row.exit != str(SKIP):
        return Outcome(SKIP, ["Skipped: " + (result.out.strip() or result.err.strip())])
    words = problems(lesson, row, result, real)
    if not words:
        return Outcome(0, [f"{lesson.name}, run {run}: as expected"])
    head = f"{lesson.name}, run {run}: {command(lesson, row)}"
    name = row.program + ".c"
    shipped = starters.sums(lesson).get(name)  # None: smi is nobody's to change
    changed = shipped is not None and shipped != starters.sum_text(
        starters.read_text(lesson.source(name))
    )
    if changed and not lesson.author:
        said = f"Skipped: you changed {lesson.shown(lesson.source(name))}, and it prints something else now."
        return Outcome(SKIP, [said, *words[1:]])
    return Outcome(1, [head, *words])


def problems(lesson: Lesson, row: Row, result: Result, real: bool) -> list[str]:
    """What is not as the table and the transcripts say: the first, in words."""
    if result.stopped:
        return [f"stopped: too much {result.stopped} (limit {LIMITS.seconds:g} s)"]
    ended = result.signal or str(result.code)
    if row.exit == ended == str(SKIP) and not os.path.exists(out_path(lesson, row.run)):
        # It does not run here, and its words are its own; there must be some.
        said = (result.out + result.err).strip()
        return [] if said else ["it ended with 77 and did not say why"]
    expected, source = expected_out(lesson, row)
    miss = transcript.compare(expected, result.out, real)
    if miss:
        words = [f"stdout is not {source}", *transcript.explain(miss, "stdout")]
        return words + _aside(result, row, ended)
    err_path = lesson.test("expected", row.run + ".err")
    err = starters.read_text(err_path) if os.path.exists(err_path) else ""
    miss = transcript.compare(err, result.err, real)
    if miss:
        source = lesson.shown(err_path) if err else "empty"
        words = [f"stderr is not {source}", *transcript.explain(miss, "stderr")]
        return words + ([] if ended == row.exit else [f"and it ended with {ended}"])
    if ended != row.exit:
        return [f"it ended with {ended}; the table says {row.exit}"]
    return []


def _aside(result: Result, row: Row, ended: str) -> list[str]:
    words = [] if ended == row.exit else [f"and it ended with {ended}, not {row.exit}"]
    if result.err.strip():
        words += ["stderr was:"] + ["  | " + line for line in result.err.splitlines()[:20]]
    return words


def out_path(lesson: Lesson, run: str) -> str:
    return lesson.test("expected", run + ".txt")


def expected_out(lesson: Lesson, row: Row) -> tuple[str, str]:
    """The transcript and where it stands."""
    path = out_path(lesson, row.run)
    if os.path.exists(path):
        return starters.read_text(path), lesson.shown(path)
    source = lesson.source(row.program + ".c")
    if not os.path.exists(source):
        raise Fault(f"{lesson.shown(path)} is missing: scripts/record writes it")
    return (
        transcript.expectations(starters.read_text(source)),
        f"what the // expect: lines of {lesson.shown(source)} say",
    )


def command(lesson: Lesson, row: Row) -> str:
    """How a person runs the same."""
    words = [f"{name}={value}" for name, value in row.env]
    if lesson.backend == "sim":
        machine = DEFAULT_MACHINE if row.machine == "any" else row.machine
        words.insert(0, f"SIM_MACHINE={machine}")
    return " ".join([*words, lesson.shown(lesson.programs[row.program])])


def record(lesson: Lesson, run: str) -> list[str]:
    """Write a run's transcripts from what it prints now (not those that are
    `// expect:` lines: these are written by hand)."""
    row = find(lesson, run)
    result = start(lesson, row)
    told = [f"{run}: ended with {result.signal or result.code}, the table says {row.exit}"]
    to_out = out_path(lesson, run)
    to_err = lesson.test("expected", run + ".err")
    by_hand = run == "default" and not os.path.exists(to_out)
    if by_hand:
        told.append("  stdout stands in // expect: lines, which you write by hand")
    else:
        told += _write_transcript(lesson, to_out, result.out)
    if result.err:
        told += _write_transcript(lesson, to_err, result.err)
    elif os.path.exists(to_err):
        os.remove(to_err)
        told.append(f"  removed {lesson.shown(to_err)}: nothing comes on stderr")
    return told


def _write_transcript(lesson: Lesson, path: str, text: str) -> list[str]:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    text = keep_fields(starters.read_text(path) if os.path.exists(path) else "", text)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    return [f"  wrote {lesson.shown(path)}: {len(text.splitlines())} lines"]


def keep_fields(old: str, new: str) -> str:
    """A newly recorded transcript, with the lines of the old one where these,
    through their fields, still match."""
    before = old.split("\n")
    lines = new.split("\n")
    for at, (one, two) in enumerate(zip(before, lines)):
        if transcript.pattern(one, False).fullmatch(two):
            lines[at] = one
    return "\n".join(lines)
