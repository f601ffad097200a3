"""Machine files, read for the page of machines and for pictures.

The simulator has its own reader; this one keeps what that one drops: the
comments that say where each figure is from.
"""
from __future__ import annotations

import html
import re
from typing import NamedTuple

import markdown as md
import sources as src
from fault import Fault

FOLDER = "lib/sim/machines"


class Figure(NamedTuple):
    section: str
    key: str
    value: str
    source: str


class Machine(NamedTuple):
    name: str
    about: str                       # the comment at the head of the file
    like: str
    figures: list[Figure]            # as this file states them
    n_gpus: int
    gpus: list[dict[str, str]]       # per GPU, key -> value, all resolved
    all: dict[str, dict[str, str]]   # section -> key -> value, all resolved

    @property
    def driver(self) -> bool:
        return self.all.get("machine", {}).get("driver", "yes") == "yes"

    def title(self, say: dict) -> str:
        """8 × Tesla V100-PCIE-32GB"""
        if not self.n_gpus:
            return say["no_gpu" if self.driver else "no_driver"]
        kinds: dict[str, int] = {}
        for gpu in self.gpus:
            name = gpu.get("name", "GPU")
            kinds[name] = kinds.get(name, 0) + 1
        return say["kinds"].join(f"{count} × {name}"
                                 for name, count in kinds.items())

    def peers(self, a: int, b: int) -> bool:
        """Can GPU a read GPU b's memory directly?"""
        words = self.all.get("links", {}).get("peers", "none")
        if words in ("all", "none"):
            return words == "all" and a != b
        for group in words.split():
            first, _, last = group.partition("-")
            span = range(int(first), int(last or first) + 1)
            if a in span and b in span and a != b:
                return True
        return False


def source_of(comments: list[str], trailing: str) -> str:
    text = trailing or " ".join(comments)
    return re.sub(r"^source: *", "", text.strip())


def read(tree: src.Tree, name: str, path: str,
         known: dict[str, Machine]) -> Machine:
    figures: list[Figure] = []
    about: list[str] = []
    comments: list[str] = []
    section, like, at_head, n_gpus = "", "", True, 0
    gpus: list[dict[str, str]] = []
    merged: dict[str, dict[str, str]] = {}
    for number, line in enumerate(tree.text(path).splitlines(), 1):
        text, hash_, trailing = line.partition("#")
        text, indented = text.strip(), trailing[1:].rstrip()
        trailing = trailing.strip()
        if not text:
            if at_head:
                about.append(indented)
            comments = comments + [trailing] if hash_ else []
            continue
        at_head = False
        if text.startswith("["):
            section, comments = text.strip("[] "), []
            continue
        key, _, value = (part.strip() for part in text.partition("="))
        if key == "like":
            if value not in known:
                raise Fault(f"no machine is called '{value}'", path, number)
            base, like = known[value], value
            n_gpus = base.n_gpus
            gpus = [dict(gpu) for gpu in base.gpus]
            merged = {k: dict(v) for k, v in base.all.items()}
            continue
        figures.append(Figure(section, key, value,
                              source_of(comments, trailing)))
        comments = []
        if section == "machine" and key == "gpus":
            n_gpus = int(value)
            gpus = (gpus + [{} for _ in range(n_gpus)])[:n_gpus]
        if section.startswith("gpu "):
            first, _, last = section[4:].partition("-")
            for gpu in gpus[int(first):int(last or first) + 1]:
                gpu[key] = value
        else:
            merged.setdefault(section, {})[key] = value
    words = "\n".join(about).strip()
    return Machine(name, words, like, figures, n_gpus, gpus, merged)


def load_all(tree: src.Tree) -> dict[str, Machine]:
    """Every machine file, those that others are like first."""
    paths = {path.stem: str(path.relative_to(tree.root))
             for path in tree.folder(FOLDER, "*.machine")}
    known: dict[str, Machine] = {}
    while len(known) < len(paths):
        ready = [name for name in paths if name not in known
                 and likes(tree, paths[name]) <= set(known)]
        if not ready:
            raise Fault("machine files are like each other in a circle",
                        FOLDER, 1)
        for name in ready:
            known[name] = read(tree, name, paths[name], known)
    order = sorted(known, key=lambda name: (-known[name].n_gpus, name))
    order.sort(key=lambda name: name != "v100x8")
    return {name: known[name] for name in order}


def likes(tree: src.Tree, path: str) -> set[str]:
    return set(re.findall(r"^like\s*=\s*(\S+)", tree.text(path), re.M))


def described(figure: Figure, say: dict) -> str:
    """What a figure is, in the reader's language."""
    plain = figure.key.replace("_", " ")
    if figure.section == "calls" and figure.key != "context":
        return say["cost_of_one"].format(
            what=say["costs"].get(figure.key, plain))
    return say["keys"].get(figure.key, plain)


def table(machine: Machine, say: dict) -> str:
    """Every figure of a file, with its source."""
    rows, section = [], None
    for figure in machine.figures:
        if figure.section != section:
            section = figure.section
            rows.append(f'<tr><th colspan="3" scope="rowgroup">'
                        f"{html.escape(section_in(section, say))}</th></tr>")
        cells = (html.escape(described(figure, say), quote=False),
                 html.escape(figure.value, quote=False),
                 linked(figure.source))
        rows.append("<tr>" + "".join(f"<td>{c}</td>" for c in cells)
                    + "</tr>")
    return ("<table><thead><tr>"
            + "".join(f"<th>{word}</th>" for word in say["head"])
            + "</tr></thead><tbody>" + "\n".join(rows) + "</tbody></table>")


def section_in(section: str, say: dict) -> str:
    """[gpu 0-3] keeps its numbers."""
    word, space, numbers = section.partition(" ")
    return say["sections"].get(word, word) + space + numbers


def about_html(text: str) -> str:
    """The comment at the head of a file: paragraphs, and a list of its
    sources, whose lines are indented: [key] words."""
    made: list[str] = []
    for line in text.split("\n"):
        source = re.match(r"\s+(\[\w+\])\s+(.*)", line)
        if source:
            made.append(f"<dt>{source[1]}</dt><dd>{linked(source[2])}</dd>")
        elif line.startswith("  ") and made and made[-1].endswith("</dd>"):
            made[-1] = f"{made[-1][:-5]} {linked(line.strip())}</dd>"
        elif not line.strip():
            made.append("")
        elif made and made[-1].startswith("<p>"):
            made[-1] = f"{made[-1][:-4]} {linked(line.strip())}</p>"
        else:
            made.append(f"<p>{linked(line.strip())}</p>")
    text = "".join(part if part else "\n" for part in made)
    return re.sub(r"((?:<dt>.*?</dt><dd>.*?</dd>)+)", r'<dl class="keys">\1'
                  "</dl>", text)


def linked(text: str) -> str:
    text = html.escape(text, quote=False)
    return re.sub(r"(https?://[^\s,;)]+)", r'<a href="\1">\1</a>', text)


def page(machines: dict[str, Machine], words: dict) -> str:
    if not machines:
        raise Fault(f"there is no machine file in {FOLDER}")
    say, figure = words["machines"], words["figure"]
    out = [part for line in say["page"] for part in (line, "")]
    for machine in machines.values():
        title = machine.title(figure)
        about = about_html(machine.about)
        if say["english"]:
            about = f'<div lang="{say["english"]}">{about}</div>'
        out += [f"## `{machine.name}`{words['colon']}{title} "
                f"{{#{machine.name}}}", "", *md.raw(about), ""]
        if machine.like:
            out += [say["like"].format(name=machine.like), ""]
        if machine.n_gpus:
            out += [f'``` {{.figure #map-{machine.name} kind="machine" '
                    f'machine="{machine.name}" title="{title}"}}',
                    say["joined"].format(name=machine.name), "```", ""]
        out += [*md.raw(f'<details class="figures"><summary>{say["all"]}'
                        f'</summary><div class="table">{table(machine, say)}'
                        "</div></details>"), ""]
    return "\n".join(out)
