"""What the tests in a browser share: one browser, the pages, a search."""
from __future__ import annotations

import json
import unittest
from pathlib import Path

from browser import Browser

SAMPLE = ("00_first_steps.html",)
LONGEST = "02_tensor_transfer.html"
WAIT_HITS = """new Promise(done => { const look = () =>
  window.bookIndex && !document.querySelector('.hits').hidden ? done(true) :
  setTimeout(look, 10); look(); })"""


class Room(unittest.TestCase):
    """One browser for all."""

    folder: Path
    every = False
    browser: Browser

    def pages(self) -> list[Path]:
        found = sorted(self.folder.rglob("*.html"))
        kept = [page for page in found if self.every or
                str(page.relative_to(self.folder)) in SAMPLE]
        self.assertTrue(kept, f"no pages in {self.folder}")
        return kept

    def name(self, page: Path) -> str:
        return str(page.relative_to(self.folder))

    def show(self, name: str, ident: str = "", width: int = 1280) -> None:
        self.browser.look(width, False)
        self.browser.open(self.folder / name, ident)

    def show_kept(self, name: str, script: str, value: object) -> None:
        """The page shows what another one kept. It may have a process of its
        own, and Chromium promises no order between one's writing to the store
        and another's reading: so a few times, if need be."""
        for _ in range(20):
            self.show(name)
            found = self.browser.run(script)
            if found == value:
                return
        self.assertEqual(found, value)

    def hits(self, query: str) -> list[str]:
        self.browser.run(
            "(() => { const box = document.querySelector('.search input'); "
            f"box.value = {json.dumps(query)}; "
            "box.dispatchEvent(new Event('input')); })()")
        self.browser.run(WAIT_HITS)
        return self.browser.run(
            "[...document.querySelectorAll('.hits a')].map(a => "
            "a.href.split('/').pop().replace(/\\?find=[^#]+/, ''))")
