"""Turn bench_measure's table into the figures of a machine file, and say how
well the machine then predicts what was not used.

    fit.py TABLE --like h200 --out my.machine [--simulate bench_measure]

TABLE is what bench_measure printed on the card. The file is that machine
with the measured figures in place of its own. Of each series every second
row is held out of the fit; memset, the waiting copies and the programs are
never used. With --simulate, the simulator's bench_measure runs on the new
machine, and both tables are compared row by row. (README.md here)
"""
from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import NamedTuple

MACHINES = Path(__file__).resolve().parents[2] / "lib/sim/machines"
LINKS = ("h2d_pinned", "d2h_pinned", "h2d_pageable", "d2h_pageable",
         "peer_on", "peer_off")
RATES = ("float32", "float64", "float16", "bfloat16", "tf32", "int8")
CALLS = ("call", "query", "launch", "copy", "sync", "malloc", "free", "pool")


class Row(NamedTuple):
    what: str
    size: int
    bytes: float
    flops: float
    ns: float


class Table(NamedTuple):
    head: dict[str, str]
    rows: list[Row]

    def series(self, what: str) -> list[Row]:
        return sorted((r for r in self.rows if r.what == what),
                      key=lambda r: r.size)


def read_table(text: str) -> Table:
    """Lines of five columns, and a head of "# card     NVIDIA H200"."""
    head: dict[str, str] = {}
    rows: list[Row] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if line.startswith("#"):
            if len(words) > 2 and words[1] not in head:
                head[words[1]] = " ".join(words[2:])
        elif words:
            try:
                what, size, n_bytes, flops, ns = words
                rows.append(Row(what, int(size), float(n_bytes), float(flops),
                                float(ns)))
            except ValueError:
                raise SystemExit(f"line {number}: \"{line}\"; expected what, "
                                 "size, bytes, flops and ns") from None
    if not rows:
        raise SystemExit("the table has no rows; give what bench_measure "
                         "printed")
    return Table(head, rows)


def used(rows: list[Row]) -> list[Row]:
    """The last row, the last but two, and so on; the others are held out."""
    return rows[::-1][::2][::-1]


def line_through(points: list[tuple[float, float]],
                 weights: list[float]) -> tuple[float, float]:
    """(a, b) of t = a + b x, least weighted squares; a is not negative."""
    sw = sum(weights)
    sx = sum(w * x for w, (x, _) in zip(weights, points))
    st = sum(w * t for w, (_, t) in zip(weights, points))
    sxx = sum(w * x * x for w, (x, _) in zip(weights, points))
    sxt = sum(w * x * t for w, (x, t) in zip(weights, points))
    across = sw * sxx - sx * sx
    if len(points) > 1 and across > 0:
        b = (sw * sxt - sx * st) / across
        a = (st - b * sx) / sw
        if a >= 0 and b > 0:
            return a, b
    return 0.0, sxt / sxx


def fit_line(points: list[tuple[float, float]]) -> tuple[float, float]:
    """t = a + b x with small relative errors; a few wild points weigh less
    (Huber's weights, over the median error)."""
    wild = [1.0] * len(points)
    a = b = 0.0
    for _ in range(10):
        a, b = line_through(points, [w / (t * t) for w, (_, t)
                                     in zip(wild, points)])
        errors = [abs(a + b * x - t) / t for x, t in points]
        limit = max(2 * median(errors), 1e-6)
        wild = [min(1.0, limit / e) if e > 0 else 1.0 for e in errors]
    return a, b


def fit_links(table: Table, figures: dict[str, object]) -> None:
    """A latency and a rate each. The host's own calls are not the link's."""
    host = float(figures.get("copy_call", 0)) + float(figures.get("sync", 0))
    for name in LINKS:
        rows = used(table.series(name))
        if rows:
            a, b = fit_line([(r.bytes, r.ns) for r in rows])
            if name.endswith("pageable"):
                a = max(0.0, a - host)
            figures[name] = (a, 1e9 / b)


def fit_calls(table: Table, figures: dict[str, object]) -> None:
    for name in CALLS:
        rows = table.series(f"call_{name}")
        if rows:
            key = "copy_call" if name == "copy" else name
            figures[key] = median(r.ns for r in rows)
    rows = table.series("call_context")
    if rows:
        own = float(figures.get("call", 0))
        figures["context"] = max(0.0, rows[0].ns - own)
    rows = table.series("host_malloc")
    if rows:
        figures["host_malloc"], figures["host_malloc_per_byte"] = fit_line(
            [(r.bytes, r.ns) for r in rows])


def fit_memory(table: Table, figures: dict[str, object]) -> None:
    kernels = used(table.series("kernel"))
    copies = used(table.series("copy"))
    if kernels:
        a, b = fit_line([(r.bytes, r.ns) for r in kernels])
        figures["kernel"], figures["bandwidth"] = a, 1e9 / b
    if copies:
        _, b = fit_line([(r.bytes, r.ns) for r in copies])
        figures["copy"] = 1e9 / b


def fit_rates(table: Table, figures: dict[str, object]) -> None:
    """flop/s of the products that arithmetic, not memory, holds back: least
    squares on the relative error of kernel + flops / rate."""
    kernel = float(figures.get("kernel", 0))
    memory = float(figures.get("bandwidth", 1e30))
    for name in RATES:
        rows = [r for r in used(table.series(f"gemm_{name}"))
                if r.ns > kernel
                and 1e9 * r.bytes / memory < 0.9 * (r.ns - kernel)]
        if rows:
            top = sum(r.flops * (r.ns - kernel) / r.ns ** 2 for r in rows)
            figures[name] = 1e9 * sum((r.flops / r.ns) ** 2
                                      for r in rows) / top


def fit(table: Table) -> dict[str, object]:
    """Each figure by its key; a link is (ns, bytes/s); the key of [calls]
    copy is copy_call, for a GPU has a copy too."""
    figures: dict[str, object] = {}
    fit_calls(table, figures)
    fit_links(table, figures)
    fit_memory(table, figures)
    fit_rates(table, figures)
    return figures


def as_time(ns: float) -> str:
    return f"{ns / 1000:.3f} us"


def as_rate(per_s: float, unit: str) -> str:
    if per_s >= 1e12:
        return f"{per_s / 1e12:.4f} T{unit}/s"
    return f"{per_s / 1e9:.4f} G{unit}/s"


def gpus_of(like: str) -> int:
    """How many GPUs that built-in machine has."""
    n = 1
    for line in base_lines(like):
        match = re.match(r"(like|gpus) = (\S+)", line)
        if match:
            n = gpus_of(match[2]) if match[1] == "like" else int(match[2])
    return n


def base_lines(like: str) -> list[str]:
    path = MACHINES / f"{like}.machine"
    if not path.is_file():
        names = sorted(p.stem for p in MACHINES.glob("*.machine"))
        raise SystemExit(f"no built-in machine is called \"{like}\"; there "
                         f"are {', '.join(names)}")
    return path.read_text().splitlines()


def with_peak(key: str, per_s: float, unit: str, like: str) -> str:
    """"4.8 TB/s * 0.9012" where that machine's file names a peak above it."""
    pattern = re.compile(rf"{key} = ([\d.]+) ([GT])(B|FLOP|OP)/s \*")
    for line in base_lines(like):
        match = pattern.match(line)
        if match:
            peak = float(match[1]) * (1e12 if match[2] == "T" else 1e9)
            if per_s <= peak:
                return (f"{match[1]} {match[2]}{match[3]}/s * "
                        f"{per_s / peak:.5f}")
    return as_rate(per_s, unit)


def machine_text(figures: dict[str, object], table: Table, like: str) -> str:
    card = table.head.get("card", "an unnamed card")
    source = (f"source: measured on {card}, "
              f"{table.head.get('driver', 'unknown driver')}, "
              f"{table.head.get('date', 'undated')}")
    if table.head.get("times") == "simulated":
        source = source.replace("measured on", "simulated:")
    n_gpus = min(int(table.head.get("gpus", "1")), gpus_of(like))
    lines = [f"# {card}, as bench_measure found it.", f"like = {like}", "",
             "[machine]", f"gpus = {n_gpus} # {source}", "", "[calls]"]

    def put(key: str, value: str) -> None:
        lines.append(f"{key} = {value} # {source}")

    for key in ("call", "query", "launch", "copy_call", "sync", "malloc",
                "free", "pool", "host_malloc", "context"):
        if key in figures:
            put(key.replace("_call", ""), as_time(float(figures[key])))
    if "host_malloc_per_byte" in figures:
        put("host_malloc_per_byte",
            f"{float(figures['host_malloc_per_byte']):.6f} ns/B")
    lines += ["", "[links]"]
    pinned = [figures[k][1] for k in LINKS[:2] if k in figures]
    if pinned: # one GPU cannot tell what several would share
        put("host_link", as_rate(max(pinned), "B"))
    for key in LINKS[4:]:
        if key in figures:
            put(key, link_text(figures[key]))
    lines += ["", f"[gpu 0-{n_gpus - 1}] # GPU 0 was measured"]
    for key in LINKS[:4]:
        if key in figures:
            put(key, link_text(figures[key]))
    if "kernel" in figures:
        put("kernel", as_time(float(figures["kernel"])))
    for key in ("bandwidth", "copy"):
        if key in figures:
            put(key, with_peak(key, float(figures[key]), "B", like))
    for key in RATES:
        if key in figures:
            unit = "OP" if key == "int8" else "FLOP"
            put(key, with_peak(key, float(figures[key]), unit, like))
    return "\n".join(lines) + "\n"


def link_text(link: tuple[float, float]) -> str:
    return f"{as_time(link[0])} + {as_rate(link[1], 'B')}"


def predictions(table: Table, predicted: Table) -> list[tuple[Row, float]]:
    """Rows of the table that the fit did not use, with what was predicted."""
    by_name = {(r.what, r.size): r.ns for r in predicted.rows}
    fitted = {(r.what, r.size) for what in {r.what for r in table.rows}
              if not is_free(what) for r in used_of(table, what)}
    return [(r, by_name[r.what, r.size]) for r in table.rows
            if (r.what, r.size) in by_name
            and (r.what, r.size) not in fitted]


def used_of(table: Table, what: str) -> list[Row]:
    rows = table.series(what)
    return rows if what.startswith(("call_", "host_malloc")) else used(rows)


def is_free(what: str) -> bool:
    """Whether nothing at all of this series goes into the fit."""
    return (what == "memset" or what.endswith("_waiting")
            or what.startswith("program_"))


def print_predictions(pairs: list[tuple[Row, float]]) -> float:
    print(f"{'what':<24} {'size':>12} {'measured ns':>14} "
          f"{'predicted ns':>14} {'error':>8}")
    errors = []
    for row, ns in pairs:
        errors.append(abs(ns - row.ns) / row.ns)
        print(f"{row.what:<24} {row.size:>12} {row.ns:>14.1f} {ns:>14.1f} "
              f"{100 * (ns - row.ns) / row.ns:>+7.2f}%")
    return median(errors)


def simulate(program: str, machine: Path, arguments: list[str]) -> Table:
    env = dict(os.environ, SIM_MACHINE=str(machine))
    done = subprocess.run([program, *arguments], env=env, text=True,
                          capture_output=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{program} on {machine} ended with "
                         f"{done.returncode}: {done.stderr or done.stdout}")
    return read_table(done.stdout)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description="Fit a machine file to bench_measure's table.")
    parser.add_argument("table", type=Path)
    parser.add_argument("--like", required=True, metavar="MACHINE",
                        help="the built-in machine that it is a kind of")
    parser.add_argument("--out", required=True, type=Path,
                        help="the machine file to write")
    parser.add_argument("--simulate", metavar="BENCH_MEASURE",
                        help="the simulator's, to predict with")
    options, rest = parser.parse_known_args(argv)
    table = read_table(options.table.read_text())
    options.out.write_text(machine_text(fit(table), table, options.like))
    print(f"wrote {options.out}")
    if options.simulate:
        pairs = predictions(table, simulate(options.simulate,
                                            options.out.resolve(), rest))
        if not pairs:
            raise SystemExit("no row was held out; measure more sizes")
        error = print_predictions(pairs)
        print(f"median relative error {100 * error:.2f} % over {len(pairs)} "
              "rows that were not used in the fit")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
