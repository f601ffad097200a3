"""The rendered pages in a headless Chromium, as a reader uses them.

    test_browser.py FOLDER [axe|use|all] [--every]

FOLDER holds the pages. `use`: keys, folds, search, copying, printing, no
request, no scripts. `axe`: accessibility, both themes, phone and laptop.
Without --every a fixed sample of pages.
"""
from __future__ import annotations

import json
import re
import sys
import unittest
from pathlib import Path

import page_checks as checks
from browser import Browser, path
from folds import Folds
from room import LONGEST, WAIT_HITS, Room

SKIP = 77
WIDTHS = (390, 1280)
# query -> what must be among the first hits: (page, id), "" for any
QUERIES = {
    "Born on the CPU": ("02_tensor_transfer", "born"),  # a heading
    "what a move costs against": ("02_tensor_transfer", ""),  # prose
    "cudaMemcpyP": ("conformance", "cudaMemcpyPeer"),  # a prefix
    "PeerAsync": ("conformance", "cudaMemcpyPeerAsync"),  # a camel part
    "tensorTo": ("calls", "tensor_to"),  # the other spelling
    "tensor cpu": ("calls", "tensor_cpu"),  # parts of a name
    "显存": ("glossary", "term-gpu-memory"),
    "张量": ("glossary", "term-tensor"),
}


class Axe(Room):
    """axe-core: no violation on any page, in both themes."""

    def test_no_violations(self) -> None:
        script = checks.axe_file().read_text("utf-8")
        for page in self.pages():
            for width in WIDTHS:
                for dark in (False, True):
                    if not self.every and not (dark and width == 390):
                        continue  # the sample: one of the four looks
                    self.browser.look(width, dark)
                    self.browser.open(page)
                    with self.subTest(page=self.name(page), width=width,
                                      dark=dark):
                        found = checks.axe(self.browser, script)
                        self.assertEqual(found, [], "\n".join(found))

    def test_no_violations_while_searching(self) -> None:
        if not self.every:
            self.skipTest("with --every")
        script = checks.axe_file().read_text("utf-8")
        self.show("index.html")
        self.browser.press("/", *"tensor")
        self.browser.run(WAIT_HITS)
        self.assertEqual(checks.axe(self.browser, script, ".bar"), [])


class Pages(Room):
    """What holds for each page."""

    def each(self, check, widths=(1280,)) -> None:
        for page in self.pages():
            for width in widths:
                self.browser.look(width, False)
                self.browser.open(page)
                with self.subTest(page=self.name(page), width=width):
                    found = check(width)
                    self.assertEqual(found, [], "\n".join(found))

    def test_tab_reaches_everything_and_shows_where(self) -> None:
        self.each(lambda width: checks.tab_walk(self.browser),
                  WIDTHS if self.every else (1280,))

    def test_no_page_scrolls_sideways(self) -> None:
        self.each(lambda width: checks.sideways(self.browser, width),
                  (360, 768) if self.every else (360,))

    def test_paper_has_everything_unfolded(self) -> None:
        self.each(lambda width: checks.printed(self.browser))

    def test_no_scripts_needed(self) -> None:
        self.browser.look(390, False)
        for page in self.pages():
            with self.subTest(page=self.name(page)):
                found = checks.without_scripts(self.browser, page)
                self.assertEqual(found, [], "\n".join(found))

    def test_no_request_leaves_and_nothing_is_thrown(self) -> None:
        self.browser.events.clear()

        def check(width: int) -> list[str]:
            self.browser.press("/", *"device")
            self.browser.run(WAIT_HITS)
            return (checks.requests(self.browser, self.folder)
                    + checks.errors(self.browser))
        self.each(check)

    def test_no_script_hides_in_an_attribute(self) -> None:
        for page in self.pages():
            text = page.read_text("utf-8")
            text = re.sub(r"<(pre|samp)\b.*?</\1>", "", text, flags=re.S)
            with self.subTest(page=self.name(page)):
                for bad in re.findall(r"<[^>]* on[a-z]+=[^>]*>|"
                                      r"<[^>]*javascript:[^>]*>|"
                                      r"<(?:iframe|object|embed)\b[^>]*>|"
                                      r"<link[^>]*preconnect[^>]*>", text):
                    self.fail(bad)


SCROLLED = """new Promise(done => { const look = () => scrollY > 40 ?
  done(true) : setTimeout(look, 10); look(); })"""
AT = "document.activeElement.tagName"
HERE = "location.href.split('/').pop()"


class Keys(Room):
    """What the keyboard and the buttons do."""

    def test_skip_link_is_first_and_leads_to_the_text(self) -> None:
        self.show("00_first_steps.html")
        self.browser.press("Tab")
        self.assertEqual(self.browser.run("document.activeElement.className"),
                         "skip")
        self.assertGreaterEqual(self.browser.run(
            "document.activeElement.getBoundingClientRect().left"), 0)
        self.browser.press("Enter")
        self.assertEqual(self.browser.run("document.activeElement.id"),
                         "text")
        self.browser.press("Tab")
        self.assertTrue(self.browser.run(
            "document.querySelector('main').contains(document.activeElement)"))

    def test_slash_searches_and_escape_closes(self) -> None:
        self.show("00_first_steps.html")
        self.browser.press("/")
        self.assertEqual(self.browser.run(AT), "INPUT")
        self.assertEqual(self.query(""), "")
        self.browser.press(*"peer")
        self.browser.run(WAIT_HITS)
        self.browser.press("/")
        self.assertEqual(self.query("value"), "peer/")
        self.browser.press("Escape")
        self.assertTrue(self.browser.run(
            "document.querySelector('.hits').hidden"))
        self.assertNotEqual(self.browser.run(AT), "INPUT")

    def query(self, _: str) -> str:
        return self.browser.run("document.querySelector('.search input')"
                                ".value")

    def test_arrows_walk_the_hits_and_enter_follows(self) -> None:
        self.show("index.html")
        self.browser.press("/", *"peer copy")
        self.browser.run(WAIT_HITS)
        self.browser.press("ArrowDown", "ArrowDown")
        self.assertEqual(self.browser.run(
            "[...document.querySelectorAll('.hits a')]"
            ".indexOf(document.activeElement)"), 1)
        wanted = self.browser.run("document.activeElement.href")
        self.browser.of("Page.loadEventFired")
        self.browser.press("Enter")
        self.browser.wait("Page.loadEventFired")
        self.assertEqual(self.browser.run("location.href"), wanted)

    def test_arrows_turn_pages_but_not_while_typing(self) -> None:
        self.show("00_first_steps.html")
        for key, page in (("ArrowRight", "01_device_query.html"),
                          ("ArrowLeft", "00_first_steps.html")):
            self.browser.of("Page.loadEventFired")
            self.browser.press(key)
            self.browser.wait("Page.loadEventFired")
            self.assertEqual(self.browser.run(HERE), page)
        self.browser.press("/", "a", "ArrowRight", "ArrowLeft", "ArrowLeft")
        self.browser.run("new Promise(done => setTimeout(done, 100))")
        self.assertEqual(self.browser.run(HERE), "00_first_steps.html")

    def test_arrows_scroll_a_wide_box_that_has_the_focus(self) -> None:
        self.show(LONGEST, width=390)
        self.browser.run("window.wide = [...document.querySelectorAll("
                         "'pre')].find(p => p.tabIndex === 0); wide.focus()")
        self.browser.press("ArrowRight", "ArrowRight")
        moved = self.browser.run(
            "new Promise(done => { let left = 100; const look = () => "
            "wide.scrollLeft > 0 || !left-- ? done(wide.scrollLeft) : "
            "setTimeout(look, 10); look(); })")
        self.assertGreater(moved, 0)
        self.assertEqual(self.browser.run(HERE), LONGEST)

    def test_the_title_is_not_cut_on_a_phone(self) -> None:
        for width in (320, 360, 390) if self.every else (320,):
            for page in ("00_first_steps.html", "zh/00_first_steps.html"):
                self.show(page, width=width)
                wide, room, right, left = self.browser.run(
                    "(() => { const e = document.querySelector('.brand'); "
                    "const next = document.querySelector('.search'); return "
                    "[e.scrollWidth, e.clientWidth, e.getBoundingClientRect()"
                    ".right, next.getBoundingClientRect().left]; })()")
                with self.subTest(width=width, page=page):
                    self.assertLessEqual(wide, room)
                    self.assertLessEqual(right, left)

    def test_contents_open_and_close_on_a_phone(self) -> None:
        self.show("00_first_steps.html", width=390)
        shown = ("getComputedStyle(document.querySelector('.sidebar'))"
                 ".visibility")
        self.assertEqual(self.browser.run(shown), "hidden")
        self.browser.click(".menu")
        self.assertEqual(self.browser.run(shown), "visible")
        self.browser.press("Escape")
        self.assertEqual(self.browser.run(shown), "hidden")

    def test_the_other_language_opens_at_the_same_section(self) -> None:
        ways = (("", "zh/"), ("zh/", ""))
        for here, there in ways if self.every else ways[:1]:
            self.show(f"{here}02_tensor_transfer.html")
            self.browser.run("document.documentElement.style.scrollBehavior="
                             "'auto'; location.hash = '#crossing'")
            self.browser.run(SCROLLED)
            self.browser.of("Page.loadEventFired")
            self.browser.run("document.querySelector('.language').click()")
            self.browser.wait("Page.loadEventFired")
            at = self.browser.run("location.href")
            self.assertTrue(at.endswith(
                f"{self.folder.name}/{there}02_tensor_transfer.html"
                "#crossing"), at)

    def test_theme_is_switched_and_kept(self) -> None:
        ground = "getComputedStyle(document.body).backgroundColor"
        self.show("00_first_steps.html")
        light = self.browser.run(ground)
        self.browser.click(".theme")
        dark = self.browser.run(ground)
        self.assertNotEqual(light, dark)
        self.show_kept("01_device_query.html", ground, dark)
        self.browser.click(".theme")
        self.assertEqual(self.browser.run(ground), light)
        self.browser.run("localStorage.clear()")
        self.browser.look(1280, True)
        self.browser.open(self.folder / "index.html")
        self.assertEqual(self.browser.run(ground), dark)

    def test_copy_takes_the_code_and_nothing_else(self) -> None:
        session, self.browser.session = self.browser.session, ""
        self.browser.send("Browser.grantPermissions", permissions=[
            "clipboardReadWrite", "clipboardSanitizedWrite"])
        self.browser.session = session
        self.browser.send("Emulation.setFocusEmulationEnabled", enabled=True)
        self.show(LONGEST)
        shown = self.browser.run("document.querySelectorAll('.listing')"
                                 ".length")
        for at in range(shown if self.every else min(shown, 4)):
            path, first, text = self.browser.run(COPY.replace("AT", str(at)))
            with self.subTest(listing=at):
                self.assertTrue(text.strip())
                self.assertNotRegex(text, r"(?m)^ *\d+ ")
                self.assertNotIn("Copy", text)
                if path and first:
                    lines = (checks.ROOT / path).read_text().splitlines()
                    self.assertEqual(text.splitlines()[0].strip(),
                                     lines[first].strip())
                    told = {line.strip() for line in lines}
                    for line in text.splitlines():
                        self.assertTrue(line.strip() in told or any(
                            one.startswith(line.strip()) for one in told))


COPY = """(async () => {
  const box = document.querySelectorAll('.listing')[AT];
  box.querySelector('.copy').click();
  await new Promise(done => setTimeout(done, 20));
  const path = box.querySelector('.path');
  const code = box.querySelector('.numbered');
  return [path && path.textContent, code &&
    parseInt(code.style.counterReset.split(' ')[1]),
    await navigator.clipboard.readText()];
})()"""


class Search(Room):
    """Headings, prose, identifiers by any part, Chinese words."""

    def test_what_is_there_is_found(self) -> None:
        self.show("index.html")
        for query, (page, ident) in QUERIES.items():
            with self.subTest(query=query):
                hits = self.hits(query)[:6]
                wanted = [hit for hit in hits if hit.startswith(
                    f"{page}.html") and (not ident or hit.endswith(
                        f"#{ident}"))]
                self.assertTrue(wanted, f"{page}#{ident} not in {hits}")

    def test_chinese_is_found_without_spaces(self) -> None:
        self.show("zh/index.html")
        for query, ident in (("显存", "glossary.html#term-gpu-memory"),
                             ("显存拷贝", "02_tensor_transfer.html"),
                             ("GPU序号", "glossary.html#term-ordinal"),
                             ("pinned memory",
                              "glossary.html#term-pinned-memory")):
            with self.subTest(query=query):
                hits = self.hits(query)[:8]
                self.assertTrue([hit for hit in hits
                                 if hit.startswith(ident)], hits)

    def test_what_is_not_there_is_said(self) -> None:
        self.show("index.html")
        self.assertEqual(self.hits("zyzzyva"), [])
        self.assertEqual(self.browser.run(
            "document.querySelector('.hits .count').textContent"),
            "Nothing found.")

    def test_every_hit_leads_somewhere(self) -> None:
        self.show("index.html")
        for hit in self.hits("tensor")[:30]:
            name, _, ident = hit.partition("#")
            text = (self.folder / name).read_text("utf-8")
            self.assertTrue(not ident or f'id="{ident}"' in text, hit)


def main(argv: list[str]) -> int:
    """The classes that were asked for; skipped where a tool is absent."""
    Room.every = "--every" in argv
    words = [word for word in argv[1:] if not word.startswith("--")]
    Room.folder = Path(words[0]).resolve()
    what = words[1] if len(words) > 1 else "all"
    if not path():
        print("Skipped: needs Chromium (./scripts/test --full installs it).")
        return SKIP
    if not (Room.folder / "index.html").is_file():
        print(f"Skipped: needs the rendered book in {Room.folder}.")
        return SKIP
    if what == "axe" and not checks.axe_file():
        print("Skipped: needs axe-core from npm (./scripts/test --full).")
        return SKIP
    kinds = {"axe": [Axe], "use": [Pages, Keys, Folds, Search]}
    chosen = kinds.get(what, [Axe, Pages, Keys, Folds,
                                 Search])
    load = unittest.defaultTestLoader.loadTestsFromTestCase
    suite = unittest.TestSuite(load(kind) for kind in chosen)
    Room.browser = Browser()
    done = unittest.TextTestRunner(verbosity=1).run(suite)
    Room.browser.close()
    return 0 if done.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv))
