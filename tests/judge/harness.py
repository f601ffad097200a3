"""The sample workbook, configured and built in the build tree.

`python3 tests/judge/harness.py BUILD_DIR` prepares it (a ctest fixture); the
tests take its lesson from there and judge files that they write themselves.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "scripts"))

from workbook import judge, starters, verdict  # noqa: E402
from workbook import lesson as lessons  # noqa: E402


os.environ.setdefault("WORKBOOK_JUDGE_DIR", os.path.join(ROOT, "build/sim/tests/judge"))


def place() -> str:
    """The folder of the prepared sample."""
    return os.path.join(os.environ["WORKBOOK_JUDGE_DIR"], "sample")


def sample() -> lessons.Lesson:
    return lessons.read(os.path.join(place(), "build/sim/lessons/90_sample/lesson.json"))


def write(path: str, text: str) -> str:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.write(textwrap.dedent(text))
    return path


def own(test: unittest.TestCase, name: str = "") -> str:
    """An empty folder that belongs to one test."""
    path = os.path.join(os.environ["WORKBOOK_JUDGE_DIR"], "own", test.id(), name)
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return path


def judged(
    test: unittest.TestCase, text: str, slug: str = "ex1_add_up", **options
) -> verdict.Verdict:
    """The verdict on a student's file with this text."""
    path = write(os.path.join(own(test), slug + ".c"), text)
    lesson = options.pop("lesson", None) or sample()
    return judge.check(lesson, slug, path, **options)


def words(result: verdict.Verdict) -> str:
    return "\n".join(verdict.lines(result))


def flat(result: verdict.Verdict) -> str:
    """The verdict's words without its line breaks."""
    return " ".join(words(result).split())


def generate(root: str) -> None:
    """Write the sample's starters, which are generated and not kept."""
    for lesson in lessons.bare(root, []):
        starters.write(lesson)


def configure(root: str, *options: str) -> subprocess.CompletedProcess:
    """Configure and build a sample as `build/sim` inside it."""
    build = os.path.join(root, "build", "sim")
    quiet = {"capture_output": True, "text": True}
    command = ["cmake", "-S", root, "-B", build, f"-DWORKBOOK_SOURCE_DIR={ROOT}"]
    if shutil.which("ninja"):
        command.append("-GNinja")
    done = subprocess.run([*command, *options], **quiet)
    if done.returncode == 0:
        done = subprocess.run(["cmake", "--build", build], **quiet)
    return done


def copy(root: str) -> None:
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(os.path.join(HERE, "sample"), root)
    generate(root)


def main(argv: list[str]) -> int:
    os.environ["WORKBOOK_JUDGE_DIR"] = argv[1]
    copy(place())
    done = configure(place())
    print(done.stdout, done.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv))
