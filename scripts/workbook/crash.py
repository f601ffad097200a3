"""Where a program was when a signal or the time limit ended it.

What the program says of itself (lib/lesson/crash.h), or a sanitizer of it, is
a hint for the student: no outcome and no point hangs on it, since the file
under test could have written it. So each part is held to its form, and shown
are only signals, numbers and the names of functions, and of files nothing but
the student's own. crash_words.py puts it into sentences.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
from dataclasses import dataclass, field

from . import elf, show
from .launcher import Limits
from .lesson import Fault, Lesson

MOST_FRAMES = 48
LIMITS = Limits(seconds=5, megabytes=512)
LONGEST_FAILURE = 300

PROGRAM, NOWHERE = ".", "-"  # a frame's module: see lib/lesson/crash.h

SIGNAL = re.compile(
    r"signal (\d{1,3}) code ([0-9a-f]{1,16}) address ([0-9a-f]{1,16}) home (\S{1,80})"
    r" write ([01]) stack ([01])"
)
FRAME = re.compile(r"frame (\S{1,80}) ([0-9a-f]{1,16})")
NAME = re.compile(r"[A-Za-z_]\w{0,63}", re.ASCII)
SANITIZED = re.compile(
    r" *#\d+ 0x[0-9a-f]+ in (?:__interceptor_)?(\w+) (.+?)(?::(\d+))?(?::\d+)?", re.ASCII
)


@dataclass
class Record:
    """What the program wrote of one signal; frames are innermost first."""

    name: str
    code: int = 0
    address: int = 0
    home: str = NOWHERE
    writes: bool = False
    full: bool = False  # its stack
    failure: str = ""
    frames: list[tuple[str, int]] = field(default_factory=list)


@dataclass
class Frame:
    """A function that was running; line: 0 where the file is not the
    student's."""

    function: str
    line: int = 0


@dataclass
class Stop:
    """Of what a program died, and where: both may be unknown."""

    record: Record | None = None
    frames: list[Frame] = field(default_factory=list)
    tensors: bool = False  # the file calls the library, whose failures are NULL

    def endless(self) -> bool:
        """Its calls go on until the stack is full."""
        own = [frame.function for frame in self.frames if frame.line]
        return bool(self.record and self.record.full and len(own) > len(set(own)) + 8)

    def own(self) -> int:
        """The innermost frame in the student's file; -1: there is none. Of
        endless calls, the one that made the last: where the stack ended, there
        is mostly a brace."""
        found = [at for at, frame in enumerate(self.frames) if frame.line]
        return found[1 if self.endless() else 0] if found else -1

    def line(self) -> int:
        return self.frames[self.own()].line if self.own() >= 0 else 0


def read(data: bytes, end: str) -> Record | None:
    """The last record of the signal that `end` names; "time" is SIGALRM's."""
    name = "SIGALRM" if end == "time" else end
    found = one = None
    for line in data.decode("ascii", "replace").split("\n"):
        match = SIGNAL.fullmatch(line)
        if match:
            number, code, address = int(match[1]), int(match[2], 16), int(match[3], 16)
            one = Record(_name(number), code, address, match[4], match[5] == "1", match[6] == "1")
            found = one if one.name == name else found
        elif one and line.startswith("failure "):
            one.failure = show.visible(line[8:])[:LONGEST_FAILURE]
        elif one and len(one.frames) < MOST_FRAMES and FRAME.fullmatch(line):
            module, offset = FRAME.fullmatch(line).groups()
            one.frames.append((module, int(offset, 16)))
    return found


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return ""


def find(
    lesson: Lesson, heard, exe: str, source: str, work: str, launcher
) -> Stop:
    """Never raises: a hint that cannot be had is none. The program is asked
    about where it ran, in the launcher: its tables are as hostile as it is."""
    if heard.told.end == "sanitizer":
        return Stop(None, _sanitized(heard.err, source))
    record = read(heard.crash, heard.told.end)
    if record is None:
        return Stop()
    try:
        lines = _lines(record, exe, source, work, launcher)
    except (Fault, OSError, ValueError):
        lines = {}
    frames: list[Frame] = []
    for at, (module, offset) in enumerate(record.frames):
        if module == PROGRAM:
            frames += lines.get(_inside(at, offset), [Frame("")])
        else:
            frames.append(Frame(_exported(lesson, module, offset) if at or offset else ""))
    return Stop(record, frames, _calls_the_library(source))


def _calls_the_library(source: str) -> bool:
    try:
        with open(source, "rb") as file:
            return b"tensor_" in file.read(1 << 20)
    except OSError:
        return False


def _inside(at: int, offset: int) -> int:
    """An address of the instruction itself: all but the first are those that
    a call returns to."""
    return offset - 1 if at else offset


def _lines(
    record: Record, exe: str, source: str, work: str, launcher
) -> dict[int, list[Frame]]:
    """Of the program's own frames: function and line, what was inlined too."""
    asked = [
        _inside(at, offset) for at, (module, offset) in enumerate(record.frames) if module == PROGRAM
    ]
    asked = [offset for offset in dict.fromkeys(asked) if offset > 0]
    tool = shutil.which("addr2line")
    if not asked or not tool:
        return {}
    env = {"PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8"}
    argv = [tool, "-a", "-f", "-i", "-e", exe, *(hex(offset) for offset in asked)]
    result = launcher.run(argv, work, env, LIMITS, ro=(exe,))
    found: dict[int, list[Frame]] = {}
    frames: list[Frame] = []
    words = result.out.split("\n") if result.code == 0 else []
    while len(words) > 1:
        if re.fullmatch(r"0x[0-9a-f]{1,16}", words[0]):
            frames = found.setdefault(int(words.pop(0), 16), [])
            continue
        function, place = words.pop(0), words.pop(0)
        path, _, line = place.split(" (")[0].rpartition(":")
        number = int(line) if path == source and re.fullmatch(r"[0-9]{1,7}", line) else 0
        frames.append(Frame(function if NAME.fullmatch(function) else "", number))
    return {offset: frames for offset, frames in found.items() if frames}


def _exported(lesson: Lesson, module: str, offset: int) -> str:
    """The function of one of our libraries that others may call."""
    for path in lesson.link:
        if os.path.basename(path) == module and os.path.isabs(path):
            return elf.function_at(path, offset)
    return ""


def _sanitized(err: str, source: str) -> list[Frame]:
    """The frames of a sanitizer's first report."""
    frames: list[Frame] = []
    for line in err.split("\n"):
        match = SANITIZED.fullmatch(line)
        if match:
            own = match[2] == source and match[3] and len(match[3]) < 8
            frames.append(Frame(match[1][:64], int(match[3]) if own else 0))
        elif frames and not line.strip():
            break
        elif line.startswith(source + ":") and "runtime error:" in line:
            number = line[len(source) + 1 :].split(":")[0]
            return [Frame("", int(number) if re.fullmatch(r"[0-9]{1,7}", number) else 0)]
    return frames
