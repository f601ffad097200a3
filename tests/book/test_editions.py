"""The bound editions of the sample book: one page, EPUB and PDF.

    test_editions.py [BUILD_TREE]

With a build tree: those of the book itself, the PDF too, with the checkers
that are there (epubcheck, poppler, qpdf). That takes a minute or two.
"""
from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path
from xml.etree import ElementTree as ET

import reading
import edition_pdf
import editions
import leaves
import page_checks
import test_valid
from browser import Browser

SKIP = 77
TREE = Path(sys.argv.pop(1)) if len(sys.argv) > 1 else None
XHTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"
OPF = "{http://www.idpf.org/2007/opf}"
NAME = "where-tensors-live"
KINDS = "html,epub,pdf" if TREE else "html,epub"


def bind(book: Path, *more: str) -> tuple[int, str]:
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
        code = editions.main([str(book), *more])
    return code, said.getvalue()


class Bound(unittest.TestCase):
    """The book, rendered and bound once."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(tempfile.mkdtemp())
        if TREE:
            cls.root, tree = reading.ROOT, TREE
        else:
            cls.root, tree = reading.sample(cls.folder)
        cls.book = cls.folder / "book"
        done = reading.build(cls.root, tree, "--out", str(cls.book / "html"))
        if done.returncode:
            raise AssertionError(done.stderr)
        cls.code, cls.said = bind(cls.book, "--only", KINDS)
        cls.made = cls.book / "html/editions"

    @classmethod
    def tearDownClass(cls) -> None:
        shutil.rmtree(cls.folder)

    def need(self, *tools: str) -> None:
        for tool in tools:
            there = edition_pdf.browser() if tool == "chromium" else (
                shutil.which(tool))
            if not there:
                self.skipTest(f"{tool} is not installed")

    def test_says_what_was_made(self) -> None:
        self.assertEqual(self.code, 0, self.said)
        for suffix in ("html", "epub"):
            self.assertTrue((self.made / f"{NAME}.{suffix}").is_file())
            self.assertIn(f"{NAME}.{suffix}", self.said)

    def test_the_cover_leads_to_what_was_made_and_to_nothing_else(self) -> None:
        cover = (self.book / "html/index.html").read_text("utf-8")
        for suffix in ("html", "epub", "pdf"):
            there = (self.made / f"{NAME}.{suffix}").is_file()
            self.assertEqual(f'href="editions/{NAME}.{suffix}"' in cover,
                             there, suffix)

    # -- one page --------------------------------------------------------

    def one_page(self) -> str:
        return (self.made / f"{NAME}.html").read_text("utf-8")

    def test_one_page_is_the_whole_book(self) -> None:
        told = json.loads((self.book / "work/en/contents.json").read_text())
        text = self.one_page()
        for page in told["pages"]:
            self.assertIn(f'id="{page["name"]}"', text)
            for ident, _ in page["sections"]:
                if page["kind"] != "cover":
                    self.assertIn(f'id="p-{page["name"]}--{ident}"', text)

    def test_one_page_ids_and_links_hold(self) -> None:
        text = self.one_page()
        ids = re.findall(r'\sid="([^"]+)"', text)
        self.assertEqual(len(ids), len(set(ids)))
        known = set(ids)
        for target in re.findall(r'\shref="([^"]+)"', text):
            if target.startswith("http"):
                continue
            self.assertTrue(target.startswith("#"), f"{target} leads out")
            self.assertIn(target[1:], known)
        for target in re.findall(r"url\(#([^)]+)\)", text):
            self.assertIn(target, known)
        for targets in re.findall(r'aria-labelledby="([^"]+)"', text):
            self.assertLessEqual(set(targets.split()), known)

    def test_one_page_ids_of_pictures_are_xml_names(self) -> None:
        found = re.findall(r'<(?:title|desc|marker) id="([^"]+)"',
                           self.one_page())
        self.assertTrue(found)
        for ident in found:
            self.assertRegex(ident, r"^[a-z]")

    def test_one_page_needs_no_other_file(self) -> None:
        text = self.one_page()
        self.assertIsNone(re.search(r"<link|<img|\ssrc=|@import|url\((?!#)", text))

    # -- EPUB --------------------------------------------------------------

    def epub(self) -> dict[str, str]:
        with zipfile.ZipFile(self.made / f"{NAME}.epub") as book:
            self.assertEqual(book.infolist()[0].filename, "mimetype")
            self.assertEqual(book.infolist()[0].compress_type,
                             zipfile.ZIP_STORED)
            return {name: book.read(name).decode("utf-8")
                    for name in book.namelist()}

    def test_epub_holds_what_its_manifest_says(self) -> None:
        files = self.epub()
        package = ET.fromstring(files["book/book.opf"])
        items = {"book/" + item.get("href"): item
                 for item in package.iter(OPF + "item")}
        self.assertEqual(set(items), set(files) - {
            "mimetype", "META-INF/container.xml", "book/book.opf"})
        ids = {item.get("id") for item in items.values()}
        spine = [ref.get("idref") for ref in package.iter(OPF + "itemref")]
        self.assertLessEqual(set(spine), ids)
        self.assertEqual(len(spine), len(set(spine)))
        for name, item in items.items():
            has_svg = "<svg" in files[name]
            self.assertEqual(has_svg, "svg" in item.get("properties", ""),
                             name)

    def test_epub_links_hold(self) -> None:
        files = self.epub()
        trees = {name.removeprefix("book/"): ET.fromstring(text)
                 for name, text in files.items() if name.endswith(".xhtml")}
        ids = {}
        for name, tree in trees.items():
            found = [e.get("id") for e in tree.iter() if e.get("id")]
            self.assertEqual(len(found), len(set(found)), name)
            ids[name] = set(found)
        for name, tree in trees.items():
            for link in tree.iter(XHTML + "a"):
                page, _, ident = link.get("href").partition("#")
                if link.get("href").startswith("http"):
                    continue
                self.assertIn(page or name, trees, name)
                if ident:
                    self.assertIn(ident, ids[page or name], name)

    def test_epub_does_without_folds_scripts_and_counters(self) -> None:
        for name, text in self.epub().items():
            if name.endswith(".xhtml"):
                self.assertIsNone(re.search(
                    r"<(details|script|button)\b|counter-|style=", text), name)
        css, dark = self.epub()["book/book.css"].split(
            "@media (prefers-color-scheme: dark)")
        self.assertNotIn("var(", css + dark)
        self.assertIn(".trap", dark)  # colours twice,
        self.assertNotIn("svg", dark)  # but of pictures

    def test_epub_numbers_lines_in_words(self) -> None:
        numbers = re.findall(r'<span class="ln">(\s*\d+) </span>',
                             self.first_chapter())
        self.assertTrue(numbers)
        page = next(path for path in sorted((self.book / "html").glob("0*"))
                    if not path.stem.endswith("-files")).read_text("utf-8")
        starts = re.findall(r"counter-reset:l (\d+)", page)
        self.assertEqual(int(numbers[0]), int(starts[0]) + 1)

    def first_chapter(self) -> str:
        files = self.epub()
        return files[next(name for name in sorted(files)
                          if re.match(r"book/p-\d\d_\w+\.xhtml", name))]

    def test_epub_hints_stand_at_the_end(self) -> None:
        text = self.first_chapter()
        link, end = text.index('class="to-end"'), text.index('class="end ')
        self.assertLess(link, end)
        self.assertEqual(text.count('class="to-end"'),
                         text.count('class="end '))
        whole = "".join(self.epub().values())
        for kind in ("hint", "calllog"):
            self.assertNotIn(f'class="fold {kind}"', whole)
            self.assertIn(f'class="end {kind}"', whole)
        self.assertIn(" · What CUDA saw", whole)

    def test_epub_shows_outputs_where_they_belong(self) -> None:
        """Plain, below their question: a fold may not open there."""
        text = self.first_chapter()
        fold = text.index('class="fold answer"')
        self.assertLess(text.index('class="box predict"'), fold)
        self.assertIn('<p class="fold-title">What it prints</p>', text[fold:])
        self.assertLess(text.index('<pre class="output', fold),
                        text.index("<h2", fold))
        self.assertNotIn("data-title", text)

    def test_nothing_dead_in_what_is_bound(self) -> None:
        text = self.one_page()
        self.assertEqual(text.count('class="outputs"'), 1)  # of its bar

    def test_epub_contents_have_chapters_and_sections(self) -> None:
        nav = self.epub()["book/nav.xhtml"]
        told = json.loads((self.book / "work/en/contents.json").read_text())
        for page in told["pages"]:
            self.assertIn(f'p-{page["name"]}.xhtml', nav)
            for ident, _ in page["sections"] if page["kind"] == "lesson" else []:
                self.assertIn(f'p-{page["name"]}--{ident}', nav)

    def test_epub_pictures_have_title_and_description(self) -> None:
        found = 0
        for name, text in self.epub().items():
            if not name.endswith(".xhtml"):
                continue
            for picture in ET.fromstring(text).iter(SVG + "svg"):
                found += 1
                self.assertIsNotNone(picture.find(SVG + "title"), name)
                self.assertIsNotNone(picture.find(SVG + "desc"), name)
        self.assertTrue(found)

    # -- PDF -----------------------------------------------------------------

    def pdf(self) -> Path:
        if "pdf" not in KINDS:
            self.skipTest("only the whole book is printed")
        self.need("chromium")
        return self.made / f"{NAME}.pdf"

    def test_pdf_is_tagged_and_has_a_language(self) -> None:
        pdf = self.pdf()
        self.need("pdfinfo")
        done = subprocess.run(["pdfinfo", pdf], capture_output=True, text=True,
                              check=True)
        self.assertRegex(done.stdout, r"Tagged: +yes")
        self.assertRegex(done.stdout, r"Title: +Where Tensors Live")

    def test_pdf_outline_and_page_numbers(self) -> None:
        pdf = self.pdf()
        self.need("qpdf", "pdftotext")
        done = subprocess.run(
            ["qpdf", "--json", "--json-key=outlines", str(pdf)],
            capture_output=True, text=True, check=True)
        titles: dict[str, int] = {}

        def walk(rows: list[dict]) -> None:
            for row in rows:
                titles.setdefault(row["title"], row["destpageposfrom1"])
                walk(row["kids"])

        walk(json.loads(done.stdout)["outlines"])
        told = json.loads((self.book / "work/en/contents.json").read_text())
        lessons = [re.sub(r"<[^>]+>", "", page["title"]) for page in told["pages"]
                   if page["kind"] == "lesson"]
        self.assertLessEqual(set(lessons), set(titles))
        before = min(titles[title] for title in lessons) - 1
        contents = self.text(pdf, "-raw", "-l", str(before))  # by columns
        for title in lessons:
            words = r"\s+".join(map(re.escape, title.split()))
            self.assertRegex(contents, rf"{words}\s+{titles[title]}\n")

    def test_pdf_cuts_no_line_of_code(self) -> None:
        """Each line is in the text, whole, and no word leaves the paper."""
        pdf = self.pdf()
        self.need("pdftotext")
        text = re.sub(r"\s", "", self.text(pdf, "-raw"))
        lines = set()
        for path in sorted((self.book / "html").glob("[0-9]*.html")):
            if path.stem.endswith("-files"):
                continue
            for block in re.findall(r'<pre class="code"><code[^>]*>(.*?)</code></pre>',
                                    path.read_text("utf-8"), re.S):
                plain = re.sub(r"<[^>]+>", "", block)
                lines |= {line for line in plain.split("\n") if line.strip()}
        self.assertTrue(lines)
        for line in lines:
            line = line.replace("&lt;", "<").replace("&gt;", ">").replace(
                "&quot;", '"').replace("&amp;", "&")
            self.assertIn(re.sub(r"\s", "", line), text)
        boxes = self.text(pdf, "-bbox")
        width = float(re.search(r'<page width="([\d.]+)"', boxes)[1])
        ends = [float(x) for x in re.findall(r'xMax="([\d.]+)"', boxes)]
        self.assertLessEqual(max(ends), width - 36)

    @staticmethod
    def text(pdf: Path, *options: str) -> str:
        done = subprocess.run(["pdftotext", *options, str(pdf), "-"],
                              capture_output=True, text=True, check=True)
        return done.stdout

    # -- checkers ------------------------------------------------------------

    @unittest.skipUnless(TREE, "the whole book's")
    def test_epubcheck_finds_nothing(self) -> None:
        self.need("epubcheck", "java")
        for epub in sorted(self.made.glob("*.epub")):
            done = subprocess.run(
                ["java", "-jar", os.path.realpath(shutil.which("epubcheck")),
                 str(epub)], capture_output=True, text=True, check=False)
            said = done.stdout + done.stderr
            self.assertIn("0 fatals / 0 errors / 0 warnings", said, said)

    @unittest.skipUnless(TREE, "the whole book's")
    def test_vnu_finds_nothing(self) -> None:
        """In the covers, which now lead to editions, and in the one page."""
        if not test_valid.JAR.is_file():
            self.skipTest("vnu-jar is not installed")
        self.need("java")
        found = [one for one in test_valid.complaints(self.bound_pages())
                 if "“paint-order” doesn't exist" not in one]  # it does
        self.assertEqual(found, [], "\n".join(found))

    @unittest.skipUnless(TREE, "the whole book's")
    def test_axe_finds_nothing(self) -> None:
        self.need("chromium")
        if not page_checks.axe_file():
            self.skipTest("axe-core is not installed")
        script = page_checks.axe_file().read_text("utf-8")
        with contextlib.closing(Browser()) as browser:
            for page in self.bound_pages():
                for dark in (False, True):
                    browser.look(1280, dark)
                    browser.open(page)
                    with self.subTest(page=page.name, dark=dark):
                        found = page_checks.axe(browser, script)
                        self.assertEqual(found, [], "\n".join(found))

    def bound_pages(self) -> list[Path]:
        top = self.book / "html"
        return [top / "index.html", top / "zh/index.html",
                *sorted(self.made.glob("*.html"))]

    def test_bound_twice_is_the_same(self) -> None:
        first = {path.name: path.read_bytes() for path in self.made.iterdir()}
        self.assertEqual(bind(self.book, "--only", KINDS)[0], 0)
        for name, data in first.items():
            self.assertEqual(data, (self.made / name).read_bytes(), name)


@unittest.skipIf(TREE, "the sample shows it")
class Without(unittest.TestCase):
    """What happens where a tool, or the book itself, is not there."""

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def test_no_browser_is_one_line_and_no_link(self) -> None:
        root, tree = reading.sample(self.folder)
        self.assertEqual(reading.build(root, tree).returncode, 0)
        path, os.environ["PATH"] = os.environ["PATH"], ""
        try:
            code, said = bind(tree / "book", "--only", "html,pdf")
        finally:
            os.environ["PATH"] = path
        self.assertEqual(code, 0)
        self.assertIn("editions: PDF skipped: Chromium is not installed\n",
                      said)
        cover = (tree / "book/html/index.html").read_text("utf-8")
        self.assertIn(f"{NAME}.html", cover)
        self.assertNotIn(f"{NAME}.pdf", cover)

    def test_a_link_to_a_page_left_out_is_words(self) -> None:
        tree = leaves.fragment('<p><a href="../a.html" hreflang="en">English'
                               "</a></p>")
        leaves.join(tree, "b", {"b"}, lambda page, ident: "#")
        self.assertEqual(leaves.as_xml(tree), "<p><span>English</span></p>")

    def test_no_rendered_book(self) -> None:
        code, said = bind(self.folder)
        self.assertEqual(code, 1)
        self.assertIn("build the target book first", said)


if __name__ == "__main__":
    if not shutil.which("pandoc"):
        print("Skipped: pandoc is not installed.")
        sys.exit(SKIP)
    unittest.main()
