"""Every observable thing that the workbook promises is named by a test.

seeds_rows.txt lists them: row | lessons | what. A test, or a lesson's program
whose output is compared, names a row as `seeds 0.9`, `seeds T13` or
`seeds block C`; several at once as `seeds 0.9, 0.18`. A row is owed as soon
as one of its lessons is there; until then it is pending.
"""

import pathlib
import re
from typing import NamedTuple

import guard

ROWS = "tests/style/seeds_rows.txt"
ROW = r"(?:block [A-D]|[0-4]\.\d+|T\d+)"
NAMING = re.compile(rf"\bseeds ({ROW}(?:(?:,| and|,? also) {ROW})*)")


class Row(NamedTuple):
    name: str
    lessons: list[str]
    what: str


def read_rows(text: str) -> list[Row]:
    rows = []
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            name, lessons, what = (part.strip() for part in line.split("|", 2))
            rows.append(Row(name, lessons.split(), what))
    return rows


def named_rows(root: pathlib.Path, names: list[str]) -> set[str]:
    """The rows that some test or tested lesson names."""
    found = set()
    for name in names:
        if name.startswith(("tests/", "lessons/")) and \
                not name.startswith("tests/style/") and \
                (guard.is_students(name) or (root / name).is_file()):
            for naming in NAMING.findall(guard.read(root, name)):
                found.update(re.findall(ROW, naming))
    return found


def check(root: pathlib.Path, options: guard.Options) -> list[str]:
    del options  # a lesson's program counts, as it was committed
    names = guard.tracked(root)
    rows = read_rows(guard.read(root, ROWS))
    lessons = {found.group(1) for found in (
        re.match(r"lessons/(\d\d)_[^/]*/CMakeLists\.txt$", name)
        for name in names) if found}
    named = named_rows(root, names)
    complaints = []
    pending = 0
    for row in rows:
        owed = row.lessons == ["all"] and lessons or lessons & set(row.lessons)
        if not owed:
            pending += row.name not in named
        elif row.name not in named:
            complaints.append(f"row {row.name} of lesson "
                              f"{' '.join(row.lessons)} is named by no test: "
                              f"{row.what}")
    for unknown in sorted(named - {row.name for row in rows}):
        complaints.append(f"a test names row {unknown}, and {ROWS} has none")
    print(f"{len(rows)} rows, {len(rows) - len(complaints) - pending} named, "
          f"{pending} pending until their lesson is there")
    return complaints


TABLE = "# row | lessons | what\n0.1 | 01 | a\n0.2 | 01 02 | b\n" \
    "T13 | 03 | c\nblock C | 03 | d\n"
THERE = {ROWS: TABLE, "lessons/01_a/CMakeLists.txt": ""}
SAMPLES = [
    guard.Sample({ROWS: TABLE}, None),
    guard.Sample({**THERE, "tests/lib/a.c": "// seeds 0.1, 0.2\n"}, None),
    guard.Sample({**THERE, "tests/lib/a.c": "// seeds 0.1\n",
                  "lessons/01_a/lesson.c": "// seeds 0.2: so it is\n"}, None),
    guard.Sample({**THERE, "tests/lib/a.c": "// seeds 0.1\n"}, "row 0.2 of"),
    guard.Sample({**THERE, "lib/a.c": "// seeds 0.1, 0.2\n"}, "row 0.1 of"),
    guard.Sample({ROWS: TABLE, "tests/a.c": "// seeds T99\n"}, "row T99"),
    guard.Sample({ROWS: TABLE, "lessons/03_a/CMakeLists.txt": "",
                  "tests/a.c": "// seeds T13 and block C\n"}, None),
    guard.Sample({ROWS: TABLE, "lessons/03_a/CMakeLists.txt": "",
                  "tests/a.c": "// seeds T13\n"}, "row block C of"),
]

if __name__ == "__main__":
    guard.run(check, SAMPLES)
