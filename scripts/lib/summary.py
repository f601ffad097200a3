"""Sum up what ctest wrote: the skips, told apart, then the one line of totals.

usage: summary.py [--broken N] BUILD_DIR PRESET...

Reads BUILD_DIR/PRESET/results.xml (ctest --output-junit). A preset without
that file did not build or did not finish, and counts as one failure. Only a
test that exits 77 is skipped; one that could not be started has failed.
"""

import argparse
import collections
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

REASON = re.compile(r"^[^\n]*?(not attempted|needs [^.\n]*)", re.M | re.I)
SKIPPED_BY_ITSELF = "SKIP_RETURN_CODE=77"


def reason_of(output: str) -> str:
    """Why a test was skipped: its own line `not attempted` or `needs …`."""
    found = REASON.search(output)
    if found is None:
        return "gave no reason"
    return found.group(1).strip().lower() \
        if found.group(1).lower() == "not attempted" else found.group(1).strip()


def read_results(path: pathlib.Path) -> list[tuple[str, str, str]]:
    """(test, "passed" | "failed" | "skipped", reason) for each test."""
    rows = []
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        name = case.get("name", "?")
        status = case.get("status", "")
        skip = case.find("skipped")
        if status == "run":
            rows.append((name, "passed", ""))
        elif status == "disabled":
            rows.append((name, "skipped", "is switched off (DISABLED)"))
        elif skip is not None and skip.get("message") == SKIPPED_BY_ITSELF:
            rows.append((name, "skipped",
                         reason_of(case.findtext("system-out", ""))))
        else:
            rows.append((name, "failed", ""))
    return rows


def sum_up(build: pathlib.Path, presets: list[str], broken: int) -> int:
    """Print the summary; 1 when something failed or nothing ran."""
    counts = collections.Counter(failed=broken)
    if broken:
        print(f"failed: {broken} of the builds; its errors stand above")
    for preset in presets:
        tag = f" ({preset})" if len(presets) > 1 else ""
        try:
            rows = read_results(build / preset / "results.xml")
        except (OSError, ElementTree.ParseError):
            print(f"failed{tag}: preset {preset} did not build or not finish")
            counts["failed"] += 1
            continue
        if not rows:
            print(f"failed{tag}: preset {preset} has no tests")
            counts["failed"] += 1
        skips = collections.defaultdict(list)
        for name, verdict, reason in rows:
            counts[verdict] += 1
            if verdict == "failed":
                print(f"failed{tag}: {name}")
            if verdict == "skipped":
                skips[reason].append(name)
        for reason, names in sorted(skips.items()):
            shown = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
            print(f"skipped{tag}: {len(names)} {reason}: {shown}")
    print(f"{counts['passed']} passed, {counts['failed']} failed, "
          f"{counts['skipped']} skipped")
    return 1 if counts["failed"] or not counts["passed"] else 0


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--broken", type=int, default=0,
                        help="how many presets did not build in full")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("presets", nargs="+")
    options = parser.parse_args(argv)
    return sum_up(options.build, options.presets, options.broken)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
