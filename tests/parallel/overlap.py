"""DataParallel keeps all GPUs busy at once: read from a run's timeline.

    overlap.py PROGRAM

One host thread issues the work of one GPU after another; on the timeline the
compute engines of all eight must be at work at the same time, not in turn. The
GPUs are slowed down to a tenth, so that a small batch keeps each of them busy
for longer than it takes to issue the work of all.
"""
from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

GPUS = 8
SLOW = """like = v100x8
[gpu 0-7]
float32 = 1.4 TFLOP/s * 0.9  # assumed: a tenth
"""


def trace_of(program: str) -> list[dict]:
    with tempfile.TemporaryDirectory() as folder:
        path, machine = Path(folder) / "t.json", Path(folder) / "slow.machine"
        machine.write_text(SLOW, "utf-8")
        env = {"PATH": os.environ["PATH"], "SIM_MACHINE": str(machine),
               "SIM_TRACE": str(path), "OPENBLAS_NUM_THREADS": "1"}
        subprocess.run([program], env=env, check=True,
                       stdout=subprocess.DEVNULL)
        events = json.loads(path.read_text("utf-8"))
    return events["traceEvents"] if isinstance(events, dict) else events


def most_at_once(events: list[dict]) -> int:
    """The most compute engines that are at work at one moment."""
    engines = {(e["pid"], e["tid"]) for e in events
               if e["ph"] == "M" and e["name"] == "thread_name"
               and e["args"]["name"] == "compute engine"}
    edges = []
    for event in events:
        if event["ph"] == "X" and (event["pid"], event["tid"]) in engines \
                and event["dur"] > 0:
            edges.append((event["ts"], 1, event["pid"]))
            edges.append((event["ts"] + event["dur"], 0, event["pid"]))
    busy: dict[int, int] = {}
    most = 0
    for _, begins, device in sorted(edges):
        busy[device] = busy.get(device, 0) + (1 if begins else -1)
        most = max(most, sum(count > 0 for count in busy.values()))
    return most


def main(argv: list[str]) -> int:
    turns = [{"ph": "M", "pid": p, "tid": 1, "name": "thread_name",
              "args": {"name": "compute engine"}} for p in (1, 2)]
    one = turns + [{"ph": "X", "pid": p, "tid": 1, "ts": 10.0 * p, "dur": 10.0}
                   for p in (1, 2)]
    if most_at_once(one) != 1:
        print("two GPUs in turn are taken for two at once")
        return 1
    most = most_at_once(trace_of(argv[1]))
    print(f"{most} of {GPUS} GPUs compute at the same time")
    return 0 if most == GPUS else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv))
