"""What is asked of each page in a browser. Each check returns its complaints:
an empty list is a page without fault."""
from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Optional

from browser import Browser

ROOT = Path(__file__).resolve().parents[2]
OPEN_FOLDS = "document.querySelectorAll('details').forEach(d => d.open = true)"
SEEN = ("e => e.checkVisibility({visibilityProperty: true, "
        "contentVisibilityAuto: true})")

# Where Tab must stop, and what it is like there. An outline counts as seen
# when no scrolling or clipping box around the element cuts it off.
WALK = """(() => {
  window.stops = [...document.querySelectorAll('a[href], button, input, ' +
    'summary, select, textarea, [tabindex="0"]')].filter(SEEN);
  window.walk = [];
  const name = e => `<${e.tagName.toLowerCase()} class="${e.className}"> ` +
    (e.getAttribute('aria-label') || e.textContent).trim().slice(0, 50);
  const clipped = (e, grow) => {
    const r = e.getBoundingClientRect();
    for (let p = e.parentElement; p && p !== document.body;
         p = p.parentElement) {
      if (getComputedStyle(p).overflowX === 'visible') continue;
      const c = p.getBoundingClientRect();
      if (r.left - grow < c.left - 1 || r.top - grow < c.top - 1 ||
          (r.bottom + grow > c.bottom + 1 && r.height < c.height) ||
          (r.right + grow > c.right + 1 && r.width < c.width)) return true;
    }
    return false;
  };
  document.addEventListener('focusin', event => {
    const e = event.target, style = getComputedStyle(e), faults = [];
    const r = e.getBoundingClientRect();
    const wide = parseFloat(style.outlineWidth) || 0;
    const far = parseFloat(style.outlineOffset) || 0;
    if (style.outlineStyle === 'none' || wide < 1.5)
      faults.push('its focus is not marked');
    else if (clipped(e, far + wide)) faults.push('its focus mark is cut off');
    if (r.bottom <= 0 || r.top >= innerHeight || r.right <= 0 ||
        r.left >= innerWidth) faults.push('it is off the screen');
    const bar = document.querySelector('.bar');
    if (!bar.contains(e) && !e.matches('.skip') && !e.closest('.sidebar') &&
        r.bottom <= bar.getBoundingClientRect().bottom)
      faults.push('it hides under the bar');
    walk.push([stops.indexOf(e), name(e), faults]);
  });
  return stops.map(name);
})()""".replace("SEEN", SEEN)


def axe_file() -> Optional[Path]:
    """Where axe-core is: what npm put into build/npm, or nothing."""
    folder = os.environ.get("WORKBOOK_NPM", str(ROOT / "build/npm"))
    path = Path(folder) / "node_modules/axe-core/axe.min.js"
    return path if path.is_file() else None


def axe(browser: Browser, script: str, part: str = "html") -> list[str]:
    """What axe-core finds in a part of the page, all folds open."""
    browser.run(OPEN_FOLDS)
    browser.run(script + ";0")
    found = browser.run(
        f"axe.run({part!r}, {{resultTypes: ['violations']}}).then(r => "
        "r.violations.map(v => [v.id, v.help, v.nodes.length, "
        "v.nodes[0].html, v.nodes[0].failureSummary]))")
    return [f"{rule}: {text} ({count} times), first {html[:160]}\n    "
            + why.replace("\n", " ") for rule, text, count, html, why in found]


def sideways(browser: Browser, width: int) -> list[str]:
    """A page is never wider than its window; wide boxes scroll by
    themselves."""
    browser.run(OPEN_FOLDS)
    browser.run("scrollTo(10000, 0)")
    wide, moved = browser.run("[document.documentElement.scrollWidth, "
                              "scrollX]")
    browser.run("scrollTo(0, 0)")
    if wide <= width and not moved:
        return []
    culprit = browser.run(
        "[...document.body.querySelectorAll('*')].filter(e => "
        f"e.getBoundingClientRect().right > {width} + 1).slice(0, 3)"
        ".map(e => e.outerHTML.slice(0, 120))")
    return [f"is {wide} pixels wide in a window of {width}: {culprit}"]


def tab_walk(browser: Browser) -> list[str]:
    """Tab reaches everything that can be used, in the order of the page, and
    always shows where it is."""
    names = browser.run(WALK)
    faults: list[str] = []
    for _ in range(3):
        browser.press(*["Tab"] * (len(names) + 5))
        if set(range(len(names))) <= {at for at, _, _ in
                                      browser.run("walk")}:
            break
    walked = browser.run("walk")
    reached = {at for at, _, _ in walked}
    faults += [f"Tab never reaches {name}" for at, name in enumerate(names)
               if at not in reached]
    known = [at for at, _, _ in walked if at >= 0]
    first = known[:known.index(known[0], 1)] if known.count(
        known[0]) > 1 else known
    if first != sorted(first):
        faults.append("Tab jumps back and forth")
    for name, what in {(name, what) for _, name, bad in walked
                       for what in bad}:
        faults.append(f"{name}: {what}")
    return sorted(faults)


def requests(browser: Browser, folder: Path) -> list[str]:
    """Whatever the browser asked for since the last call: only files of the
    book."""
    asked = [e["request"]["url"]
             for e in browser.of("Network.requestWillBeSent")]
    asked += [e["url"] for e in browser.of("Network.webSocketCreated")]
    home = folder.as_uri() + "/"
    return [f"asks for {url[:120]}" for url in asked
            if not url.startswith((home, "data:", "about:"))]


def errors(browser: Browser) -> list[str]:
    """What went to the console."""
    said = [e["exceptionDetails"].get("exception", {}).get("description", "?")
            for e in browser.of("Runtime.exceptionThrown")]
    said += [e["entry"]["text"] for e in browser.of("Log.entryAdded")]
    return [f"the console says: {text}" for text in said]


def words(browser: Browser) -> str:
    """The text of the article, folds open, buttons aside."""
    browser.run(OPEN_FOLDS)
    return browser.run(
        "(() => { document.querySelectorAll('article button')"
        ".forEach(b => b.remove()); return document.querySelector("
        "'article').innerText.replace(/\\s+/g, ' '); })()")


def without_scripts(browser: Browser, page: Path) -> list[str]:
    """With scripts off the page says the same, and shows nothing dead."""
    browser.open(page)
    full = words(browser)
    browser.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(page)
        dead = browser.run(
            "[...document.querySelectorAll('button, input, select')].filter("
            f"{SEEN}).map(e => e.outerHTML.slice(0, 80))")
        faults = [f"without scripts {what} does nothing" for what in dead]
        if browser.run("document.querySelector('summary') !== null"):
            was = browser.run("document.querySelector('article details')?.open")
            browser.click("article summary" if was is not None else "summary")
            now = browser.run("document.querySelector('article details')?.open")
            if was is not None and was == now:
                faults.append("without scripts a fold stays as it is")
        if words(browser) != full:
            faults.append("without scripts the article says something else")
    finally:
        browser.send("Emulation.setScriptExecutionDisabled", value=False)
    return faults


def printed(browser: Browser) -> list[str]:
    """On paper every fold is open but whole files, which are left out, and
    nothing is there only for a screen."""
    browser.send("Emulation.setEmulatedMedia", media="print")
    browser.run("new Promise(done => requestAnimationFrame(() => "
                "requestAnimationFrame(done)))")
    folded = browser.run(
        "[...document.querySelectorAll('article details')].filter(d => "
        "!d.matches('.whole') && [...d.children].some(e => e.tagName !== "
        f"'SUMMARY' && !({SEEN})(e))).map(d => d.textContent.slice(0, 60))")
    shown = browser.run(
        "[...document.querySelectorAll('.bar, .sidebar, .toc, button, "
        f".skip, .steps, a.whole')].filter({SEEN}).map(e => e.className)")
    browser.run("document.documentElement.dataset.theme = 'dark'")
    ground = browser.run("getComputedStyle(document.body).backgroundColor")
    browser.run("delete document.documentElement.dataset.theme")
    browser.send("Emulation.setEmulatedMedia", media="")
    white = ground == "rgb(255, 255, 255)"
    return ([] if white else [f"dark themes print on {ground}"]) + ([f"on paper this stays folded: {json.dumps(what)}"
             for what in folded]
            + [f"on paper there is a dead .{what}" for what in shown])
