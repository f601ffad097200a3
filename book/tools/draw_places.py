"""Where each tensor lives: places as boxes, tensors as slips inside them.

A tensor's place is read from the line that the run printed for it.
"""
from __future__ import annotations

import re
from typing import NamedTuple

import svg
from fault import Fault

WIDTH, PAD, SLIP, GAP = 720.0, 14.0, 46.0, 10.0
ARROW = re.compile(r"^(\w[\w.\[\]]*) *-> *(\w[\w.\[\]]*) *(?:: *(.*))?$")
SLOT = re.compile(r"^(\w[\w.\[\]]*): +(.+)$")
PLACE = re.compile(r"device=(?:device\(type=)?'(\w+)'?(?:, index=(\d+)|:(\d+))?")
DEVICE = re.compile(r"^(cpu|cuda(:\d+)?)$|\bdevice: (cpu|cuda(?::\d+)?)")


class Slip(NamedTuple):
    name: str
    words: str
    place: str


class Panel(NamedTuple):
    title: str
    slips: list[Slip]


Arrow = tuple[int, str, str, str]  # panel, from, to, label


def place_of(words: str) -> str:
    """tensor([1], device='cuda:7') lives on cuda:7; without a device: cpu."""
    match = re.search(r"type='(\w+)'(?:, index=(\d+))?", words)
    if match:
        return match[1] + (f":{match[2]}" if match[2] else "")
    match = re.search(r"device='([\w:]+)'", words)
    if match:
        return match[1]
    match = re.search(r"\b(cpu|cuda:\d+)\s*$", words)
    return match[1] if match else "cpu"


def whole(printed: list[str], first: str) -> str:
    """A tensor that is printed on several lines, from its first one on."""
    words, at = "", printed.index(first)
    for line in printed[at:]:
        words = f"{words} {line.strip()}".strip()
        if words.count("(") <= words.count(")"):
            return words
    return first


def read(body: list[str], printed: list[str],
         run: str) -> tuple[list[Panel], list[Arrow], str]:
    """The body of a places figure: panels, tensors, arrows, caption."""
    panels: list[Panel] = []
    arrows: list[Arrow] = []
    caption: list[str] = []
    for line in body:
        text = line.strip()
        arrow, slot = ARROW.match(text), SLOT.match(text)
        if text.startswith("= "):
            panels.append(Panel(text[2:], []))
        elif caption or not (arrow or (slot and panels)):
            caption.append(text)
        elif arrow:
            arrows.append((len(panels) - 1, arrow[1], arrow[2],
                           arrow[3] or ""))
        elif slot:
            if slot[2] not in printed:
                raise Fault(f"run {run} does not print the line "
                            f"'{slot[2]}' (of {slot[1]})")
            words = whole(printed, slot[2])
            panels[-1].slips.append(Slip(slot[1], words, place_of(words)))
    if not panels or not all(panel.slips for panel in panels):
        raise Fault("a places figure has panels ('= title'), each with lines "
                    "'name: printed line'")
    for panel, source, target, _ in arrows:
        names = {slip.name for slip in panels[panel].slips}
        for name in (source, target):
            if name not in names:
                raise Fault(f"an arrow names '{name}', which its panel does "
                            "not place")
    return panels, arrows, "\n".join(caption).strip()


def order_of(places: set[str]) -> list[str]:
    return sorted(places, key=lambda p: (p != "cpu", len(p), p))


def draw(ident: str, title: str, panels: list[Panel],
         arrows: list[Arrow], say: dict) -> tuple[str, str]:
    """Panels below each other, the same places in the same columns."""
    places = order_of({slip.place for panel in panels
                       for slip in panel.slips})
    if len(places) == 1:
        places.append("cuda:0" if places[0] == "cpu" else "cpu")
        places = order_of(set(places))
    between = 96.0 if any(label for *_, label in arrows) else 3 * GAP
    column = (WIDTH - between * (len(places) - 1)) / len(places)
    shapes: list[str] = []
    top = 4.0
    for at, panel in enumerate(panels):
        here = [a for a in arrows if a[0] == at]
        drawn, height = draw_panel(ident, panel, here, places, column, between,
                                   top)
        shapes += drawn
        top += height + 22
    rows = [[panel.title, slip.name, slip.place, slip.words]
            for panel in panels for slip in panel.slips]
    says = say["panels"].join(
        say["panel_says"].format(title=panel.title, slips=say["items"].join(
            say["on_place"].format(name=s.name, place=s.place)
            for s in panel.slips)) for panel in panels)
    table = svg.table(say["places_head"], rows)
    return svg.picture(ident, title, says, WIDTH, top - 12, shapes), table


def draw_panel(ident: str, panel: Panel, arrows: list[Arrow],
               places: list[str], column: float, between: float,
               top: float) -> tuple[list[str], float]:
    per = {place: [s for s in panel.slips if s.place == place]
           for place in places}
    tallest = max(len(slips) for slips in per.values())
    height = 34 + tallest * (SLIP + GAP) + 6
    shapes = [svg.text(0, top + 14, panel.title, "strong")]
    top += 24
    spots: dict[str, tuple[float, float, float]] = {}
    for at, place in enumerate(places):
        x = at * (column + between)
        kind = "host" if place == "cpu" else "gpu"
        shapes += [svg.rect(x, top, column, height, f"box {kind}", 7),
                   svg.text(x + PAD, top + 21, place, "code strong")]
        for row, slip in enumerate(per[place]):
            y = top + 34 + row * (SLIP + GAP)
            wide = column - 2 * PAD
            words = re.sub(r", device='[^']*'", "", slip.words)
            shapes += [svg.rect(x + PAD, y, wide, SLIP, "slip", 5),
                       svg.text(x + PAD + 10, y + 18, slip.name,
                                "code strong"),
                       svg.text(x + PAD + 10, y + 36,
                                svg.cut(words, wide - 20, 6.9),
                                "code small")]
            spots[slip.name] = (x + PAD, y + SLIP / 2, wide)
    for _, source, target, label in arrows:
        shapes += draw_arrow(ident, spots[source], spots[target], label)
    return shapes, height + 24


def draw_arrow(ident: str, a: tuple[float, float, float],
               b: tuple[float, float, float], label: str) -> list[str]:
    """From a slip's edge to the other's nearest edge, its label above."""
    head = f"url(#{ident}-head)"
    if abs(a[0] - b[0]) < 1:  # the same column: down the right-hand side
        x = a[0] + a[2] - 26
        shapes = [svg.line(x, a[1] + (14 if b[1] > a[1] else -14), x,
                           b[1] + (-22 if b[1] > a[1] else 22), "arrow",
                           head)]
        middle = (x - 8, (a[1] + b[1]) / 2 + 4)
        return shapes + [svg.text(*middle, label, "small halo", "end")]
    right = b[0] > a[0]
    x1 = a[0] + a[2] if right else a[0]
    x2 = b[0] - 2 if right else b[0] + b[2] + 2
    shapes = [svg.line(x1, a[1], x2, b[1], "arrow", head)]
    shapes.append(svg.text((x1 + x2) / 2, (a[1] + b[1]) / 2 - 8, label,
                           "small halo", "middle"))
    return shapes
