"""Draw random numbers with the library and with the model: every bit alike.

    sweep_random.py DRIVER MULTIPROCESSORS THREADS_PER_MULTIPROCESSOR

The last two describe the simulated GPUs, on whose size the order depends.
"""
from __future__ import annotations

import random
import struct
import subprocess
import sys
from typing import Callable, Sequence

import random_model as model

DTYPES = {"int64": 3, "float16": 4, "bfloat16": 5, "float32": 6, "float64": 7}
CODES = {"int64": "q", "float16": "e", "float32": "f", "float64": "d"}
SEEDS = [0, 1, 2, 7, 42, 123, 1234, 2022, 2**31, 2**32 - 1, 2**32 + 5, -1]
SIZES = [1, 2, 3, 5, 6, 15, 16, 17, 31, 32, 33, 48, 63, 100]
GPU_SIZES = [1, 2, 35, 257]


class Sweep:
    """Requests for the driver, and which numbers each answer should have."""

    def __init__(self) -> None:
        self.requests: list[str] = []
        self.wanted: list[tuple[str, str, Sequence[int], list]] = []

    def seed(self, seed: int) -> None:
        self.requests.append(f"seed {seed}")

    def ask(self, word: str, dtype: str, place: int, n: int, a: float, b: float,
            numbers: list, places: Sequence[int] | None = None) -> None:
        request = f"{word} {DTYPES[dtype]} {place} {n} {a!r} {b!r}"
        places = range(n) if places is None else places
        listed = " ".join(map(str, places))
        self.requests.append(f"{request} {len(places)} {listed}")
        self.wanted.append((request, dtype, places, numbers))


def packed(dtype: str, number: float) -> bytes:
    if dtype == "bfloat16":
        return struct.pack("<H", model.bits32(number) >> 16)
    return struct.pack("<" + CODES[dtype], number)


def on_the_cpu(sweep: Sweep) -> None:
    """The same stream goes on through all sizes; then another seed."""
    draw: dict[str, Callable] = {"uniform": model.uniform,
                                 "normal": model.normal}
    for seed in SEEDS:
        for dtype in ("float32", "float64", "float16", "bfloat16"):
            sweep.seed(seed)
            g = model.Generator(seed)
            for n in SIZES:
                for word, a, b in (("uniform", 0.0, 1.0), ("uniform", -0.3, 0.7),
                                   ("normal", 0.0, 1.0), ("normal", 0.5, 0.02)):
                    halves = dtype in ("float16", "bfloat16")
                    if word == "normal" and halves and n >= 16:
                        continue  # the model does not know that one
                    sweep.ask(word, dtype, -1, n, a, b,
                              draw[word](g, n, a, b, dtype))
        sweep.seed(seed)
        g = model.Generator(seed)
        for n in SIZES:
            sweep.ask("randint", "int64", -1, n, 0, 10,
                      model.randint(g, n, 0, 10))
            sweep.ask("randint", "int64", -1, n, -5, 2**33,
                      model.randint(g, n, -5, 2**33))
            sweep.ask("randperm", "int64", -1, n, 0, 0, model.randperm(g, n))
            sweep.ask("bernoulli", "float32", -1, n, 0.3, 0.0,
                      model.bernoulli(g, n, 0.3))


def on_a_gpu(sweep: Sweep, multiprocessors: int, threads: int) -> None:
    rnd = random.Random(5)
    most = multiprocessors * (threads // 256) * 256
    sizes = [*GPU_SIZES, most, most + 1, most * 4 + 1]
    for seed in (0, 2**40 + 3):
        sweep.seed(seed)
        g = model.CudaGenerator(seed, multiprocessors, threads)
        for n in sizes:
            places = (range(n) if n <= 40 else
                      sorted({0, n - 1, *(rnd.randrange(n) for _ in range(40))}))
            for dtype in ("float32", "float64", "float16", "bfloat16"):
                sweep.ask("uniform", dtype, 0, n, -0.3, 0.7,
                          model.cuda_uniform(g, n, -0.3, 0.7, dtype, places),
                          places)
                sweep.ask("normal", dtype, 0, n, 0.5, 0.02,
                          model.cuda_normal(g, n, 0.5, 0.02, dtype, places),
                          places)
            sweep.ask("randint", "int64", 0, n, 0, 10,
                      model.cuda_randint(g, n, 0, 10, places), places)
            sweep.ask("randint", "int64", 0, n, -5, 2**33,
                      model.cuda_randint(g, n, -5, 2**33, places), places)


def main(argv: Sequence[str]) -> int:
    driver, multiprocessors, threads = argv[0], int(argv[1]), int(argv[2])
    sweep = Sweep()
    on_the_cpu(sweep)
    on_a_gpu(sweep, multiprocessors, threads)
    done = subprocess.run([driver], input="\n".join(sweep.requests) + "\n",
                          capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    if done.returncode != 0 or len(lines) != len(sweep.wanted):
        print(f"{driver} ended with {done.returncode} after {len(lines)} of "
              f"{len(sweep.wanted)} answers: {done.stderr}")
        return 1
    n_numbers = n_wrong = 0
    for line, (request, dtype, places, numbers) in zip(lines, sweep.wanted):
        data = bytes.fromhex(line)
        width = len(data) // len(places)
        for i, (place, number) in enumerate(zip(places, numbers)):
            got = data[i * width:(i + 1) * width]
            n_numbers += 1
            if got != packed(dtype, number):
                n_wrong += 1
                if n_wrong <= 5:
                    print(f"{request}: number {place} is {got.hex()}, not "
                          f"{packed(dtype, number).hex()}")
    print(f"{n_numbers - n_wrong} of {n_numbers} numbers in "
          f"{len(sweep.wanted)} calls have the model's bits")
    return 1 if n_wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
