"""An exercise's manifest, tests/lessons/NN_name/exK.json, read and checked."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from .launcher import Limits
from .lesson import Fault, Lesson, key_of


# The name of a part: all facts that have no weight of their own.
THE_REST = "*"


@dataclass(frozen=True)
class Rule:
    """How one named fact is compared and counted."""

    means: str = ""
    rel: float | None = None  # None: the kind's own (facts.py)
    abs: float | None = None
    at_most: bool = False
    weight: float = 0.0
    required: bool = False
    sim: bool = False


@dataclass(frozen=True)
class Place:
    """One machine and environment in which the probe runs."""

    machine: str
    env: tuple[tuple[str, str], ...] = ()
    sim: bool = False


@dataclass
class Manifest:
    title: str
    points: float
    defines: list[str]
    machines: list[Place]
    seeds: list[int]
    hints: list[str]
    why: str
    wrong: dict[str, str]
    limits: Limits = Limits()
    facts: dict[str, Rule] = field(default_factory=dict)
    allow: list[str] = field(default_factory=list)


REQUIRED = {
    "title": str,
    "points": (int, float),
    "defines": list,
    "machines": list,
    "seeds": list,
    "hints": list,
    "why": str,
    "wrong": dict,
}
OPTIONAL = {"limits": dict, "facts": dict, "allow": list}


def read(lesson: Lesson, slug: str) -> Manifest:
    """Raises Fault with a sentence when the manifest is missing or wrong."""
    path = lesson.test(key_of(slug) + ".json")
    shown = lesson.shown(path)
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
    except FileNotFoundError:
        raise Fault(f"{shown} is missing") from None
    except ValueError as error:
        raise Fault(f"{shown} is not JSON: {error}") from None
    try:
        return parse(data)
    except Fault as fault:
        raise Fault(f"{shown}: {fault}") from None


def parse(data: object) -> Manifest:
    if not isinstance(data, dict):
        raise Fault("a manifest is one JSON object")
    known = {**REQUIRED, **OPTIONAL}
    for name, value in data.items():
        if name not in known:
            raise Fault(f"unknown entry '{name}'")
        if not isinstance(value, known[name]):
            raise Fault(f"'{name}' has the wrong type")
    for name in REQUIRED:
        if not data.get(name) and name != "wrong":
            raise Fault(f"'{name}' is missing or empty")
    if len(data["hints"]) != 3:
        raise Fault("'hints' are three: the idea, the call and the place, nearly the line")
    if not all(isinstance(seed, int) for seed in data["seeds"]):
        raise Fault("'seeds' are whole numbers")
    limits = data.get("limits", {})
    return Manifest(
        title=data["title"],
        points=float(data["points"]),
        defines=data["defines"],
        machines=[_place(entry) for entry in data["machines"]],
        seeds=data["seeds"],
        hints=data["hints"],
        why=data["why"],
        wrong=data.get("wrong", {}),
        limits=Limits(
            seconds=float(limits.get("seconds", 5)), megabytes=int(limits.get("megabytes", 1024))
        ),
        facts={name: _rule(name, rule) for name, rule in data.get("facts", {}).items()},
        allow=data.get("allow", []),
    )


def _place(entry: object) -> Place:
    if isinstance(entry, str):
        return Place(entry)
    if not isinstance(entry, dict) or set(entry) - {"machine", "env", "sim"}:
        raise Fault(f"a machine is a name or {{machine, env, sim}}, not {entry!r}")
    env = tuple(sorted((name, str(value)) for name, value in entry.get("env", {}).items()))
    for name, _ in env:
        if not name.startswith(("SIM_", "CUDA_")):
            raise Fault(f"a machine's env holds SIM_… and CUDA_… alone, not '{name}'")
    return Place(entry.get("machine", "v100x8"), env, bool(entry.get("sim", False)))


def _rule(name: str, rule: object) -> Rule:
    if not isinstance(rule, dict) or set(rule) - set(Rule.__dataclass_fields__):
        raise Fault(f"fact '{name}' has a rule that is not known: {rule!r}")
    return Rule(**rule)


def parts(rules: Manifest) -> list[tuple[str, str, float]]:
    """The points in parts: a fact's name, what it means, its share. Empty
    where it is all or nothing."""
    whole = sum(rule.weight for rule in rules.facts.values())
    return [
        (name, rule.means or name, round(rules.points * rule.weight / whole, 2))
        for name, rule in rules.facts.items()
        if rule.weight > 0
    ]
