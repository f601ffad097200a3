"""What a probe stated, and how it is compared.

A fact is one line of JSON: {"n": name, "k": kind, "v": value, …}. Kinds: int,
real, text, bool, device, status, ns, tensor ("dtype", "shape", "device"
beside the values). The last line of a whole run is {"end": nonce}.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field

from . import show
from .manifest import Rule

PLAIN_RULE = Rule()

# More than any probe states. What lies beyond, a student's file wrote itself:
# it must cost the judge no memory, and a report no room.
MOST_FACTS = 4096
MOST_VALUES = 4096  # fact_tensor's own cap
LONGEST_LINE = 1 << 20
LONGEST_NAME = 200
LARGEST = 1 << 64


@dataclass
class Told:
    """The facts of one run, and how the run ended: `end` is "" when the
    probe reached its end, else a word such as SIGSEGV, time or exit 3."""

    facts: list[dict] = field(default_factory=list)
    end: str = ""
    why: str = ""  # the words of a skip, or of a program that died


@dataclass
class Difference:
    """The first fact that is not as it should be, in words."""

    name: str
    what: str
    expected: str
    got: str
    kind: str = ""


def parse(data: bytes, nonce: str) -> tuple[list[dict], bool]:
    """The facts, and whether the probe's own last line closes them."""
    facts: list[dict] = []
    lines = data.decode("utf-8", "backslashreplace").split("\n")
    for number, line in enumerate(lines):
        if len(line) > LONGEST_LINE or len(facts) > MOST_FACTS:
            return facts, False
        try:
            fact = json.loads(line, strict=False) if line else None
        except (ValueError, RecursionError):
            return facts, False
        if not isinstance(fact, dict):
            return facts, False
        if "end" in fact:
            return facts, fact["end"] == nonce and not any(lines[number + 1 :])
        if not _sound(fact):
            return facts, False
        facts.append(fact)
    return facts, False


def _sound(fact: dict) -> bool:
    """Whether a probe could have stated it: what compares and shows facts
    relies on that."""
    name, kind, value = fact.get("n"), fact.get("k"), fact.get("v")
    if not isinstance(name, str) or not isinstance(kind, str):
        return False
    if not (name + kind).isprintable() or len(name) > LONGEST_NAME or len(kind) > LONGEST_NAME:
        return False
    if not all(isinstance(fact.get(part, ""), str) for part in ("dtype", "device", "code")):
        return False
    if not _scalars(fact.get("shape", [])):
        return False
    return (value is None or _scalars(value)) if kind == "tensor" else _scalars([value])


def _scalars(values: object) -> bool:
    """A list of what one value can be."""
    if not isinstance(values, list) or len(values) > MOST_VALUES:
        return False
    return all(
        abs(one) < LARGEST if isinstance(one, int) else one is None or isinstance(one, (float, str))
        for one in values
    )


def differ(expected: dict, got: dict | None, rule: Rule, real: bool) -> Difference | None:
    """None when `got` is right. `real`: on real hardware, where what only the
    simulator can promise is not compared."""
    name = expected["n"]
    what = rule.means or name
    kind = expected["k"]
    if got is None:
        return Difference(name, what, words(expected), "(the program ended before it)")
    if got["n"] != name or got["k"] != kind:
        return Difference(name, what, words(expected), f"{got['n']}: {words(got)}")
    if real and (kind == "ns" or rule.sim):
        return None
    if kind == "tensor":
        return _differ_tensor(expected, got, rule, what)
    if _same(expected.get("v"), got.get("v"), kind, rule):
        return None
    return Difference(name, what, words(expected), words(got), kind)


def _same(expected: object, got: object, kind: str, rule: Rule) -> bool:
    if kind in ("real", "float"):
        return _close(expected, got, rule, 1e-5, 1e-7)
    if kind in ("ns", "int"):
        return _close(expected, got, rule, 0, 0)
    return type(expected) is type(got) and expected == got


def _close(expected: object, got: object, rule: Rule, rel: float, abs_: float) -> bool:
    one, two = number(expected), number(got)
    if one is None or two is None:
        return type(expected) is type(got) and expected == got
    if expected == got and type(expected) is type(got):
        return True
    if not math.isfinite(one) or not math.isfinite(two):
        return one == two or (math.isnan(one) and math.isnan(two))
    if rule.at_most and two <= one:
        return True
    rel = rel if rule.rel is None else rule.rel
    abs_ = abs_ if rule.abs is None else rule.abs
    room = abs_ + rel * abs(one)
    return room > 0 and abs(one - two) <= room


def number(value: object) -> float | None:
    """Numbers come as numbers, or as "nan", "inf", "-inf"."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return float(value)
    if value in ("nan", "inf", "-inf"):
        return float(value)
    return None


def _differ_tensor(expected: dict, got: dict, rule: Rule, what: str) -> Difference | None:
    name = expected["n"]
    if (expected.get("v") is None) != (got.get("v") is None):
        return Difference(name, what, words(expected), words(got))
    for part in ("dtype", "shape", "device"):
        if expected.get(part) != got.get(part):
            return Difference(
                name, f"{what}: its {part}", _part(expected, part), _part(got, part)
            )
    one, two = expected.get("v") or [], got.get("v") or []
    if len(one) != len(two):
        return Difference(
            name, f"{what}: how many elements", str(len(one)), str(len(two))
        )
    kind = "float" if "float" in str(expected.get("dtype")) else "int"
    for at, (a, b) in enumerate(zip(one, two)):
        if not _same(a, b, kind, rule):
            shape = expected.get("shape") or []
            where = f"element {_index(at, shape)}" if shape else "its value"
            return Difference(name, f"{what}: {where}", _word(a), _word(b))
    return None


def _index(at: int, shape: list[int]) -> str:
    places = []
    for size in reversed(shape):
        places.append(at % size if size else 0)
        at //= size or 1
    return "[" + ", ".join(str(place) for place in reversed(places)) + "]"


def _part(fact: dict, part: str) -> str:
    value = fact.get(part)
    if isinstance(value, list):
        return "(" + ", ".join(str(item) for item in value) + ")"
    return str(value)


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value)


def words(fact: dict) -> str:
    """A fact's value as people read it."""
    kind, value = fact["k"], fact.get("v")
    if kind == "tensor":
        if value is None:
            return "no tensor (NULL)"
        values = ", ".join(_word(item) for item in value[:6]) + (", …" if len(value) > 6 else "")
        where = f"{_part(fact, 'shape')} {fact.get('dtype')} on {fact.get('device')}"
        return f"a tensor {where}: {values}"
    if kind == "status":
        return "no failure" if not value else f"{fact.get('code', '')} \"{value}\""
    if kind == "ns":
        return f"{value} ns (simulated)"
    if value is None:
        return "NULL"
    return _word(value)


def explain(difference: Difference) -> list[str]:
    """Expected and got; a caret where the values are texts."""
    return show.side_by_side(
        difference.expected, difference.got, "    ", caret=difference.kind in ("text", "status")
    )
