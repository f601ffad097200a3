"""Every name and link of every page must lead somewhere."""
from __future__ import annotations

import concurrent.futures
import json
import re
import subprocess
import sys
from pathlib import Path

import expand as ex
import markdown as md
import twins
from fault import Fault

OURS = re.compile(r"^(tensor|module|storage|status|scope|ledger|clock|device|"
                  r"op|array|probe|fact)_\w+\(.*\)$|^(tensor|module)_\w+$")
CUDAS = re.compile(r"^(cuda|cublas)[A-Z]\w*(\(.*\))?$")
TERM = re.compile(r"\[([^\]]+)\]\{#(term-[a-z0-9-]+)\}")
HERE = Path(__file__).resolve().parent
SKIPPED, CANNOT = 77, 3  # exit codes of scripts/workbook
OUTSIDE = re.compile(r"^[a-z]+:")


def terms(pages: dict[str, ex.Page]) -> dict[str, str]:
    """The glossary's words, in lower case, and where each stands. The words
    of an id lead there too: they are the same in every language."""
    page = pages.get("glossary")
    found = TERM.findall(page.markdown) if page else []
    known = {ident[5:].replace("-", " "): ident for _, ident in found}
    known |= {words.lower(): ident for words, ident in found}
    return {words: f"glossary.html#{ident}" for words, ident in known.items()}


def summary(page: ex.Page) -> str:
    """The first paragraph, as HTML."""
    words: list[str] = []
    for line in page.markdown.splitlines()[1:]:
        if line.startswith(("#", ":", "```", "|", "-")) or (
                words and not line.strip()):
            break
        if line.strip():
            words.append(line.strip())
    return md.inline_html(md.joined(words))


def all_ids(page: ex.Page) -> set[str]:
    return set(page.ids) | set(re.findall(r'\bid="([^"]+)"', page.markdown))


def names(book, build: Path, ctest: str, only: str) -> list[Fault]:
    """The faults of all editions, in order."""
    found: list[Fault] = []
    calls = book.addresses()
    library = book.words_of_library
    tests: set[str] | None = None
    for edition in book.editions:
        known = book.terms(edition)
        ids = {name: all_ids(page) for name, page in edition.pages.items()}
        if edition is not book.editions[0]:
            found += twins.compare(book.tree, book.editions[0].pages, edition,
                                   only)
        for name, page in edition.pages.items():
            if only and name != only:
                continue
            for line, target in page.links:
                sentence = link(name, target, ids)
                if sentence:
                    found.append(Fault(sentence, page.path, line))
            if name in ("machines", "conformance", "calls", "floors"):
                continue
            for line, kind, text in page.names:
                sentence = ""
                if kind == "test":
                    tests = test_names(build, ctest) if tests is None else (
                        tests)
                    if text not in tests:
                        sentence = f"ctest has no test '{text}'"
                elif kind == "term":
                    key = text.lower()
                    if key not in known and key.removesuffix("s") not in known:
                        sentence = f"the glossary has no term '{text}'"
                elif kind == "call" and text not in calls:
                    sentence = f"no public header declares '{text}'"
                elif kind == "code":
                    sentence = code(text, library, book.cuda)
                if sentence:
                    found.append(Fault(sentence, page.path, line))
    return found


def code(text: str, library: set[str], cuda: set[str]) -> str:
    """A name in code that says it is a call must be one."""
    word = re.split(r"\W", text)[0]
    if CUDAS.match(text) and cuda and word not in cuda:
        return (f"no header of the simulator knows `{word}`: misspelt? A name "
                f"outside our subset is written `{word}`{{.foreign}}")
    if OURS.match(text) and word not in library:
        return (f"no public header knows `{word}`: misspelt? A name that is "
                f"not ours is written `{word}`{{.foreign}}")
    return ""


def link(name: str, target: str, ids: dict[str, set[str]]) -> str:
    """What is wrong with a link, or nothing."""
    if OUTSIDE.match(target):
        if name in ("sources", "machines", "conformance", "glossary"):
            return ""
        return (f"a link leaves the book: {target}. Outside addresses stand "
                "in sources.md")
    path, _, ident = target.partition("#")
    page = name
    if path:
        if not path.endswith(".md") or "/" in path:
            return (f"the link {target} must name a page of the book, such "
                    "as 02_tensor_transfer.md#ids")
        page = path[:-3]
        if page not in ids:
            return f"the link {target} names a page that is not there"
    if ident and ident not in ids[page]:
        return f"the link {target}: page {page} has no id '{ident}'"
    return ""


def runs(book, build: Path, only: str) -> list[Fault]:
    """Each run that a page shows still prints what its transcript says. The
    lessons' own runner decides; without it (lesson.json) nothing is run."""
    places: dict[str, tuple[str, int]] = {}
    for name, page in book.editions[0].pages.items():
        for line, key in page.runs:
            if not only or only == name:
                places.setdefault(key, (page.path, line))
    runner = book.root / "scripts/workbook"
    rows = {key: build / "lessons" / key.partition("/")[0] / "lesson.json"
            for key in sorted(places)}
    keys = [key for key, about in rows.items()
            if about.is_file() and runner.is_dir()]

    def check(part: list[str]) -> list[Fault]:
        asked = [[str(rows[key]), key.partition("/")[2]] for key in part]
        done = subprocess.run(
            [sys.executable, "-IS", str(HERE / "rerun.py"), str(runner)],
            input=json.dumps(asked), capture_output=True, text=True,
            check=False)
        if done.returncode:
            raise Fault(f"the runs cannot be checked: {done.stderr.strip()}")
        return [fault for key, (code, said)
                in zip(part, json.loads(done.stdout))
                if (fault := verdict(key, code, said.strip(), places[key]))]

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        halves = filter(None, (keys[::2], keys[1::2]))
        return [fault for found in pool.map(check, halves)
                for fault in found]


def verdict(key: str, code: int, words: str,
            place: tuple[str, int]) -> Fault | None:
    if code in (0, SKIPPED):
        return None
    if code == CANNOT:
        return Fault(f"run {key} cannot be checked. {words}", *place)
    return Fault("what this shows is no longer what the program prints.\n"
                 + words, *place)


def test_names(build: Path, ctest: str) -> set[str]:
    done = subprocess.run([ctest, "--show-only=json-v1"], cwd=build,
                          capture_output=True, text=True, check=False)
    if done.returncode:
        raise Fault(f"ctest cannot list its tests in {build}: "
                    f"{done.stderr.strip()}")
    return {test["name"] for test in json.loads(done.stdout)["tests"]}
