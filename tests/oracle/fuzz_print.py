"""Print thousands of random tensors with the library and with the model.

    fuzz_print.py DRIVER [--cases N] [--seed S]
"""
from __future__ import annotations

import argparse
import math
import random
import struct
import subprocess
import sys
from typing import Sequence

from print_model import Facts, tensor_repr

DTYPES = ["bool", "uint8", "int32", "int64", "float16", "bfloat16", "float32",
          "float64"]
CODES = {"bool": "?", "uint8": "B", "int32": "i", "int64": "q", "float16": "e",
         "bfloat16": "H", "float32": "f", "float64": "d"}
RANGES = {"uint8": (0, 255), "int32": (-10**9, 10**9), "int64": (-10**12, 10**12)}
SPECIAL = [0.0, -0.0, 1.0, math.inf, -math.inf, math.nan, 2.5]


def random_shape(rnd: random.Random) -> list[int]:
    n_dims = rnd.choice([0, 1, 1, 1, 2, 2, 2, 3, 4, 5])
    long = rnd.random() < 0.04
    return [rnd.choice([100, 1000, 1001, 2000] if long and i == 0
                       else [0, 1, 2, 3, 4, 6, 7, 9, 13])
            for i in range(n_dims)]


def random_reals(rnd: random.Random, n: int) -> list[float]:
    mode = rnd.randrange(8)
    size = 10.0 ** rnd.randint(-9, 9)
    makers = [lambda: rnd.uniform(-1, 1),
              lambda: float(rnd.randint(-5, 5)),
              lambda: float(rnd.randint(-2000, 2000)),
              lambda: rnd.uniform(0, 10.0 ** rnd.randint(-9, 9)),
              lambda: rnd.choice(SPECIAL),
              lambda: float(rnd.randint(0, 10 ** rnd.randint(0, 12))),
              lambda: rnd.uniform(0, 1000),
              lambda: rnd.choice([rnd.uniform(-size, size), math.nan, 0.0])]
    return [makers[mode]() for _ in range(n)]


def bfloat16_bits(value: float) -> int:
    """Of a float32: the upper half, to the nearest, ties to even."""
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    if math.isnan(value):
        return 0x7FC0
    return (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16


def packed(dtype: str, value: float) -> bytes:
    """The number's bytes, rounded to the dtype; too large becomes infinite."""
    if dtype == "bfloat16":
        return struct.pack("<H", bfloat16_bits(value))
    try:
        return struct.pack("<" + CODES[dtype], value)
    except OverflowError:
        return struct.pack("<" + CODES[dtype], math.copysign(math.inf, value))


def unpacked(dtype: str, data: bytes, n: int) -> list:
    if dtype == "bfloat16":
        words = struct.unpack(f"<{n}H", data)
        return [struct.unpack("<f", struct.pack("<I", w << 16))[0] for w in words]
    return list(struct.unpack(f"<{n}{CODES[dtype]}", data))


def random_data(rnd: random.Random, dtype: str, n: int) -> bytes:
    if dtype == "bool":
        return bytes(rnd.randrange(2) for _ in range(n))
    if dtype in RANGES:
        low, high = RANGES[dtype]
        if rnd.randrange(2):
            low, high = max(low, -9), 9
        values = [rnd.randint(low, high) for _ in range(n)]
        return struct.pack(f"<{n}{CODES[dtype]}", *values)
    return b"".join(packed(dtype, v) for v in random_reals(rnd, n))


def shown_device(place: int, born: int) -> str | None:
    if (place < 0) != (born < 0):
        return "cpu" if place < 0 else f"cuda:{place}"
    return f"cuda:{place}" if place != born else None


def random_case(rnd: random.Random) -> tuple[str, str]:
    """A request, and what the library should answer."""
    dtype, shape = rnd.choice(DTYPES), random_shape(rnd)
    while math.prod(shape) > 6000:
        shape = random_shape(rnd)
    n = math.prod(shape)
    data = random_data(rnd, dtype, n)
    place = rnd.choice([-1, -1, 0, 3, 7])
    born = rnd.choice([-1, -1, -1, 0, 3])
    history = 0
    if "float" in dtype and rnd.random() < 0.3:
        history = rnd.choice([1, 2])
    facts = Facts(unpacked(dtype, data, n), shape, dtype,
                  shown_device(place, born), history == 1,
                  "CloneBackward" if history == 2 else None)
    head = [DTYPES.index(dtype), place, history, born, len(shape), *shape]
    return " ".join(map(str, head)) + "\n" + data.hex() + "\n", tensor_repr(facts)


def answers(driver: str, requests: str) -> list[str]:
    done = subprocess.run([driver], input=requests, capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{driver} ended with {done.returncode}: {done.stderr}")
    out, at, text = [], 0, done.stdout
    while at < len(text):
        end = text.index("\n", at)
        length = int(text[at:end])
        out.append(text[end + 1:end + 1 + length])
        at = end + length + 2
    return out


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("driver")
    parser.add_argument("--cases", type=int, default=5500)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    rnd = random.Random(args.seed)
    cases = [random_case(rnd) for _ in range(args.cases)]
    got = answers(args.driver, "".join(request for request, _ in cases))
    if len(got) != len(cases):
        print(f"{len(cases)} requests, but {len(got)} answers")
        return 1
    wrong = [(request, wanted, text)
             for (request, wanted), text in zip(cases, got) if wanted != text]
    for request, wanted, text in wrong[:3]:
        head = request.splitlines()[0]
        print(f"request {head}\nwanted\n{wanted}\ngot\n{text}\n")
    print(f"{len(cases) - len(wrong)} of {len(cases)} tensors print as the model")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
