"""Timelines: the events of a trace, a lane a stream or engine."""
from __future__ import annotations

import html
import re
from typing import NamedTuple

import svg
from fault import Fault

WIDTH, LEFT, LANE, ROWS = 720.0, 156.0, 30.0, 60
NEAR = 0.01  # microseconds: less is the trace's rounding
KINDS = (("copy", r"memcpy|copy|htod|dtoh|dtod|peer|memset"),
         ("wait", r"synchroni|wait|elapsed"),
         ("call", r"^cuda|^cublas"))


class Bar(NamedTuple):
    lane: str
    name: str
    start: float  # microseconds
    length: float
    kind: str
    parts: tuple[str, ...] = ()  # the names of several, drawn as one


class Flow(NamedTuple):
    source: tuple[str, float]
    target: tuple[str, float]


def kind_of(event: dict, lane: str) -> str:
    words = f"{event.get('name', '')} {event.get('cat', '')}".lower()
    if "host" not in lane.lower() and re.search(KINDS[0][1], words):
        return "copy"
    if "host" in lane.lower():
        return "wait" if re.search(KINDS[1][1], words) else "call"
    return "kernel"


def read(events: list[dict]) -> tuple[list[str], list[Bar], list[Flow]]:
    """Lanes in the trace's order, bars and arrows."""
    process: dict[object, str] = {}
    thread: dict[tuple, str] = {}
    order: dict[tuple, tuple] = {}
    for event in events:
        if event.get("ph") != "M":
            continue
        key = (event.get("pid"), event.get("tid"))
        args = event.get("args", {})
        if event["name"] == "process_name":
            process[key[0]] = args.get("name", "")
        elif event["name"] == "thread_name":
            thread[key] = args.get("name", "")
        elif event["name"] == "process_sort_index":
            order[(key[0],)] = (args.get("sort_index", 0),)
        elif event["name"] == "thread_sort_index":
            order[key] = (args.get("sort_index", 0),)

    def lane_of(event: dict) -> str:
        key = (event.get("pid"), event.get("tid"))
        parts = [re.sub(r"^(cuda:\d+) .*", r"\1",
                        process.get(key[0], f"process {key[0]}")),
                 thread.get(key, f"lane {key[1]}")]
        return " ".join(dict.fromkeys(part for part in parts if part))

    bars, ends, flows = [], {}, []
    keys: dict[str, tuple] = {}
    for event in events:
        if event.get("ph") not in ("X", "s", "f"):
            continue
        lane = lane_of(event)
        pid, tid = event.get("pid"), event.get("tid")
        keys.setdefault(lane, (order.get((pid,), (pid,)),
                               order.get((pid, tid), (tid,))))
        start = float(event["ts"])
        if event["ph"] == "X":
            if not float(event.get("dur", 0)):
                continue  # a mark, such as an event: its arrow says it
            bars.append(Bar(lane, str(event.get("name", "")), start,
                            float(event.get("dur", 0)),
                            kind_of(event, lane)))
        elif event["ph"] == "s":
            ends[event.get("id")] = (lane, start)
        elif event.get("id") in ends:
            flows.append(Flow(ends[event["id"]], (lane, start)))
    lanes = sorted(keys, key=lambda name: str(keys[name]) and (
        tuple(str(k).rjust(12) for part in keys[name] for k in part)))
    return lanes, sorted(bars, key=lambda b: (b.start, b.lane)), flows


def ticks(span: float) -> list[float]:
    """Five to twelve round times from 0 to the span."""
    step = 10.0 ** len(str(int(span)))
    for part in (2, 2.5, 2) * 6:
        if span / step >= 5:
            break
        step /= part
    return [step * at for at in range(int(span / step + 1e-9) + 1)]


def time_words(us: float) -> str:
    """1,234.5 µs; milliseconds from ten of them on."""
    if abs(us) >= 10000:
        return f"{us / 1000:,.1f}".removesuffix(".0") + " ms"
    return f"{us:,.2f}".rstrip("0").rstrip(".") + " µs"


def first_of_interest(bars: list[Bar], start: float) -> float:
    """Where to begin: at the host's call that gave a GPU its first work, for
    before it stands set-up alone, hundreds of milliseconds of it."""
    bars = [bar for bar in bars if bar.start + bar.length > start]
    device = [bar.start for bar in bars if bar.kind in ("copy", "kernel")]
    if not device:
        return max(start, min((bar.start for bar in bars), default=0.0))
    calls = [bar.start for bar in bars
             if bar.kind in ("call", "wait") and bar.start <= min(device)]
    return max(start, max(calls, default=min(device)))


def draw(ident: str, title: str, events: list[dict], start: float | None,
         end: float | None, wanted: list[str],
         say: dict) -> tuple[str, str]:
    lanes, bars, flows = read(events)
    if not wanted:  # a task stands on its stream and on its engine: one will do
        streams = [lane for lane in lanes if not lane.endswith(
            ("engine", "engine in", "engine out"))]
        lanes = streams or lanes
    else:
        chosen = []
        for name in wanted:
            hits = [lane for lane in lanes if name in lane]
            if not hits:
                raise Fault(f"the trace has no lane '{name}'. It has: "
                            + ", ".join(lanes))
            chosen += [lane for lane in hits if lane not in chosen]
        lanes = chosen
    bars = [bar for bar in bars if bar.lane in lanes]
    start = first_of_interest(bars, start or 0.0)
    last = max((b.start + b.length for b in bars), default=1.0)
    end = last if end is None else min(end, last)
    bars = [b for b in bars if b.start < end and b.start + b.length > start]
    lanes = [lane for lane in lanes if any(b.lane == lane for b in bars)]
    if not bars:
        raise Fault("nothing happens in this part of the trace")
    scale = (WIDTH - LEFT - 12) / max(end - start, 1e-3)
    height = 34 + len(lanes) * LANE
    shapes = axis(start, end, scale, height)
    for row, lane in enumerate(lanes):
        y = 30 + row * LANE
        shapes += [svg.text(LEFT - 10, y + 18,
                            svg.cut(named(lane, say), LEFT - 12, 6.4),
                            "small", "end"),
                   svg.line(LEFT, y + LANE, WIDTH - 12, y + LANE, "rule")]
        for bar in together([b for b in bars if b.lane == lane], scale, say):
            shapes += draw_bar(bar, start, end, scale, y, say)
    for flow in deciding(flows, bars):
        shapes += draw_flow(ident, flow, lanes, start, end, scale)
    key, below = legend({bar.kind for bar in bars}, height + 22,
                        say)
    rows = [[named(b.lane, say), b.name, time_words(b.start - start),
             time_words(b.length)] for b in bars]
    if len(rows) > ROWS:
        rows = rows[:ROWS] + [[
            say["more"].format(count=len(rows) - ROWS), "", "", ""]]
    says = say["timeline_says"].format(
        bars=len(bars), lanes=len(lanes), span=time_words(end - start),
        names=say["items"].join(named(lane, say) for lane in lanes))
    table = svg.table(say["timeline_head"], rows)
    drawing = svg.picture(ident, title, says, WIDTH, below, shapes + key)
    return drawing.replace('class="head"', 'class="waits-head"'), table


def named(lane: str, say: dict) -> str:
    """A lane of the trace in the reader's language."""
    for theirs, ours in say["lanes"].items():
        lane = lane.replace(theirs, ours)
    return lane


def axis(start: float, end: float, scale: float, height: float) -> list[str]:
    shapes = []
    for mark in ticks(end - start):
        x = LEFT + mark * scale
        shapes += [svg.line(x, 26, x, height, "grid"),
                   svg.text(x, 16, time_words(mark), "tick",
                            "end" if x > WIDTH - 40 else "middle")]
    return shapes


def words_of(bar: Bar, width: float, say: dict) -> str:
    """The longest name of a bar that fits into its width, or nothing."""
    names = (bar.name, bar.name.removeprefix("cuda"),
             re.sub(r"^cuda(Device|Stream|Event)", "", bar.name),
             say["short_copy"] if bar.kind == "copy" else "")
    return next((name for name in names
                 if svg.columns(name) * 6.4 < width - 8), "")


def together(bars: list[Bar], scale: float, say: dict) -> list[Bar]:
    """Calls of the host that follow one another, each too short to be named,
    as one bar that says how many they are."""
    made: list[Bar] = []
    for bar in bars:
        last = made[-1] if made else None
        if bar.kind == "call" and not words_of(bar, bar.length * scale, say):
            if (last and last.parts and bar.start
                    - (last.start + last.length) < NEAR):
                parts = (*last.parts, bar.name)
                made[-1] = last._replace(
                    name=say["calls_together"].format(count=len(parts)),
                    length=bar.start + bar.length - last.start, parts=parts)
                continue
            bar = bar._replace(parts=(bar.name,))
        made.append(bar)
    return made


def draw_bar(bar: Bar, start: float, end: float, scale: float,
             y: float, say: dict) -> list[str]:
    left = max(bar.start, start)
    right = min(bar.start + bar.length, end)
    x = LEFT + (left - start) * scale
    width = max(1.5, (right - left) * scale)
    words = words_of(bar, width, say)
    says = [bar.name]
    if len(bar.parts) > 1:
        says.append(say["items"].join(dict.fromkeys(bar.parts)))
    title = html.escape(": ".join([*says, time_words(bar.length)]),
                        quote=False)
    shape = svg.tag("rect", svg.tag("title", title), x=float(x),
                    y=float(y + 5), width=float(width), height=LANE - 10,
                    rx=2.0, class_=f"ev {bar.kind}")
    if not words:
        return [shape]
    return [shape, svg.text(x + 5, y + 19, words, f"in-ev {bar.kind}")]


def tied(flow: Flow, bars: list[Bar]) -> Flow | None:
    """From the end of the work that was waited for to the start of the work
    that waited; nothing where either stream is idle, for then nobody did."""
    lane, time = flow.source
    ends = [b.start + b.length for b in bars
            if b.lane == lane and b.start + b.length <= time + NEAR]
    other, then = flow.target
    starts = [b.start for b in bars
              if b.lane == other and b.start >= then - NEAR]
    if not ends or not starts or lane == other:
        return None
    return Flow((lane, max(ends)), (other, min(starts)))


def deciding(flows: list[Flow], bars: list[Bar]) -> list[Flow]:
    """Of all that a piece of work waited for, what came last."""
    last: dict[tuple[str, float], Flow] = {}
    for flow in flows:
        found = tied(flow, bars)
        if found and (found.target not in last
                      or last[found.target].source[1] < found.source[1]):
            last[found.target] = found
    return list(last.values())


def draw_flow(ident: str, flow: Flow, lanes: list[str], start: float,
              end: float, scale: float) -> list[str]:
    points = []
    for lane, time in flow:
        if lane not in lanes or not start <= time <= end:
            return []
        points.append((LEFT + (time - start) * scale,
                       30 + lanes.index(lane) * LANE + LANE / 2))
    (x1, y1), (x2, y2) = points
    y1 += 10 if y2 > y1 else -10
    y2 += -11 if y2 > y1 else 11
    return [svg.line(x1, y1, x2, y2, "waits", f"url(#{ident}-head)")]


def legend(kinds: set[str], y: float,
           say: dict) -> tuple[list[str], float]:
    shapes, x = [], LEFT
    for kind in ("kernel", "copy", "call", "wait"):
        if kind in kinds:
            shapes += [svg.rect(x, y - 10, 18, 12, f"ev {kind}", 2),
                       svg.text(x + 24, y, say[kind], "small")]
            x += 40 + svg.columns(say[kind]) * 7
    return shapes, y + 10
