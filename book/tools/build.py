#!/usr/bin/env python3
"""Render the book: book/*.md -> <build>/book/html/*.html.

    build.py [--root DIR] [--build DIR] [--only NAME] [--draft] [--no-runs]
             [--depfile F --stamp F]

One pass: expand every page (expand.py), check every name and link, hand each
page to pandoc (kept.py) with page.lua and page.html, write the search index.
The first sentence of anything that is missing names the chapter's file and
line.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import json
import re
import shutil
import sys
from pathlib import Path

import blocks
import capture
import check
import expand as ex
import figures
import headers as hd
import kept
import leaves
import machines
import pages as made
import rosetta
import search
import sources as src
import translation
import wholes
from fault import Fault

HERE = Path(__file__).resolve().parent.parent
CHAPTER = re.compile(r"^\d\d_[a-z0-9_]+$")
WRITTEN = ("index", "instructors", "glossary", "sources")
GENERATED = ("rosetta", "proofs", "machines", "conformance", "calls",
             "floors")
APPENDIX = (*GENERATED, "instructors", "glossary", "sources")


class Edition:
    """One language of the book."""

    def __init__(self, lang: str, root: Path, out: Path) -> None:
        self.lang = lang
        self.folder = "book" if lang == "en" else f"book/{lang}"
        self.out = out if lang == "en" else out / lang
        self.assets = "" if lang == "en" else "../"
        self.words = {}
        for name in ("words.json", "editions/words.json"):
            text = (HERE / "template" / name).read_text("utf-8")
            self.words |= json.loads(text)[lang]
        self.chapters = sorted(path.stem for path
                               in (root / self.folder).glob("[0-9][0-9]_*.md"))
        self.pages: dict[str, ex.Page] = {}

    @property
    def order(self) -> list[str]:
        names = ["index", *self.chapters, *APPENDIX]
        return [name for name in names if name in self.pages]

    @property
    def beside(self) -> list[str]:
        """The pages of whole files: not in the order, but beside a chapter."""
        return [name + wholes.SUFFIX for name in self.chapters
                if name + wholes.SUFFIX in self.pages]


class Book:
    """Everything the build knows."""

    def __init__(self, root: Path, build: Path, out: Path) -> None:
        self.root, self.out = root, out
        self.tree = src.Tree(root)
        self.machines = machines.load_all(self.tree)
        self.headers = hd.library(self.tree)
        self.cuda = hd.cuda_names(self.tree)
        self.words_of_library = hd.library_names(self.tree)
        self.programs = capture.Programs(self.tree, build)
        self.faults: list[Fault] = []
        self.editions = [Edition("en", root, out)]
        if (root / "book/zh/index.md").is_file():
            self.editions.append(Edition("zh", root, out))
        self.build = build
        self.pandoc = kept.Pandoc(HERE, build / "book/kept")
        self.behind = translation.behind(self.tree)

    def expand(self, only: str) -> None:
        for edition in self.editions:
            artist = figures.Artist(self.tree, self.programs, self.machines,
                                    self.build, edition.words)
            pictures = blocks.Pictures(
                artist.draw, self.programs.calls,
                lambda name, say=edition.words["figure"]:
                self.machine_title(name, say), edition.words,
                "" if edition.lang == "en" else edition.folder)
            blank = pictures._replace(figure=lambda a, b: ("", "", "-"),
                                      calls=lambda run, region: [])
            self.tree.folder(edition.folder, "*.md")
            for name in [*edition.chapters, *WRITTEN]:
                path = f"{edition.folder}/{name}.md"
                if name in WRITTEN and not self.tree.exists(path):
                    continue
                mine = not only or only == name
                page = ex.expand(self.tree, pictures if mine else blank, name,
                                 path)
                edition.pages[name] = page
                self.faults += page.faults if mine else []
            self.generate(edition, pictures, only)

    def generate(self, edition: Edition, pictures: blocks.Pictures,
                 only: str) -> None:
        """The pages that are made from headers, machines and the list of
        what the simulator does."""
        used: dict[str, list[str]] = {}
        for name in edition.chapters:
            page = edition.pages[name]
            words = page.used | {re.sub(r"\(.*", "", text)
                                 for _, _, text in page.names}
            for word in words:
                used.setdefault(word, []).append(name)
        titles = {name: edition.pages[name].title
                  for name in edition.chapters}
        say = edition.words
        for name in GENERATED:
            path = f"{edition.folder}/{name}.md"
            try:
                if name in ("calls", "floors"):
                    floors = hd.UPPER if name == "calls" else hd.LOWER
                    text = made.calls_page(self.headers, used, titles, floors,
                                           say["index_of_calls"])
                elif name == "rosetta":
                    text = rosetta.page(self.tree, self.programs, [
                        (n, edition.pages[n].title,
                         self.tree.text(f"{edition.folder}/{n}.md"))
                        for n in edition.chapters], say["rosetta"])
                elif name == "proofs":
                    text = rosetta.proof_page(self.tree, say["proofs"])
                elif name == "machines":
                    text = machines.page(self.machines, say)
                else:
                    text = made.conformance_page(self.tree, path)
            except Fault as fault:
                if name == only:
                    self.faults.append(fault)
                continue
            page = ex.expand(self.tree, pictures, name, path, text)
            edition.pages[name] = page
            self.faults += page.faults
        self.whole_files(edition, pictures)

    def whole_files(self, edition: Edition, pictures: blocks.Pictures) -> None:
        """Beside each chapter, the files that pages show regions of."""
        used = set().union(*(page.used for page in edition.pages.values()))
        for chapter in edition.chapters:
            paths = wholes.shown(used, chapter)
            if not paths:
                continue
            name = chapter + wholes.SUFFIX
            edition.pages[name] = ex.expand(
                self.tree, pictures, name, f"lessons/{chapter}",
                wholes.page(self.tree, chapter, paths, edition.words))

    def machine_title(self, name: str, say: dict) -> str:
        if name not in self.machines:
            if Path(name).suffix:
                return name
            raise Fault(f"there is no machine '{name}'. There are: "
                        + ", ".join(self.machines))
        return self.machines[name].title(say)

    def addresses(self) -> dict[str, str]:
        """Where each call is described."""
        found = {}
        for header in self.headers:
            upper = header.path.split("/")[0] in hd.UPPER
            page = "calls.html" if upper else "floors.html"
            for group in header.groups:
                for call in group.calls:
                    found[call.name] = f"{page}#{call.name}"
        page = self.editions[0].pages.get("conformance")
        for ident in page.ids if page else {}:
            if re.match(r"cu(da|blas)[A-Z]", ident):
                found[ident] = f"conformance.html#{ident}"
        return found

    def render(self, only: str) -> None:
        calls = self.addresses()
        for edition in self.editions:
            edition.out.mkdir(parents=True, exist_ok=True)
            order = [*edition.order, *edition.beside]
            todo = [name for name in order if not only or name in (
                only, only + wholes.SUFFIX)]
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                jobs = [pool.submit(self.page, edition, name, calls)
                        for name in todo]
                for job in jobs:
                    job.result()
            leaves.note(edition, self.out.parent / "work" / edition.lang)
            if not only:
                search.write_index(edition.out, edition.lang, [
                    (name, edition.pages[name].title) for name in order],
                    self.both_languages())
        if not only:
            self.pandoc.forget()
        styles = sorted((HERE / "template").glob("*.css"))
        (self.out / "book.css").write_text(
            "".join(path.read_text("utf-8") for path in styles), "utf-8")
        shutil.copyfile(HERE / "template/book.js", self.out / "book.js")

    def page(self, edition: Edition, name: str,
             calls: dict[str, str]) -> None:
        page = edition.pages[name]
        data = "return " + lua({
            "lang": edition.lang, "path": page.path, "calls": calls,
            "lines": {head.id: head.line for head in page.headings
                      if page.path.endswith(".md")},
            "terms": self.terms(edition),
            "words": {key: word for key, word in edition.words.items()
                      if isinstance(word, str)}}) + "\n"
        self.pandoc.render(
            page.path, self.out.parent / "work" / edition.lang / name,
            page.markdown, data, {
                "from": "markdown-auto_identifiers-implicit_figures" + (
                    "+east_asian_line_breaks" if edition.lang == "zh"
                    else ""),
                "to": "html5", "wrap": "preserve",
                "variables": self.variables(edition, name)},
            edition.out / f"{name}.html")

    def terms(self, edition: Edition) -> dict[str, str]:
        """The glossary's words; a translation knows the English ones too."""
        return check.terms(self.editions[0].pages) | check.terms(edition.pages)

    def both_languages(self) -> list[list[str]]:
        """[English, Chinese] for each term, for a search in either."""
        page = self.editions[0].pages.get("glossary")
        pairs = re.findall(r"\[([^\]]+)\]\{#term-[\w-]+\}((?: .*)?)",
                           page.markdown if page else "")
        return [[term.lower(), word] for term, line in pairs
                for words in re.findall(r"\[([^\]]+)\]\{lang=zh\}", line)
                for word in re.split("[（）]", words) if word]

    def variables(self, edition: Edition, name: str) -> dict:
        """What page.html is filled with."""
        order, page = edition.order, edition.pages[name]
        beside = name not in order
        at = order.index(name.removesuffix(wholes.SUFFIX))
        entries = {other: self.entry(edition, other, other == name)
                   for other in order}
        here = entries.get(name) or self.entry(edition, name, True)
        twin = next((e for e in self.editions if e is not edition
                     and name in e.pages), None)
        variables = {
            "lang": "zh-CN" if edition.lang == "zh" else edition.lang,
            "w": edition.words, "assets": edition.assets, "name": name,
            "title_html": page.title, "path": page.path,
            "title_text": search.plain(page.title),
            "number": name[:2] if CHAPTER.match(name) else "",
            "chapters": [entries[n] for n in edition.chapters],
            "appendix": [entries[n] for n in APPENDIX if n in entries],
            "toc": here["sections"] if name != "index" else [],
            "group": "" if name == "index" else edition.words[
                "lessons" if CHAPTER.match(name) else "reference"]}
        if beside:
            chapter = entries[order[at]]
            chapter["within"] = True
            variables["group"] = (f'<a href="{order[at]}.html">'
                                  f'{chapter["number"]} {chapter["title"]}</a>')
            variables["previous"] = chapter
        if name == "index":
            variables["cover"] = True
        elif at > 0 and not beside:
            variables["previous"] = entries[order[at - 1]]
        if at + 1 < len(order):
            variables["next"] = entries[order[at + 1]]
        if twin:
            path = f"{name}.html"
            variables["twin"] = ("../" + path if twin.lang == "en"
                                 else f"{twin.lang}/{path}")
            variables["twin_lang"] = "zh-CN" if twin.lang == "zh" else "en"
            variables["original"] = twin.lang == "en"
        if edition.lang != "en" and {name, f"{name}.json"} & set(self.behind):
            variables["behind"] = True
        return variables

    @staticmethod
    def entry(edition: Edition, name: str, current: bool) -> dict:
        page = edition.pages[name]
        sections: list[dict] = []
        for head in page.headings:
            item = {"id": head.id, "text": ex.md.inline_html(head.text),
                    "href": ("" if current else f"{name}.html")
                    + f"#{head.id}"}
            if head.level == 2:
                sections.append(item | {"subs": []})
            elif head.level == 3 and sections:
                sections[-1]["subs"].append(item)
        entry = {"name": name, "title": page.title, "sections": sections,
                 "number": name[:2] if CHAPTER.match(name) else "",
                 "summary": check.summary(page)}
        return entry | ({"current": True} if current else {})


def lua(value: object) -> str:
    """A value as a Lua literal."""
    if isinstance(value, dict):
        return "{" + ",\n".join(f"[{lua(k)}]={lua(v)}"
                                for k, v in sorted(value.items())) + "}"
    if isinstance(value, int):
        return str(value)
    text = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + text.replace("\n", "\\n") + '"'


def make(path: str) -> str:
    return str(path).replace(" ", "\\ ")


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Render the book.")
    parser.add_argument("--root", type=Path, default=HERE.parent)
    parser.add_argument("--build", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--only", default="", metavar="NAME")
    parser.add_argument("--depfile", type=Path)
    parser.add_argument("--stamp", type=Path)
    parser.add_argument("--draft", action="store_true",
                        help="render in spite of faults (and still fail)")
    parser.add_argument("--no-runs", action="store_true",
                        help="do not compare the runs that pages show: their "
                        "tests do")
    parser.add_argument("--ctest", default="ctest")
    args = parser.parse_args(argv)
    root = args.root.resolve()
    build = (args.build or root / "build/sim").resolve()
    out = (args.out or build / "book/html").resolve()
    book = Book(root, build, out)
    try:
        book.expand(args.only)
        book.faults += check.names(book, build, args.ctest, args.only)
        if not args.draft and not args.no_runs:
            book.faults += check.runs(book, build, args.only)
        if not book.faults or args.draft:
            book.render(args.only)
    except Fault as fault:
        book.faults.append(fault)
    if book.faults:
        for fault in book.faults:
            print(fault, file=sys.stderr)
        count = len(book.faults)
        done = "rendered as a draft" if args.draft else "nothing is rendered"
        print(f"book: {count} fault{'s' if count > 1 else ''}; {done}",
              file=sys.stderr)
        return 1
    if args.depfile and args.stamp:
        own = [p for p in HERE.rglob("*") if p.suffix in
               (".py", ".lua", ".html", ".css", ".js", ".json")]
        read = sorted({*map(str, book.tree.read), *map(str, own)})
        args.depfile.write_text(
            f"{make(args.stamp)}: " + " ".join(map(make, read)) + "\n")
        args.stamp.write_text("")
    count = sum(len(edition.pages) for edition in book.editions)
    print(f"book: {args.only or f'{count} pages'} in {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
