"""What every guard shares: which files it reads, how it reports, how it is
proven able to fail.

A guard is a file with `check(root, options) -> list[str]`, one string for
each thing that is wrong, and SAMPLES: small trees that it must accept or
refuse. `python3 NAME.py ROOT` checks a tree, `--self-test` the guard.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import Callable, Iterable, NamedTuple, Optional

SKIPPED = 77  # ctest's SKIP_RETURN_CODE, as everywhere in these tests
NOT_OURS = {"build", ".git", "node_modules", "__pycache__"}


class Options(NamedTuple):
    author: bool = False  # also read what belongs to the students
    cc: str = "cc"


class Sample(NamedTuple):
    """A tree, and a piece of the complaint it must cause (None: no complaint)."""
    files: dict[str, str]
    complaint: Optional[str]
    options: Options = Options()


Check = Callable[[pathlib.Path, Options], list[str]]


def ask_git(root: pathlib.Path, *arguments: str) -> str:
    """What git says about this tree; "" where there is no git, or no answer."""
    try:
        return subprocess.run(["git", "-C", str(root), *arguments],
                              capture_output=True, text=True, check=True,
                              errors="replace").stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


def tracked(root: pathlib.Path) -> list[str]:
    """The files that git tracks, or all of them where git does not say."""
    found = ask_git(root, "ls-files", "-z").split("\0")
    if not any(found):
        found = [path.relative_to(root).as_posix()
                 for path in root.rglob("*") if path.is_file()
                 and not NOT_OURS & set(path.relative_to(root).parts)]
    return sorted(filter(None, found))


def is_students(name: str) -> bool:
    """Whether a student may change this file, so that no guard reads it."""
    return re.fullmatch(r"lessons/[^/]+/[^/]+\.(c|h|txt)", name) is not None \
        and not name.endswith("CMakeLists.txt")


def files(root: pathlib.Path, options: Options,
          suffixes: Iterable[str]) -> list[str]:
    """Tracked files with these endings, less the students' unless authored."""
    return [name for name in tracked(root) if name.endswith(tuple(suffixes))
            and (options.author or not is_students(name))
            and (root / name).is_file()]


def read(root: pathlib.Path, name: str) -> str:
    """A file's text; a student's file as it was committed, where git knows."""
    if is_students(name):
        committed = ask_git(root, "show", f":{name}")
        if committed or not (root / name).is_file():
            return committed
    return (root / name).read_text(encoding="utf-8", errors="replace")


def blank_c(text: str) -> str:
    """C without its comments and strings: same lines, same columns."""
    def blank(match: re.Match) -> str:
        kept = match.group(0)
        return re.sub(r"[^\n]", " ", kept)
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'
                  r"'(?:\\.|[^'\\\n])*'", blank, text, flags=re.S)


def plant(root: pathlib.Path, tree: dict[str, str]) -> None:
    for name, text in tree.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def self_test(check: Check, samples: list[Sample], cc: str) -> int:
    """Each sample must be judged as it says; at least one of each kind."""
    wrong = 0
    for number, sample in enumerate(samples):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            plant(root, sample.files)
            complaints = check(root, sample.options._replace(cc=cc))
        said = "\n".join(complaints)
        if sample.complaint is None and complaints:
            print(f"sample {number} is fine, and the guard says: {said}")
            wrong += 1
        if sample.complaint is not None and sample.complaint not in said:
            print(f"sample {number} is bad, and the guard does not say "
                  f"\"{sample.complaint}\" but: {said or 'nothing'}")
            wrong += 1
    refused = sum(sample.complaint is not None for sample in samples)
    if not 0 < refused < len(samples):
        print("a guard needs samples that it accepts and that it refuses")
        wrong += 1
    print(f"{len(samples)} samples, {wrong} judged wrongly")
    return 1 if wrong else 0


def main(argv: list[str], check: Check, samples: list[Sample],
         missing: Optional[str] = None) -> int:
    """Run a guard. `missing` names a tool that is not here: then skip."""
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--author", action="store_true")
    parser.add_argument("--cc", default="cc")
    options = parser.parse_args(argv)
    if missing is not None:
        print(f"needs {missing}")
        return SKIPPED
    if options.self_test:
        return self_test(check, samples, options.cc)
    complaints = check(options.root.resolve(),
                       Options(options.author, options.cc))
    for complaint in complaints:
        print(complaint)
    print(f"{len(complaints)} complaint(s)")
    return 1 if complaints else 0


def run(check: Check, samples: list[Sample],
        missing: Optional[str] = None) -> None:
    sys.exit(main(sys.argv[1:], check, samples, missing))
