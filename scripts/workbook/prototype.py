"""Whether a student's function is still of the type that the probe calls.

C's linker joins names alone: a `float` where the probe hands an `int` gives a
program, and nonsense. So where the first line of a function is not, token by
token, the declaration in its probe, the compiler is asked: it reads the file,
the probe's headers and the declaration behind one another. What it says of
anything else counts for nothing; those headers are not the student's.
"""

from __future__ import annotations

import os
import re

from .lesson import Lesson, key_of

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
INCLUDE = re.compile(r"^#include\s*([<\"][^>\"]+[>\"])", re.MULTILINE)
TOKEN = re.compile(r"\w+|[^\s\w]")
CONFLICT = re.compile(r"error: conflicting types for .(\w+)")
BY_MACRO = re.compile(r"^\s*#\s*(?:if|define)", re.MULTILINE)


def declarations(probe: str, names: list[str]) -> dict[str, str]:
    """How a probe declares these functions: name -> text without semicolon."""
    code, n = _code(probe), 1
    while n:  # functions' bodies, and what else has braces
        code, n = re.subn(r"\{[^{}]*\}", ";", code)
    found = {}
    for name in names:
        match = re.search(rf"[^;{{}}]*\b{re.escape(name)}\s*\([^;{{}}]*\)(?=\s*;)", code)
        if match:
            found[name] = " ".join(match[0].split())
    return found


def other_type(
    lesson: Lesson, slug: str, names: list[str], source: str, work: str, launcher, limits
) -> str:
    """A sentence on the first function whose type is another; "" for none."""
    probe = _text(lesson.test(key_of(slug) + ".probe.c"))
    declared = declarations(probe, names)
    text = _text(source)
    if BY_MACRO.search(text):
        doubtful = declared
    else:
        code = _tokens(_code(text))
        doubtful = {name: line for name, line in declared.items() if not _begins(code, line)}
    if not doubtful:
        return ""
    for name in _conflicts(lesson, probe, doubtful, source, work, launcher, limits):
        if name in doubtful:
            return (
                f"Your {name}() takes or returns other types than the exercise's own program "
                f"uses. Its first line has to be, as in the starter:\n{doubtful[name]}"
            )
    return ""


def _conflicts(
    lesson: Lesson, probe: str, declared: dict[str, str], source: str, work: str, launcher, limits
) -> list[str]:
    behind = os.path.join(work, "declared.c")
    with open(behind, "w", encoding="utf-8") as file:
        for header in INCLUDE.findall(probe):
            file.write(f"#if __has_include({header})\n#include {header}\n#endif\n")
        file.writelines(line + ";\n" for line in declared.values())
    ro = (source, *(word[2:] for word in lesson.compile if word.startswith("-I")))
    argv = [lesson.cc, *lesson.compile, "-w", "-fsyntax-only", "-include", source, behind]
    result = launcher.run(argv, work, {"PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8"},
                          limits, ro=ro, rw=(work,))
    return CONFLICT.findall(result.err)


def _begins(code: str, line: str) -> bool:
    """Whether a definition begins so; `unsigned` before it makes it another."""
    return bool(re.search(r"(?:^|[^\w\s])" + re.escape(_tokens(line + "{")), code))


def _code(text: str) -> str:
    """Without comments, strings and the preprocessor's lines."""
    return re.sub(r"^\s*#.*$", "", COMMENT.sub(" ", text), flags=re.MULTILINE)


def _tokens(code: str) -> str:
    return " " + " ".join(TOKEN.findall(code)) + " "


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(1 << 20)
    except OSError:
        return ""
