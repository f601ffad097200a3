"""The Rosetta page: a line of PyTorch, the line of C, the CUDA calls it made;
and for each thing that the workbook promises, the test that proves it.

Nothing is written by hand. The pairs are the chapters' own `pytorch` boxes,
the calls come from the simulator's log of the same run, the promises from
tests/style/seeds_rows.txt.
"""
from __future__ import annotations

import html
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import capture
import markdown as md
import sources as src
from fault import Fault

ROWS = "tests/style/seeds_rows.txt"
ROW = r"(?:block [A-D]|[0-4]\.\d+|T\d+)"
NAMING = re.compile(rf"\bseeds ({ROW}(?:(?:,| and|,? also) {ROW})*)")
BOX = re.compile(r"^(:{3,}) *(?:pytorch|\{\.pytorch.*\}) *$")
FENCE = re.compile(r"^```+(.*)$")
PLACE = re.compile(r'file="([^"]+)".*?region="([^"]+)"')
NOT_SHOWN = ("none", "nodriver", "real")


class Pair(NamedTuple):
    """One `pytorch` box of a chapter."""
    section: str                    # the id of the heading above it
    python: str
    places: list[tuple[str, str]]   # file and region of each C block
    heading: str                    # that heading, as HTML


def pairs_of(text: str) -> list[Pair]:
    """The `pytorch` boxes of a chapter's Markdown, in their order."""
    found: list[Pair] = []
    section, title, closing = "", "", ""
    python: list[str] = []
    places: list[tuple[str, str]] = []
    inside: str | None = None       # the info string of the open fence
    for line in text.splitlines():
        heading = re.match(r"^##+ (.*?) *\{#([^ }]+)", line)
        box, fence = BOX.match(line), FENCE.match(line)
        if heading and inside is None:
            section, title = heading[2], md.inline_html(heading[1])
        if fence:
            inside = fence[1].strip() if inside is None else None
            place = PLACE.search(inside or "")
            if closing and place:
                places.append((place[1], place[2]))
        elif inside == "python" and closing:
            python.append(line)
        elif box and not closing:
            closing, python, places = box[1], [], []
        elif closing and inside is None and line.rstrip() == closing:
            if python and places:
                found.append(Pair(section, "\n".join(python), places, title))
            closing = ""
    return found


def run_of(tree: src.Tree, path: str) -> src.Run | None:
    """The first run of a program that has a GPU to call."""
    lesson, program = Path(path).parent.name, Path(path).stem
    table = f"tests/lessons/{lesson}/runs"
    if not tree.exists(table):
        return None
    for row in tree.text(table).splitlines():
        cells = row.split()
        if len(cells) == 5 and not row.startswith("#") and \
                cells[1] == program and cells[2] not in NOT_SHOWN and \
                cells[4] != "77":
            return src.find_run(tree, f"{lesson}/{cells[0]}")
    return None


def calls_of(tree: src.Tree, programs: capture.Programs,
             places: list[tuple[str, str]]) -> list[str] | None:
    """The CUDA calls that these regions made, each once, with its count; None
    where the log does not tell them from the program's others."""
    count: Counter[str] = Counter()
    for path, region in places:
        run = run_of(tree, path)
        if not run:
            return None
        try:
            lines = programs.window(run, region)
        except capture.Untold:
            return None
        except Fault:
            continue                # it calls nothing
        count.update(match[1] for match in
                     (re.search(r"\b(cu[a-zA-Z]\w*)\(", line)
                      for line in lines) if match)
    return [name + (f" ×{n}" if n > 1 else "") for name, n in count.items()]


def pre(text: str, lang: str) -> str:
    return f'<pre class="{lang}"><code>{html.escape(text, False)}</code></pre>'


def pair_html(tree: src.Tree, programs: capture.Programs, page: str,
              pair: Pair, none: str) -> str:
    code = "\n".join(line.text for path, region in pair.places
                     for line in src.shown_lines(tree, path, region))
    calls = calls_of(tree, programs, pair.places)
    made = ""
    if calls is not None:
        listed = " ".join(f"<code>{html.escape(call)}</code>"
                          for call in calls)
        made = f'<p class="made">{listed or none}</p>'
    return (f'<div class="pair"><p><a href="{page}.html#{pair.section}">'
            f"{page[:2]}&ensp;{pair.heading}</a></p>"
            f"{pre(pair.python, 'python')}{pre(code, 'c')}{made}</div>")


def proofs(tree: src.Tree) -> dict[str, list[str]]:
    """Which files of tests and lessons name each promise."""
    named: dict[str, list[str]] = {}
    for top in ("tests", "lessons"):
        for path in sorted((tree.root / top).rglob("*")):
            inside = path.relative_to(tree.root).as_posix()
            if not path.is_file() or inside.startswith("tests/style/") or \
                    path.suffix not in (".c", ".h", ".py", ".txt", "") or \
                    path.name == "CMakeLists.txt":
                continue
            try:
                text = path.read_text("utf-8")
            except UnicodeDecodeError:
                continue
            rows = {row for naming in NAMING.findall(text)
                    for row in re.findall(ROW, naming)}
            if rows:
                tree.text(inside)   # an input of this page
            for row in rows:
                named.setdefault(row, []).append(inside)
    return named


def proof_table(tree: src.Tree, say: dict) -> str:
    named = proofs(tree)
    out = ['<table class="proofs"><thead><tr>' + "".join(
        f"<th>{word}</th>" for word in say["head"]) + "</tr></thead><tbody>"]
    english = ' lang="en"' if say["english"] else ""
    for line in tree.text(ROWS).splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        row, lessons, what = (part.strip() for part in line.split("|", 2))
        files = named.get(row, [])
        shown = "<br>".join(f"<code>{html.escape(f)}</code>"
                            for f in files[:3])
        more = "<br>" + say["more"].format(count=len(files) - 3) if len(
            files) > 3 else ""
        out.append(f"<tr><td>{row}</td><td>{lessons}</td>"
                   f"<td{english}>{html.escape(what, False)}</td>"
                   f"<td>{shown or '—'}{more}</td></tr>")
    return "".join(out) + "</tbody></table>"


def page(tree: src.Tree, programs: capture.Programs,
         chapters: list[tuple[str, str, str]], say: dict) -> str:
    """chapters: (name, title, Markdown); say: the edition's words."""
    out = [part for line in say["page"] for part in (line, "")]
    for name, title, text in chapters:
        pairs = pairs_of(text)
        if not pairs:
            continue
        out += [f"## {name[:2]}{say['colon']}{title} {{#lesson-{name[:2]}}}", ""]
        out += [*md.raw('<div class="rosetta">' + "".join(
            pair_html(tree, programs, name, pair, say["no_call"])
            for pair in pairs)
            + "</div>"), ""]
    return "\n".join(out)


def proof_page(tree: src.Tree, say: dict) -> str:
    out = [part for line in [*say["page"], say["english"]] if line
           for part in (line, "")]
    return "\n".join([*out, *md.raw('<div class="table">'
                                    f"{proof_table(tree, say)}</div>"), ""])
