"""Which submissions are alike beyond what the workbook gave: scripts/similarity

A submission is what scripts/grade takes. The starter, the reference answer and
the known wrong answers do not count; neither do layout, comments and names. A
pair that is listed is a reason to look, not a proof: the report says how alike
the whole class is.
"""

from __future__ import annotations

import argparse
import glob
import os
import re
import sys
import tempfile
from dataclasses import dataclass

from .. import lesson as lessons
from .. import starters
from ..launcher import Limits, clean_environment
from ..lesson import Fault, Lesson, write_whole
from . import alike, reader, sandbox, similar_pages, submissions
from .alike import File, Given, Pair


@dataclass
class Found:
    """One exercise: who was compared, every pair, and those to be looked at."""

    name: str
    handed_in: int
    files: list[File]
    pairs: list[Pair]
    listed: list[Pair]

    def as_alike(self, pair: Pair) -> int:
        return sum(other.share >= pair.share for other in self.pairs)

    def quantile(self, part: float) -> float:
        shares = sorted(pair.share for pair in self.pairs)
        return shares[min(len(shares) - 1, int(part * len(shares)))] if shares else 0.0


def arguments(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="similarity",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("submissions", nargs="+", metavar="SUBMISSIONS")
    add("--out", default="similarity", metavar="DIR", help="where the report goes")
    add("--lessons", default="", metavar="NN,…", help="these lessons alone")
    add("--threshold", type=float, default=60.0, metavar="PERCENT", help="list pairs from here")
    add("--root", default=lessons.checkout(), help="the instructor's clone")
    return parser.parse_args(argv[1:])


def library_names(root: str) -> set[str]:
    """What the workbook's headers declare: functions, types, constants. No
    student invented these; parameters' names and comments are anybody's."""
    found: set[str] = set()
    for path in glob.glob(os.path.join(glob.escape(root), "lib", "**", "*.h"), recursive=True):
        with open(path, encoding="utf-8", errors="replace") as file:
            text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", file.read(), flags=re.S)
        found.update(re.findall(r"\b[A-Za-z_]\w*(?=\s*\()|\b[A-Z]\w*|\b\w+_t\b", text))
    return found


def given(lesson: Lesson, slug: str, known: set[str]) -> Given:
    texts = [starters.text_for(lesson, slug)]
    answer = starters.read_text(lesson.solution(slug))
    texts += [starters.answer_of(answer), answer]
    for path in sorted(glob.glob(lesson.test("wrong", f"{slug}.*.c"))):
        texts.append(starters.read_text(path))
    return Given(texts, known)


def exercise(
    lesson: Lesson, slug: str, handed_in: dict[str, str], known: set[str], threshold: float
) -> Found:
    base = given(lesson, slug, known)
    files = [alike.read(student, text, base) for student, text in sorted(handed_in.items())]
    own, pairs = alike.compare(files)
    listed = [pair for pair in pairs if pair.share * 100 >= threshold or len(pair.said) >= 2]
    return Found(f"{lesson.name}/{slug}", len(files), own, pairs, listed)


class Second:
    """sim_c's opinion, where it is installed: it runs as a submission would,
    since it reads what anybody wrote."""

    def __init__(self) -> None:
        self.tool = sandbox.tool("sim_c")
        self.why = "" if self.tool else "sim_c is not here (package similarity-tester)"
        if self.tool:
            try:
                self.box = sandbox.Sandbox(sandbox.choose(False)[0])
            except sandbox.Refused:
                self.why = "sim_c was not asked: there is no sandbox to run it in"

    def ask(self, pair: Pair) -> int | None:
        """Percent of the smaller one's own lines, as sim_c sees it."""
        if self.why:
            return None
        with tempfile.TemporaryDirectory() as work:
            os.chmod(work, 0o755)
            paths = []
            for name, file in (("a.c", pair.one), ("b.c", pair.two)):
                lines = file.text.split("\n")
                own = [lines[at] for at in sorted(file.lines(set(file.own)))]
                path = os.path.join(work, name)
                with open(path, "w", encoding="utf-8", errors="replace") as out:
                    out.write("\n".join(own) + "\n")
                paths.append(path)
            words = [self.tool, "-p", "-e", "-r", "12", *paths]
            env = clean_environment(work)
            said = self.box.run(words, work, env, Limits(seconds=10), ro=tuple(paths))
        found = [int(n) for n in re.findall(r"consists for (\d+) %", said.out)]
        return max(found, default=0) if said.code == 0 else None


def collect(options: argparse.Namespace, root: str) -> tuple[list[Found], int, list[str]]:
    words = [word for word in options.lessons.split(",") if word]
    found = lessons.bare(root, words)
    handed_in: dict[tuple[str, str], dict[str, str]] = {}
    class_ = submissions.find(options.submissions, root=root)
    notes = []
    for one in class_:
        taken = reader.take(one, found, root)
        if taken.problem:
            notes.append(f"{one.student}: not compared: {taken.problem}")
        for key, data in taken.files.items():
            handed_in.setdefault(key, {})[one.student] = data.decode("utf-8", "replace")
    known = library_names(root)
    done = [
        exercise(lesson, slug, handed_in.get((lesson.name, slug), {}), known, options.threshold)
        for lesson in found
        for slug in lesson.exercises
    ]
    return done, len(class_), notes


def main(argv: list[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    options = arguments(argv)
    try:
        if not 0 < options.threshold <= 100:
            raise Fault("--threshold is a percentage, above 0 and up to 100")
        done, students, notes = collect(options, os.path.abspath(options.root))
        second = Second()
        asked = {id(pair): second.ask(pair) for one in done for pair in one.listed}
        if second.why:
            notes.append(second.why)
        out = os.path.abspath(options.out)
        os.makedirs(out, mode=0o700, exist_ok=True)
        text = similar_pages.text(done, students, options.threshold, asked, notes)
        for name, words in (
            ("similarity.txt", text),
            ("similarity.csv", similar_pages.table(done, asked)),
            ("similarity.html", similar_pages.page(done, text, asked)),
        ):
            write_whole(os.path.join(out, name), words)
    except (Fault, OSError) as fault:
        print(f"similarity: {fault}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        return 130
    print(text, end="")
    print(f"\nnext: open {options.out}/similarity.html and read both files of a pair")
    return 0
