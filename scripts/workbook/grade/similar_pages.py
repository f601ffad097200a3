"""The similarity report: text, CSV, and a page with both files of each pair."""

from __future__ import annotations

import csv
import html
import io
from collections import Counter

from . import alike
from .report import visible

RULE = f"""\
Compared are runs of {alike.RUN} tokens that neither the starter, the reference answer
nor a known wrong answer holds, and that not more than a third of the class has
(or more than three); layout, comments and names of one's own do not count. The
figure is the share of the smaller file's own runs that the other has too, rare
runs weighing more. Two files are compared where each has {alike.FEWEST} runs of its own.
A pair is also listed when two comments of their own agree.

A listed pair is a reason to read both files, not a proof. Short answers come
out alike by themselves: see below how alike the class is as a whole, and how
many pairs are as alike as the one you look at."""


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _said(found, pair: alike.Pair, asked: dict[int, int | None]) -> str:
    words = f"{_percent(pair.share)}, {len(pair.runs)} runs"
    if pair.said:
        words += f", {len(pair.said)} equal comments"
    if asked.get(id(pair)) is not None:
        words += f", sim_c: {asked[id(pair)]} %"
    return f"{words}; as alike or more: {found.as_alike(pair)} of {len(found.pairs)} pairs"


def text(done, students: int, threshold: float, asked, notes: list[str]) -> str:
    lines = [f"Similarity of {students} submissions", "", RULE, ""]
    lines += [f"Pairs from {threshold:g} % on", ""]
    several: Counter[tuple[str, str]] = Counter()
    for found in done:
        for pair in found.listed:
            several[(pair.one.student, pair.two.student)] += 1
            lines.append(f"  {pair.one.student}, {pair.two.student}: {found.name}")
            lines.append(f"      {_said(found, pair, asked)}")
    if not several:
        lines.append("  none")
    often = [(count, names) for names, count in several.items() if count > 1]
    if often:
        lines += ["", "Alike in several exercises", ""]
        for count, (one, two) in sorted(often, key=lambda item: (-item[0], item[1])):
            lines.append(f"  {one}, {two}: {count}")
    width = max((len(found.name) for found in done), default=8)
    lines += ["", "How alike the class is", ""]
    lines.append(f"  {'exercise':{width}}  handed in  compared  pairs  median  95th %  listed")
    for found in done:
        lines.append(
            f"  {found.name:{width}}  {found.handed_in:9}  {len(found.files):8}"
            f"  {len(found.pairs):5}  {_percent(found.quantile(0.5)):>6}"
            f"  {_percent(found.quantile(0.95)):>6}  {len(found.listed):6}"
        )
    lines += ["", "Handed in and not compared: too little of their own."]
    lines += [visible(note) for note in notes]
    return "\n".join(lines) + "\n"


def table(done, asked) -> str:
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    head = "one two exercise percent runs comments sim_c as_alike pairs"
    rows.writerow(head.split())
    for found in done:
        for pair in found.listed:
            second = asked.get(id(pair))
            rows.writerow(
                [pair.one.student, pair.two.student, found.name, f"{100 * pair.share:.0f}",
                 len(pair.runs), len(pair.said), "" if second is None else second,
                 found.as_alike(pair), len(found.pairs)]
            )
    return out.getvalue()


STYLE = """body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;padding:0 1rem;max-width:90rem;
color-scheme:light dark}.two{display:flex;gap:1rem;flex-wrap:wrap}.two>div{flex:1 1 30rem;
min-width:0}pre{overflow-x:auto;padding:.8rem;border:1px solid #8888}
mark{background:#fc08;color:inherit}"""


def _code(file: alike.File, runs: set) -> str:
    marked = file.lines(runs)
    lines = []
    for at, line in enumerate(file.text.split("\n")):
        words = html.escape(visible(line))
        lines.append(f"<mark>{words}</mark>" if at in marked else words)
    return f"<h3>{html.escape(file.student)}</h3><pre>{chr(10).join(lines)}</pre>"


def page(done, words: str, asked) -> str:
    """One file, readable without a network; all of it escaped. Marked lines
    are those that both have and the workbook did not give."""
    out = ['<!doctype html>\n<html lang="en"><head><meta charset="utf-8">']
    out.append('<meta name="viewport" content="width=device-width">')
    out.append(f"<title>Similarity</title><style>{STYLE}</style></head><body>")
    out.append(f"<h1>Similarity</h1><pre>{html.escape(words)}</pre>")
    for found in done:
        for pair in found.listed:
            title = f"{found.name}: {pair.one.student}, {pair.two.student}"
            out.append(f"<h2>{html.escape(title)}</h2><p>{_said(found, pair, asked)}</p>")
            for line in sorted(pair.said):
                out.append(f"<p>Both say: {html.escape(line)}</p>")
            out.append(f'<div class="two"><div>{_code(pair.one, pair.runs)}</div>')
            out.append(f"<div>{_code(pair.two, pair.runs)}</div></div>")
    return "\n".join([*out, "</body></html>"]) + "\n"
