"""What the tests of the book share: building a book and reading its pages."""
from __future__ import annotations

import atexit
import contextlib
import functools
import io
import re
import shutil
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "book" / "tools"))
import build as book_build  # noqa: E402

VOID = {"meta", "link", "br", "hr", "img", "input", "col", "source", "wbr"}


class Page(HTMLParser):
    """Ids, links, assets and nesting of one page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.ids: list[str] = []
        self.links: list[str] = []
        self.assets: list[str] = []
        self.headings: list[tuple[str, str]] = []
        self.open: list[str] = []
        self.faults: list[str] = []
        self.text = path.read_text(encoding="utf-8")
        self.feed(self.text)
        if self.open:
            self.faults.append(f"never closed: {self.open}")

    def handle_starttag(self, tag: str, attrs: list) -> None:
        given = dict(attrs)
        if len(given) != len(attrs):
            self.faults.append(f"an attribute twice in <{tag}>")
        if given.get("id"):
            self.ids.append(given["id"])
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        for key in ("src", "srcset", "data", "poster"):
            if key in given:
                self.assets.append(given[key])
        if tag == "link":
            self.assets.append(given.get("href", ""))
        if re.match(r"h[1-6]$", tag):
            self.headings.append((tag, given.get("id", "")))
        if tag not in VOID and not self.get_starttag_text().endswith("/>"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1] != tag:
            line, _ = self.getpos()
            self.faults.append(f"line {line}: </{tag}> closes "
                               f"{self.open[-1:] or 'nothing'}")
        if tag in self.open:
            while self.open and self.open.pop() != tag:
                pass


class Built(NamedTuple):
    returncode: int
    stderr: str


def build(root: Path, tree: Path, *more: str) -> Built:
    """Render the book of `root` into tree/book/html, in this process."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
        code = book_build.main(["--root", str(root), "--build", str(tree),
                                *more])
    return Built(code, said.getvalue())


def sample(where: Path) -> tuple[Path, Path]:
    """A copy of the sample book, with a built program. The pages that one
    test has had rendered are kept for the next (book/tools/kept.py)."""
    root, tree = where / "root", where / "tree"
    (tree / "book").mkdir(parents=True)
    (tree / "book/kept").symlink_to(kept_pages(), target_is_directory=True)
    shutil.copytree(HERE / "sample", root)
    (tree / "lessons/01_sample").mkdir(parents=True)
    shutil.copy(HERE / "sample/program.sh", tree / "lessons/01_sample/lesson")
    return root, tree


@functools.lru_cache(maxsize=None)
def kept_pages() -> str:
    """A folder for all samples of this process; it goes when that ends."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def read_all(folder: Path) -> dict[str, Page]:
    return {str(path.relative_to(folder)): Page(path)
            for path in sorted(folder.rglob("*.html"))}


def faults(pages: dict[str, Page]) -> list[str]:
    """What no page of the book may have."""
    found = []
    for name, page in pages.items():
        found += [f"{name}: {fault}" for fault in page.faults]
        for ident in {i for i in page.ids if page.ids.count(i) > 1}:
            found.append(f"{name}: the id {ident} stands twice")
        for target in page.links:
            found += [f"{name}: {fault}" for fault
                      in link_faults(name, target, pages)]
        for asset in page.assets:
            if re.match(r"[a-z]+:|//", asset):
                found.append(f"{name}: fetches {asset}")
            elif asset and not (page.path.parent / asset).exists():
                found.append(f"{name}: {asset} is not there")
        if re.search(r"@import|url\((?!#)", page.text):
            found.append(f"{name}: a style fetches something")
        size = len(page.text.encode())
        if size > 150_000:
            found.append(f"{name}: {size} bytes; the limit is 150,000")
        for tag, ident in page.headings:
            if tag != "h1" and not ident and 'class="box' not in page.text:
                found.append(f"{name}: a {tag} without an id")
        if [tag for tag, _ in page.headings].count("h1") != 1:
            found.append(f"{name}: not exactly one h1")
    return found


def link_faults(name: str, target: str, pages: dict[str, Page]) -> list[str]:
    if re.match(r"https?:", target):
        allowed = ("sources", "machines", "conformance", "glossary")
        return [] if Path(name).stem in allowed else [f"leads to {target}"]
    path, _, ident = target.partition("#")
    other = str(Path(name).parent / path) if path else name
    other = re.sub(r"^[^/]+/\.\./", "", other)  # zh/../index.html
    if other not in pages:
        return [f"the link {target} leads nowhere"]
    if ident and ident not in pages[other].ids:
        return [f"the link {target} finds no such id"]
    return []
