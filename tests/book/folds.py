"""What is folded on a page: opened by keys, by links, by a hit, by the button
at a chapter's head, and for paper."""
from __future__ import annotations

from room import LONGEST, Room


class Folds(Room):
    """Of a chapter."""

    def test_folds_open_by_enter_and_space(self) -> None:
        self.show(LONGEST)
        for kind in ("answer", "calllog", "hint", "as-text"):
            self.browser.run("window.fold = document.querySelector("
                             f"'details.{kind}'); for (let at = "
                             "fold.parentElement; at; at = at.parentElement) "
                             "{ if (at.tagName === 'DETAILS') at.open = true;"
                             " } fold.querySelector('summary').focus()")
            for key, now in (("Enter", True), (" ", False)):
                self.browser.press(key)
                self.assertEqual(self.browser.run("fold.open"), now,
                                 f"{kind}: {key!r}")

    def test_a_link_into_a_fold_opens_it(self) -> None:
        self.show("00_first_steps.html")
        self.assertTrue(self.browser.run(
            "(async () => { const fold = document.querySelector("
            "'details.hint'); fold.lastElementChild.id = 'inside'; "
            "location.hash = '#inside'; await new Promise(done => "
            "addEventListener('hashchange', done)); return fold.open; })()"))

    def test_outputs_stay_folded_or_open_as_one_chose(self) -> None:
        folded = ("[...document.querySelectorAll('details.answer')]"
                  ".map(d => d.open)")
        pressed = "document.querySelector('.outputs').ariaPressed"
        self.show("00_first_steps.html")
        self.browser.run("localStorage.clear()")
        self.assertFalse(any(self.browser.run(folded)))
        self.browser.run("document.querySelector('.answer summary').focus()")
        self.browser.press("Enter")
        self.assertEqual(sum(self.browser.run(folded)), 1)
        self.show("00_first_steps.html")  # one fold is not remembered
        self.assertFalse(any(self.browser.run(folded)))
        self.browser.run("document.querySelector('.outputs').focus()")
        for open_now in (True, False):
            self.browser.press("Enter")
            for page in ("", "zh/00_first_steps.html", *[LONGEST] * self.every,
                         "00_first_steps.html"):
                if page:
                    self.show_kept(page, pressed, str(open_now).lower())
                self.assertEqual(set(self.browser.run(folded)), {open_now})
                self.assertEqual(self.browser.run(pressed),
                                 str(open_now).lower())
            self.browser.run("document.querySelector('.outputs').focus()")
        self.show("machines.html")
        self.assertIsNone(self.browser.run("document.querySelector('.outputs"
                                           ":not([hidden])')"))

    def test_printing_opens_and_closes_again(self) -> None:
        self.show("00_first_steps.html")
        opened = ("[...document.querySelectorAll('article details')]"
                  ".filter(d => d.open).length")
        self.assertEqual(self.browser.run(opened), 0)
        self.browser.run("dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(self.browser.run(opened), self.browser.run(
            "document.querySelectorAll('article details').length"))
        self.browser.run("dispatchEvent(new Event('afterprint'))")
        self.assertEqual(self.browser.run(opened), 0)

    def test_a_hit_in_a_fold_opens_it(self) -> None:
        """And no other, and none when the words stand in the open."""
        for query, ident, opened in (("nobody holds", "moved", 1),
                                     ("machine of this chapter", "moved", 0)):
            self.show(LONGEST)
            self.hits(query)
            wanted = self.browser.run(
                "[...document.querySelectorAll('.hits a')].map(a => a.href)"
                f".find(href => href.endsWith('{LONGEST[:-5]}.html?find='"
                f" + encodeURIComponent({query!r}) + '#{ident}'))")
            self.assertTrue(wanted, query)
            self.browser.of("Page.loadEventFired")
            self.browser.run(f"location.href = {wanted!r}; 0")
            self.browser.wait("Page.loadEventFired")
            folds = self.browser.run(
                "[...document.querySelectorAll('details.answer')]"
                ".map(d => [d.open, d.textContent])")
            found = [text for is_open, text in folds if is_open]
            self.assertEqual(len(found), opened, query)
            self.assertTrue(all(query in text for text in found))
