"""scripts/learn: the loop of somebody who works through the workbook.

usage: ./scripts/learn [COMMAND] [EXERCISE] [OPTIONS]

  (nothing)       where you are, and the one thing to do next
  next            go on to the next exercise that does not pass yet
  list            all exercises and their states; list 02: a lesson's
  check           the verdict on your file; check 02: on all of a lesson
  watch           check each time you save
  hint            one more hint; there are three
  reset           the starter again; your file is kept beside it
  solution        the reference answer beside yours
  progress        how far you are
  doctor          what is missing on this machine, and the fix

EXERCISE is 02 ex1, or ex1 in the lesson where you are, or its file; without
one it is the exercise where you are.

  --all           check, reset: every exercise
  --yes           reset --all, solution: do not ask
  --poll          watch: look at the file instead of being told
  --plain         line after line, no colour, no screen: for screen readers
  --preset P      the build tree: sim (simulated machines), cuda, asan

NO_COLOR=1 switches colour off. Verdicts are ctest's: the same code gives them.
"""

from __future__ import annotations

import difflib
import os
import sys

if not __package__:
    scripts = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    sys.path[0] = scripts
    __package__ = "workbook.learn"
    import workbook.learn  # noqa: F401

from .. import lesson as lessons  # noqa: E402
from ..lesson import Fault  # noqa: E402
from . import commands, doctor, tell, watch  # noqa: E402
from . import progress as progress_file  # noqa: E402
from .course import Course, NotReady, Unknown, open_course  # noqa: E402
from .paper import paper_for, say  # noqa: E402

COMMANDS = {
    "": commands.where,
    "next": commands.next_one,
    "list": commands.listing,
    "check": commands.check,
    "watch": watch.watch,
    "hint": commands.hint,
    "reset": commands.reset,
    "solution": commands.solution,
    "progress": commands.progress,
}
FLAGS = ("--all", "--yes", "--poll", "--plain", "--help", "-h")


class Usage(Exception):
    """Words that make no command."""


def parse(words: list[str]) -> tuple[list[str], dict[str, str], set[str]]:
    """The command and its words; `--name value` options; flags."""
    plain: list[str] = []
    options = {"--preset": "sim", "--root": ""}
    flags: set[str] = set()
    rest = list(words)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if name in options:
            if not equals and not rest:
                raise Usage(f"{name} needs a value.")
            options[name] = value if equals else rest.pop(0)
        elif word in FLAGS:
            flags.add(word)
        elif word.startswith("-"):
            raise Usage(f"There is no option {word}.")
        else:
            plain.append(word)
    return plain, options, flags


def run(argv: list[str]) -> int:
    words, options, flags = parse(argv[1:])
    if flags & {"--help", "-h"} or words[:1] == ["help"]:
        say([__doc__.strip()])
        return 0
    paper = paper_for(sys.stdout, "--plain" in flags)
    root = os.path.realpath(options["--root"] or lessons.checkout())
    command = words.pop(0) if words else ""
    if command == "doctor":
        return doctor.doctor(paper, Course(root, options["--preset"]))
    if command not in COMMANDS:
        near = difflib.get_close_matches(command, [*COMMANDS, "doctor"], 1)
        meant = f" Did you mean {near[0]}?" if near and near[0] else ""
        raise Usage(f"There is no command '{command}'.{meant}")
    try:
        course = open_course(root, options["--preset"])
    except NotReady as error:
        say(tell.not_built(Course(root, options["--preset"]), str(error)))
        return 1
    desk = commands.Desk(
        paper,
        course,
        progress_file.read(root),
        yes="--yes" in flags,
        every="--all" in flags,
        look="--poll" in flags,
    )
    try:
        return COMMANDS[command](desk, words)
    except Unknown as error:
        say([*paper.words(str(error)), "", "next: " + course.command("list")])
        return 2


def main(argv: list[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    root = argv[argv.index("--root") + 1] if "--root" in argv[:-1] else lessons.checkout()
    here = Course(root, "sim")
    try:
        return run(argv)
    except Usage as error:
        say([str(error), "", "next: " + here.command("--help")])
        return 2
    except Fault as fault:
        say([f"The workbook's own files are at fault, not yours: {fault}",
             "", "next: " + here.command("doctor")])
        return 3
    except BrokenPipeError:  # whoever reads us has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except OSError as error:
        say([f"That did not work: {error}", "", "next: " + here.command("doctor")])
        return 3
    except KeyboardInterrupt:
        print()
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv))
