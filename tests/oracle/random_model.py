"""A model of PyTorch's random numbers, in the standard library alone.

CPU: the Mersenne Twister and what is made of its draws, as on x86 CPUs with
AVX2; compared bit for bit with PyTorch 1.13.1. GPU: Philox; compared with the
four decimals that real GPUs printed.
"""
from __future__ import annotations

import math
import struct
from typing import Callable, Iterable, Optional, Sequence

U32, U64 = (1 << 32) - 1, (1 << 64) - 1


# ---- rounding ---------------------------------------------------------------

def f32(value: float) -> float:
    return struct.unpack("<f", struct.pack("<f", value))[0]


def bits32(value: float) -> int:
    return struct.unpack("<I", struct.pack("<f", value))[0]


def of_bits32(bits: int) -> float:
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def f16(value: float) -> float:
    return struct.unpack("<e", struct.pack("<e", f32(value)))[0]


def bf16(value: float) -> float:
    bits = bits32(value)
    return of_bits32(((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16) << 16 & U32)


def fma32(a: float, b: float, c: float) -> float:
    """a*b + c of float32 numbers, rounded once: the product is exact in double,
    the sum is rounded to odd, and that then rounds right."""
    product = a * b
    total = product + c
    back = total - product
    error = (product - (total - back)) + (c - back)
    if error != 0:
        bits = struct.unpack("<q", struct.pack("<d", total))[0]
        if bits & 1 == 0:
            bits += 1 if (error > 0) == (total > 0) else -1
            total = struct.unpack("<d", struct.pack("<q", bits))[0]
    return f32(total)


def fma64(a: float, b: float, c: float) -> float:
    """a*b + c of doubles, rounded once, in whole numbers."""
    from fractions import Fraction
    if a == 0 or b == 0:
        return 0.0 + c
    return float(Fraction(a) * Fraction(b) + Fraction(c))


ROUND: dict[str, Callable[[float], float]] = {
    "float16": f16, "bfloat16": bf16, "float32": f32, "float64": float}


# ---- the CPU's stream --------------------------------------------------------

class Generator:
    """MT19937, and the second normal number of a pair that waits."""

    def __init__(self, seed: int) -> None:
        word = seed & U32
        self.state = [word]
        for i in range(1, 624):
            word = (1812433253 * (word ^ (word >> 30)) + i) & U32
            self.state.append(word)
        self.position = 624
        self.waiting: Optional[float] = None

    def next32(self) -> int:
        if self.position == 624:
            s = self.state
            for i in range(624):
                y = (s[i] & 0x80000000) | (s[(i + 1) % 624] & 0x7FFFFFFF)
                s[i] = (s[(i + 397) % 624] ^ (y >> 1) ^
                        (0x9908B0DF if y & 1 else 0))
            self.position = 0
        y = self.state[self.position]
        self.position += 1
        y ^= y >> 11
        y ^= (y << 7) & 0x9D2C5680
        y ^= (y << 15) & 0xEFC60000
        return y ^ (y >> 18)

    def next64(self) -> int:
        high = self.next32()
        return high << 32 | self.next32()

    def fraction(self, bits: int) -> float:
        return (self.next32() & ((1 << bits) - 1)) * 2.0 ** -bits

    def fraction53(self) -> float:
        return (self.next64() & ((1 << 53) - 1)) * 2.0 ** -53

    def unit(self, dtype: str) -> float:
        bits = {"float16": 11, "bfloat16": 8, "float32": 24}.get(dtype)
        return self.fraction53() if bits is None else self.fraction(bits)


def uniform(g: Generator, n: int, low: float, high: float,
            dtype: str) -> list[float]:
    if dtype == "float64":
        return [fma64(g.fraction53(), high - low, low) for _ in range(n)]
    near = ROUND[dtype]
    low, high = near(f32(low)), near(f32(high))
    span = near(f32(high - low))
    return [near(fma32(g.unit(dtype), span, low)) for _ in range(n)]


LOG = [f32(c) for c in (
    7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1,
    1.4249322787e-1, -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1,
    3.3333331174e-1)]


def log_polynomial(u: float) -> float:
    bits = bits32(max(u, f32(1.17549435e-38)))
    exponent = float((bits >> 23) - 126)
    x = of_bits32((bits & 0x007FFFFF) | 0x3F000000)
    if x < f32(0.707106781186547524):
        x, exponent = f32(f32(x - 1) + x), exponent - 1
    else:
        x = f32(x - 1)
    square = f32(x * x)
    y = LOG[0]
    for c in LOG[1:]:
        y = fma32(y, x, c)
    y = f32(y * x)
    y = fma32(y, square, f32(exponent * f32(-2.12194440e-4)))
    y = fma32(-square, 0.5, y)
    return fma32(exponent, f32(0.693359375), f32(x + y))


def sine_cosine(angle: float) -> tuple[float, float]:
    octant = (int(f32(angle * f32(1.27323954473516))) + 1) & ~1
    x = fma32(octant, f32(-0.78515625), angle)
    x = fma32(octant, f32(-2.4187564849853515625e-4), x)
    x = fma32(octant, f32(-3.77489497744594108e-8), x)
    z = f32(x * x)
    c = fma32(f32(2.443315711809948e-5), z, f32(-1.388731625493765e-3))
    c = f32(z * fma32(c, z, f32(4.166664568298827e-2)))
    c = f32(fma32(z, c, -f32(z * 0.5)) + 1)
    s = fma32(f32(-1.9515295891e-4), z, f32(8.3321608736e-3))
    s = fma32(s, z, f32(-1.6666654611e-1))
    s = fma32(x, f32(z * s), x)
    if octant & 2:
        s, c = c, s
    return (-s if octant & 4 else s), (c if (octant - 2) & 4 else -c)


def block_float32(d: list[float], mean: float, std: float) -> list[float]:
    left, right = [], []
    for u, v in zip(d[:8], d[8:]):
        radius = f32(math.sqrt(f32(-2 * log_polynomial(f32(1 - u)))))
        s, c = sine_cosine(f32(f32(2 * math.pi) * v))
        left.append(fma32(f32(radius * c), std, mean))
        right.append(fma32(f32(radius * s), std, mean))
    return left + right


def block_float64(d: list[float], mean: float, std: float) -> list[float]:
    left, right = [], []
    for u, v in zip(d[:8], d[8:]):
        radius, turn = math.sqrt(-2 * math.log(1 - u)), 2 * math.pi * v
        left.append(fma64(radius * math.cos(turn), std, mean))
        right.append(fma64(radius * math.sin(turn), std, mean))
    return left + right


def one_normal(g: Generator, mean: float, std: float) -> float:
    if g.waiting is not None:
        value, g.waiting = g.waiting, None
    else:
        turn = 2.0 * math.pi * g.fraction53()
        radius = math.sqrt(-2.0 * math.log(1.0 - g.fraction53()))
        value, g.waiting = radius * math.cos(turn), radius * math.sin(turn)
    return fma64(value, std, mean)


def normal(g: Generator, n: int, mean: float, std: float,
           dtype: str) -> list[float]:
    near = ROUND[dtype]
    if n < 16:
        return [near(one_normal(g, mean, std)) for _ in range(n)]
    block = block_float64 if dtype == "float64" else block_float32
    mean, std = near(mean), near(std)
    d = [g.unit(dtype) for _ in range(n)]
    for i in range(0, n - 15, 16):
        d[i:i + 16] = block(d[i:i + 16], mean, std)
    if n % 16:
        d[n - 16:] = block([g.unit(dtype) for _ in range(16)], mean, std)
    return d


def randint(g: Generator, n: int, low: int, high: int) -> list[int]:
    draw = g.next64 if high - low >= 1 << 32 else g.next32
    return [draw() % (high - low) + low for _ in range(n)]


def randperm(g: Generator, n: int) -> list[int]:
    order = list(range(n))
    for i in range(n - 1):
        other = i + g.next32() % (n - i)
        order[i], order[other] = order[other], order[i]
    return order


def bernoulli(g: Generator, n: int, p: float) -> list[float]:
    return [float(g.fraction53() < p) for _ in range(n)]


# ---- a GPU's stream ------------------------------------------------------------

def philox(counter: Sequence[int], key: Sequence[int]) -> list[int]:
    c, k = list(counter), list(key)
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(p1 >> 32) ^ c[1] ^ k[0], p1 & U32,
             (p0 >> 32) ^ c[3] ^ k[1], p0 & U32]
        k = [(k[0] + 0x9E3779B9) & U32, (k[1] + 0xBB67AE85) & U32]
    return c


class CudaGenerator:
    """One for each GPU; the offset counts 32-bit draws of each thread."""

    def __init__(self, seed: int, multiprocessors: int, threads: int) -> None:
        self.seed, self.offset = seed & U64, 0
        self.most_blocks = multiprocessors * (threads // 256)

    def draws(self, n: int, per_draw: int,
              wanted: Iterable[int]) -> list[tuple[list[int], int]]:
        """For each wanted element of a call of n: its draw and place in it."""
        threads = 256 * min(self.most_blocks, (n + 255) // 256)
        out = []
        for i in wanted:
            turn, thread = divmod(i, threads)
            counter = self.offset // 4 + turn // per_draw
            quad = philox([counter & U32, counter >> 32, thread, 0],
                          [self.seed & U32, self.seed >> 32])
            out.append((quad, turn % per_draw))
        self.offset += ((n - 1) // (threads * 4) + 1) * 4
        return out


STEP = f32(2.3283064e-10)
TURN = f32(STEP * f32(6.2831855))


def unit32(x: int) -> float:
    return fma32(f32(x), STEP, f32(STEP / 2))


def bits53(quad: Sequence[int], place: int) -> int:
    return quad[2 * place] ^ quad[2 * place + 1] << 21


def cuda_uniform(g: CudaGenerator, n: int, low: float, high: float, dtype: str,
                 wanted: Sequence[int]) -> list[float]:
    near = ROUND[dtype]
    low, high = near(low), near(high)
    out = []
    for quad, place in g.draws(n, 2 if dtype == "float64" else 4, wanted):
        if dtype == "float64":
            unit = float(bits53(quad, place)) * 2.0 ** -53 + 2.0 ** -54
            value = fma64(unit, high - low, low)
        else:
            value = near(fma32(unit32(quad[place]), f32(high - low), low))
        out.append(low if value == high else value)
    return out


def cuda_normal(g: CudaGenerator, n: int, mean: float, std: float, dtype: str,
                wanted: Sequence[int]) -> list[float]:
    out = []
    for quad, place in g.draws(n, 2 if dtype == "float64" else 4, wanted):
        wave = math.cos if place & 1 else math.sin
        if dtype == "float64":
            unit = float(bits53(quad, 0)) * 2.0 ** -53 + 2.0 ** -54
            turn = float(bits53(quad, 1)) * 2.0 ** -52 + 2.0 ** -53
            value = math.sqrt(-2 * math.log(unit)) * wave(turn * math.pi)
            out.append(value * std + mean)
            continue
        first = place & 2
        turn32 = fma32(f32(quad[first + 1]), TURN, f32(TURN / 2))
        radius = f32(math.sqrt(f32(-2 * math.log(unit32(quad[first])))))
        value = f32(radius * f32(wave(turn32)))
        out.append(ROUND[dtype](f32(f32(value * f32(std)) + f32(mean))))
    return out


def cuda_randint(g: CudaGenerator, n: int, low: int, high: int,
                 wanted: Sequence[int]) -> list[int]:
    wide = high - low >= 1 << 32
    out = []
    for quad, place in g.draws(n, 2 if wide else 4, wanted):
        value = (quad[2 * place] << 32 | quad[2 * place + 1] if wide
                 else quad[place])
        out.append(value % (high - low) + low)
    return out
