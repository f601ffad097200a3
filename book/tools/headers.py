"""The public headers, read for the index of calls.

The library's own headers give one entry a declaration, with the comment above
it; of the simulator's CUDA headers only the names count, so that a chapter
cannot name a call that is not there.
"""
from __future__ import annotations

import re
from typing import NamedTuple

import sources as src

UPPER = ("lesson", "tensor", "nn", "parallel", "device")  # a student's words
LOWER = ("array", "ops", "base")
FLOORS = UPPER + LOWER
KEYS = ("shape", "place", "owner", "cost", "waits", "errors", "source",
        "lesson")
DECLARED = re.compile(r"^(?:NODISCARD |API )+")
NAME = re.compile(r"(\w+)\s*\(")


class Call(NamedTuple):
    name: str
    declaration: str
    note: str        # the comment at the end of its line


class Group(NamedTuple):
    """Declarations under one comment."""
    comment: str
    calls: list[Call]


class Header(NamedTuple):
    path: str        # tensor/tensor.h
    about: str       # the head comment
    groups: list[Group]


def comment_text(lines: list[str]) -> str:
    """A comment without its stars."""
    text = "\n".join(lines).strip()
    text = re.sub(r"^/\*+ ?|\s*\*+/$", "", text)
    return "\n".join(re.sub(r"^\s*\*( |$)", "", line)
                     for line in text.split("\n")).strip()


def read_header(tree: src.Tree, path: str) -> Header:
    lines = tree.text(f"lib/{path}").splitlines()
    about, groups, at = "", [], 0
    pending, fresh = "", False
    while at < len(lines):
        text = lines[at]
        if text.startswith("/*"):
            end = at
            while "*/" not in lines[end]:
                end += 1
            pending, fresh = comment_text(lines[at:end + 1]), True
            if not about:
                about, pending, fresh = pending, "", False
            at = end + 1
            continue
        macro = re.match(r"#define (\w+)\((.*?)\)", text)
        if DECLARED.match(text):
            end = at
            while ";" not in lines[end]:
                end += 1
            whole = "\n".join(lines[at:end + 1])
            add(groups, declared(whole), pending, fresh)
            pending, fresh = "", False
            at = end + 1
            continue
        if macro and fresh and macro[1].islower():
            add(groups, Call(macro[1], f"{macro[1]}({macro[2]})", ""), pending,
                fresh)
            pending, fresh = "", False
        elif text.strip():
            pending, fresh = "", False
        else:
            pending, fresh = ("", True) if not pending else (pending, fresh)
        at += 1
    return Header(path, about, groups)


def declared(whole: str) -> Call:
    code = re.sub(r"//.*", "", whole)
    code = DECLARED.sub("", code).split(";")[0].strip()
    code = re.sub(r"\s*PRINTF\([^)]*\)$", "", code)
    match = NAME.search(code)
    note = " ".join(m.strip() for m in re.findall(r"//(.*)", whole))
    return Call(match[1] if match else code, re.sub(r"\s+", " ", code), note)


def add(groups: list[Group], call: Call, comment: str, fresh: bool) -> None:
    if comment or fresh or not groups:
        groups.append(Group(comment, [call]))
    else:
        groups[-1].calls.append(call)


def library(tree: src.Tree) -> list[Header]:
    found = []
    for floor in FLOORS:
        for path in tree.folder(f"lib/{floor}", "*.h"):
            header = read_header(tree, f"{floor}/{path.name}")
            if header.groups:
                found.append(header)
    return found


def cuda_names(tree: src.Tree) -> set[str]:
    """Every CUDA word that the simulator's headers know."""
    names: set[str] = set()
    for path in tree.folder("lib/sim/include", "*.h"):
        text = tree.text(str(path.relative_to(tree.root)))
        names |= set(re.findall(r"\b(?:cu(?:da|blas)|CU(?:DA|BLAS))\w+",
                                text))
    return names


def library_names(tree: src.Tree) -> set[str]:
    """Every word of the library's headers."""
    names: set[str] = set()
    for floor in FLOORS:
        for path in tree.folder(f"lib/{floor}", "*.h"):
            text = tree.text(str(path.relative_to(tree.root)))
            names |= set(re.findall(r"\b[A-Za-z_]\w+", text))
    return names
