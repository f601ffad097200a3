"""The line of totals counts right: what could not start has failed, only exit
code 77 is a skip, and a suite that ran nothing is no success."""

import importlib.util
import io
import contextlib
import pathlib
import sys
import tempfile

CASE = '<testcase name="{}" status="{}">{}<system-out>{}</system-out>' \
    '</testcase>'
SKIP = '<skipped message="{}"/>'
GREEN = CASE.format("good", "run", "", "")
MIXED = GREEN + CASE.format("bad", "fail", '<failure message=""/>', "") + \
    CASE.format("ex1", "notrun", SKIP.format("SKIP_RETURN_CODE=77"),
                "ex1: not attempted yet") + \
    CASE.format("dlpack", "notrun", SKIP.format("SKIP_RETURN_CODE=77"),
                "needs NumPy.") + \
    CASE.format("gone", "notrun", SKIP.format("Unable to find executable"), "")


def sum_up(summary, presets: dict[str, str], broken: int = 0):
    """(exit code, lines) for presets and their test cases (None: no file)."""
    with tempfile.TemporaryDirectory() as folder:
        for preset, cases in presets.items():
            if cases is not None:
                path = pathlib.Path(folder, preset, "results.xml")
                path.parent.mkdir()
                path.write_text(f"<testsuite>{cases}</testsuite>")
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            code = summary.main(["--broken", str(broken), folder, *presets])
    return code, said.getvalue().splitlines()


def main(argv: list[str]) -> int:
    spec = importlib.util.spec_from_file_location(
        "summary", pathlib.Path(argv[0], "scripts/lib/summary.py"))
    summary = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(summary)
    expected = [
        ({"sim": GREEN}, 0, 0, "1 passed, 0 failed, 0 skipped"),
        ({"sim": MIXED}, 0, 1, "1 passed, 2 failed, 2 skipped"),
        ({"sim": GREEN, "asan": MIXED}, 0, 1, "2 passed, 2 failed, 2 skipped"),
        ({"sim": GREEN, "asan": None}, 0, 1, "1 passed, 1 failed, 0 skipped"),
        ({"sim": GREEN}, 1, 1, "1 passed, 1 failed, 0 skipped"),
        ({"sim": ""}, 0, 1, "0 passed, 1 failed, 0 skipped"),
    ]
    wrong = 0
    for presets, broken, code, last in expected:
        found, lines = sum_up(summary, presets, broken)
        if (found, lines[-1]) != (code, last):
            print(f"expected {code} and \"{last}\", got {found} and {lines}")
            wrong += 1
    _, lines = sum_up(summary, {"sim": MIXED})
    for needed in ("1 not attempted: ex1", "1 needs NumPy: dlpack",
                   "failed: gone"):
        if not any(needed in line for line in lines):
            print(f"no line says \"{needed}\": {lines}")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
