"""The book on paper: one document that Chromium prints, tagged, with an
outline, and with the contents' page numbers.

The contents need the numbers that only printing yields: it is printed twice,
and the second time the numbers stand in it. They are read from the first
PDF's own destinations, which Chromium writes in the clear.
"""
from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import edition_html as one
import leaves
from fault import Fault
from leaves import Book, Element, Leaf

BROWSERS = ("chromium", "chromium-browser", "google-chrome",
            "google-chrome-stable", "chrome")
SECONDS = 240
# The page is ours, and has neither script nor link that loads: no sandbox is
# needed, and where there are no user namespaces none can be had.
OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
           "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync",
           "--disable-extensions", "--disable-dev-shm-usage",
           "--no-pdf-header-footer", "--generate-pdf-document-outline",
           "--export-tagged-pdf")
EPOCH = b"D:20260101000000+00'00'"


def browser() -> str:
    return next((path for path in map(shutil.which, BROWSERS) if path), "")


def make(book: Book, template: Path, target: Path) -> None:
    chosen = [leaf for leaf in book.leaves if leaf.kind != "files"]
    trees = one.joined(book, chosen)
    for leaf, tree in trees:
        leaves.unfold(tree)
        leaves.drop(tree, lambda e: bool({"anchor", "whole"} & {
            *leaves.classes(e)}))
        points_apart(tree)
    with tempfile.TemporaryDirectory() as folder:
        draft = printed(document(book, template, trees, {}), Path(folder))
        pages = destinations(draft)
        final = printed(document(book, template, trees, pages), Path(folder))
        if destinations(final) != pages:
            raise Fault("the PDF's pages moved when its contents were numbered")
    target.write_bytes(settled(final))
    packed(target)


def points_apart(tree: Element) -> None:
    """An exercise's points are no part of its heading in the outline."""
    for box in tree.iter("section"):
        for head in box.findall("h3"):
            for span in head.findall("span"):
                if "points" not in leaves.classes(span):
                    continue
                head.remove(span)
                span.tag, span.tail = "p", "\n"
                box.insert(list(box).index(head), span)


def document(book: Book, template: Path, trees: list[tuple[Leaf, Element]],
             pages: dict[str, int]) -> str:
    """The HTML to print; without `pages` the contents show 000."""
    preface, *rest = trees
    about = {leaf.name: leaf for leaf, _ in trees}
    values = {key: str(value) for key, value in book.words.items()} | {
        "lang": book.lang, "summary": summary(preface[1]),
        "css": one.styles(template, "print.css"), "named": named(book, about),
        "picture": picture(preface[1]),
        "toc": contents(book, about, pages),
        "body": "".join(chapter(book, leaf, tree) for leaf, tree in trees)}
    text = (template / "editions/print.html").read_text("utf-8")
    return one.filled(text, values)


def summary(preface: Element) -> str:
    paragraph = next(child for child in preface if child.tag == "p")
    return leaves.as_html(paragraph) or (paragraph.text or "")


def picture(preface: Element) -> str:
    """The cover's drawing, by reference to nothing: its ids made its own."""
    drawing = next(preface.iter("svg"), None)
    if drawing is None:
        return ""
    markup = leaves.ET.tostring(drawing, "unicode", "html")
    markup = re.sub(r' (role|aria-labelledby|id)="[^"]*"', "", markup)
    return markup.replace("<svg", '<svg aria-hidden="true"', 1)


def heading(book: Book, leaf: Leaf) -> str:
    return book.words["how_to_read"] if leaf.kind == "cover" else leaf.title


def chapter(book: Book, leaf: Leaf, tree: Element) -> str:
    """An article; the cover's words become the preface."""
    body = leaves.as_html(tree)
    if leaf.kind == "cover":
        start = body.index("<h2")
        body = (f'<header class="title"><h1>{heading(book, leaf)}</h1>'
                f"</header>\n{body[start:]}")
    return (f'<article class="{leaf.kind} p-{leaf.name}" id="{leaf.name}">\n'
            f"{body}\n</article>\n")


def named(book: Book, about: dict[str, Leaf]) -> str:
    """Running heads: a kind of page for each chapter."""
    made = []
    for name, leaf in about.items():
        text = re.sub(r"<[^>]+>", "", heading(book, leaf))
        text = (leaf.number + "  " if leaf.number else "") + text
        text = leaves.html.unescape(text).replace("\\", "").replace('"', "\\22 ")
        text = text.replace("<", "\\3c ")
        made.append(f"@page p-{name} {{ @top-right {{ content: \"{text}\"; }} }}"
                    f"\n.p-{name} {{ page: p-{name}; }}")
    return "\n".join(made)


def contents(book: Book, about: dict[str, Leaf],
             pages: dict[str, int]) -> str:
    """Chapters with their sections, and the page of each."""
    def row(ident: str, text: str, kind: str) -> str:
        number = str(pages.get(ident, 0)) if pages else "000"
        return (f'<li class="{kind}"><a href="#{ident}"><span>{text}</span>'
                f'<span class="leader"></span><span class="folio">{number}</span>'
                "</a></li>")

    made = []
    for name, leaf in about.items():
        number = (f'<span class="number">{leaf.number}</span> '
                  if leaf.number else "")
        made.append(row(name, number + heading(book, leaf), "chapter"))
        if leaf.kind == "lesson":
            made += [row(one.at(name, ident)[1:], text, "section")
                     for ident, text in leaf.sections]
    return "\n".join(made)


def printed(text: str, folder: Path) -> bytes:
    page, pdf = folder / "book.html", folder / "book.pdf"
    page.write_text(text, "utf-8")
    done = subprocess.run(
        [browser(), *OPTIONS, f"--user-data-dir={folder / 'profile'}",
         f"--print-to-pdf={pdf}", page.as_uri()],
        capture_output=True, text=True, check=False, timeout=SECONDS)
    if done.returncode or not pdf.is_file():
        raise Fault(f"{browser()} did not print: {done.stderr.strip()[-400:]}")
    data = pdf.read_bytes()
    pdf.unlink()
    return data


def destinations(data: bytes) -> dict[str, int]:
    """The page, from 1, of each name that the PDF can be opened at."""
    kids = {int(m[1]): [int(k) for k in re.findall(rb"(\d+) 0 R", m[2])]
            for m in re.finditer(rb"\n(\d+) 0 obj\n<</Type /Pages\n/Count \d+"
                                 rb"\n/Kids \[([^\]]*)\]", data)}
    root = re.search(rb"/Type /Catalog\n/Pages (\d+) 0 R\n/Dests (\d+) 0 R",
                     data)
    if not root:
        raise Fault("this Chromium's PDF names no destinations")

    def walk(node: int) -> list[int]:
        if node not in kids:
            return [node]
        return [page for kid in kids[node] for page in walk(kid)]

    order = {page: at for at, page in enumerate(walk(int(root[1])), 1)}
    found = re.search(rb"\n" + root[2] + rb" 0 obj\n<<(.*?)>>\nendobj", data,
                      re.S)
    return {m[1].decode(): order[int(m[2])] for m in re.finditer(
        rb"/([^\s/]+) \[(\d+) 0 R /XYZ", found[1] if found else b"")}


def settled(data: bytes) -> bytes:
    """The same whenever it is printed: its dates are fixed."""
    return re.sub(rb"(/(?:Creation|Mod)Date \()D:[^)]{21,23}\)",
                  lambda m: m[1] + EPOCH[:len(m[0]) - len(m[1]) - 1] + b")",
                  data)


def packed(target: Path) -> None:
    """A third of the size, where qpdf is there to do it."""
    if not shutil.which("qpdf"):
        return
    subprocess.run(["qpdf", "--object-streams=generate",
                    "--deterministic-id", "--replace-input", str(target)],
                   capture_output=True, check=False)
