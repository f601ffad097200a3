"""SIM_TRACE: valid trace events, lanes without overlaps, arrows that meet."""
from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

Event = dict[str, Any]


def run(walk: str, trace: str) -> subprocess.CompletedProcess[str]:
    keep = {k: v for k, v in os.environ.items()
            if not k.startswith(("SIM_", "CUDA_"))}
    return subprocess.run([walk], capture_output=True, text=True, timeout=60,
                          env=keep | {"SIM_MACHINE": "v100x8",
                                      "SIM_TRACE": trace})


def names(events: list[Event], kind: str) -> dict[tuple[int, int], str]:
    return {(e["pid"], e["tid"]): e["args"]["name"]
            for e in events if e["ph"] == "M" and e["name"] == kind}


def check_lanes(events: list[Event], complaints: list[str]) -> None:
    """Within a lane no slice begins before the last one has ended."""
    ends: dict[tuple[int, int], float] = {}
    slices = sorted((e for e in events if e["ph"] == "X"),
                    key=lambda e: (e["ts"], e["ts"] + e["dur"]))
    for e in slices:
        lane = (e["pid"], e["tid"])
        if e["ts"] + 1e-6 < ends.get(lane, 0.0):
            complaints.append(f"{e['name']} overlaps its predecessor in {lane}")
        ends[lane] = max(ends.get(lane, 0.0), e["ts"] + e["dur"])


def check_arrows(events: list[Event], complaints: list[str]) -> None:
    """Each arrow has two ends, in time's order, each on a slice."""
    starts = {e["id"]: e for e in events if e["ph"] == "s"}
    ends = {e["id"]: e for e in events if e["ph"] == "f"}
    if not starts or starts.keys() != ends.keys():
        complaints.append(f"arrows {sorted(starts)} begin, {sorted(ends)} end")
        return
    for number, start in starts.items():
        if start["ts"] > ends[number]["ts"]:
            complaints.append(f"arrow {number} goes back in time")
        for end in (start, ends[number]):
            on = [e for e in events if e["ph"] == "X"
                  and (e["pid"], e["tid"]) == (end["pid"], end["tid"])
                  and e["ts"] <= end["ts"] <= e["ts"] + e["dur"]]
            if not on:
                complaints.append(f"arrow {number} touches no slice")


def check_walk(events: list[Event], complaints: list[str]) -> None:
    """What the program did is all there."""
    processes = set(names(events, "process_name").values())
    lanes = names(events, "thread_name")
    if processes != {"host", "cuda:0 Tesla V100-PCIE-32GB"}:
        complaints.append(f"processes: {processes}")
    wanted = {"thread 0", "thread 1", "default stream", "stream 1",
              "stream 2", "compute engine", "copy engine in",
              "copy engine out"}
    if set(lanes.values()) != wanted:
        complaints.append(f"lanes: {sorted(lanes.values())}")
    on = {(lanes[e["pid"], e["tid"]], e["name"])
          for e in events if e["ph"] == "X"}
    for slice_ in [("stream 1", 'fill "it"'), ("compute engine", 'fill "it"'),
                   ("stream 2", "cudaMemcpyAsync"),
                   ("copy engine out", "cudaMemcpyAsync"),
                   ("copy engine in", "cudaMemcpy"),
                   ("compute engine", "cublasSgemm"),
                   ("thread 0", "cudaLaunchKernel"),
                   ("thread 1", "cudaFree")]:
        if slice_ not in on:
            complaints.append(f"no {slice_[1]} in {slice_[0]}")
    copy = [e for e in events if e["ph"] == "X" and
            e["name"] == "cudaMemcpyAsync" and "args" in e]
    if not copy or copy[0]["args"]["bytes"] != 64:
        complaints.append("the copy does not say its bytes")


def main(argv: list[str]) -> int:
    complaints: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        if run(argv[1], str(path)).returncode != 0:
            complaints.append("the program failed")
        first = path.read_text()
        events = json.loads(first)
        run(argv[1], str(path))
        if path.read_text() != first:
            complaints.append("two runs gave two traces")
        check_lanes(events, complaints)
        check_arrows(events, complaints)
        check_walk(events, complaints)
    got = run(argv[1], "/no/such/dir/t.json")
    if got.returncode != 2 or got.stderr != (
            "cudasim: SIM_TRACE=/no/such/dir/t.json cannot be written: No "
            "such file or directory; it is the path of the JSON file to "
            "make.\n"):
        complaints.append(f"bad path: {got.returncode} {got.stderr!r}")
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
