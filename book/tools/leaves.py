"""The rendered pages as trees, for the editions that bind them together.

contents() says which pages there are, in order; load() gives a page's article
as an element tree; join() renames ids and links so that many pages can stand
in one document.
"""
from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Callable, NamedTuple
from xml.etree import ElementTree as ET

import markdown as md

Element = ET.Element
VOID = "area|br|col|hr|img|input|link|meta|source|wbr"
NAMED = re.compile(r"&(?!amp;|lt;|gt;|quot;|#)(\w+);")
REFERS = ("aria-labelledby", "aria-describedby", "for", "headers")
BOUND = re.compile(r'<nav class="editions".*?</nav>\n', re.S)  # of the cover
SVG, MATH = "http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"


class Leaf(NamedTuple):
    """One page of the book."""
    name: str       # 02_tensor_transfer
    kind: str       # cover lesson reference files
    number: str     # 02, or ""
    title: str      # HTML
    sections: list[tuple[str, str]]  # (id, HTML) of each section


class Book(NamedTuple):
    """One language's pages, and where they were rendered."""
    lang: str       # en, zh-CN
    folder: Path
    words: dict[str, str]
    leaves: list[Leaf]

    def load(self, leaf: Leaf) -> Element:
        return load(self.folder / f"{leaf.name}.html")


def note(edition, work: Path) -> None:
    """Write down, when an edition of build.py is rendered, what contents()
    reads."""
    pages = []
    for name in [*edition.order, *edition.beside]:
        page = edition.pages[name]
        kind = ("cover" if name == "index" else
                "lesson" if name in edition.chapters else
                "files" if name in edition.beside else "reference")
        pages.append({
            "name": name, "kind": kind, "title": page.title,
            "number": name[:2] if kind in ("lesson", "files") else "",
            "sections": [[head.id, md.inline_html(head.text)]
                         for head in page.headings if head.level == 2]})
    told = {"lang": "zh-CN" if edition.lang == "zh" else edition.lang,
            "folder": str(edition.out), "words": edition.words,
            "pages": pages}
    (work / "contents.json").write_text(
        json.dumps(told, ensure_ascii=False), "utf-8")


def contents(path: Path) -> Book:
    """What build.py wrote down when it rendered the pages."""
    told = json.loads(path.read_text("utf-8"))
    leaves = [Leaf(page["name"], page["kind"], page["number"], page["title"],
                   [(ident, text) for ident, text in page["sections"]])
              for page in told["pages"]]
    return Book(told["lang"], Path(told["folder"]), told["words"], leaves)


def fragment(markup: str) -> Element:
    """Well-formed HTML of our own as a tree; its root is a div."""
    markup = NAMED.sub(lambda m: html.unescape(m[0]), markup)
    markup = re.sub(rf"<({VOID})\b([^>]*?)\s*/?>", r"<\1\2/>", markup)
    markup = re.sub(r'(<[a-z][^<>]*?)\s(open|hidden)(?=[\s>])(?!=)',
                    r'\1 \2="\2"', markup)
    markup = re.sub(r'\sxmlns(:\w+)?="[^"]*"', "", markup)
    return ET.fromstring(f"<div>{markup}</div>")


def load(path: Path) -> Element:
    """A page's article, without the cards of a cover."""
    text = BOUND.sub("", path.read_text("utf-8"))
    inner = text[text.index("<article>") + 9:text.rindex("</article>")]
    root = fragment(inner)
    drop(root, lambda e: e.get("class") in ("edit", "cards", "outputs"))
    if len(root) and root[-1].tag == "h2":  # it stood over the cards
        root.remove(root[-1])
    return root


def classes(element: Element) -> list[str]:
    return (element.get("class") or "").split()


def drop(root: Element, unwanted: Callable[[Element], bool]) -> None:
    """Take elements out; the text behind each stays."""
    for parent in list(root.iter()):
        for child in list(parent):
            if not unwanted(child):
                continue
            at = list(parent).index(child)
            if child.tail and at:
                before = parent[at - 1]
                before.tail = (before.tail or "") + child.tail
            elif child.tail:
                parent.text = (parent.text or "") + child.tail
            parent.remove(child)


def renamed(name: str, ident: str) -> str:
    """An id of a page, in a document of many pages: an XML name, which does
    not begin with a digit."""
    return f"p-{name}--{ident}"


def join(root: Element, name: str, known: set[str],
         to: Callable[[str, str], str]) -> None:
    """Make a page's ids its own; `to` gives the address of (page, id)."""
    def target(match: re.Match) -> str:
        return f"url(#{renamed(name, match[1])})"

    for element in root.iter():
        if element.get("id"):
            element.set("id", renamed(name, element.get("id")))
        for key in REFERS:
            if element.get(key):
                element.set(key, " ".join(
                    renamed(name, word) for word in element.get(key).split()))
        for key, text in list(element.attrib.items()):
            if "url(#" in text:
                element.set(key, re.sub(r"url\(#([^)]+)\)", target, text))
        address = element.get("href")
        if address is None or re.match(r"[a-z]+:", address):
            continue
        page, _, ident = address.partition("#")
        page = page.removesuffix(".html") or name
        if page in known:
            element.set("href", to(page, ident))
        else:  # a page that this edition leaves out: the words stay
            element.tag = "span"
            for key in ("href", "hreflang", "rel"):
                element.attrib.pop(key, None)


def spaced(root: Element) -> None:
    """Give pictures and formulas the names XML asks for."""
    for element in root.iter():
        if element.tag == "svg":
            element.set("xmlns", SVG)
        elif element.tag == "math":
            element.set("xmlns", MATH)


def as_html(root: Element) -> str:
    return "".join(ET.tostring(child, "unicode", "html") for child in root)


def as_xml(root: Element) -> str:
    return "".join(ET.tostring(child, "unicode", "xml") for child in root)


def unfold(root: Element) -> None:
    """Every fold open for good: a heading of its own and what it held."""
    for element in root.iter("details"):
        element.tag = "div"
        element.attrib.pop("open", None)
        element.set("class", ("fold " + (element.get("class") or "")).strip())
        for child in element:
            if child.tag == "summary":
                child.tag = "p"
                child.set("class", "fold-title")
                child.text = child.attrib.pop("data-title", child.text)
