"""The book for e-readers: EPUB 3, written by hand so that two builds are one.

Nothing in it depends on a script, a fold or a counter of a style sheet: folds
are open, line numbers are text, hints, call logs and long tables stand at the
end of their chapter, and every colour is a plain value.
"""
from __future__ import annotations

import html
import re
import uuid
import zipfile
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

import leaves
from leaves import Book, Element, Leaf

MODIFIED = "2026-01-01T00:00:00Z"
STAMP = (2026, 1, 1, 0, 0, 0)
# A name of our own to derive identifiers from: it must never change.
FAMILY = uuid.UUID("5d0f8f0e-7a7b-5c1e-9d53-0c7a51e2b9a4")
ROWS, COLUMNS = 10, 3   # a table longer than this moves; wider, it may stack
CONTAINER = """<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="book/book.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""
PAGE = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="{lang}" xml:lang="{lang}">
<head>
<title>{title}</title>
<link rel="stylesheet" type="text/css" href="book.css"/>
</head>
<body{kind}>
{body}
</body>
</html>
"""


class Part(NamedTuple):
    """One file of the book."""
    name: str        # 02_tensor_transfer
    title: str
    text: str
    properties: str  # of the manifest: svg mathml


def make(book: Book, template: Path, target: Path) -> None:
    known = {leaf.name for leaf in book.leaves}
    parts = [part(book, leaf, known) for leaf in book.leaves]
    files = {"META-INF/container.xml": CONTAINER,
             "book/book.opf": package(book, parts),
             "book/nav.xhtml": navigation(book),
             "book/title.xhtml": front(book),
             "book/book.css": styles(template)}
    files |= {f"book/{ident(p.name)}.xhtml": p.text for p in parts}
    target.unlink(missing_ok=True)
    with zipfile.ZipFile(target, "w") as out:
        put(out, "mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        for name in sorted(files):
            put(out, name, files[name], zipfile.ZIP_DEFLATED)


def put(out: zipfile.ZipFile, name: str, text: str, how: int) -> None:
    entry = zipfile.ZipInfo(name, STAMP)
    entry.compress_type, entry.external_attr = how, 0o644 << 16
    out.writestr(entry, text.encode("utf-8"))


def ident(name: str) -> str:
    """An XML id does not begin with a digit."""
    return f"p-{name}"


def part(book: Book, leaf: Leaf, known: set[str]) -> Part:
    tree = book.load(leaf)
    leaves.join(tree, leaf.name, known, lambda page, fragment: (
        f"{ident(page)}.xhtml"
        + (f"#{leaves.renamed(page, fragment)}" if fragment else "")))
    leaves.drop(tree, lambda e: "anchor" in leaves.classes(e))
    numbered(tree)
    later(tree, leaf, book.words)
    tables(tree)
    leaves.unfold(tree)
    headings(tree)
    used = {element.tag for element in tree.iter()}
    leaves.spaced(tree)
    properties = [name for name, tag in (("mathml", "math"), ("svg", "svg"))
                  if tag in used]
    title = (leaf.number + " " if leaf.number else "") + plain(leaf.title)
    text = PAGE.format(lang=book.lang, title=html.escape(title), kind="",
                       body=leaves.as_xml(tree))
    return Part(leaf.name, title, text, " ".join(properties))


def plain(markup: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", markup))


def numbered(tree: Element) -> None:
    """Line numbers as text: the style sheet's counters are not everywhere."""
    for code in tree.iter("code"):
        start = re.search(r"counter-reset:l (-?\d+)", code.get("style", ""))
        if not start:
            continue
        at, rows = int(start[1]), []
        for line in code:
            step = re.search(r"counter-increment:l (-?\d+)",
                             line.get("style", ""))
            at += int(step[1]) if step else 1
            rows.append((at, line))
        width = len(str(at))
        for number, line in rows:
            mark = ET.Element("span", {"class": "ln"})
            mark.text = str(number).rjust(width, "\u2007") + " "
            mark.tail, line.text = line.text, None
            line.insert(0, mark)
    for element in tree.iter():
        element.attrib.pop("style", None)


def later(tree: Element, leaf: Leaf, words: dict[str, str]) -> None:
    """Hints, call logs and long tables go to the end of the chapter, a link
    stays: on an e-reader a fold is open for good. What a program prints stays
    where it is."""
    ends: list[Element] = []
    parents = {child: parent for parent in tree.iter() for child in parent}
    section = ""
    for fold in list(tree.iter()):
        if fold.tag == "h2":
            section = "".join(fold.itertext()).strip()
        if not moves(fold):
            continue
        there, here = (leaves.renamed(leaf.name, f"{what}-{len(ends) + 1}")
                       for what in ("later", "from"))
        label = " ".join("".join(fold[0].itertext()).split())
        link = ET.Element("p", {"class": "to-end", "id": here})
        ET.SubElement(link, "a", {"href": f"#{there}"}).text = label
        link.tail = fold.tail
        parent = parents[fold]
        parent[list(parent).index(fold)] = link
        end = ET.Element("div", {"class": f"end {fold.get('class')}",
                                 "id": there})
        head = ET.SubElement(end, "p", {"class": "fold-title"})
        head.text = f"{about(parent) or section} · {label} "
        ET.SubElement(head, "a", {"href": f"#{here}"}).text = words["back"]
        end.extend(list(fold)[1:])
        ends.append(end)
    if ends:
        title = ET.SubElement(tree, "h2", {
            "id": leaves.renamed(leaf.name, "later")})
        title.text = words["later"]
        tree.extend(ends)


def moves(fold: Element) -> bool:
    """Whether it stops who reads on."""
    kinds = leaves.classes(fold) if fold.tag == "details" else []
    return "hint" in kinds or "calllog" in kinds or "as-text" in kinds and (
        len(list(fold.iter("tr"))) > ROWS)


def about(box: Element) -> str:
    """What a fold belongs to: an exercise, or a picture."""
    kinds = ("label",) if box.tag == "section" else ()
    name = next((e for e in box.iter() if e.tag == "strong" or {
        *kinds} & {*leaves.classes(e)}), None) if (
            kinds or box.tag == "figcaption") else None
    return "".join(name.itertext()).strip(" .。") if name is not None else ""


def tables(tree: Element) -> None:
    """A table of many columns is stacked where the page is narrow."""
    for table in tree.iter("table"):
        row = next(table.iter("tr"), None)
        if row is not None and len(row) > COLUMNS:
            kinds = [*leaves.classes(table), "many"]
            table.set("class", " ".join(kinds))


def headings(tree: Element) -> None:
    """A header of a page's own is not needed; the rest keeps its level."""
    for element in tree.iter():
        element.attrib.pop("tabindex", None)
        if element.tag == "header":
            element.tag = "div"


def front(book: Book) -> str:
    body = (f'<section class="front" epub:type="titlepage"><h1>'
            f'{html.escape(book.words["book"])}</h1></section>')
    return PAGE.format(lang=book.lang, title=html.escape(book.words["book"]),
                       kind=' class="front"', body=body)


def navigation(book: Book) -> str:
    """The contents: chapters with their sections, then the other pages."""
    words = book.words
    rows = []
    for leaf in book.leaves:
        where = f"{ident(leaf.name)}.xhtml"
        name = words["how_to_read"] if leaf.kind == "cover" else leaf.title
        name = (leaf.number + " " if leaf.kind == "lesson" else "") + name
        row = f'<li><a href="{where}">{name}</a>'
        if leaf.kind == "lesson":
            row += "<ol>" + "".join(
                f'<li><a href="{where}#{leaves.renamed(leaf.name, section)}">'
                f"{text}</a></li>" for section, text in leaf.sections) + "</ol>"
        rows.append(row + "</li>")
    first = next(leaf.name for leaf in book.leaves if leaf.kind == "lesson")
    body = (f'<nav epub:type="toc" id="toc"><h1>{words["contents"]}</h1>\n<ol>'
            + "\n".join(rows) + "</ol></nav>\n"
            f'<nav epub:type="landmarks" id="landmarks" hidden="hidden"><ol>'
            f'<li><a epub:type="toc" href="nav.xhtml">{words["contents"]}</a>'
            f'</li><li><a epub:type="bodymatter" href="{ident(first)}.xhtml">'
            f'{words["lessons"]}</a></li></ol></nav>')
    return PAGE.format(lang=book.lang, title=html.escape(words["contents"]),
                       kind="", body=body)


def package(book: Book, parts: list[Part]) -> str:
    title = html.escape(book.words["book"])
    identifier = uuid.uuid5(FAMILY, book.lang)
    items = ['<item id="nav" href="nav.xhtml" properties="nav" '
             'media-type="application/xhtml+xml"/>',
             '<item id="title" href="title.xhtml" '
             'media-type="application/xhtml+xml"/>',
             '<item id="css" href="book.css" media-type="text/css"/>']
    for p in parts:
        extra = f' properties="{p.properties}"' if p.properties else ""
        items.append(f'<item id="{ident(p.name)}" href="{ident(p.name)}.xhtml"'
                     f' media-type="application/xhtml+xml"{extra}/>')
    spine = "".join(f'<itemref idref="{name}"/>\n' for name in
                    ["title", "nav", *(ident(p.name) for p in parts)])
    newline = "\n"
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="{book.lang}">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:uuid:{identifier}</dc:identifier>
<dc:title>{title}</dc:title>
<dc:language>{book.lang}</dc:language>
<dc:creator>The Where Tensors Live authors</dc:creator>
<meta property="dcterms:modified">{MODIFIED}</meta>
<meta property="schema:accessMode">textual</meta>
<meta property="schema:accessMode">visual</meta>
<meta property="schema:accessModeSufficient">textual</meta>
<meta property="schema:accessibilityFeature">alternativeText</meta>
<meta property="schema:accessibilityFeature">longDescription</meta>
<meta property="schema:accessibilityFeature">tableOfContents</meta>
<meta property="schema:accessibilityHazard">none</meta>
<meta property="schema:accessibilitySummary">Every picture has a title, a description and the same facts as a table.</meta>
</metadata>
<manifest>
{newline.join(items)}
</manifest>
<spine>
{spine}</spine>
</package>
"""


def styles(template: Path) -> str:
    """The pictures' rules of book.css, and an e-reader's own; variables are
    put in, for many readers know none. Rules with colours come twice, the
    second time for a reader in the dark; pictures keep their light ground."""
    theme = (template / "1-theme.css").read_text("utf-8")
    light, dark = (dict(re.findall(r"--([\w-]+):\s*([^;]+);", part))
                   for part in theme.split("@media", 2)[:2])
    rules = re.findall(r"^svg [^{]+\{[^}]*\}", "\n".join(
        path.read_text("utf-8") for path in sorted(template.glob("*.css"))),
        re.M)
    rules = [rule for rule in rules if "paint-order" not in rule]
    text = (template / "editions/epub.css").read_text("utf-8")
    coloured = [rule for rule in re.findall(r"^[^@\s/][^{}]*\{[^}]*\}", text,
                                            re.M)
                if "var(" in rule and "svg" not in rule]
    coloured.append("body { background: var(--bg); color: var(--ink); }")
    text += "\n".join(rules) + "\n"
    return filled(text, light) + (
        "@media (prefers-color-scheme: dark) {\n"
        + filled("\n".join(coloured), light | dark) + "\n}\n")


def filled(text: str, values: dict[str, str]) -> str:
    return re.sub(r"var\(--([\w-]+)\)",
                  lambda m: " ".join(values[m[1]].split()), text)
