"""What a chapter can pull in: regions of files, tested runs, exercises.

Every reader raises Fault with a sentence when something is not there, and
every file that is read is remembered, so that the build knows its inputs.
"""
from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

from fault import Fault

MARK_OPEN = re.compile(r"^\s*//> ?(\S+)\s*$")
MARK_CLOSE = re.compile(r"^\s*//< ?(\S+)\s*$")
EXPECT = re.compile(r"//\s?expect:(?: (.*)|\s*)$")
FIELD = re.compile(r"(?<!\{)\{(ns|bytes|name|id|addr)(?::([^}]*))?\}")


class Line(NamedTuple):
    """A line as it is shown, with its true number."""
    number: int
    text: str


class Run(NamedTuple):
    """A row of tests/lessons/NN_name/runs."""
    lesson: str
    name: str
    program: str
    machine: str
    env: dict[str, str]
    exit: str

    @property
    def key(self) -> str:
        return f"{self.lesson}/{self.name}"

    @property
    def built(self) -> str:
        """The program in the build tree; smi is the simulated machine's."""
        if self.program == "smi":
            return "bin/smi"
        return f"lessons/{self.lesson}/{self.program}"


class Tree:
    """The checkout, read once, with a list of what was read."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.read: set[Path] = set()
        self.texts: dict[str, str] = {}

    def text(self, path: str) -> str:
        if path not in self.texts:
            full = self.root / path
            if not full.is_file():
                raise Fault(f"there is no file {path}")
            self.read.add(full)
            self.texts[path] = full.read_text(encoding="utf-8")
        return self.texts[path]

    def exists(self, path: str) -> bool:
        full = self.root / path
        if full.is_file():
            self.read.add(full)
        return full.is_file()

    def folder(self, path: str, pattern: str) -> list[Path]:
        """Files of a folder; the folder itself is an input too."""
        full = self.root / path
        if full.is_dir():
            self.read.add(full)
        return sorted(full.glob(pattern))


def region_span(tree: Tree, path: str, region: str) -> tuple[int, int]:
    """First and last line number of a region, its marker lines included."""
    first = last = 0
    for number, text in enumerate(tree.text(path).splitlines(), 1):
        opened, closed = MARK_OPEN.match(text), MARK_CLOSE.match(text)
        if opened and opened[1] == region:
            if first:
                raise Fault(f"region '{region}' is opened twice in {path}")
            first = number
        if closed and closed[1] == region:
            last = number
    if not first:
        raise Fault(f"{path} has no region '{region}': put the lines between "
                    f"'//> {region}' and '//< {region}'. It has: "
                    + (", ".join(region_names(tree, path)) or "none"))
    if last < first:
        raise Fault(f"region '{region}' of {path} is never closed: "
                    f"'//< {region}' is missing")
    return first, last


def region_names(tree: Tree, path: str) -> list[str]:
    found = (MARK_OPEN.match(line) for line in tree.text(path).splitlines())
    return [match[1] for match in found if match]


def shown_lines(tree: Tree, path: str, region: str = "") -> list[Line]:
    """The lines of a file or region as a page shows them: without markers,
    without expect lines, without common indentation."""
    lines = tree.text(path).splitlines()
    first, last = 1, len(lines)
    if region:
        first, last = region_span(tree, path, region)
    shown: list[Line] = []
    for number in range(first, last + 1):
        text = lines[number - 1]
        if MARK_OPEN.match(text) or MARK_CLOSE.match(text):
            continue
        cut = EXPECT.search(text)
        if cut:
            text = text[:cut.start()].rstrip()
            if not text:
                continue
        shown.append(Line(number, text.rstrip().expandtabs(4)))
    while shown and not shown[0].text:
        shown.pop(0)
    while shown and not shown[-1].text:
        shown.pop()
    if not shown:
        raise Fault(f"region '{region}' of {path} shows nothing")
    dent = min(len(s.text) - len(s.text.lstrip()) for s in shown if s.text)
    return [Line(s.number, s.text[dent:]) for s in shown]


def expected_lines(tree: Tree, path: str) -> list[Line]:
    """The transcript that a program carries in its own comments."""
    found: list[Line] = []
    for number, text in enumerate(tree.text(path).splitlines(), 1):
        match = EXPECT.search(text)
        if match:
            found.append(Line(number, match[1] or ""))
    return found


def plain_fields(text: str) -> str:
    """Declared fields as a reader sees them: {ns:1,234} is 1,234."""
    text = FIELD.sub(lambda m: m[2] if m[2] is not None else "…", text)
    return re.sub(r"\{\{(ns|bytes|name|id|addr)", r"{\1", text)


def find_run(tree: Tree, key: str) -> Run:
    """The row that `run="NN_name/<run>"` names."""
    lesson, slash, name = key.partition("/")
    table = f"tests/lessons/{lesson}/runs"
    if not slash or not name:
        raise Fault(f"run=\"{key}\" must be NN_name/<run>, such as "
                    "02_tensor_transfer/default")
    if not tree.exists(table):
        raise Fault(f"run=\"{key}\": there is no {table}")
    names = []
    for row in tree.text(table).splitlines():
        cells = row.split()
        if not cells or cells[0].startswith("#"):
            continue
        if len(cells) != 5:
            raise Fault(f"{table}: a row has five columns (run, program, "
                        f"machine, environment, exit): {row.strip()}")
        names.append(cells[0])
        if cells[0] == name:
            pairs = [] if cells[3] == "-" else cells[3].split(";")
            env = dict(pair.partition("=")[::2] for pair in pairs)
            return Run(lesson, name, cells[1], cells[2], env, cells[4])
    raise Fault(f"{table} has no run '{name}'. It has: " + ", ".join(names))


def transcript(tree: Tree, run: Run, region: str = "") -> list[str]:
    """What the run prints, as its test expects it."""
    program = f"lessons/{run.lesson}/{run.program}.c"
    recorded = f"tests/lessons/{run.lesson}/expected/{run.name}.txt"
    if tree.exists(recorded):
        if region:
            raise Fault(f"run {run.key} has a file ({recorded}), so region= "
                        "says nothing about it: choose its lines with from= "
                        "and to=")
        return [plain_fields(t) for t in tree.text(recorded).splitlines()]
    free = run.program == "smi" or run.exit == "77"
    lines = [] if free else expected_lines(tree, program)
    if free:
        raise Fault(f"run {run.key} has no {recorded}, so nothing that it "
                    "prints is tested")
    if not lines:
        raise Fault(f"run {run.key} has no transcript: neither {recorded} nor "
                    f"'// expect:' lines in {program}")
    if region:
        first, last = region_span(tree, program, region)
        lines = [line for line in lines if first <= line.number <= last]
        if not lines:
            raise Fault(f"nothing is expected inside region '{region}' of "
                        f"{program}")
    return [plain_fields(line.text) for line in lines]


def cut_lines(lines: list[str], attrs: dict[str, str], what: str) -> list[str]:
    """from=, to= and grep= of an output."""
    start, text = 0, attrs.get("from", "")
    if text:
        start = next((i for i, t in enumerate(lines) if text in t), -1)
        if start < 0:
            raise Fault(f"from=\"{text}\": {what} has no such line")
    end, text = len(lines), attrs.get("to", "")
    if text:
        after = start + 1 if attrs.get("from") else start
        hit = next((i for i in range(after, len(lines)) if text in lines[i]),
                   -1)
        if hit < 0 and text in lines[start]:
            hit = start
        if hit < 0:
            raise Fault(f"to=\"{text}\": {what} has no such line there")
        end = hit + 1
    lines = lines[start:end]
    text = attrs.get("grep", "")
    if text:
        lines = [line for line in lines if text in line]
        if not lines:
            raise Fault(f"grep=\"{text}\": {what} has no such line")
    return lines


def exercise(tree: Tree, lesson: str, name: str, folder: str = "") -> dict:
    """An exercise's manifest, with the file that the student edits. `folder`
    is that of a translation: its NN_name.json has the title and the hints."""
    path = f"tests/lessons/{lesson}/{name}.json"
    if not tree.exists(path):
        raise Fault(f"exercise {lesson}/{name}: there is no {path}")
    try:
        manifest = json.loads(tree.text(path))
    except json.JSONDecodeError as error:
        raise Fault(f"{path} is no JSON: {error}") from error
    for key, kind in (("title", str), ("points", (int, float)),
                      ("hints", list)):
        if not isinstance(manifest.get(key), kind):
            raise Fault(f"{path} has no proper '{key}'")
    files = tree.folder(f"lessons/{lesson}", f"{name}_*.c")
    if len(files) != 1:
        raise Fault(f"exercise {lesson}/{name} needs one file "
                    f"lessons/{lesson}/{name}_….c; there are {len(files)}")
    manifest["file"] = str(files[0].relative_to(tree.root))
    return manifest | (boxes(tree, f"{folder}/{lesson}.json", name)
                       if folder else {})


def boxes(tree: Tree, path: str, name: str) -> dict:
    """A translated title and hints: {"ex1": {"title": "…", "hints": […]}}."""
    if not tree.exists(path):
        raise Fault(f"exercise {name}: there is no {path}")
    try:
        words = json.loads(tree.text(path)).get(name, {})
    except (json.JSONDecodeError, AttributeError) as error:
        raise Fault(f"{path} is no JSON object: {error}") from error
    hints = words.get("hints")
    if sorted(words) != ["hints", "title"] or len(hints) != 3 or not all(
            isinstance(text, str) and text
            for text in (words["title"], *hints)):
        raise Fault(f"{path}: '{name}' must have a title and three hints, "
                    "and nothing else")
    return words
