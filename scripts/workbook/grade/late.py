"""Who was late, by how many days, and what it costs.

The table is a CSV with a head line: student,days,extension. `days` after the
date due, `extension` days that this student was granted (may be left out).
Where spreadsheets write commas into numbers, columns are parted by semicolons.
"""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass

from ..lesson import Fault
from .submissions import safe


@dataclass(frozen=True)
class Policy:
    """`grace`: days that cost nobody; `per_day`: percent of the points lost
    for each further day begun."""

    grace: float = 0.0
    per_day: float = 10.0


@dataclass(frozen=True)
class Late:
    days: float = 0.0
    extension: float = 0.0

    def counted(self, policy: Policy) -> int:
        """Days that cost something; a day begun is a day."""
        over = self.days - self.extension - policy.grace
        return max(0, int(over) + (over > int(over)))

    def kept(self, policy: Policy, points: float) -> float:
        """The points that remain."""
        lost = self.counted(policy) * policy.per_day / 100
        return round(points * max(0.0, 1 - lost), 2)


def read(path: str) -> dict[str, Late]:
    found: dict[str, Late] = {}
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            head = file.readline()
            mark = ";" if ";" in head and "," not in head else ","
            rows = list(csv.DictReader([head, *file], delimiter=mark))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise Fault(f"the late table {path} cannot be read: {error}") from None
    for number, row in enumerate(rows, 2):
        student = (row.get("student") or "").strip()
        if not student or "days" not in row:
            raise Fault(f"{path}:{number}: the columns are student,days,extension")
        student = safe(student)  # as the gradebook writes it
        if student in found:
            raise Fault(f"{path}:{number}: {student} stands there twice")
        try:
            words = [(row.get(name) or "0").strip() for name in ("days", "extension")]
            days, extension = (float(word.replace(",", ".") or 0) for word in words)
        except ValueError:
            raise Fault(f"{path}:{number}: days and extension are numbers") from None
        if not math.isfinite(days) or not math.isfinite(extension):
            raise Fault(f"{path}:{number}: days and extension are numbers, and finite")
        found[student] = Late(days, extension)
    return found
