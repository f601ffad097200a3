"""`.progress`: a plain text file in the checkout, a line an exercise.

Keyed by the exercise's name; what a line says can be found again from the
files by `check --all`. Lines of exercises that are not here stay.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
from dataclasses import dataclass, field

from .. import verdict
from ..lesson import write_whole

NAME = ".progress"
HEAD = """\
# Your progress: exercise, last verdict, hints shown. `now` is where you are.
# Safe to delete: ./scripts/learn check --all writes it anew from your files.
"""


@dataclass
class Entry:
    state: str = ""
    hints: int = 0


@dataclass
class Progress:
    now: str = ""
    entries: dict[str, Entry] = field(default_factory=dict)

    def entry(self, key: str) -> Entry:
        """The line of an exercise. A lesson that was given another number is
        known by the rest of its name."""
        if key not in self.entries:
            for other in list(self.entries):
                if _bare(other) == _bare(key):
                    self.entries[key] = self.entries.pop(other)
                    break
        return self.entries.setdefault(key, Entry())

    def passed(self, key: str) -> bool:
        return self.entry(key).state == verdict.PASSED


def _bare(key: str) -> str:
    return re.sub(r"(^\d+_|(?<=/)ex\d+_)", "", key)


def read(root: str) -> Progress:
    """What the file says; lines that say nothing are passed over."""
    found = Progress()
    try:
        with open(os.path.join(root, NAME), encoding="utf-8", errors="replace") as file:
            lines = file.read().split("\n")
    except OSError:
        return found
    for line in lines:
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0] == "now" and len(words) == 2:
            found.now = words[1]
        elif "/" in words[0] and len(words) >= 2:
            hints = words[2] if len(words) > 2 else "0"
            found.entries[words[0]] = Entry(
                words[1].replace("-", " "), int(hints) if hints.isdigit() else 0
            )
    return found


def text_of(progress: Progress) -> str:
    width = max((len(key) for key in progress.entries), default=0)
    lines = [f"now {progress.now}"] if progress.now else []
    for key, entry in sorted(progress.entries.items()):
        if entry.state or entry.hints:
            state = (entry.state or "open").replace(" ", "-")
            lines.append(f"{key:{width}}  {state:16}  {entry.hints}")
    return HEAD + "\n".join(lines) + "\n"


@contextlib.contextmanager
def change(root: str):
    """Read, change and write the file, one process at a time."""
    folder = os.open(root, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        progress = read(root)
        yield progress
        write_whole(os.path.join(root, NAME), text_of(progress))
    finally:
        os.close(folder)
