"""The whole book as one HTML file that needs no other."""
from __future__ import annotations

import re
from pathlib import Path

import leaves
from leaves import Book, Element, Leaf


def at(page: str, ident: str) -> str:
    """Where a page, or an id of it, stands in the one document."""
    return "#" + (leaves.renamed(page, ident) if ident else page)


def filled(template: str, values: dict[str, str]) -> str:
    """{{name}} becomes the value; the values are not looked into."""
    return re.sub(r"\{\{(\w+)\}\}", lambda m: values[m[1]], template)


def styles(template: Path, *more: str) -> str:
    """book.css, then an edition's own."""
    paths = [*sorted(template.glob("*.css")),
             *(template / "editions" / name for name in more)]
    return "".join(path.read_text("utf-8") for path in paths)


def joined(book: Book, chosen: list[Leaf]) -> list[tuple[Leaf, Element]]:
    """The articles, with ids and links for one document."""
    known = {leaf.name for leaf in chosen}
    trees = []
    for leaf in chosen:
        tree = book.load(leaf)
        leaves.join(tree, leaf.name, known, at)
        trees.append((leaf, tree))
    return trees


def article(leaf: Leaf, tree: Element) -> str:
    kind = "cover" if leaf.kind == "cover" else leaf.kind
    return (f'<article class="{kind}" id="{leaf.name}">\n'
            f"{leaves.as_html(tree)}\n</article>\n")


def chapters(book: Book) -> str:
    """The sidebar's list: chapters with their sections, then the rest."""
    words = book.words
    made = [f'<p class="group"><a href="#index">{words["cover"]}</a></p>',
            f'<p class="group">{words["lessons"]}</p>', '<ol class="chapters">']
    for leaf in book.leaves:
        if leaf.kind != "lesson":
            continue
        made.append(f'<li><a href="#{leaf.name}"><span class="number">'
                    f"{leaf.number}</span> {leaf.title}</a><details><summary "
                    f'aria-label="{words["contents"]}: {leaf.number}">'
                    "</summary><ul>")
        made += [f'<li><a href="{at(leaf.name, ident)}">{text}</a></li>'
                 for ident, text in leaf.sections]
        made.append("</ul></details></li>")
    made.append("</ol>")
    for kind, title in (("reference", words["reference"]),
                        ("files", words["programs"])):
        made += [f'<p class="group">{title}</p>', '<ul class="chapters">']
        made += [f'<li><a href="#{leaf.name}">{leaf.title}</a></li>'
                 for leaf in book.leaves if leaf.kind == kind]
        made.append("</ul>")
    return "\n".join(made)


def make(book: Book, template: Path, target: Path) -> None:
    values = {key: str(value) for key, value in book.words.items()} | {
        "lang": book.lang, "nav": chapters(book),
        "css": styles(template, "whole.css"),
        "js": (template / "book.js").read_text("utf-8").strip(),
        "body": "".join(article(leaf, tree) for leaf, tree
                        in joined(book, book.leaves))}
    text = (template / "editions/whole.html").read_text("utf-8")
    target.write_text(filled(text, values), "utf-8")
