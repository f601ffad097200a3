"""Grade a class: scripts/grade SUBMISSIONS… [--out DIR]

A submission is a folder, a zip, a tarball or a git repository; a folder of
these is a class. Only the exercises' own files are taken from it.
"""

from __future__ import annotations

import argparse
import math
import os
import queue
import signal
import sys
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TextIO

from .. import lesson as lessons
from ..lesson import Fault, Lesson, write_whole
from . import gather, gradebook, late, report, sandbox, submissions, work
from .work import Course, Graded

OK, USAGE, FAULTS, REFUSED, STOPPED = 0, 2, 3, 4, 130

AFTER = """exit codes: 0 all graded; 2 wrong use; 3 something of ours is at fault (see the
summary; those exercises have no points, not zero); 4 no sandbox; 130 stopped.
Stopped or killed, run it again: it goes on where it stood."""


def arguments(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="grade",
        description=__doc__,
        epilog=AFTER,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("submissions", nargs="+", metavar="SUBMISSIONS")
    add("--out", default="grades", metavar="DIR", help="where results go (default: grades)")
    add("--lessons", default="", metavar="NN,…", help="these lessons alone")
    add("--seed", default="", metavar="KEY", help="secret inputs, derived per student")
    add("--seed-file", default="", metavar="FILE", help="the same, the key in a file")
    add("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    add("--slot", type=int, default=0, metavar="N", help="one of several graders on a machine")
    add("--list", action="store_true", help="name the students and their submissions; no more")
    add("--merge", action="store_true", help="SUBMISSIONS are results of grade: one gradebook")
    add("--of", default="", metavar="DIR", help="with --merge: the class that must be complete")
    add("--late", default="", metavar="FILE", help="CSV: student,days,extension")
    add("--grace", type=float, default=0.0, metavar="DAYS", help="late days that cost nobody")
    add("--per-day", type=float, default=10.0, metavar="PERCENT", help="lost a late day")
    add("--student", default="", metavar="NAME", help="whose the one submission is")
    add("--sandbox", default="", choices=[sandbox.NAMESPACES, sandbox.UID], help="insist on one")
    add("--unsafe", action="store_true", help="without any sandbox, where there is none")
    add("--again", action="store_true", help="grade anew what is already graded")
    add("--preset", default="sim", help="the build tree (default: sim)")
    add("--root", default=lessons.checkout(), help="the instructor's clone")
    return parser.parse_args(argv[1:])


def find_lessons(root: str, preset: str, words: str) -> list[Lesson]:
    asked = [word for word in words.split(",") if word]
    names = asked or lessons.names(root)
    found = [lessons.find(name, preset, root) for name in names]
    found = [one for one in found if one.exercises]
    if not found:
        raise Fault("there are no exercises to grade")
    return found


def prepare(options: argparse.Namespace) -> Course:
    root = os.path.abspath(options.root)
    level, said = sandbox.choose(options.unsafe, options.sandbox)
    if said:
        print("\n".join(said), file=sys.stderr)
    if level == sandbox.UID and options.seed:
        raise sandbox.Refused(
            "Without namespaces a submission sees the process list, and the key in it: write the "
            "key to a file that is yours alone, and say --seed-file FILE."
        )
    key = read_key(options.seed, options.seed_file)
    out = os.path.abspath(options.out)
    os.makedirs(out, mode=0o700, exist_ok=True)
    _hide(level, [root, out, *options.submissions], _secrets(root, options, out))
    found = find_lessons(root, options.preset, options.lessons)
    return Course(found, root, out, level, key, options.again)


def read_key(key: str, path: str) -> str:
    """The course's key; "" for the public inputs."""
    if not path:
        return key
    try:
        with open(path, encoding="utf-8") as file:
            key = file.read().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise Fault(f"the key {path} cannot be read: {error}") from None
    if not key:
        raise Fault(f"the key {path} is empty")
    return key


def _secrets(root: str, options: argparse.Namespace, out: str) -> list[str]:
    """What no submission may read: the answers, in the files and in git's
    history; the class; its results; the key."""
    history = os.path.join(root, ".git")
    if os.path.isfile(history):  # a work tree beside the repository
        with open(history, encoding="utf-8") as file:
            history = file.read().strip().removeprefix("gitdir: ").split("/worktrees/")[0]
        history = os.path.normpath(os.path.join(root, history))
    found = [os.path.join(root, "solutions"), os.path.join(root, "tests"), history, out]
    return [*found, *([options.seed_file] if options.seed_file else []), *options.submissions]


def _hide(level: str, places: list[str], secret: list[str]) -> None:
    """Raises Refused where a submission could see what it must not."""
    if level == sandbox.NAMESPACES:
        seen = sandbox.below_system(places)
        if seen:
            raise sandbox.Refused(
                "Every submission sees the system's own folders, such as /usr; move these "
                "elsewhere:\n" + "\n".join(f"  {path}" for path in seen)
            )
    # Without namespaces, file permissions are all that hides the answers.
    seen = sandbox.in_sight(secret) if level == sandbox.UID else []
    if seen:
        raise sandbox.Refused(
            "Without namespaces a submission could read these; take that away first:\n"
            + "\n".join(f"  chmod o-rwx {path}" for path in seen)
        )


def say(words: str, stream: TextIO | None = None, end: str = "\n") -> None:
    """Whoever closed the pipe has seen enough: the results are written."""
    stream = stream or sys.stdout
    try:
        print(words, end=end, file=stream, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class Progress:
    """One line, rewritten on a terminal; a line a student elsewhere."""

    def __init__(self, students: int, each: int) -> None:
        self.whole, self.students = students * each, students
        self.lock = threading.Lock()
        self.done = self.reused = self.ready = 0
        self.terminal = sys.stderr.isatty()

    def step(self, reused: bool) -> None:
        with self.lock:
            self.done += 1
            self.reused += reused
            if self.terminal:
                self._tell("\r", "")

    def student(self) -> None:
        with self.lock:
            self.ready += 1
            if not self.terminal and self.ready % max(1, self.students // 20) == 0:
                self._tell("", "\n")

    def _tell(self, before: str, after: str) -> None:
        kept = f", {self.reused} kept from before" if self.reused else ""
        line = f"graded {self.ready} of {self.students} submissions, "
        line += f"{self.done} of {self.whole} exercises{kept}"
        say(f"{before}{line:79}".rstrip(" "), sys.stderr, after)

    def end(self) -> None:
        if self.terminal:
            self._tell("\r", "\n")


def run(
    course: Course, found: list[submissions.Submission], jobs: int, first: int = 0
) -> list[Graded]:
    progress = Progress(len(found), sum(len(one.exercises) for one in course.lessons))
    slots: queue.SimpleQueue[int] = queue.SimpleQueue()
    for slot in range(jobs):
        slots.put(first + slot)

    def one(submission: submissions.Submission) -> Graded:
        slot = slots.get()
        try:
            return work.grade(course, submission, slot, progress.step)
        finally:
            slots.put(slot)
            progress.student()

    with ThreadPoolExecutor(jobs) as pool:
        waiting = {pool.submit(one, submission): at for at, submission in enumerate(found)}
        graded: dict[int, Graded] = {}
        try:
            for future in as_completed(waiting):
                graded[waiting[future]] = future.result()
        except BaseException:
            course.stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    progress.end()
    return [graded[at] for at in sorted(graded)]


def write(out: str, graded: list[Graded], table: dict[str, late.Late],
          policy: late.Policy, secret: bool) -> None:
    for one in graded:
        folder = os.path.join(out, "students", one.student)
        os.makedirs(folder, exist_ok=True)
        own = table.get(one.student)
        for name, text in (
            ("report.txt", report.text(one, own, policy, secret)),
            ("report.html", report.page(one, own, policy, secret)),
            ("results.json", gradebook.gradescope(one, secret)),
        ):
            write_whole(os.path.join(folder, name), _clean(text))
    for name, text in (
        ("gradebook.csv", _marked(gradebook.wide(graded, table, policy))),
        ("gradebook-long.csv", _marked(gradebook.long(graded))),
        ("junit.xml", gradebook.junit(graded, secret)),
        ("summary.txt", gradebook.summary(graded)),
    ):
        write_whole(os.path.join(out, name), _clean(text))


def _marked(table: str) -> str:
    """Excel takes a CSV for UTF-8 by the mark alone; ASCII needs none."""
    return table if table.isascii() else "\ufeff" + table


def _clean(text: str) -> str:
    """Whatever bytes a name held: what is written is UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def conclude(out: str, graded: list[Graded], table: dict[str, late.Late]) -> int:
    say(gradebook.summary(graded).rstrip())
    unknown = sorted(set(table) - {one.student for one in graded})
    if unknown:
        say(f"\nin the late table, but nothing handed in: {', '.join(unknown)}")
    levels = sorted({one.level for one in graded})
    say("\n" + "\n".join(f"sandbox: {sandbox.WORDS[level]}" for level in levels))
    say(sandbox.MEMORY)
    others = gather.earlier(out, graded)
    if others:
        words = ", ".join(others)
        say(f"in {gather.FOLDER}/ and students/ from before, and not of this run: {words}")
    shown = os.path.relpath(out)
    shown = out if shown.startswith("..") else shown
    say(f"next: open {shown}/gradebook.csv and {shown}/students/NAME/report.html")
    faults = [(one, v) for one in graded for v in one.verdicts if work.kind(v) == work.FAULT]
    if not faults:
        return OK
    say(f"\n{len(faults)} exercises could not be graded by our fault; no zeros were given:")
    for words, count in Counter(v.sentence for _, v in faults).most_common(5):
        say(f"  {count} times: {report.visible(words[:600])}")
    return FAULTS


def tell_aside(names: list[str]) -> None:
    if names:
        words = report.visible(", ".join(names))[:600]
        print(f"no submissions, left aside: {words}", file=sys.stderr)


def merge(options: argparse.Namespace, table: dict[str, late.Late], policy: late.Policy) -> int:
    """What several runs found, as one would have written it."""
    expected = submissions.find([options.of], root=options.root) if options.of else []
    graded, secret = gather.merge(options.submissions, expected)
    out = os.path.abspath(options.out)
    os.makedirs(out, mode=0o700, exist_ok=True)
    write(out, graded, table, policy, secret)
    return conclude(out, graded, table)


def main(argv: list[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    options = arguments(argv)
    try:
        if options.jobs < 1:
            raise Fault("--jobs is 1 or more")
        if not math.isfinite(options.grace) or not 0 <= options.per_day <= 100:
            raise Fault("--grace is a number of days, --per-day a percentage")
        table = late.read(options.late) if options.late else {}
        policy = late.Policy(options.grace, options.per_day)
        if options.merge:
            return merge(options, table, policy)
        found = submissions.find(options.submissions, options.student, options.root)
        if options.list:
            print("\n".join(f"{one.student}\t{one.path}" for one in found))
            return OK
        if not options.student:
            tell_aside(submissions.passed_over(options.submissions, options.root))
        course = prepare(options)
        work.control(course)
        graded = run(course, found, options.jobs, options.slot)
        gather.keep(course, graded)
        write(course.out, graded, table, policy, bool(course.key))
        return conclude(course.out, graded, table)
    except KeyboardInterrupt:
        print("\nstopped; what is graded is kept: run the same command again", file=sys.stderr)
        return STOPPED
    except Fault as fault:
        print(f"grade: {fault}", file=sys.stderr)
        return REFUSED if isinstance(fault, sandbox.Refused) else FAULTS
    except OSError as error:  # a full disk, a folder that may not be written
        print(f"grade: {error}; what is graded is kept", file=sys.stderr)
        return FAULTS
