"""What prose names is there: files and folders, commands and their options,
presets, labels, tests, calls; and every marked region of a lesson is shown.

    test_named.py BUILD_TREE

Chapters' own names are checked when the book is built (book/tools/check.py);
this reads also README, CONTRIBUTING and the rooms' README files.
"""
from __future__ import annotations

import json
import re
import subprocess
import sys
import unittest
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TREE = Path(sys.argv.pop(1)) if len(sys.argv) > 1 else ROOT / "build/sim"
sys.path.insert(0, str(ROOT / "book/tools"))

import check as book_check  # noqa: E402
import headers as hd  # noqa: E402
import sources as src  # noqa: E402

FENCE = re.compile(r"^ *(```+)([^\n]*)\n(.*?)^ *\1[^\n]*$", re.M | re.S)
SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)(\{[^}]*\})?")
FOLDERS = r"(?:lib|book|scripts|tests|lessons|solutions|\.ci)"
PATH = re.compile(rf"(?<![\w/.<]){FOLDERS}/[\w./*<>$…-]*")
# The last four: what the instructors' page invents, to show how one adds it.
HOLE = re.compile(r"NN_name|NN|exK|slug|what|<[^>]+>|…|"
                  r"08_my_lesson|ex6_move_and_cube|\$old|\$new")
# Written by scripts/handout for students, so in no author's checkout.
HANDED_OUT = ("exK.facts.json", "exK_slug.starter.c")
SCRIPT = re.compile(r"(?:\./)?scripts/([a-z-]+)((?: [^#|;&]*)?)")
# Where a bare name such as `tools/check.py` starts from.
ROOMS = {"book/README.md": ("book",),
         "scripts/workbook/README.md": ("scripts/workbook",)}
# Outside the books, a code span that is one of these is one of our calls.
CALL = re.compile(r"(tensor|module|storage|scope|ledger|device|cuda[A-Z]|"
                  r"cublas[A-Z])\w*\(\)|(tensor|module|scope)_[a-z]\w*|"
                  r"(cuda|cublas)[A-Z]\w+")


def documents() -> Iterator[tuple[str, str]]:
    for pattern in ("*.md", "book/*.md", "book/zh/*.md",
                    "scripts/*/README.md", "lib/sim/CONFORMANCE.md"):
        for path in sorted(ROOT.glob(pattern)):
            yield str(path.relative_to(ROOT)), path.read_text("utf-8")


def spans(text: str) -> list[str]:
    """Code inside prose, less what is marked as somebody else's."""
    return [code for code, attrs in SPAN.findall(FENCE.sub("", text))
            if "foreign" not in attrs]


def commands(text: str) -> list[str]:
    """Lines of shell in fences, set-in blocks and spans."""
    lines = [line for _, head, body in FENCE.findall(text)
             if "bash" in head or head.strip() in ("", "sh")
             for line in body.splitlines()]
    lines += re.findall(r"^ {4}(\S.*)$", text, re.M) + spans(text)
    return [re.sub(r"\s+# .*", "", line).strip() for line in lines]


def exists(name: str, document: str) -> bool:
    """Whether a path is there, `NN_name` and the like standing for any."""
    pattern = HOLE.sub("*", name).rstrip("/.")
    starts = [ROOT, *(ROOT / room for room in ROOMS.get(document, ()))]
    return any(next(start.glob(pattern), None) for start in starts)


class Named(unittest.TestCase):
    """Each thing that prose names."""

    def test_paths(self) -> None:
        for document, text in documents():
            for code in spans(text) + commands(text):
                for path in PATH.findall(code):
                    with self.subTest(document=document, path=path):
                        self.assertTrue(path.endswith(HANDED_OUT)
                                        or exists(path, document))

    def test_bare_paths_of_a_room(self) -> None:
        for document in ROOMS:
            text = (ROOT / document).read_text("utf-8")
            for code in spans(text):
                if re.fullmatch(r"[a-z_]+/[\w*]+\.(py|lua|js|html|css|json)",
                                code):
                    with self.subTest(document=document, path=code):
                        self.assertTrue(exists(code, document))

    def test_commands(self) -> None:
        helps: dict[str, str] = {}
        for document, text in documents():
            for line in commands(text):
                for name, rest in SCRIPT.findall(line):
                    if name in ("lib", "cmake", "workbook", "classroom"):
                        continue
                    with self.subTest(document=document, command=line):
                        self.assertTrue((ROOT / "scripts" / name).is_file())
                        if name not in helps:
                            helps[name] = subprocess.run(
                                [str(ROOT / "scripts" / name), "--help"],
                                capture_output=True, text=True,
                                check=False).stdout
                        wanted = re.findall(r"--[a-z-]+", rest)
                        if name == "learn":
                            wanted += re.findall(r"^ ([a-z]+)\b", rest)
                        for word in set(wanted) - {"--help"}:
                            self.assertRegex(helps[name],
                                             rf"(?m)(^|[\s\[]){word}\b")

    def test_presets_labels_and_tests(self) -> None:
        about = json.loads((ROOT / "CMakePresets.json").read_text("utf-8"))
        presets = {one["name"] for one in about["configurePresets"]}
        done = subprocess.run(["ctest", "-C", "long", "--show-only=json-v1"],
                              cwd=TREE, capture_output=True, text=True,
                              check=True)
        tests = json.loads(done.stdout)["tests"]
        names = [test["name"] for test in tests]
        labels = {label for test in tests for one in test["properties"]
                  if one["name"] == "LABELS" for label in one["value"]}
        labels |= {"gpu", "grader"}  # none of them in every build tree
        for document, text in documents():
            for line in commands(text):
                with self.subTest(document=document, line=line):
                    for preset in re.findall(r"--preset[ =](\w+)", line):
                        if preset not in ("P", "LABEL"):
                            self.assertIn(preset, presets)
                    if not line.startswith("ctest"):
                        continue
                    for label in re.findall(r"-L ([\w.]+)", line):
                        if label not in ("LABEL", "08"):
                            self.assertIn(label, labels)
                    if TREE.name != "sim" and "--preset sim" in line:
                        continue  # its tests are not in this tree
                    for test in re.findall(r"-R '?([^'\s]+)", line):
                        self.assertTrue([name for name in names if re.search(
                            HOLE.sub(".*", test), name)])

    def test_calls(self) -> None:
        tree = src.Tree(ROOT)
        library, cuda = hd.library_names(tree), hd.cuda_names(tree)
        for document, text in documents():
            if document.startswith(("book/", "lib/")) and (
                    document != "book/README.md"):
                continue  # checked when the book is built; CONFORMANCE also
                # names what the simulator does not have, tests/sim reads it
            for code in spans(text):
                if not CALL.fullmatch(code) or code == "cudaXxx":
                    continue
                with self.subTest(document=document, call=code):
                    self.assertEqual(book_check.code(code, library, cuda), "")


class Regions(unittest.TestCase):
    """A region that no chapter shows is a marker without a meaning."""

    def test_every_region_is_shown(self) -> None:
        tree = src.Tree(ROOT)
        shown: set[tuple[str, str]] = set()
        for path in sorted((ROOT / "book").glob("*.md")):
            heads = [head for _, head, _ in
                     FENCE.findall(path.read_text("utf-8"))]
            for head in heads:
                has = dict(re.findall(r'(\w+)="([^"]*)"', head))
                if "region" in has and "file" in has:
                    shown.add((has["file"], has["region"]))
                elif "region" in has and "run" in has:
                    run = src.find_run(tree, has["run"])
                    shown.add((f"lessons/{run.lesson}/{run.program}.c",
                               has["region"]))
        self.assertTrue(shown)
        for path in sorted((ROOT / "lessons").glob("[0-9]*/*.c")):
            name = str(path.relative_to(ROOT))
            if re.match(r"ex\d", path.name):
                continue
            for region in src.region_names(tree, name):
                with self.subTest(file=name, region=region):
                    self.assertTrue((name, region) in shown,
                                    "no chapter shows it")


if __name__ == "__main__":
    unittest.main()
