"""Checks of a lesson's own files: solutions pass, starters do not, and each
known wrong answer gets its own sentence."""

from __future__ import annotations

import os
import re

from . import judge, manifest, probing, prototype, starters, verdict
from .lesson import Fault, Lesson, key_of
from .probing import Bank


def solution(lesson: Lesson, slug: str) -> list[str]:
    """What is wrong with an exercise, in words; nothing when all is well."""
    try:
        rules = manifest.read(lesson, slug)
        bank = Bank(lesson, slug, rules)
        words = _wrong_files(lesson, slug, rules)
        words += _not_declared(lesson, slug, rules)
        words += _solution_passes(lesson, slug)
        words += _starter_does_not(lesson, slug, bank)
        for name in rules.wrong:
            words += _gets_its_sentence(lesson, slug, name, rules.wrong[name], bank)
        words += _differ_from_each_other(lesson, rules, bank)
        words += _rules_without_facts(lesson, rules, bank)
    except Fault as fault:
        words = [str(fault)]
    return [f"{slug}: {line}" for line in words]


def solutions_here(lesson: Lesson, slugs: list[str]) -> tuple[int, list[str]]:
    """On real hardware there is one machine: a solution passes there, or needs
    what is not there. To tell wrong answers apart takes the simulator's many."""
    results = [
        judge.check(lesson, slug, lesson.solution(slug), "the solution", force=True)
        for slug in slugs
    ]
    bad = [r for r in results if r.outcome not in (verdict.PASSED, verdict.NEEDS)]
    if bad:
        return 1, [line for result in bad for line in verdict.lines(result)]
    told = [f"{r.slug}: {r.sentence}" for r in results]
    needs_all = all(result.outcome == verdict.NEEDS for result in results)
    return (77 if needs_all else 0), told


def _wrong_files(lesson: Lesson, slug: str, rules: manifest.Manifest) -> list[str]:
    """Files and sentences belong together, two at the least."""
    words = []
    folder = lesson.test("wrong")
    present = os.listdir(folder) if os.path.isdir(folder) else []
    found = [
        match[1]
        for match in (re.fullmatch(re.escape(slug) + r"\.(\w+)\.c", name) for name in present)
        if match
    ]
    for name in sorted(set(found) - set(rules.wrong)):
        words.append(f"wrong/{slug}.{name}.c has no sentence in the manifest")
    for name in sorted(set(rules.wrong) - set(found)):
        words.append(f"the manifest's '{name}' has no file wrong/{slug}.{name}.c")
    for name in sorted({"reference", "starter"} & set(rules.wrong)):
        words.append(f"a wrong answer cannot be called '{name}'")
    if len(rules.wrong) < 2:
        words.append("an exercise has two wrong answers at the least")
    for name in rules.facts:
        if not rules.facts[name].means:
            words.append(f"fact '{name}' has a rule without 'means'")
    return words


def _not_declared(lesson: Lesson, slug: str, rules: manifest.Manifest) -> list[str]:
    """What a probe does not declare, no student's file is held to."""
    shown = key_of(slug) + ".probe.c"
    with open(lesson.test(shown), encoding="utf-8") as file:
        declared = prototype.declarations(file.read(), rules.defines)
    return [f"{shown} does not declare {name}()" for name in rules.defines if name not in declared]


def _solution_passes(lesson: Lesson, slug: str) -> list[str]:
    path = lesson.solution(slug)
    result = judge.check(lesson, slug, path, "the solution", force=True)
    words = []
    if result.outcome != verdict.PASSED:
        words += ["the solution does not pass:", *verdict.lines(result)]
    words += _warnings(result, "the solution")
    return words


def _warnings(result: verdict.Verdict, what: str) -> list[str]:
    if any("warning:" in line for line in result.warnings):
        return [f"{what} compiles with warnings:", *result.warnings]
    return []


def _starter_does_not(lesson: Lesson, slug: str, bank: Bank) -> list[str]:
    known = starters.sums(lesson).get(slug + ".c")
    words = []
    if known != starters.sum_text(starters.text_for(lesson, slug)):
        words.append("its starter is not the one in starters.sum: run scripts/starters")
    tried = judge.known(lesson, slug, "starter", bank)
    if tried.outcome == verdict.PASSED:
        words.append("the starter passes")
    return words + _warnings(tried, "the starter")


def _gets_its_sentence(
    lesson: Lesson, slug: str, name: str, sentence: str, bank: Bank
) -> list[str]:
    if not os.path.exists(bank.source(name)):
        return []
    result = judge.known(lesson, slug, name, bank)
    if result.outcome == verdict.PASSED:
        return [f"wrong answer {name} passes"]
    if result.recognised != name:
        other = f"as {result.recognised}" if result.recognised else "as none"
        return [f"wrong answer {name} is recognised {other}:", *verdict.lines(result)]
    told = " ".join(" ".join(result.details).split())
    if " ".join(sentence.split()) not in told:
        return [f"wrong answer {name} is not told its sentence"]
    if result.points >= result.max_points:
        return [f"wrong answer {name} gets all the points"]
    return []


def _differ_from_each_other(
    lesson: Lesson, rules: manifest.Manifest, bank: Bank
) -> list[str]:
    """No two wrong answers (nor the starter) may tell the same."""
    every = probing.runs(lesson, rules)
    roles = ["starter", *(name for name in rules.wrong if os.path.exists(bank.source(name)))]
    told = {role: [bank.told(role, run) for run in every] for role in roles}
    want = [bank.told("reference", run) for run in every]
    words = []
    for at, one in enumerate(roles):
        for two in roles[at + 1 :]:
            pairs = zip(want, told[one], told[two])
            if all(judge.alike(rules, w, a, b, False) for w, a, b in pairs):
                words.append(f"{one} and {two} tell the same facts: one sentence is never read")
    return words


def _rules_without_facts(
    lesson: Lesson, rules: manifest.Manifest, bank: Bank
) -> list[str]:
    """A slip in a fact's name would leave its rule without effect."""
    every = [bank.told("reference", run) for run in probing.runs(lesson, rules)]
    stated = {fact["n"] for told in every for fact in told.facts}
    if all(told.end == "skip" for told in every):
        return []
    words = [
        f"the manifest has rules for '{name}', which the probe never states"
        for name in rules.facts
        if name not in stated | {manifest.THE_REST}
    ]
    return words + _without_weight(rules, stated) + _uneven(rules)


def _uneven(rules: manifest.Manifest) -> list[str]:
    """Points are shown with one decimal, and what is shown has to add up."""
    return [
        f"the part '{name}' is {share:g} of {rules.points:g} points: choose weights by which "
        "each part has one decimal at most"
        for name, _, share in manifest.parts(rules)
        if share != round(share, 1)
    ]


def _without_weight(rules: manifest.Manifest, stated: set[str]) -> list[str]:
    """Where points come in parts, no fact may be wrong at no cost."""
    weighed = {name for name, rule in rules.facts.items() if rule.weight or rule.required}
    free = sorted(stated - weighed)
    if not any(rule.weight for rule in rules.facts.values()):
        return []
    if free and manifest.THE_REST not in weighed:
        return [
            f"'{free[0]}' has no weight, though other facts have one: a file that is wrong in it "
            f"alone would get all the points; give it one, or give one to '{manifest.THE_REST}', "
            "all that have none"
        ]
    if not free and manifest.THE_REST in rules.facts:
        return [f"'{manifest.THE_REST}' has a weight, but every fact has one of its own"]
    return []
