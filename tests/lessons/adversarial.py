"""The lessons' runs in the least convenient legal order: of each program the
first, with --every all of them.

    adversarial.py SCRIPTS MISSING_WAIT BUILT_LESSONS [--every]

SIM_ORDER=adversarial may change when things happen, and so simulated times and
what is derived from them; it must change nothing else. The rule: each run ends
as its table says, and prints its transcript, where on lines that show a time
(a declared time field, or a word of TIMED) every number may differ. A program
that forgets a wait must be seen, or the order proves nothing.
"""
from __future__ import annotations

import dataclasses
import glob
import os
import re
import subprocess
import sys
from typing import Sequence

TIMED = re.compile(r"\bsimulated\b|\{ns|\d ?(ns|us|ms)\b|\btimes? as fast\b")
NUMBER = re.compile(r"-?\d[\d,]*(\.\d+)?")
ORDER = ("SIM_ORDER", "adversarial")
LONG = ("speedup", "digits")  # programs that take seconds: with --every


def masked(expected: str, got: str) -> tuple[str, str]:
    """Both texts, with the numbers of the expected text's timed lines gone
    (and the spaces, which align them)."""
    want, have = expected.split("\n"), got.split("\n")
    for at, line in enumerate(want[: len(have)]):
        if TIMED.search(line):
            line = re.sub(r"\{ns(:[^{}]*)?\}", "0", line)
            want[at] = re.sub(r"\s+", " ", NUMBER.sub("#", line))
            have[at] = re.sub(r"\s+", " ", NUMBER.sub("#", have[at]))
    return "\n".join(want), "\n".join(have)


def order_matters(program: str) -> str | None:
    """What is wrong with the order itself, or None."""
    seen = {}
    for order in ("", "adversarial"):
        env = {**os.environ, "SIM_MACHINE": "t4", "SIM_ORDER": order}
        if not order:
            del env["SIM_ORDER"]
        for words in ((), ("wait",)):
            seen[order, words] = subprocess.run(
                [program, *words], env=env, capture_output=True, text=True,
                check=False).stdout.strip()
    if {out for (_, words), out in seen.items() if words} != {"7"}:
        return f"a program that waits must read 7: {seen}"
    if seen["adversarial", ()] == "7":
        return f"a missing wait does not show: {seen}"
    return None


def wrong(runs: object, transcript: object, lesson: object,
          row: object) -> list[str]:
    row = dataclasses.replace(row, env=(*row.env, ORDER))
    result = runs.start(lesson, row)
    ended = result.signal or str(result.code)
    if ended != row.exit:
        return [f"ended with {ended}, the table says {row.exit}", result.err]
    if ended == "77" and not os.path.exists(runs.out_path(lesson, row.run)):
        return []
    expected, _ = runs.expected_out(lesson, row)
    miss = transcript.compare(*masked(expected, result.out), False)
    return transcript.explain(miss, "stdout") if miss else []


def main(argv: Sequence[str]) -> int:
    sys.path.insert(0, argv[1])
    from workbook import lesson as lessons
    from workbook import runs, transcript
    problem = order_matters(argv[2])
    if problem:
        print(problem)
        return 1
    n_runs = n_wrong = 0
    for path in sorted(glob.glob(os.path.join(argv[3], "*", "lesson.json"))):
        lesson = lessons.read(path)
        tried: set[str] = set(LONG)
        for row in runs.table(lesson):
            if row.machine == "real" or ORDER[0] in dict(row.env):
                continue
            if row.program in tried and "--every" not in argv:
                continue
            tried.add(row.program)
            n_runs += 1
            words = wrong(runs, transcript, lesson, row)
            if words:
                n_wrong += 1
                print(f"{lesson.name}, run {row.run}:", *words, sep="\n  ")
    print(f"{n_runs} runs in adversarial order, {n_wrong} of them wrong")
    return 1 if n_wrong or not n_runs else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
