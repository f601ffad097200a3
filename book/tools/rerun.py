#!/usr/bin/env python3
"""Many runs of lessons compared with their transcripts, in one process.

    rerun.py RUNNER < [[LESSON_JSON, RUN], …]

RUNNER is scripts/workbook, whose command `run` decides. Starting a Python for
each run would take longer than the runs do, so this one keeps its modules.
Prints a JSON list of [exit code, what it said], in order.
"""
from __future__ import annotations

import contextlib
import io
import json
import runpy
import sys


def once(runner: str, about: str, run: str) -> tuple[int, str]:
    said = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    sys.argv = [runner, "run", about, run]
    code: object = 0
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            runpy.run_path(runner, run_name="__main__")
        except SystemExit as end:
            code = end.code
    said.flush()
    text = said.buffer.getvalue().decode("utf-8", "replace")
    return code if isinstance(code, int) else 0 if code is None else 1, text


def main(argv: list[str]) -> int:
    pairs = json.load(sys.stdin)
    print(json.dumps([once(argv[0], about, run) for about, run in pairs]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
