"""A lesson that prints something else fails its own test, and the book.

    test_drift.py BUILD_TREE [--every]

In a copy of the tree one printed line of a lesson is changed and the program
compiled again; then the lesson's test and the book's build must both refuse.
The same copy, unchanged, must pass both. Without --every: one lesson.
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

import reading

SKIP = 77
EVERY = "--every" in sys.argv
WORDS = [word for word in sys.argv[1:] if not word.startswith("--")]
TREE = Path(WORDS[0] if WORDS else reading.ROOT / "build/sim").resolve()
SAMPLE = "00_first_steps"
DRIFTED = "no longer what the program prints"


def mirror(source: Path, target: Path, own: str) -> None:
    """A folder of links to what is there, but for `own`, which is copied."""
    target.mkdir(parents=True)
    for entry in source.iterdir():
        if entry.name in ("build", ".git") or entry.name == own:
            continue
        os.symlink(entry, target / entry.name)


def copy_of(where: Path, lesson: str) -> tuple[Path, Path]:
    """The checkout and its build tree, with this lesson's own files."""
    root, tree = where / "root", where / "tree"
    mirror(reading.ROOT, root, "lessons")
    mirror(reading.ROOT / "lessons", root / "lessons", lesson)
    shutil.copytree(reading.ROOT / "lessons" / lesson,
                    root / "lessons" / lesson)
    mirror(TREE, tree, "lessons")
    mirror(TREE / "lessons", tree / "lessons", lesson)
    mirror(TREE / "lessons" / lesson, tree / "lessons" / lesson,
           "lesson.json")
    about = json.loads((TREE / "lessons" / lesson / "lesson.json")
                       .read_text("utf-8"))
    folder = tree / "lessons" / lesson
    # As in CI: a student's own change is told, and neither test refuses it.
    about.update(root=str(root), build=str(tree), author=True, programs={
        name: str(folder / Path(path).name)
        for name, path in about["programs"].items()})
    (folder / "lesson.json").write_text(json.dumps(about), encoding="utf-8")
    return root, tree


def say_something_else(text: str) -> str:
    """One letter of the first sentence that the program says for itself; or
    a line at its end."""
    changed = re.sub(r'(\bsay\(\s*")([^"%\\]*?)([a-z])', r"\1\2\3\3", text,
                     count=1)
    return changed if changed != text else text.replace(
        "return lesson_end()", 'say("more");\n    return lesson_end()')


def compile_again(root: Path, tree: Path, lesson: str) -> None:
    about = json.loads((tree / "lessons" / lesson / "lesson.json")
                       .read_text("utf-8"))
    program = Path(about["programs"]["lesson"])
    program.unlink()
    flags = [*(f"-I{path}" for path in about["include"].split("|")),
             *(f"-D{word}" for word in about["define"].split("|") if word)]
    subprocess.run([about["cc"], "-std=c11", "-D_POSIX_C_SOURCE=200809L",
                    *flags, str(root / "lessons" / lesson / "lesson.c"),
                    "-o", str(program), *about["link"]], check=True)


def tested(tree: Path, lesson: str) -> subprocess.CompletedProcess:
    """What ctest does for the lesson's first run."""
    return subprocess.run(
        [sys.executable, "-IS", str(reading.ROOT / "scripts/workbook"), "run",
         str(tree / "lessons" / lesson / "lesson.json"), "default"],
        capture_output=True, text=True, check=False)


class Drift(unittest.TestCase):
    """For each lesson: refused when changed, passed when not."""

    def judge(self, lesson: str, refused: bool, root: Path,
              tree: Path) -> None:
        done = tested(tree, lesson)
        self.assertEqual(done.returncode, int(refused),
                         done.stdout + done.stderr)
        book = reading.build(root, tree, "--only", lesson, "--out",
                             str(root.parent / "pages/html"))
        self.assertEqual(book.returncode != 0, refused, book.stderr)
        if refused:
            self.assertIn(DRIFTED, book.stderr)

    def change(self, lesson: str, how: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            root, tree = copy_of(Path(folder), lesson)
            if how == "nothing":
                self.judge(lesson, False, root, tree)
                return
            source = root / "lessons" / lesson / "lesson.c"
            text = source.read_text("utf-8")
            if how == "program":
                changed = say_something_else(text)
            else:
                changed = re.sub(r"(// expect: \S)", r"\1x", text, count=1)
            self.assertNotEqual(changed, text)
            source.write_text(changed, encoding="utf-8")
            compile_again(root, tree, lesson)
            self.judge(lesson, True, root, tree)

    def test_each_lesson(self) -> None:
        lessons = sorted(path.parent.name for path in
                         (TREE / "lessons").glob("*/lesson.json"))
        self.assertTrue(lessons)
        for lesson in lessons if EVERY else [SAMPLE]:
            for how in (("nothing", "program", "transcript") if EVERY
                        else ("program",)):
                with self.subTest(lesson=lesson, changed=how):
                    self.change(lesson, how)


if __name__ == "__main__":
    if not shutil.which("pandoc"):
        print("Skipped: pandoc is not installed.")
        sys.exit(SKIP)
    unittest.main(argv=sys.argv[:1])
