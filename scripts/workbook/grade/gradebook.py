"""The class in files that other programs read: CSV wide and long, JUnit XML,
Gradescope's results.json; and a summary for people."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from xml.sax.saxutils import escape, quoteattr

from .. import verdict
from ..verdict import Verdict
from . import report, work
from .late import Late, Policy
from .work import Graded

NO_LATE = Late()
# What XML 1.0 cannot carry, escaped or not.
NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def name_of(one: Verdict) -> str:
    return f"{one.lesson}/{one.slug}"


def cell(one: Verdict) -> str:
    """Points; empty for what was not attempted; `fault` is no zero."""
    if work.kind(one) == work.FAULT:
        return "fault"
    return "" if work.kind(one) == work.NOTHING else f"{one.points:g}"


def _table(rows: list[list[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def wide(graded: list[Graded], late: dict[str, Late], policy: Policy) -> str:
    """A row a student, a column an exercise."""
    names = [name_of(one) for one in graded[0].verdicts] if graded else []
    rows = [["student", *names, "total", "max", "days_late", "total_after_late"]]
    if graded:
        worst = [f"{one.max_points:g}" for one in graded[0].verdicts]
        most = f"{graded[0].max_points:g}"
        rows.append(["(points possible)", *worst, most, most, "", most])
    for one in graded:
        lateness = late.get(one.student, NO_LATE)
        totals = [f"{one.points:g}", f"{one.max_points:g}", str(lateness.counted(policy))]
        totals.append(f"{lateness.kept(policy, one.points):g}")
        if one.faults:
            totals[0] = totals[3] = "fault"
        rows.append([one.student, *(cell(v) for v in one.verdicts), *totals])
    return _table(rows)


def long(graded: list[Graded]) -> str:
    """A row a student and exercise."""
    head = "student lesson exercise points max kind outcome recognised seeds sandbox"
    rows = [head.split()]
    for one in graded:
        for v in one.verdicts:
            fault = work.kind(v) == work.FAULT
            row = [one.student, v.lesson, v.slug, "" if fault else f"{v.points:g}"]
            row += [f"{v.max_points:g}", work.kind(v), v.outcome, v.recognised]
            rows.append([*row, " ".join(str(seed) for seed in v.seeds), one.level])
    return _table(rows)


def junit(graded: list[Graded], secret: bool) -> str:
    out = ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>"]
    for one in graded:
        kinds = Counter(_junit_kind(v) for v in one.verdicts)
        out.append(
            f"<testsuite name={quoteattr(one.student)} tests=\"{len(one.verdicts)}\" "
            f'failures="{kinds["failure"]}" errors="{kinds["error"]}" '
            f'skipped="{kinds["skipped"]}">'
        )
        for v in one.verdicts:
            out.append(f"<testcase classname={quoteattr(v.lesson)} name={quoteattr(v.slug)}>")
            words = escape(NOT_XML.sub("?", "\n".join(report.body(v, secret))))
            if _junit_kind(v):
                message = quoteattr(NOT_XML.sub("?", f"{v.outcome}, {report.score(v)}"))
                out.append(f"<{_junit_kind(v)} message={message}>{words}</{_junit_kind(v)}>")
            out.append("</testcase>")
        out.append("</testsuite>")
    return "\n".join([*out, "</testsuites>"]) + "\n"


def _junit_kind(one: Verdict) -> str:
    if one.outcome == verdict.PASSED:
        return ""
    return {work.FAULT: "error", work.NOTHING: "skipped"}.get(work.kind(one), "failure")


def gradescope(one: Graded, secret: bool) -> str:
    """results.json (Gradescope, Autograder Specifications). A fault of ours
    leaves out score and tests: their sum would be a grade."""
    if one.faults:
        words = f"{one.faults} exercises could not be graded: our fault, not yours."
        return _json({"output": words, "visibility": "visible", "stdout_visibility": "hidden"})
    tests = []
    for number, v in enumerate(one.verdicts, 1):
        tests.append(
            {
                "name": f"{name_of(v)} {v.title}".strip(),
                "number": str(number),
                "score": v.points,
                "max_score": v.max_points,
                "status": "passed" if v.outcome == verdict.PASSED else "failed",
                "output": "\n".join(report.body(v, secret))[:50_000],
                "output_format": "text",
                "visibility": "visible",
            }
        )
    whole = {"score": one.points, "output": "\n".join(report.notes(one)), "tests": tests}
    return _json({**whole, "visibility": "visible", "stdout_visibility": "hidden"})


def _json(whole: dict) -> str:
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _not_read(graded: list[Graded]) -> list[str]:
    """Whom to ask again before a zero, or an empty row, stands."""
    broken = [one.student for one in graded if one.taken.problem]
    bare = [one.student for one in graded if not one.taken.problem and not one.taken.files]
    other = [one.student for one in graded if one.taken.misnamed]
    again = [one.student for one in graded if "~" in one.student]
    lines = [f"could not be unpacked: {', '.join(broken)}"] if broken else []
    lines += [f"no exercise's file in: {', '.join(bare)}"] if bare else []
    lines += [f"files under another name: {', '.join(other)}"] if other else []
    return lines + ([f"handed in more than once: {', '.join(again)}"] if again else [])


def summary(graded: list[Graded]) -> str:
    """Where the class is stuck."""
    lines = [f"{len(graded)} submissions"]
    if not graded:
        return lines[0] + "\n"
    whole = [one.points for one in graded if not one.faults]
    if whole:
        middle = sorted(whole)[len(whole) // 2]
        lines.append(f"mean {sum(whole) / len(whole):.1f}, median "
                     f"{verdict.number(middle)} of "
                     f"{verdict.number(graded[0].max_points)} points")
    lines += _not_read(graded)
    width = max((len(name_of(v)) for v in graded[0].verdicts), default=0)
    lines += ["", f"{'exercise':{width}}  full part zero  not gradable  not attempted  fault"]
    stuck: list[tuple[float, str]] = []
    wrong: Counter[str] = Counter()
    for row in zip(*(one.verdicts for one in graded)):
        kinds = Counter(work.kind(v) for v in row)
        tried = [v for v in row if work.kind(v) in (work.POINTS, work.NOT_GRADABLE)]
        full = sum(v.outcome == verdict.PASSED for v in row)
        part = sum(0 < v.points and v.outcome != verdict.PASSED for v in row)
        zero = kinds[work.POINTS] - full - part
        lines.append(
            f"{name_of(row[0]):{width}}  {full:4} {part:4} {zero:4}  {kinds[work.NOT_GRADABLE]:12}"
            f"  {kinds[work.NOTHING]:13}  {kinds[work.FAULT]:5}"
        )
        if tried and full < len(tried):
            stuck.append((full / len(tried), f"{name_of(row[0])}: {full} of {len(tried)} pass"))
        wrong.update(f"{name_of(v)}: {v.recognised}" for v in row if v.recognised)
    if stuck:
        lines += ["", "Where the class is stuck:", *("  " + s for _, s in sorted(stuck)[:5])]
    if wrong:
        ranked = sorted(wrong.items(), key=lambda item: (-item[1], item[0]))[:10]
        lines += ["", "Commonest wrong answers:", *(f"  {n:4}  {name}" for name, n in ranked)]
    return "\n".join(lines) + "\n"
