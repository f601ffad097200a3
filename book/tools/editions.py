#!/usr/bin/env python3
"""Bind the rendered pages: one-page HTML, EPUB 3 and PDF, in each language.

    editions.py BOOK_DIR [--only html,epub,pdf] [--stamp F]

BOOK_DIR is <build>/book, where build.py has rendered html/ and noted the
order of the pages. The editions lie in html/editions/, and the cover leads to
those that were made. What needs a tool that is not here is skipped with one
line. The same pages give the same bytes.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import sys
from pathlib import Path
from typing import Callable, NamedTuple

import edition_epub
import edition_html
import edition_pdf
import leaves
from fault import Fault
from leaves import Book

TEMPLATE = Path(__file__).resolve().parent.parent / "template"
NAME = "where-tensors-live"


class Kind(NamedTuple):
    """A form of the book: its suffix, who makes it, what it lacks here."""
    suffix: str
    make: Callable[[Book, Path, Path], None]
    lacks: Callable[[], str]


def nothing() -> str:
    return ""


def lacks_browser() -> str:
    return "" if edition_pdf.browser() else "Chromium is not installed"


KINDS = (Kind("html", edition_html.make, nothing),
         Kind("epub", edition_epub.make, nothing),
         Kind("pdf", edition_pdf.make, lacks_browser))


def file_name(book: Book, suffix: str) -> str:
    short = book.lang.partition("-")[0]
    return NAME + ("" if short == "en" else f"-{short}") + f".{suffix}"


def cover(book: Book, top: Path, made: list[str]) -> None:
    """Lead from the cover to the editions that there are."""
    page = book.folder / "index.html"
    text = page.read_text("utf-8")
    text = leaves.BOUND.sub("", text)
    up = "" if book.folder == top else "../"
    links = "".join(
        f'<li><a href="{up}editions/{file_name(book, suffix)}">'
        f'{book.words["edition_" + suffix]}</a></li>' for suffix in made)
    if links:
        label = book.words["editions"]
        nav = (f'<nav class="editions" aria-label="{label}"><p>{label}</p>'
               f"<ul>{links}</ul></nav>\n")
        at = text.find('<figure class="picture"')
        at = at if at >= 0 else text.index("</article>")
        text = text[:at] + nav + text[at:]
    page.write_text(text, "utf-8")


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Bind the book's editions.")
    parser.add_argument("book", type=Path)
    parser.add_argument("--only", default="html,epub,pdf")
    parser.add_argument("--stamp", type=Path)
    args = parser.parse_args(argv)
    top = args.book / "html"
    told = sorted((args.book / "work").glob("*/contents.json"))
    if not told:
        print(f"editions: no rendered book in {args.book}: build the target "
              "book first", file=sys.stderr)
        return 1
    folder = top / "editions"
    folder.mkdir(exist_ok=True)
    wanted = [kind for kind in KINDS if kind.suffix in args.only.split(",")]
    failed = False
    books = [leaves.contents(path) for path in told]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = {}
        for kind in reversed(wanted):  # the slowest first
            if kind.lacks():
                print(f"editions: {kind.suffix.upper()} skipped: "
                      f"{kind.lacks()}")
                continue
            for book in books:
                target = folder / file_name(book, kind.suffix)
                target.unlink(missing_ok=True)
                jobs[book.lang, kind.suffix] = pool.submit(
                    kind.make, book, TEMPLATE, target)
        for (lang, suffix), job in jobs.items():
            try:
                job.result()
            except Fault as fault:
                failed = True
                print(f"editions: {lang} {suffix.upper()}: {fault}",
                      file=sys.stderr)
    for book in books:
        cover(book, top, [kind.suffix for kind in KINDS if (
            folder / file_name(book, kind.suffix)).is_file()])
    if args.stamp and not failed:
        args.stamp.write_text("")
    names = ", ".join(path.name for path in sorted(folder.iterdir()))
    print(f"editions: {names or 'none'} in {folder}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
