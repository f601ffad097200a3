"""The little of Markdown that the build reads itself: fences, attributes,
headings, links and names. All else is pandoc's."""
from __future__ import annotations

import html
import re
from typing import NamedTuple

from fault import Fault

FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})\s*(\{.*\}|[\w+-]*)\s*$")
HEADING = re.compile(r"^(#{1,4}) +(.*?)(?: +\{([^}]*)\})?\s*$")
ATTRIBUTE = re.compile(
    r"""\s*(?:\.([\w-]+)|\#([\w-]+)|([\w-]+)=(?:"((?:\\.|[^"\\])*)"|([^\s"}]+)))"""
)
INLINE_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)(\{[^}]*\})?")
LINK = re.compile(r"(?<!!)\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]*)[^)]*\)")
SPAN = re.compile(r"\[([^\[\]]+)\]\{([^}]*)\}")
WIDE = "[\u2e80-\u9fff\uff00-\uffef\u3000-\u303f]"
STOPS = "[，。；：！？、（）《》「」]"
ID = re.compile(r"^[a-z][a-z0-9-]*$")


class Attributes(NamedTuple):
    """The braces after a fence: {.c #id file="…"}."""
    id: str
    classes: list[str]
    values: dict[str, str]


class Heading(NamedTuple):
    level: int
    id: str
    text: str
    line: int


def attributes(braces: str) -> Attributes:
    inner = braces.strip()[1:-1].strip()
    found = Attributes("", [], {})
    ident, at = "", 0
    while at < len(inner):
        match = ATTRIBUTE.match(inner, at)
        if not match:
            raise Fault(f"these attributes cannot be read: {braces.strip()} "
                        f"(at '{inner[at:].strip()[:30]}')")
        if match[1]:
            found.classes.append(match[1])
        elif match[2]:
            ident = match[2]
        else:
            value = match[4] if match[4] is not None else match[5]
            if match[3] in found.values:
                raise Fault(f"attribute {match[3]}= is given twice")
            found.values[match[3]] = re.sub(r"\\(.)", r"\1", value)
        at = match.end()
    return found._replace(id=ident)


def heading(text: str, number: int) -> Heading | None:
    match = HEADING.match(text)
    if not match:
        return None
    ident = ""
    if match[3]:
        ident = attributes("{" + match[3] + "}").id
    if len(match[1]) > 1 and not ident:
        raise Fault(f"the heading '{match[2]}' has no id: write "
                    f"'{match[1]} {match[2]} {{#short-name}}'")
    if ident and not ID.match(ident):
        raise Fault(f"the id '{ident}' must be lower case letters, digits "
                    "and hyphens")
    return Heading(len(match[1]), ident, match[2].strip(), number)


def inline_html(text: str) -> str:
    """A heading's words as HTML: code kept, emphasis and links dropped."""
    text = SPAN.sub(lambda m: m[1], text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    parts = re.split(r"(`[^`]+`)", text)
    done = []
    for part in parts:
        if len(part) > 2 and part[0] == "`":
            done.append(f"<code>{html.escape(part[1:-1], False)}</code>")
        else:
            done.append(html.escape(re.sub(r"[*_]{1,2}(\S.*?\S|\S)[*_]{1,2}",
                                           r"\1", part), False))
    return "".join(done)


def fenced(text: str, language: str = "", longest: int = 3) -> list[str]:
    """Text as a code block whose fence is longer than any inside."""
    runs = re.findall(r"`{3,}", text)
    fence = "`" * max([longest] + [len(r) + 1 for r in runs])
    return [fence + (" " + language if language else ""),
            *text.split("\n"), fence]


def joined(lines: list[str]) -> str:
    """Lines of a paragraph as one: Chinese goes on without a space."""
    text = "\n".join(lines)
    text = re.sub(f"(?<={WIDE})\\n(?={WIDE})|(?<={STOPS})\\n|\\n(?={STOPS})",
                  "", text)
    return text.replace("\n", " ")


def raw(markup: str) -> list[str]:
    """HTML that passes through pandoc untouched."""
    return fenced(markup, "{=html}")
