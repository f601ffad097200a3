"""The library beside PyTorch on the CPU: one small op, and a training epoch.

    /usr/bin/python3 tests/bench/against_torch.py [--quick] [BUILD=build/sim]

Needs a Python that has torch (written for 1.13). The epoch is that of
lessons/07_data_parallel/digits.c: same model, data, batch and optimiser, run by
bench_training; each side is timed on its own, in turn. The library runs with one
thread; PyTorch with one, and once more with one for each processor, which it may
not take of itself (torch.get_num_threads()). Processor time counts, of all
threads; for PyTorch the time on the clock is shown too.
"""
from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

try:
    import torch
except ImportError:
    print("needs a Python with torch")
    sys.exit(77)

ROOT = Path(__file__).resolve().parent.parent.parent
PIXELS, TRAIN, BATCH = 64, 1437, 64


def ours(program: Path, words: str, quick: bool) -> float:
    """The figure behind `words` in what a benchmark prints."""
    command = [str(program)] + (["--quick"] if quick else [])
    env = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    out = subprocess.run(command, capture_output=True, text=True, check=True,
                         env=env).stdout
    found = re.search(re.escape(words) + r"\D*([0-9.]+)", out)
    if not found:
        raise SystemExit(f"{program}: no figure for {words!r} in:\n{out}")
    return float(found[1])


def add_ns(repeats: int) -> float:
    a, b, add = torch.rand(1), torch.rand(1), torch.add
    start = time.process_time_ns()
    for _ in range(repeats):
        add(a, b)
    return (time.process_time_ns() - start) / repeats


class Training:
    """The network of the lesson, and its epochs."""

    def __init__(self, data: Path) -> None:
        rows = [[int(n) for n in line.split(",")]
                for line in data.read_text("utf-8").splitlines()
                if line and line[0] != "#"]
        torch.manual_seed(0)
        self.x = torch.tensor([row[:PIXELS] for row in rows[:TRAIN]]).float() / 16
        self.t = torch.tensor([row[PIXELS] for row in rows[:TRAIN]])
        self.net = torch.nn.Sequential(
            torch.nn.Linear(PIXELS, 64), torch.nn.ReLU(), torch.nn.Linear(64, 10))
        self.criterion = torch.nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1, momentum=0.9)

    def epoch(self) -> float:
        order, total = torch.randperm(TRAIN), 0.0
        for at in range(0, TRAIN, BATCH):
            index = order[at:at + BATCH]
            self.optimizer.zero_grad()
            loss = self.criterion(self.net(self.x[index]), self.t[index])
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(index)
        return total / TRAIN

    def epoch_us(self) -> tuple[float, float]:
        """Processor time and time on the clock."""
        cpu, clock = time.process_time_ns(), time.perf_counter_ns()
        self.epoch()
        return ((time.process_time_ns() - cpu) / 1e3,
                (time.perf_counter_ns() - clock) / 1e3)


def main(argv: list[str]) -> int:
    quick = "--quick" in argv[1:]
    rest = [word for word in argv[1:] if word != "--quick"]
    build = Path(rest[0]) if rest else ROOT / "build/sim"
    rounds = 1 if quick else 7
    programs = build / "tests/bench"
    torch.set_num_threads(1)
    pairs = [(ours(programs / "bench_cpu", "one-element add", True),
              add_ns(100 if quick else 20000)) for _ in range(rounds)]
    mine, theirs = (statistics.median(side) for side in zip(*pairs))
    print(f"one-element add: library {mine:.0f} ns, PyTorch {torch.__version__} "
          f"{theirs:.0f} ns: {theirs / mine:.1f} times less (at least 10)")
    training = Training(build / "lessons/07_data_parallel/digits.csv")
    for threads in sorted({1, len(os.sched_getaffinity(0))}):
        torch.set_num_threads(threads)
        training.epoch()
        times = [(ours(programs / "bench_training", "an epoch", quick),
                  *training.epoch_us()) for _ in range(rounds)]
        mine, cpu, clock = (statistics.median(side) for side in zip(*times))
        print(f"an epoch on the digits: library {mine:.0f} us, PyTorch with "
              f"{threads} thread(s) {cpu:.0f} us of processor time, {clock:.0f} us "
              f"on the clock: ratio {mine / cpu:.2f}, {mine / clock:.2f} (below 1)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
