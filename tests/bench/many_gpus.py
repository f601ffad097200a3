"""Prints a machine file with N GPUs like v100x8's, for bench_growth.

    many_gpus.py [N=64] > build/many.machine
    SIM_MACHINE=build/many.machine build/sim/tests/bench/bench_growth
"""
from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def main(argv: list[str]) -> int:
    n = int(argv[1]) if len(argv) > 1 else 64
    crowd = (ROOT / "tests/sim/crowd.machine").read_text("utf-8")
    body = crowd[crowd.index("[gpu 8-9]"):crowd.index("[gpu 8]")]
    figures = re.sub(r"\[gpu 8-9\]", f"[gpu 8-{n - 1}]", body)
    print(f"# {n} GPUs; bus ids and uuids are made up.\nlike = v100x8\n"
          f"[machine]\ngpus = {n} # assumed\n[links]\npeers = all # assumed")
    if n > 8:
        print(figures, end="")
    for i in range(8, n):
        print(f"[gpu {i}]\nbus_id = 0000{i:04X}:00:00.0 # assumed\n"
              f"uuid = GPU-{i:08x}-0000-4000-8000-000000000000 # assumed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
