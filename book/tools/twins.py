"""A translated page beside the one it was made from: the same ids, the same
fences with the same attributes in the same order, the same boxes."""
from __future__ import annotations

import re

import expand as ex
import markdown as md
import sources as src
from fault import Fault

WORDS = {"title", "labels"}        # attributes that are translated
GENERATED = {"rosetta", "proofs", "machines", "conformance", "calls",
             "floors"}


def compare(tree: src.Tree, first: dict[str, ex.Page], edition,
            only: str) -> list[Fault]:
    """The faults of a whole edition."""
    found = []
    second = edition.pages
    for name, page in first.items():
        if only and name != only:
            continue
        if name not in second:
            found.append(Fault(f"{edition.folder} lacks {name}.md: every page "
                               "has its twin", page.path, 1))
            continue
        found += ids(page, second[name])
        if name not in GENERATED and page.path.endswith(".md"):
            found += fences(tree, page.path, second[name].path)
    for name, page in second.items():
        if name not in first and (not only or name == only):
            found.append(Fault(f"this page has no twin book/{name}.md",
                               page.path, 1))
    return found


def ids(page: ex.Page, twin: ex.Page) -> list[Fault]:
    found = []
    for ident in sorted(set(page.ids) ^ set(twin.ids)):
        lacks = "lacks" if ident in page.ids else "adds"
        found.append(Fault(f"this page {lacks} the id '{ident}': it must "
                           f"have those of {page.path}", twin.path, 1))
    return found


def parts(text: str) -> list[tuple[int, str]]:
    """Every fence and box with its attributes, and every heading."""
    found: list[tuple[int, str]] = []
    open_mark = ""
    for number, line in enumerate(text.splitlines(), 1):
        fence = md.FENCE.match(line)
        if open_mark:
            if fence and not fence[3] and fence[2].startswith(open_mark):
                open_mark = ""
        elif fence:
            open_mark = fence[2]
            found.append((number, "``` " + shown(fence[3])))
        elif line.startswith(":::"):
            name = line.strip().lstrip(":").strip()
            found.append((number, ("::: " + shown(name)).strip()))
        elif re.match(r"#{2,4} ", line):
            ident = re.search(r"\{#([\w-]+)\}", line)
            found.append((number, line.split(" ")[0] + " "
                          + (ident[1] if ident else "")))
    return found


def shown(name: str) -> str:
    """A fence's name and attributes, but for those that are translated."""
    if not name.startswith("{"):
        return name
    attrs = md.attributes(name)
    values = [f'{key}="{value}"' for key, value in attrs.values.items()
              if key not in WORDS]
    ident = [f"#{attrs.id}"] if attrs.id else []
    return " ".join([*attrs.classes, *ident, *sorted(values)])


def fences(tree: src.Tree, path: str, twin: str) -> list[Fault]:
    """The first place where the two part."""
    ours, theirs = parts(tree.text(path)), parts(tree.text(twin))
    for at in range(max(len(ours), len(theirs))):
        here = theirs[at] if at < len(theirs) else (0, "nothing")
        there = ours[at] if at < len(ours) else (0, "nothing")
        if here[1] != there[1]:
            return [Fault(f"here stands '{here[1]}', and in {path}:{there[0]} "
                          f"'{there[1]}': the two must have the same fences, "
                          "boxes and sections in the same order", twin,
                          here[0] or (theirs or [(1, "")])[-1][0])]
    return []
