"""The one verdict function: ctest, learn and grade all call `check()`.

The student's code runs in a process of its own and only facts come back;
the expected facts are never in that process.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable

from . import compiler, crash, crash_words, facts, manifest, probing, show, starters, verdict
from .facts import Difference, Told
from .launcher import Plain
from .lesson import Fault, Lesson, remove_tree
from .manifest import Manifest, Rule
from .probing import Bank, Heard, Run
from .verdict import Verdict

AS_THE_STARTER = (
    "This does what the untouched starter does: the part that is yours to write has no effect yet."
)


def check(
    lesson: Lesson,
    slug: str,
    source: str = "",
    whose: str = "your file",
    launcher=None,
    seeds: list[int] | None = None,
    force: bool = False,
    shown: str = "",
) -> Verdict:
    """The verdict on `source` (the lesson's own file when empty).

    `launcher` compiles and runs it; `seeds` replace the manifest's; `force`
    judges an untouched starter as if it were an attempt; `shown` is the name
    that messages give to `source`. Never raises for
    what a student did; our own broken files are the outcome `grader fault`.
    """
    source = source or lesson.source(slug + ".c")
    result = Verdict(lesson.name, slug, verdict.FAULT, "", whose, shown or lesson.shown(source))
    work = ""
    try:
        rules = manifest.read(lesson, slug)
        result.title, result.max_points, result.why = rules.title, rules.points, rules.why
        if not os.path.isfile(source):
            result.outcome = verdict.ABSENT
            result.sentence = f"There is no file {result.shown}."
            return result
        if not force and starters.untouched(lesson, slug, source):
            result.outcome = verdict.NOT_ATTEMPTED
            result.sentence = (
                f"Not attempted: {result.shown} is still the starter. "
                "Open it and do what its first comment asks."
            )
            return result
        work = tempfile.mkdtemp(dir=lesson.scratch("tmp"))
        _judge(result, lesson, rules, source, work, launcher or Plain(), seeds)
    except Fault as fault:
        result.outcome, result.points = verdict.FAULT, 0.0
        result.sentence = f"The lesson's own files are at fault, not yours.\n{fault}"
    except OSError as error:
        result.outcome, result.points = verdict.FAULT, 0.0
        result.sentence = f"The judge could not work: {error}"
    finally:
        if work:
            remove_tree(work)
    return result


def _judge(
    result: Verdict,
    lesson: Lesson,
    rules: Manifest,
    source: str,
    work: str,
    launcher,
    seeds: list[int] | None,
) -> None:
    built = compiler.build(lesson, result.slug, source, result.shown, rules, work, launcher)
    result.compiler = result.warnings = built.compiler
    bank = Bank(lesson, result.slug, rules)
    if not built.exe:
        if built.linker:
            bank.prove()  # or it is our probe that cannot be linked
        result.outcome, result.sentence = built.problem, built.sentence
        return
    every = probing.runs(lesson, rules, seeds)
    expected = {run: bank.told("reference", run) for run in every}
    able = [run for run in every if expected[run].end != "skip"]
    result.seeds = sorted({run.seed for run in every})
    if not able:
        _needs(result, lesson, expected)
        return
    heard: dict[Run, Heard] = {}
    for run in able:
        heard[run] = probing.hear(lesson, rules, built.exe, run, work, launcher)
        result.runs += 1
        if heard[run].told.end in ("time", "output", "memory"):
            break  # the rest would only take as long

    def stopped(one: Heard) -> crash.Stop:
        return crash.find(lesson, one, built.exe, source, work, launcher)

    decide(result, lesson, rules, bank, {run: expected[run] for run in able}, heard, stopped)


def known(lesson: Lesson, slug: str, role: str, bank: Bank) -> Verdict:
    """The verdict on an answer of ours (starter, wrong answer): the same
    words as for a student who hands it in, from the facts that are kept."""
    rules = bank.manifest
    result = Verdict(lesson.name, slug, verdict.FAULT, "", f"our {role}")
    result.title, result.max_points, result.why = rules.title, rules.points, rules.why
    every = probing.runs(lesson, rules)
    expected = {run: bank.told("reference", run) for run in every}
    expected = {run: told for run, told in expected.items() if told.end != "skip"}
    heard = {run: Heard(bank.told(role, run)) for run in expected}
    decide(result, lesson, rules, bank, expected, heard)
    result.warnings = bank.warnings(role)
    return result


def decide(
    result: Verdict,
    lesson: Lesson,
    rules: Manifest,
    bank: Bank,
    expected: dict[Run, Told],
    heard: dict[Run, Heard],
    stopped: Callable[[Heard], crash.Stop] = lambda _: crash.Stop(),
) -> None:
    """Fill in the outcome from what was expected and what was heard.

    `stopped` finds out where a program was that did not reach its end."""
    real = lesson.backend != "sim"
    told = {run: said.told for run, said in heard.items()}
    problem = _first_problem(rules, expected, told, real)
    if problem is None:
        result.outcome, result.points = verdict.PASSED, rules.points
        machines = len({(run.machine, run.env) for run in told})
        result.sentence = (
            f"Passed: right in {show.count(len(told), 'run')} "
            f"({show.count(machines, 'machine')}, {show.count(len(result.seeds), 'seed')})."
        )
        result.compiler = []
        first = next(iter(heard.values()), None)
        result.printed = show.head(first.out, 12) if first else []
        return
    run, difference = problem
    if difference is None:
        result.details += _before_the_end(rules, expected[run], told[run], real)
        _ended(result, rules, run, heard[run], stopped)
    else:
        result.outcome = verdict.WRONG
        result.sentence = f"Wrong {run.words()}.\n{_capital(difference.what)}:"
        result.details = facts.explain(difference)
    result.parts = _parts(rules, expected, told, real)
    result.points = _points(rules, expected, told, real)
    name = _recognise(rules, bank, expected, told, real)
    if name:
        result.recognised = name
        sentence = AS_THE_STARTER if name == "starter" else rules.wrong[name]
        result.details += ["", *verdict.wrap(sentence, "  ")]
        if name == "starter":
            result.points, result.parts = 0.0, []
    result.printed = show.head(heard[run].out, 12)
    if result.outcome == verdict.WRONG:
        result.printed += show.head(heard[run].err, 12)


def _first_problem(
    rules: Manifest, expected: dict[Run, Told], told: dict[Run, Told], real: bool
) -> tuple[Run, Difference | None] | None:
    """The first run that is not right: a difference, or None where the
    program did not reach its end."""
    for run, said in told.items():
        if said.end:
            return run, None
        differences = _differences(rules, expected[run], said, real)
        if differences:
            return run, differences[0]
    return None


def _differences(rules: Manifest, want: Told, said: Told, real: bool) -> list[Difference]:
    found = []
    for at, fact in enumerate(want.facts):
        got = said.facts[at] if at < len(said.facts) else None
        difference = facts.differ(fact, got, _rule(rules, fact), real)
        if difference:
            found.append(difference)
    for fact in said.facts[len(want.facts) :]:
        found.append(Difference(fact["n"], fact["n"], "(nothing more)", facts.words(fact)))
    return found


def _rule(rules: Manifest, fact: dict) -> Rule:
    return _rule_named(rules, fact["n"])


def _rule_named(rules: Manifest, name: str) -> Rule:
    return rules.facts.get(name, facts.PLAIN_RULE)


def _wrong_names(
    rules: Manifest, expected: dict[Run, Told], told: dict[Run, Told], real: bool
) -> tuple[set[str], set[str]]:
    """The facts that were not right in every run, and all that were due."""
    wrong: set[str] = set()
    stated: set[str] = set()
    for run, want in expected.items():
        stated |= {fact["n"] for fact in want.facts}
        said = told.get(run, Told(end="not run"))
        wrong |= {item.name for item in _differences(rules, want, said, real)}
        if said.end:  # whatever was right before it
            wrong.add(manifest.THE_REST)
    stated.add(manifest.THE_REST)
    if any(not _rule_named(rules, name).weight for name in wrong):
        wrong.add(manifest.THE_REST)
    return wrong, stated


def _points(
    rules: Manifest, expected: dict[Run, Told], told: dict[Run, Told], real: bool
) -> float:
    """Partial credit: a name counts when it was right in every run."""
    whole = sum(rule.weight for rule in rules.facts.values())
    wrong, stated = _wrong_names(rules, expected, told, real)
    if not whole or _lost(rules, wrong):
        return 0.0
    right = sum(rules.facts[name].weight for name in stated - wrong if name in rules.facts)
    return round(rules.points * right / whole, 2)


def _lost(rules: Manifest, wrong: set[str]) -> list[str]:
    """What must be right for any points, and is not; in the student's words."""
    needed = [name for name, rule in rules.facts.items() if rule.required and name in wrong]
    return [rules.facts[name].means or name for name in needed]


def _parts(
    rules: Manifest, expected: dict[Run, Told], told: dict[Run, Told], real: bool
) -> list[str]:
    """How the points came about, a line a part; nothing where it is all or
    nothing."""
    shares = manifest.parts(rules)
    if not shares:
        return []
    wrong, stated = _wrong_names(rules, expected, told, real)
    number = verdict.number
    lines = [f"The {number(rules.points)} points come in parts; a part counts when it is right in "
             "every run:"]
    for name, means, share in shares:
        got = share if name in stated - wrong else 0
        lines.append(f"  {number(got)} of {number(share)}: {means}")
        if name == manifest.THE_REST:
            lines[-1] += _of_the_rest(rules, wrong)
    for means in _lost(rules, wrong):
        lines.append(f"No part counts before this is right: {means}.")
    return lines


def _of_the_rest(rules: Manifest, wrong: set[str]) -> str:
    """Which of the facts without a weight are wrong: the part's own words
    cannot name them all."""
    names = sorted(name for name in wrong if not _rule_named(rules, name).weight)
    means = [rules.facts[name].means if name in rules.facts else name for name in names
             if name != manifest.THE_REST]
    if not means:
        return ""
    more = f" and {len(means) - 3} more" if len(means) > 3 else ""
    return f" (here: {'; '.join(means[:3])}{more})"


def _recognise(
    rules: Manifest,
    bank: Bank,
    expected: dict[Run, Told],
    told: dict[Run, Told],
    real: bool,
) -> str:
    """The name of the known wrong answer that tells the same, or ""."""
    for name in ("starter", *bank.names()):
        if all(
            alike(rules, expected[run], bank.told(name, run), said, real)
            for run, said in told.items()
        ):
            return name
    return ""


def alike(rules: Manifest, want: Told, known: Told, said: Told, real: bool) -> bool:
    """Whether two wrong answers tell the same. Of times, it counts only
    whether they are right. A crash without a fact or a word before it is like
    any other: too little to know it by."""
    if known.end != said.end or len(known.facts) != len(said.facts):
        return False
    if known.end and (known.why != said.why or not (known.why or known.facts)):
        return False
    for at, (one, two) in enumerate(zip(known.facts, said.facts)):
        rule = _rule(rules, one)
        if one["k"] == "ns" and two["k"] == "ns" and at < len(want.facts):
            right = facts.differ(want.facts[at], one, rule, real) is None
            if right != (facts.differ(want.facts[at], two, rule, real) is None):
                return False
        elif facts.differ(one, two, Rule(rel=rule.rel, abs=rule.abs, sim=rule.sim), real):
            return False
    return True


def _before_the_end(rules: Manifest, want: Told, said: Told, real: bool) -> list[str]:
    """What was seen before the program stopped: whether it was right."""
    if not said.facts:
        return []
    seen = Told(want.facts[: len(said.facts)])
    wrong = _differences(rules, seen, said, real)
    last = said.facts[-1]["n"]
    if not wrong:
        words = f"All was right until then; the last thing seen: {_rule_named(rules, last).means or last}."
        return ["", *verdict.wrap(words, "  ")]
    words = f"Before that, this was wrong already: {wrong[0].what}:"
    return ["", *verdict.wrap(words, "  "), *facts.explain(wrong[0])]


def _ended(
    result: Verdict, rules: Manifest, run: Run, heard: Heard, stopped: Callable
) -> None:
    """The program did not reach the probe's end."""
    end = heard.told.end
    file = os.path.basename(result.shown) or "your file"
    if end == "time":
        result.outcome = verdict.TIMED_OUT
        stop = stopped(heard)
        result.line = stop.line()
        result.sentence = crash_words.timed_out(run.words(), rules.limits.seconds, stop, file)
    elif end in ("memory", "output"):
        result.outcome = verdict.TOO_MUCH
        limit = f"more than {rules.limits.megabytes} MB of memory"
        what = limit if end == "memory" else f"more than {rules.limits.flood >> 20} MB of output"
        result.sentence = f"Stopped {run.words()}: it made {what}. Look for a loop that never ends."
    elif end.startswith("SIG") or end.startswith("signal") or end == "sanitizer":
        result.outcome = verdict.CRASHED
        stop = stopped(heard)
        result.line = stop.line()
        result.sentence = crash_words.crashed(run.words(), end, heard.err, stop, file)
    else:
        result.outcome = verdict.ENDED_EARLY
        how = "with " + end if end.startswith("exit") else "without a word"
        result.sentence = (
            f"Ended early {run.words()}: the program stopped {how} before the exercise's own "
            "program had seen your result. Return from your function; do not call exit()."
        )
    words = show.head(heard.err, 24)
    if words:
        result.details += ["", *("  | " + line for line in words)]


def _needs(result: Verdict, lesson: Lesson, expected: dict[Run, Told]) -> None:
    """No run can be made here: say why, in the probe's own words."""
    if lesson.backend == "sim":
        raise Fault("the probe skips every run of its manifest on the simulator")
    result.outcome = verdict.NEEDS
    why = [told.why for told in expected.values() if told.why]
    result.sentence = "Skipped: " + (why[0] if why else "this exercise needs the simulator") + "."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
