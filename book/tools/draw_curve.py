"""Curves: columns of a table that a run printed."""
from __future__ import annotations

import math
import re

import svg
from fault import Fault

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720.0, 330.0, 74.0, 110.0, 16.0, 52.0
UNITS = {"": 1.0, "%": 1.0, "x": 1.0, "ns": 1e-9, "us": 1e-6, "µs": 1e-6,
         "ms": 1e-3, "s": 1.0, "B": 1.0, "KiB": 2.0 ** 10, "MiB": 2.0 ** 20,
         "GiB": 2.0 ** 30, "kB": 1e3, "MB": 1e6, "GB": 1e9, "K": 1e3,
         "M": 1e6, "G": 1e9, "GB/s": 1e9, "MB/s": 1e6}
CELL = re.compile(r"^([-+]?[\d,]*\.?\d+(?:e[-+]?\d+)?) ?([A-Za-zµ%/]*)$")


def cells(line: str) -> list[str]:
    """A row's cells: between bars, or two spaces apart, or words."""
    if "|" in line:
        return [c.strip() for c in line.strip(" |").split("|")]
    wide = [c for c in re.split(r"\s{2,}|\t", line.strip()) if c]
    return wide if len(wide) > 1 else line.split()


def value(cell: str) -> float | None:
    match = CELL.match(cell)
    if not match or match[2] not in UNITS:
        return None
    return float(match[1].replace(",", "")) * UNITS[match[2]]


def read(lines: list[str]) -> dict[str, list[float]]:
    """The first table in the lines: a header, then rows of numbers."""
    for at, line in enumerate(lines):
        head, rows = cells(line), []
        for row in lines[at + 1:]:
            numbers = [value(c) for c in cells(row)]
            if len(numbers) != len(head):
                numbers = [value(c) for c in row.split()]
            if len(numbers) != len(head) or None in numbers:
                if not row.strip(" -+|="):
                    continue
                break
            rows.append(numbers)
        if len(head) > 1 and len(rows) > 1 and value(head[0]) is None:
            return {name: [row[i] for row in rows]
                    for i, name in enumerate(head)}
    raise Fault("these lines hold no table: a header line, then at least two "
                "rows of numbers")


def words(number: float) -> str:
    if 1 <= abs(number) < 1e6:
        return f"{number:,.7g}"
    for limit, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(number) >= limit:
            return f"{number / limit:g}{unit}" if abs(
                number) < 1e13 else f"{number:.0e}"
    if number and abs(number) < 1e-3:
        for limit, unit in ((1e-6, "µ"), (1e-9, "n")):
            if abs(number) >= limit * 0.999:
                return f"{number / limit:g}{unit}"
    return f"{number:g}"


class Axis:
    """From numbers to places on the page."""

    def __init__(self, numbers: list[float], low: float, high: float,
                 log: bool, tight: bool = False) -> None:
        self.log = log and min(numbers) > 0
        self.own = sorted(set(numbers)) if tight else []
        first, last = min(numbers), max(numbers)
        if self.log:
            first, last = math.log10(first), math.log10(last)
            if not tight:
                first, last = math.floor(first), math.ceil(last)
        else:
            first = min(first, 0.0)
        self.first, self.last = first, last if last > first else first + 1
        self.low, self.high = low, high

    def at(self, number: float) -> float:
        number = math.log10(number) if self.log else number
        part = (number - self.first) / (self.last - self.first)
        return self.low + part * (self.high - self.low)

    def marks(self) -> list[float]:
        """Round numbers; or the numbers themselves, when they are few."""
        if 1 < len(self.own) < 10 and self.log:
            return self.own
        if self.log:
            step = max(1, round((self.last - self.first) / 7))
            return [10.0 ** e for e in range(math.ceil(self.first),
                                             int(self.last) + 1, step)]
        span = self.last - self.first
        step = 10.0 ** math.floor(math.log10(span))
        while span / step < 4:
            step /= 2
        return [self.first + step * i for i in range(int(span / step) + 1)]


def draw(ident: str, title: str, columns: dict[str, list[float]],
         wanted: list[str], labels: list[str],
         scale: str, say: dict) -> tuple[str, str]:
    """`wanted` are columns, x first; `labels` what to call them."""
    if scale not in ("", "log"):
        raise Fault(f"scale=\"{scale}\" must be log, or absent")
    xs, names = columns[wanted[0]], wanted[1:]
    every = [y for name in names for y in columns[name]]
    x_axis = Axis(xs, LEFT, WIDTH - RIGHT, scale == "log", True)
    y_axis = Axis(every, HEIGHT - BOTTOM, TOP, scale == "log")
    shapes = []
    for mark in x_axis.marks():
        x = x_axis.at(mark)
        shapes += [svg.line(x, TOP, x, HEIGHT - BOTTOM, "grid"),
                   svg.text(x, HEIGHT - BOTTOM + 18, words(mark), "tick",
                            "middle")]
    for mark in y_axis.marks():
        y = y_axis.at(mark)
        shapes += [svg.line(LEFT, y, WIDTH - RIGHT, y, "grid"),
                   svg.text(LEFT - 8, y + 4, words(mark), "tick", "end")]
    shapes.append(svg.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12,
                           labels[0], "small", "middle"))
    ends: list[tuple[float, float]] = []
    for at, name in enumerate(names):
        points = [(x_axis.at(x), y_axis.at(y))
                  for x, y in zip(xs, columns[name])]
        shapes += series(points, at)
        ends.append(points[-1])
    shapes += names_at(ends, labels[1:])
    order = [wanted[0], *names]
    rows = [[f"{columns[name][i]:g}" for name in order]
            for i in range(len(xs))]
    says = say["curve_says"].format(
        ys=say["items"].join(labels[1:]), x=labels[0], low=words(min(xs)),
        high=words(max(xs)))
    return (svg.picture(ident, title, says, WIDTH, HEIGHT, shapes),
            svg.table(labels, rows))


def names_at(ends: list[tuple[float, float]],
             labels: list[str]) -> list[str]:
    """Each curve's name at its end, in the order of the ends, apart."""
    order = sorted(range(len(ends)), key=lambda at: ends[at][1])
    places: list[float] = []
    for at in order:
        low = places[-1] + 15 if places else 0.0
        places.append(max(ends[at][1], low))
    over = sum(place - ends[at][1] for at, place in zip(order, places))
    up = over / len(ends) if ends else 0.0
    return [svg.text(ends[at][0] + 10, place - up + 4,
                     svg.cut(labels[at], RIGHT - 12, 6.4), f"small s{at % 4 + 1}")
            for at, place in zip(order, places)]


def series(points: list[tuple[float, float]], at: int) -> list[str]:
    """One curve, with marks of its own shape."""
    kind = f"s{at % 4 + 1}"
    d = "M" + "L".join(f"{svg.number(x)} {svg.number(y)}" for x, y in points)
    shapes = [svg.path(d, f"curve {kind}")]
    for x, y in points:
        if at % 4 == 0:
            shapes.append(svg.tag("circle", cx=float(x), cy=float(y), r=3.5,
                                  class_=f"dot {kind}"))
        elif at % 4 == 1:
            shapes.append(svg.rect(x - 3.2, y - 3.2, 6.4, 6.4, f"dot {kind}",
                                   0))
        else:
            flip = 1 if at % 4 == 2 else -1
            shapes.append(svg.path(
                f"M{svg.number(x - 4)} {svg.number(y + 3 * flip)}h8l-4 "
                f"{-7 * flip}z", f"dot {kind}"))
    return shapes
