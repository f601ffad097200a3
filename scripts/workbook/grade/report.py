"""One student's report, as text and as a page."""

from __future__ import annotations

import html

from .. import verdict
from ..verdict import Verdict
from . import sandbox, work
from .late import Late, Policy
from .work import Graded


def visible(line: str) -> str:
    """Without what would steer a terminal; a student's program wrote it."""
    return "".join(c if c.isprintable() or c == "\t" else f"\\x{ord(c):02x}" for c in line)


def score(one: Verdict) -> str:
    if work.kind(one) == work.FAULT:
        return f"? of {verdict.number(one.max_points)} points"
    return verdict.points(one)


def body(one: Verdict, secret: bool) -> list[str]:
    """The verdict in full, and how to see it again."""
    words = verdict.lines(one)
    if not one.points:  # with some, they stand there already
        words += verdict.parts(one)
    lines = [visible(line) for line in words]
    if secret and one.seeds:
        numbers = ",".join(str(seed) for seed in one.seeds)
        lines += [
            "",
            f"  Seeds: {numbers}. To see it again, with your file in its place, in a clone",
            "  that has the answers (your instructor's):",
            f"  python3 scripts/workbook exercise {one.lesson[:2]} {one.slug.split('_')[0]} "
            f"--seeds {numbers}",
        ]
    return lines


def notes(graded: Graded) -> list[str]:
    """What was noticed beside the exercises."""
    lines: list[str] = []
    if not graded.taken.problem and not graded.taken.files:
        lines += ["No exercise's file was found in what you handed in. A file is called as in the",
                  "workbook, such as lessons/02_tensor_transfer/ex1_move_and_square.c."]
    if graded.taken.misnamed:
        lines.append("Not taken, for their names; a file is called as in the workbook:")
        lines += ["  " + visible(line) for line in graded.taken.misnamed]
    if graded.taken.altered:
        lines.append("Files of the workbook that you changed (the grader used its own):")
        lines += ["  " + visible(name) for name in graded.taken.altered]
    if graded.taken.odd:
        lines.append("Noticed in what you handed in:")
        lines += ["  " + visible(line) for line in graded.taken.odd]
    return lines


def total(graded: Graded, late: Late | None, policy: Policy) -> list[str]:
    if graded.faults:
        return [f"{graded.faults} exercises could not be graded by our fault: no total yet"]
    number = verdict.number
    lines = [f"{number(graded.points)} of {number(graded.max_points)} points"]
    if late and late.counted(policy):
        lines.append(
            f"{late.counted(policy)} days late, {policy.per_day:g} % a day: "
            f"{number(late.kept(policy, graded.points))} points"
        )
    return lines


def text(graded: Graded, late: Late | None, policy: Policy, secret: bool) -> str:
    lines = [graded.student, *total(graded, late, policy), ""]
    width = max((len(f"{v.lesson}/{v.slug}") for v in graded.verdicts), default=0)
    for one in graded.verdicts:
        lines.append(f"  {one.lesson + '/' + one.slug:{width}}  {one.outcome:16}  {score(one)}")
    lines += ["", f"sandbox: {sandbox.WORDS[graded.level]}"]
    extra = notes(graded)
    lines += ["", *extra] if extra else []
    for one in graded.verdicts:
        if one.outcome != verdict.ABSENT:
            lines += ["", "-" * 72, *body(one, secret)]
    return "\n".join(lines) + "\n"


STYLE = """body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;
color-scheme:light dark}table{border-collapse:collapse}td,th{padding:.2rem .8rem;text-align:left;
border-bottom:1px solid #8888}pre{overflow-x:auto;padding:.8rem;border:1px solid #8888}
td.n{text-align:right}"""


def page(graded: Graded, late: Late | None, policy: Policy, secret: bool) -> str:
    """One file, readable without a network; all of it escaped."""
    out = ["<!doctype html>", '<html lang="en"><head><meta charset="utf-8">']
    out.append('<meta name="viewport" content="width=device-width">')
    out.append(f"<title>{html.escape(graded.student)}</title><style>{STYLE}</style></head><body>")
    out.append(f"<h1>{html.escape(graded.student)}</h1>")
    out += [f"<p>{html.escape(line)}</p>" for line in total(graded, late, policy)]
    out.append("<table><tr><th>exercise</th><th>outcome</th><th>points</th></tr>")
    for at, one in enumerate(graded.verdicts):
        name = html.escape(f"{one.lesson}/{one.slug}")
        out.append(
            f'<tr><td><a href="#e{at}">{name}</a></td><td>{html.escape(one.outcome)}</td>'
            f'<td class="n">{html.escape(score(one))}</td></tr>'
        )
    out.append(f"</table><p>Sandbox: {html.escape(sandbox.WORDS[graded.level])}.</p>")
    extra = notes(graded)
    if extra:
        out.append(f"<pre>{html.escape(chr(10).join(extra))}</pre>")
    for at, one in enumerate(graded.verdicts):
        out.append(f'<h2 id="e{at}">{html.escape(one.title or one.slug)}</h2>')
        out.append(f"<pre>{html.escape(chr(10).join(body(one, secret)))}</pre>")
    return "\n".join([*out, "</body></html>"]) + "\n"
