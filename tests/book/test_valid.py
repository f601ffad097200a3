"""The pages are valid HTML: no error and no warning of the Nu checker (vnu).

    test_valid.py FOLDER [--every]

Without --every: a fixed sample of pages.
"""
from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SKIP = 77
ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(sys.argv[1] if len(sys.argv) > 1 else
              ROOT / "build/sim/book/html").resolve()
SAMPLE = ("00_first_steps.html",)
JAR = Path(os.environ.get("WORKBOOK_NPM", str(ROOT / "build/npm"))) / (
    "node_modules/vnu-jar/build/dist/vnu.jar")


# Which language a page's words are is vnu's guess, by statistics: a page that is
# mostly tables of code is anything. Taken seriously where it guesses one of the
# book's two.
GUESS = re.compile(r"appears to be written in (?!English|.*Chinese)")


def complaints(pages: list[Path]) -> list[str]:
    """What vnu says of these pages, errors first."""
    done = subprocess.run(
        ["java", "-Xss2m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
         "-jar", str(JAR), "--stdout", "--exit-zero-always", "--format",
         "json", *map(str, pages)], capture_output=True, text=True,
        check=False)
    try:
        found = json.loads(done.stdout)["messages"]
    except (json.JSONDecodeError, KeyError):
        return [f"vnu did not answer: {done.stdout}{done.stderr}"]
    return sorted(f"{one['type']}: {Path(one.get('url', '')).name}:"
                  f"{one.get('lastLine', '?')}: {one['message']}"
                  for one in found if not GUESS.search(one["message"]))


class Valid(unittest.TestCase):
    """vnu has nothing to say; of a broken page it has."""

    def test_pages(self) -> None:
        pages = sorted(FOLDER.rglob("*.html"))
        if "--every" not in sys.argv:
            pages = [page for page in pages
                     if str(page.relative_to(FOLDER)) in SAMPLE]
        self.assertTrue(pages)
        found = complaints(pages)
        self.assertEqual(found, [], "\n".join(found))

    def test_vnu_can_refuse(self) -> None:
        if "--every" not in sys.argv:
            self.skipTest("a second Java costs seconds: with --every")
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder, "bad.html")
            page.write_text("<!DOCTYPE html><html lang=en><title>x</title>"
                            "<p><div id=a></div></p><div id=a></div>")
            self.assertIn("Duplicate ID", "\n".join(complaints([page])))


if __name__ == "__main__":
    if not shutil.which("java"):
        print("Skipped: needs Java (./scripts/test --full installs it).")
        sys.exit(SKIP)
    if not JAR.is_file():
        print("Skipped: needs vnu-jar from npm (./scripts/test --full).")
        sys.exit(SKIP)
    if not (FOLDER / "index.html").is_file():
        print(f"Skipped: needs the rendered book in {FOLDER}.")
        sys.exit(SKIP)
    unittest.main(argv=sys.argv[:1])
