"""Small changes to a C file, such as slips of a student would make.

Edits on tokens (ctokens.py): nothing is parsed, so some
mutants do not compile; whoever judges them leaves those out. Code outside of
functions, comments and the preprocessor's lines stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ctokens import CLOSING, OPENING, PAIR, Code, plain

COMPARISON = re.compile(r"[=!]=|(?<![-<>])[<>](?![<>])")  # its own mutants negate it
SIGNS = {
    "==": ["!="],
    "!=": ["=="],
    "<": ["<=", ">="],
    "<=": ["<", ">"],
    ">": [">=", "<="],
    ">=": [">", "<"],
    "&&": ["||"],
    "||": ["&&"],
    "+": ["-"],
    "-": ["+"],
    "*": ["/"],
    "/": ["*"],
    "%": ["/"],
    "+=": ["-=", "="],
    "-=": ["+="],
    "*=": ["/="],
    "++": ["--"],
    "--": ["++"],
    "<<": [">>"],
    ">>": ["<<"],
    "&": ["|"],
    "|": ["&"],
}
NAMES = {
    "true": ["false"],
    "false": ["true"],
    "device_cpu": ["device_gpu_0"],  # written out below
    "FLOAT16": ["FLOAT32"],
    "FLOAT32": ["FLOAT64", "FLOAT16"],
    "FLOAT64": ["FLOAT32"],
    "INT32": ["INT64"],
    "INT64": ["INT32", "FLOAT32"],
    "BOOL": ["UINT8"],
    "cudaMemcpyHostToDevice": ["cudaMemcpyDeviceToHost"],
    "cudaMemcpyDeviceToHost": ["cudaMemcpyHostToDevice"],
    "cudaMemcpyDeviceToDevice": ["cudaMemcpyHostToDevice"],
    "break": ["continue"],
    "continue": ["break"],
    "double": ["float"],
    "int64_t": ["int"],
    "size_t": ["int"],
    "SIZE_MAX": ["0"],
    "strcmp": ["!strcmp"],
}
HEADS = {"if", "while", "for", "switch"}
KEYWORDS = HEADS | {"return", "sizeof", "else", "do", "case", "default", "goto", "_Alignof"}
TYPE_WORDS = {"const", "static", "struct", "enum", "unsigned", "signed", "restrict", "volatile"}


@dataclass(frozen=True)
class Mutant:
    """`name` tells the change, line by line; the same in the whole file, it is
    followed by its number."""

    name: str
    kind: str
    text: str


@dataclass(frozen=True)
class Edit:
    start: int
    end: int
    text: str
    kind: str


def mutants(text: str) -> list[Mutant]:
    """Every mutant of a file, in the file's order, no program twice."""
    code = Code(text)
    seen = {plain(text)}
    counts: dict[str, int] = {}
    found = []
    edits = [edit for body in code.bodies for edit in _edits(code, body)]
    for edit in sorted(edits, key=lambda one: (one.start, one.end, one.text)):
        changed = text[: edit.start] + edit.text + text[edit.end :]
        key = plain(changed)
        if key in seen:
            continue
        seen.add(key)
        name = _name(text, changed, edit)
        counts[name] = counts.get(name, 0) + 1
        if counts[name] > 1:
            name += f"  ({counts[name]})"
        found.append(Mutant(name, edit.kind, changed))
    return found


def _name(text: str, changed: str, edit: Edit) -> str:
    """The lines before and after, without their white space and comments."""
    first = text.rfind("\n", 0, edit.start) + 1
    last = text.find("\n", edit.end)
    grown = last + len(changed) - len(text)
    before, after = (_one_line(part) for part in (text[first:last], changed[first:grown]))
    return f"{before}  =>  {after or '(nothing)'}"


def _one_line(text: str) -> str:
    text = re.sub(r"//[^\n]*", " ", text)
    return " ".join(text.split())


def _edits(code: Code, body: tuple[int, int, int]) -> Iterator[Edit]:
    head, first, last = body
    for at in range(first + 1, last):
        yield from _of_token(code, at)
        yield from _of_call(code, at)
        yield from _of_condition(code, at)
    yield from _of_statements(code, first, last)
    yield from _of_variables(code, head, last)


def _replace(code: Code, first: int, last: int, text: str, kind: str) -> Edit:
    return Edit(code.all[first].start, code.all[last].end, text, kind)


def _of_token(code: Code, at: int) -> Iterator[Edit]:
    token = code.all[at]
    if token.kind == "sign":
        two_sided = token.text not in ("*", "&", "-", "+") or _ends_a_value(code, at - 1)
        for other in SIGNS.get(token.text, []) if two_sided else []:
            yield _replace(code, at, at, other, "operator")
        if token.text in ("!", "-") and not _ends_a_value(code, at - 1):
            yield _replace(code, at, at, "", "sign")
    elif token.kind == "name":
        for other in NAMES.get(token.text, []):
            if other != "device_gpu_0":
                yield _replace(code, at, at, other, "name")
        yield from _of_device(code, at)
        if token.text == "sizeof":
            yield from _of_size(code, at)
    elif token.kind == "number":
        yield from _of_number(code, at)
    elif token.text[0] == '"' and len(token.text) > 2:
        yield _replace(code, at, at, token.text[:-2] + '"', "text")


def _ends_a_value(code: Code, at: int) -> bool:
    token = code.all[at]
    if token.kind in ("number", "text"):
        return True
    return token.text not in KEYWORDS if token.kind == "name" else token.text in (")", "]")


def _of_number(code: Code, at: int) -> Iterator[Edit]:
    word = code.word(at)
    whole = re.fullmatch(r"(\d+)([uUlL]*)", word)
    real = re.fullmatch(r"(\d+\.\d*)([fF]?)", word)
    if whole and not (len(whole[1]) > 1 and whole[1][0] == "0"):
        for step in (1, -1):
            yield _replace(code, at, at, f"{int(whole[1]) + step}{whole[2]}", "constant")
    elif real:
        for value in (float(real[1]) + 1, float(real[1]) - 1):
            yield _replace(code, at, at, f"({value}{real[2]})", "constant")


def _of_device(code: Code, at: int) -> Iterator[Edit]:
    end = code.partner.get(at + 1)
    if end is None:
        return
    if code.word(at) == "device_cpu":
        yield _replace(code, at, end, "device_cuda(0)", "device")
    elif code.word(at) == "device_cuda":
        inside = code.span(at + 2, end - 1)
        for other in ("device_cpu()", "device_cuda(0)", f"device_cuda(({inside}) + 1)"):
            yield _replace(code, at, end, other, "device")


def _of_size(code: Code, at: int) -> Iterator[Edit]:
    end = code.partner.get(at + 1)
    if end is None:  # sizeof *x, sizeof x, sizeof x[0]
        end = at + 1
        while code.word(end) in ("*", "&"):
            end += 1
        while code.word(end + 1) in ("[", ".", "->"):
            end = code.partner[end + 1] if code.word(end + 1) == "[" else end + 2
    yield _replace(code, at, end, "1", "size")


def _of_call(code: Code, at: int) -> Iterator[Edit]:
    """Neighbouring arguments change places."""
    name = code.all[at]
    if name.kind != "name" or name.text in KEYWORDS or code.word(at + 1) != "(":
        return
    given = code.parts(at + 1, ",")
    for one, two in zip(given, given[1:]):
        between = code.text[code.all[one[1]].end : code.all[two[0]].start]
        text = code.span(*two) + between + code.span(*one)
        yield _replace(code, one[0], two[1], text, "arguments")
    if len(given) == 1 and name.text not in ("shape",):  # the call forgotten
        yield _replace(code, at, code.partner[at + 1], f"({code.span(*given[0])})", "call")


def _of_condition(code: Code, at: int) -> Iterator[Edit]:
    word, end = code.word(at), code.partner.get(at + 1)
    if word in ("if", "while") and end:
        inside = code.span(at + 2, end - 1)
        several = any(sign in inside for sign in ("&&", "||")) or not COMPARISON.search(inside)
        for other in (f"!({inside})", "0", "1") if several else ("0", "1"):
            if not (other == "0" and code.word(end + 1) != "{"):  # a dropped statement
                yield _replace(code, at + 2, end - 1, other, "condition")
    if word == "(" and at in code.partner:
        for sign, neutral in (("&&", "1"), ("||", "0")):
            given = code.parts(at, sign)
            for first, last in given if len(given) > 1 else []:
                yield _replace(code, first, last, neutral, "clause")
    if word == "?":
        yield from _of_choice(code, at)


def _of_choice(code: Code, at: int) -> Iterator[Edit]:
    """a ? b : c becomes a ? c : b."""
    colon = _forward(code, at + 1, {":"})
    end = _forward(code, colon + 1, {";", ",", ")", "}", "]"})
    text = f"{code.span(colon + 1, end - 1)} : {code.span(at + 1, colon - 1)}"
    yield _replace(code, at + 1, end - 1, text, "choice")


def _forward(code: Code, at: int, ends: set[str]) -> int:
    """The next of `ends` on this level."""
    while at < len(code.all) and code.word(at) not in ends:
        at = code.partner[at] + 1 if code.word(at) in OPENING and at in code.partner else at + 1
    return at


def _of_statements(code: Code, first: int, last: int) -> Iterator[Edit]:
    """Each statement that ends with a semicolon, dropped; and what is
    returned, replaced by nothing at all."""
    for at in range(first + 1, last):
        if not _begins_statement(code, at):
            continue
        end = _forward(code, at, {";", "}"})
        if code.word(end) != ";" or end == at:
            continue
        yield _replace(code, at, end, ";", "statement")
        if code.word(at) == "return" and end > at + 1:
            yield _replace(code, at + 1, end - 1, "0", "result")


def _begins_statement(code: Code, at: int) -> bool:
    before = code.word(at - 1)
    if code.word(at) in HEADS | set(PAIR) | {"else", "do", "case", "default", "}", ";"}:
        return False
    if before == ")":
        return code.word(code.partner.get(at - 1, 0) - 1) in HEADS
    if before == ";":  # not inside of for (;;)
        return not _in_head(code, at)
    return before in ("{", "}", "else", "do") and not _in_value(code, at)


def _in_head(code: Code, at: int) -> bool:
    return _around(code, at) == "("


def _in_value(code: Code, at: int) -> bool:
    """Inside of { 1, 2 }, an initializer."""
    depth = at - 1
    while depth > 0:
        if code.word(depth) in CLOSING and depth in code.partner:
            depth = code.partner[depth]
        elif code.word(depth) in OPENING:
            break
        depth -= 1
    return code.word(depth) == "{" and code.word(depth - 1) in ("=", ",", "{")


def _around(code: Code, at: int) -> str:
    at -= 1
    while at >= 0:
        if code.word(at) in CLOSING and at in code.partner:
            at = code.partner[at]
        elif code.word(at) in OPENING:
            return code.word(at)
        at -= 1
    return ""


def _of_variables(code: Code, head: int, last: int) -> Iterator[Edit]:
    """A variable in the place of another of its type."""
    types: dict[str, str] = {}
    declared: set[int] = set()
    for at in range(head + 1, last):
        kind = _declares(code, at)
        if kind:
            types.setdefault(code.word(at), kind)
            declared.add(at)
    for at in range(head + 1, last):
        name = code.word(at)
        if name not in types or at in declared or code.word(at - 1) in (".", "->"):
            continue
        for other, kind in types.items():
            if other != name and kind == types[name]:
                yield _replace(code, at, at, other, "variable")


def _declares(code: Code, at: int) -> str:
    """The type of the variable that is declared here, or ""."""
    token = code.all[at]
    if token.kind != "name" or code.word(at + 1) not in ("=", ";", ",", ")", "["):
        return ""
    stars, back = "", at - 1
    while code.word(back) in ("*", "const", "restrict"):
        stars += "*" * (code.word(back) == "*")
        back -= 1
    before = code.all[back]
    if before.kind != "name" or before.text in KEYWORDS or before.text in ("break", "continue"):
        return ""
    words = [before.text]
    while code.all[back - 1].text in TYPE_WORDS:
        back -= 1
        words.append(code.all[back].text)
    if code.word(back - 1) not in (";", "{", "}", "(", ",", ")"):
        return ""
    stars += "[]" if code.word(at + 1) == "[" else ""
    return " ".join(word for word in reversed(words) if word != "const") + stars
