"""`learn watch`: check each time the file is saved. One exercise on screen;
it never goes on by itself."""

from __future__ import annotations

import os
import select
import signal
import sys
import termios
import time
import tty
from typing import Callable, Iterable

from .. import verdict
from ..show import count
from ..verdict import Verdict
from . import commands, tell, work
from .commands import Desk
from .course import Exercise
from .notify import Saved
from .paper import columns_of_terminal, fit, fold, rows_of_terminal, say
from .worker import ENDS, Worker

KEYS = "keys: n next, h hint, l list, r run again, q quit"


class Terminal:
    """Keys one at a time while it is open; as it was, when it is closed."""

    def __init__(self) -> None:
        self.fd = sys.stdin.fileno() if sys.stdin.isatty() else -1
        self.before = termios.tcgetattr(self.fd) if self.fd >= 0 else None

    def open(self) -> None:
        if self.fd >= 0:
            tty.setcbreak(self.fd, termios.TCSANOW)

    def close(self) -> None:
        if self.fd >= 0:
            termios.tcsetattr(self.fd, termios.TCSANOW, self.before)

    def key(self) -> str:
        """The key that was pressed; "" at the end of input."""
        return os.read(self.fd, 64).decode("utf-8", "replace")[:1]


class Watch:
    def __init__(self, desk: Desk, item: Exercise) -> None:
        self.desk, self.item = desk, item
        self.paper = desk.paper
        self.screen = sys.stdout.isatty() and not desk.paper.plain
        self.terminal = Terminal()
        self.saved = Saved(item.path, desk.look)
        self.checking: Worker | None = None
        self.again: Worker | None = None  # earlier exercises, in the background
        self.again_found: list[Verdict] = []
        self.warming = False  # what `again` does is not re-checking
        self.result: Verdict | None = None
        self.leaving = False  # n was pressed once on an open exercise
        self.ending = False  # Ctrl-C, or told to end
        self.bell = os.pipe()  # a signal rings it, so that select wakes
        for fd in self.bell:
            os.set_blocking(fd, False)

    def show(self, top: list[str], hints: list[list[str]], end: list[str]) -> None:
        """One exercise on screen: clear it, then the lines that fit."""
        lines = [*top, *(line for hint in hints for line in hint), *end]
        if self.screen:
            course, columns = self.desk.course, columns_of_terminal()
            more = course.command("check", self.item.short)
            room = rows_of_terminal() - 2 - len(fold([KEYS], columns))
            if self.result.outcome == verdict.NOT_ATTEMPTED:
                more = course.command().strip()
            elif self.result.outcome == verdict.PASSED:
                more = course.command("solution", self.item.short)
                room -= 1  # for what is said of earlier exercises
            top, end = fold(top, columns), fold(end, columns)
            lines = fit(top, [fold(hint, columns) for hint in hints], end, room, columns, more)
            sys.stdout.write("\x1b[H\x1b[2J\x1b[3J")
        self.add([*lines, *self.keys()])

    def keys(self) -> list[str]:
        return ["", self.paper.quiet(KEYS)] if self.terminal.fd >= 0 else []

    def add(self, lines: list[str]) -> None:
        say(lines)

    # What happens

    def check(self, why: str) -> None:
        """Start a check; one that is under way is of an older file."""
        self.stop()
        self.leaving, self.result = False, None
        line = f"{why} {time.strftime('%H:%M:%S')}: checking your file {self.item.shown}"
        if self.screen:
            sys.stdout.write("\x1b[H\x1b[2J")
        self.add([line])
        item = self.item
        self.checking = self.worker(lambda: work.afresh([item]))

    def worker(self, job: Callable[[], Iterable[Verdict]]) -> Worker:
        return Worker(job, self.item.lesson.scratch("tmp"))

    def stop(self) -> None:
        for worker in (self.checking, self.again):
            if worker:
                worker.stop()
        self.checking = self.again = None

    def checked(self) -> None:
        worker = self.checking
        results, more = worker.read()
        for result in results:
            self.result = result
            self.desk.progress = work.record(self.desk.course, [result], self.item)
            self.show(*self.page())
        if not more:
            self.checking = None
            if self.result is None:
                self.add(["The check ended without a verdict. Press r to run it again."])
            elif self.result.outcome == verdict.PASSED:
                self.recheck()
            elif self.result.outcome == verdict.NOT_ATTEMPTED:
                item, self.warming = self.item, True
                self.again = self.worker(lambda: work.warm(item))

    def recheck(self) -> None:
        items = work.to_recheck(self.desk.course, self.desk.progress, self.item)
        self.again_found, self.warming = [], False
        if items:
            self.again = self.worker(lambda: work.afresh(items))

    def rechecked(self) -> None:
        results, more = self.again.read()
        self.again_found += results
        if results:
            self.desk.progress = work.record(self.desk.course, results)
        for result in work.regressions(results):
            self.add([self.paper.bad(work.regression_line(result))])
        if not more:
            self.again = None
            if not self.warming and not work.regressions(self.again_found):
                number = count(len(self.again_found), "earlier exercise")
                self.add([f"Checked again: {number}; all still pass."])

    def page(self) -> tuple[list[str], list[list[str]], list[str]]:
        """The verdict, the hints that were asked for, and what to do now."""
        desk, item, result = self.desk, self.item, self.result
        if result.outcome == verdict.PASSED:
            out = tell.told(self.paper, item, result) + tell.passed(self.paper, item, result)
            go_on = "press n" if self.terminal.fd >= 0 else desk.course.command("next")
            return out, [], [*tell.chapter(item), "", f"next: {go_on}"]
        hints = tell.hints(self.paper, item, desk.progress.entry(item.key).hints)
        if result.outcome == verdict.NOT_ATTEMPTED:
            words = "your file is still the starter: not attempted"
            end = ["", words, "", "next: change the file and save it"]
            return tell.task(self.paper, item), hints, end
        out = tell.told(self.paper, item, result)
        if result.outcome == verdict.ABSENT:
            return out, hints, ["", tell.bring_back(desk.course, item)]
        return out, hints, ["", "next: change the file and save it"]

    # Keys

    def press(self, key: str) -> bool:
        """Whether to go on watching."""
        if key in ("q", "Q"):
            return False
        if key == "r":
            self.check("again")
        elif key == "h":
            commands.give_hint(self.desk, self.item)
            if self.result:
                self.show(*self.page())
            else:
                shown = self.desk.progress.entry(self.item.key).hints
                for hint in tell.hints(self.paper, self.item, shown):
                    self.add(hint)
        elif key == "l":
            self.show_list()
        elif key == "n":
            self.go_on()
        return True

    def show_list(self) -> None:
        """All exercises; on a screen that is too small, this lesson's."""
        course, words = self.desk.course, []
        if self.screen:
            sys.stdout.write("\x1b[H\x1b[2J")
            if len(course.exercises) + len(course.lessons) + 8 > rows_of_terminal():
                words = [self.item.lesson.number]
        commands.listing(self.desk, words)
        rest = [f"all lessons: {course.command('list')}"] if words else []
        self.add(["", *rest, "r: back to the exercise", self.paper.quiet(KEYS)])

    def go_on(self) -> None:
        """To the next open exercise; an open one is left only when asked twice."""
        passed = self.desk.progress.passed(self.item.key)
        if not passed and not self.leaving:
            self.leaving = True
            self.add(["This one does not pass yet. Press n again to leave it for later."])
            return
        found = work.first_open(self.desk.course, self.desk.progress, self.item)
        if found is None or found == self.item:
            self.add(["All the other exercises pass."])
            return
        self.stop()
        self.saved.close()
        self.item, self.result = found, None
        self.saved = Saved(found.path, self.desk.look)
        self.desk.progress = work.record(self.desk.course, [], found)
        self.check("now")

    # The loop

    def run(self) -> None:
        self.check("now")
        if self.saved.fd < 0:
            self.add([f"(looking at the file ten times a second: {self.saved.why})"])
        while not self.ending and self.step():
            pass

    def close(self) -> None:
        self.saved.close()
        for fd in self.bell:
            os.close(fd)

    def step(self) -> bool:
        waiting = [self.bell[0]] + ([self.saved.fd] if self.saved.fd >= 0 else [])
        if self.terminal.fd >= 0:
            waiting.append(self.terminal.fd)
        for worker in (self.checking, self.again):
            if worker:
                waiting.append(worker.fd)
        ready = select.select(waiting, [], [], self.saved.seconds)[0]
        if self.bell[0] in ready:
            os.read(self.bell[0], 64)
            return True
        if self.checking and self.checking.fd in ready:
            self.checked()
        elif self.again and self.again.fd in ready:
            self.rechecked()
        if self.saved.changed(self.saved.fd in ready):
            self.check("saved")
        if self.terminal.fd >= 0 and self.terminal.fd in ready:
            key = self.terminal.key()
            if not key:
                return False
            return self.press(key)
        return True


def watch(desk: Desk, words: list[str]) -> int:
    """Check each time you save."""
    item = desk.one(words)
    desk.progress = work.record(desk.course, [], item)
    view = Watch(desk, item)

    def told(number: int, frame: object) -> None:
        if number == signal.SIGCONT:
            view.terminal.open()  # back from Ctrl-Z
        else:
            view.ending = True

    heard = (*ENDS, signal.SIGCONT)
    before = {number: signal.signal(number, told) for number in heard}
    signal.set_wakeup_fd(view.bell[1], warn_on_full_buffer=False)
    try:
        view.terminal.open()
        view.run()
    finally:
        view.terminal.close()
        view.stop()
        signal.set_wakeup_fd(-1)
        for number, handler in before.items():
            signal.signal(number, handler)
        view.close()
    code = 130 if view.ending else 0
    what = desk.course.command() if code == 0 else desk.course.command("watch", view.item.short)
    view.add(["", "next: " + what.strip()])
    return code
