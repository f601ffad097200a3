"""Maps: a machine's GPUs and links; logical and physical GPUs."""
from __future__ import annotations

import re

import machines
import svg

WIDTH = 720.0


def gib(words: str) -> str:
    """A memory size as a reader says it: 32494 MiB is 31.7 GiB."""
    match = re.match(r"([\d.]+) *(KiB|MiB|GiB|B)", words)
    if not match:
        return words
    scale = {"B": 2 ** -30, "KiB": 2 ** -20, "MiB": 2 ** -10, "GiB": 1}
    return f"{svg.number(round(float(match[1]) * scale[match[2]], 1))} GiB"


def rate(words: str) -> str:
    """The rate of a link: '2.75 us + 12.35 GB/s' is '12.35 GB/s'."""
    return words.split("+")[-1].split("*")[0].strip()


def cost(words: str) -> str:
    """What a copy takes: a fixed time, and a time for each byte."""
    return re.sub(r"\bus\b", "µs", words.split("*")[0].strip())


def short(name: str) -> str:
    return re.sub(r"^(NVIDIA|Tesla|GeForce) ", "", re.sub(
        r"^NVIDIA GeForce ", "", name))


def mib(words: str) -> float:
    match = re.match(r"([\d.]+) *(KiB|MiB|GiB|B)?", words or "0")
    scale = {"B": 2 ** -20, "KiB": 2 ** -10, "MiB": 1, "GiB": 1024, None: 1}
    return float(match[1]) * scale[match[2]] if match else 0.0


def gpu_box(x: float, y: float, width: float, index: int,
            gpu: dict[str, str], say: dict) -> list[str]:
    """One GPU: its index, name, and memory as a bar."""
    total, taken = mib(gpu.get("memory", "")), mib(gpu.get("others", ""))
    bar = width - 24
    shapes = [svg.rect(x, y, width, 92, "box gpu", 7),
              svg.text(x + 12, y + 22, f"GPU {index}", "strong"),
              svg.text(x + width - 12, y + 22, bus(gpu), "small code", "end"),
              svg.text(x + 12, y + 41,
                       svg.cut(short(gpu.get("name", "")), width - 24, 6.4),
                       "small"),
              svg.rect(x + 12, y + 52, bar, 10, "memory", 3)]
    if taken and total:
        shapes.append(svg.rect(x + 12, y + 52, bar * taken / total, 10,
                               "taken", 3))
    words = gib(gpu.get("memory", ""))
    if taken:
        words = say["taken"].format(total=words, taken=gib(gpu["others"]))
    shapes.append(svg.text(x + 12, y + 80, words, "small"))
    return shapes


def bus(gpu: dict[str, str]) -> str:
    return gpu.get("bus_id", "")[-7:]


def machine(ident: str, title: str, m: machines.Machine,
            say: dict) -> tuple[str, str]:
    """Host above, one link each, GPUs below; peer groups as brackets."""
    columns = min(4, max(1, m.n_gpus))
    rows = -(-m.n_gpus // columns) if m.n_gpus else 0
    gap = 16.0
    # one or two GPUs need no wide drawing, which a phone would cut
    full = WIDTH if columns > 2 else 320.0 if columns < 2 else 436.0
    width = min(210.0, (full - gap * (columns - 1)) / columns)
    left = (full - columns * width - gap * (columns - 1)) / 2
    host = m.all.get("host", {})
    shapes = [svg.rect(full / 2 - 150, 8, 300, 56, "box host", 7),
              svg.text(full / 2, 31, say["host"], "strong", "middle"),
              svg.text(full / 2, 50, svg.cut(host.get("name", ""), 280, 6.4),
                       "small", "middle")]
    bottom = 64.0
    for row in range(rows):
        y = 112.0 + row * 132
        rail = y - 22
        shapes.append(svg.line(full / 2, bottom, full / 2, rail, "link"))
        inside = [i for i in range(row * columns,
                                   min(m.n_gpus, (row + 1) * columns))]
        xs = [left + (i - row * columns) * (width + gap) for i in inside]
        shapes.append(svg.line(min([full / 2] + [x + width / 2 for x in xs]),
                               rail,
                               max([full / 2] + [x + width / 2 for x in xs]),
                               rail, "link"))
        for i, x in zip(inside, xs):
            shapes.append(svg.line(x + width / 2, rail, x + width / 2, y,
                                   "link"))
            shapes += gpu_box(x, y, width, i, m.gpus[i], say)
        bottom = rail
    height = 112.0 + rows * 132 - 26 if rows else 76.0
    if m.n_gpus:
        words = rate(m.gpus[0].get("h2d_pinned", ""))
        shapes.append(svg.text(full / 2 + 10, 82, words, "small"))
    peers = peer_words(m, say)
    if peers:
        shapes.append(svg.text(full / 2, height + 10, peers, "small",
                               "middle"))
        height += 18
    table = svg.table(
        say["map_head"],
        [[str(i), gpu.get("name", ""), gpu.get("bus_id", ""),
          gib(gpu.get("memory", "")), gpu.get("h2d_pinned", "")]
         for i, gpu in enumerate(m.gpus)])
    says = say["map_says"].format(title=m.title(say), peers=peers)
    return svg.picture(ident, title, says, full, height + 6, shapes), table


def peer_words(m: machines.Machine, say: dict) -> str:
    if m.n_gpus < 2:
        return ""
    links = m.all.get("links", {})
    on, off = cost(links.get("peer_on", "")), cost(links.get("peer_off", ""))
    pairs = sum(m.peers(a, b) for a in range(m.n_gpus) for b in range(a))
    every = m.n_gpus * (m.n_gpus - 1) // 2
    if not pairs:
        return say["through_host"].format(off=off)
    which = say["any_pair" if pairs == every else "some_pairs"].format(
        pairs=pairs, every=every)
    return say["peer"].format(on=on, which=which, off=off)


def mapping(ident: str, title: str, m: machines.Machine, env: dict[str, str],
            logical: list[int], say: dict) -> tuple[str, str]:
    """Physical GPUs below, as nvidia-smi counts; logical ones above."""
    count = max(m.n_gpus, 1)
    gap = 12.0
    width = min(120.0, (WIDTH - 20 - gap * (count - 1)) / count)
    left = (WIDTH - count * width - gap * (count - 1)) / 2
    wide = min(120.0, width)
    top_left = (WIDTH - len(logical) * wide - gap * (len(logical) - 1)) / 2
    setting = "  ".join(f"{k}={v}" for k, v in env.items()) or say["nothing_set"]
    shapes = [svg.text(WIDTH / 2, 18, setting, "code", "middle"),
              svg.text(left, 42, say["program_sees"], "small muted"),
              svg.text(left, 234, say["in_machine"],
                       "small muted")]
    for at, physical in enumerate(logical):
        x = top_left + at * (wide + gap)
        to = left + physical * (width + gap) + width / 2
        shapes += [svg.rect(x, 52, wide, 40, "box logical", 7),
                   svg.text(x + wide / 2, 77, f"cuda:{at}", "code strong",
                            "middle"),
                   svg.path(f"M{svg.number(x + wide / 2)} 92C"
                            f"{svg.number(x + wide / 2)} 126 "
                            f"{svg.number(to)} 116 {svg.number(to)} 150",
                            "arrow", f"url(#{ident}-head)")]
    if not logical:
        shapes.append(svg.text(WIDTH / 2, 77, say["no_gpu"], "strong",
                               "middle"))
    for index, gpu in enumerate(m.gpus):
        x = left + index * (width + gap)
        seen = index in logical
        shapes += [svg.rect(x, 152, width, 62,
                            "box gpu" if seen else "box hidden", 7),
                   svg.text(x + width / 2, 177, f"GPU {index}",
                            "strong" if seen else "muted", "middle"),
                   svg.text(x + width / 2, 197,
                            svg.cut(short(gpu.get("name", "")), width - 8,
                                    6.4) if seen else say["hidden"],
                            "small" if seen else "small muted", "middle")]
    rows = [[f"cuda:{at}", f"GPU {p}", m.gpus[p].get("name", ""),
             m.gpus[p].get("bus_id", "")] for at, p in enumerate(logical)]
    says = say["mapping_says"].format(setting=setting, pairs=say[
        "clauses"].join(say["is_gpu"].format(logical=at, physical=p)
                        for at, p in enumerate(logical))
        or say["none_visible"])
    table = svg.table(say["mapping_head"], rows)
    return svg.picture(ident, title, says, WIDTH, 244, shapes), table
