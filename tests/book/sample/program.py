#!/usr/bin/env python3
"""Stands in for a built lesson in the book's tests: prints what the sample
expects, logs calls, writes a trace."""
import json
import os
import sys

LINES = ["tensor([1, 2, 3])", "tensor([1, 2, 3], device='cuda:7')",
         "tensor([1, 4, 9], device='cuda:7')"]
CALLS = ["        0.200 us  cudaMalloc(24) = 0 cudaSuccess",
         "       50.200 us  cudaMemcpy(cuda:7+0x0, host, 24) = 0 cudaSuccess",
         "       61.300 us  cudaLaunchKernel(pow_i64, 1, 128) = 0 cudaSuccess"]


def main() -> int:
    log = os.environ.get("SIM_LOG") == "1"
    for at, line in enumerate(LINES):
        if log:
            print(CALLS[at], file=sys.stderr, flush=True)
        print(line, flush=True)
    if os.environ.get("SIM_TRACE"):
        names = [("M", 1, 0, "process_name", {"name": "host"}),
                 ("M", 2, 0, "process_name", {"name": "cuda:7"}),
                 ("M", 1, 1, "thread_name", {"name": "thread 0"}),
                 ("M", 2, 1, "thread_name", {"name": "copy in"}),
                 ("M", 2, 2, "thread_name", {"name": "compute"})]
        events = [{"ph": ph, "pid": pid, "tid": tid, "name": name,
                   "args": args} for ph, pid, tid, name, args in names]
        bars = [(1, 1, "cudaMemcpy", 0, 9), (2, 1, "memcpy HtoD 24 B", 2, 6),
                (1, 1, "cudaLaunchKernel", 9, 2),
                (2, 2, "pow_i64", 12.5, 6.25),
                (1, 1, "cudaDeviceSynchronize", 11, 8)]
        events += [{"ph": "X", "pid": pid, "tid": tid, "name": name,
                    "ts": ts, "dur": dur} for pid, tid, name, ts, dur in bars]
        events += [{"ph": "s", "id": 1, "pid": 2, "tid": 1, "name": "wait",
                    "ts": 8},
                   {"ph": "f", "id": 1, "pid": 2, "tid": 2, "name": "wait",
                    "ts": 12.5}]
        with open(os.environ["SIM_TRACE"], "w", encoding="utf-8") as file:
            json.dump({"traceEvents": events}, file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
