"""What a built program shows of itself: its call log and its trace.

The program is run as its test runs it, on the simulated machine, with
SIM_LOG or SIM_TRACE on. Its output goes to a terminal of our own, so that
printed lines and logged calls come in the order in which they happened.
"""
from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import tempfile
import termios
from pathlib import Path

import sources as src
from fault import Fault

SECONDS = 60
TIME = re.compile(r"^ *(\d+\.\d+) us  ")
LOGGED = re.compile(r"^ *\d+\.\d+ us  (\[thread \d+\] )?cu\w+\(|^cudasim: ")


class Untold(Fault):
    """Nothing in the log tells these calls from the program's others."""


class Programs:
    """Runs of built programs, each made once."""

    def __init__(self, tree: src.Tree, build: Path) -> None:
        self.tree, self.build = tree, build
        self.logs: dict[str, list[str]] = {}
        self.traces: dict[str, list[dict]] = {}

    def command(self, run: src.Run) -> tuple[list[str], dict[str, str]]:
        program = self.build / run.built
        if not program.is_file():
            raise Fault(f"run {run.key} needs {program.name}, which is not "
                        "built: cmake --build --preset sim")
        if run.machine == "real":
            raise Fault(f"run {run.key} is for a real GPU: the book is drawn "
                        "from simulated runs")
        machine = "v100x8" if run.machine == "any" else run.machine
        env = {key: os.environ[key] for key in ("PATH", "HOME")
               if key in os.environ}
        env |= {"LANG": "C.UTF-8", "NO_COLOR": "1", "SIM_MACHINE": machine}
        return [str(program)], env | run.env

    def calls(self, run: src.Run, region: str) -> list[str]:
        """The logged calls of a run, or those made for one region of it;
        without the spaces that all lines begin with."""
        lines = self.window(run, region)
        margin = min(len(line) - len(line.lstrip()) for line in lines)
        return [line[margin:] for line in lines]

    def times(self, run: src.Run, region: str) -> tuple[float, float]:
        """When a region's first call began, and the first call after it
        (microseconds of simulated time; infinity when there is none)."""
        inside = self.window(run, region)
        lines = [line for line in self.logs[run.key] if TIME.match(line)]
        starts = [float(TIME.match(line)[1]) for line in lines]
        at = lines.index(inside[0])
        after = at + sum(1 for line in inside if TIME.match(line))
        return starts[at], (starts[after] if after < len(starts)
                            else float("inf"))

    def window(self, run: src.Run, region: str) -> list[str]:
        """The log's lines for a region, as they were printed."""
        if run.key not in self.logs:
            self.logs[run.key] = self.run_on_terminal(run)
        lines = self.logs[run.key]
        if not any(LOGGED.match(line) for line in lines):
            raise Fault(f"run {run.key} logged no call")
        if not region:
            return [line for line in lines if LOGGED.match(line)]
        before, count = self.printed_before(run, region)
        start = self.after_printed(lines, 0, before)
        end = self.after_printed(lines, start, count)
        found = [line for line in lines[start:end] if LOGGED.match(line)]
        if not found:
            raise Fault(f"run {run.key} makes no CUDA call in region "
                        f"'{region}'")
        return found

    def printed_before(self, run: src.Run, region: str) -> tuple[int, int]:
        """How many lines are printed before a region, and in it."""
        path = f"lessons/{run.lesson}/{run.program}.c"
        first, last = src.region_span(self.tree, path, region)
        lines = src.expected_lines(self.tree, path)
        inside = sum(first <= line.number <= last for line in lines)
        if not inside:
            raise Untold(f"region '{region}' of {path} prints nothing, so its "
                         "calls cannot be told from the others")
        return sum(line.number < first for line in lines), inside

    @staticmethod
    def after_printed(lines: list[str], at: int, count: int) -> int:
        while count > 0 and at < len(lines):
            if not LOGGED.match(lines[at]):
                count -= 1
            at += 1
        return at

    def run_on_terminal(self, run: src.Run) -> list[str]:
        command, env = self.command(run)
        ours, theirs = pty.openpty()
        mode = termios.tcgetattr(theirs)
        mode[1] &= ~termios.OPOST
        termios.tcsetattr(theirs, termios.TCSANOW, mode)
        with tempfile.TemporaryDirectory() as folder:
            child = subprocess.Popen(command, env=env | {"SIM_LOG": "1"},
                                     cwd=folder, stdin=subprocess.DEVNULL,
                                     stdout=theirs, stderr=theirs)
            os.close(theirs)
            data = b""
            while True:
                try:
                    piece = os.read(ours, 65536)
                except OSError:
                    break
                if not piece:
                    break
                data += piece
            os.close(ours)
            child.wait(SECONDS)
        return data.decode("utf-8", "replace").splitlines()

    def trace(self, run: src.Run) -> list[dict]:
        """The events of a run's timeline."""
        if run.key in self.traces:
            return self.traces[run.key]
        command, env = self.command(run)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "trace.json"
            subprocess.run(command, env=env | {"SIM_TRACE": str(path)},
                           cwd=folder, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, timeout=SECONDS,
                           check=False)
            if not path.is_file():
                raise Fault(f"run {run.key} wrote no trace")
            events = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(events, dict):
            events = events.get("traceEvents", [])
        self.traces[run.key] = events
        return events
