"""The search index: every section of every page, as a script.

A script and not a data file, because a page opened from file:// may load
scripts but may not fetch.
"""
from __future__ import annotations

import html
import json
import re
from html.parser import HTMLParser
from pathlib import Path

SKIPPED = {"nav", "script", "style", "svg", "header", "footer", "template"}


def plain(markup: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", markup))


class Sections(HTMLParser):
    """Text of a page's article, cut at headings that have an id."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[dict[str, str]] = []
        self.skipped = 0
        self.inside = self.in_heading = False
        self.chrome = 0

    def handle_starttag(self, tag: str, attrs: list) -> None:
        given = dict(attrs)
        if tag == "article":
            self.inside = True
            self.found.append({"id": "", "head": "", "text": ""})
        if not self.inside:
            return
        if self.chrome or given.get("class") in ("anchor", "edit"):
            self.chrome += 1
            return
        if tag in SKIPPED:
            self.skipped += 1
        if tag in ("h2", "h3", "h4", "section") and given.get("id"):
            self.found.append({"id": given["id"], "head": "", "text": ""})
        if tag in ("h1", "h2", "h3", "h4"):
            self.in_heading = True
        ident = given.get("id") or ""
        if re.match(r"cu(da|blas)[A-Z]", ident) or (
                tag == "p" and given.get("class") == "call"):
            self.found.append({"id": ident, "head": ident, "text": ""})
        if ident.startswith("term-"):
            self.found.append({"id": ident, "head": "", "text": ""})
            self.in_heading = True

    def handle_endtag(self, tag: str) -> None:
        if self.chrome:
            self.chrome -= 1
            return
        if tag == "article":
            self.inside = False
        if tag in SKIPPED and self.skipped:
            self.skipped -= 1
        if tag in ("h1", "h2", "h3", "h4", "dt"):
            self.in_heading = False
        if self.inside and not self.skipped:
            self.found[-1]["text"] += " "

    def handle_data(self, data: str) -> None:
        if self.inside and not self.skipped and not self.chrome:
            key = "head" if self.in_heading else "text"
            self.found[-1][key] += data


def sections(path: Path) -> list[dict[str, str]]:
    parser = Sections()
    parser.feed(path.read_text(encoding="utf-8"))
    for part in parser.found:
        for key in ("head", "text"):
            part[key] = re.sub(r"\s+", " ", part[key]).strip()
    return [part for part in parser.found if part["head"] or part["text"]]


def write_index(out: Path, lang: str, pages: list[tuple[str, str]],
                terms: list[list[str]]) -> None:
    """`terms`: [English, Chinese], so that either finds the other."""
    entries = []
    for name, title in pages:
        for part in sections(out / f"{name}.html"):
            entries.append([name, part["id"], part["head"], part["text"]])
    titles = {name: plain(title) for name, title in pages}
    body = json.dumps({"lang": lang, "titles": titles, "entries": entries,
                       "terms": terms},
                      ensure_ascii=False, separators=(",", ":"))
    (out / "search-index.js").write_text(
        f"window.bookIndex={body};\n", encoding="utf-8")
