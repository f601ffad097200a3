"""A headless Chromium, driven over a pair of pipes: no port, no package.

The DevTools protocol is JSON with a zero byte between messages; Chromium
reads them from descriptor 3 and answers on 4 (--remote-debugging-pipe).
"""
from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Optional

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
         "--disable-extensions", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--no-pings", "--no-zygote", "--process-per-site",
         "--disable-dev-shm-usage", "--disable-features=Translate",
         "--force-color-profile=srgb", "--hide-scrollbars", "--mute-audio",
         "--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe")
# Python's own way to pass descriptors keeps their numbers; these must be 3, 4.
LAUNCH = """import fcntl, os, sys
read, write = (fcntl.fcntl(int(end), fcntl.F_DUPFD, 10)
               for end in sys.argv[1:3])
os.dup2(read, 3)
os.dup2(write, 4)
os.execvp(sys.argv[3], sys.argv[3:])"""
# name: key, code, Windows' number of the key, the text it types
KEYS = {"Tab": ("Tab", "Tab", 9, ""), "Enter": ("Enter", "Enter", 13, "\r"),
        " ": (" ", "Space", 32, " "), "/": ("/", "Slash", 191, "/"),
        "Escape": ("Escape", "Escape", 27, ""),
        "ArrowLeft": ("ArrowLeft", "ArrowLeft", 37, ""),
        "ArrowUp": ("ArrowUp", "ArrowUp", 38, ""),
        "ArrowRight": ("ArrowRight", "ArrowRight", 39, ""),
        "ArrowDown": ("ArrowDown", "ArrowDown", 40, "")}


class PageError(Exception):
    """A script in the page threw, or the browser refused."""


def path() -> Optional[str]:
    """Where Chromium is, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One Chromium with one tab, and every event it has told of."""

    def __init__(self) -> None:
        self.profile = tempfile.mkdtemp(prefix="book-browser-")
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        self.process = subprocess.Popen(
            [sys.executable, "-c", LAUNCH, str(theirs_in), str(theirs_out),
             path() or "chromium", *FLAGS, f"--user-data-dir={self.profile}",
             "about:blank"],
            pass_fds=(theirs_in, theirs_out), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.reader = os.fdopen(ours_in, "rb", 0)
        self.writer = os.fdopen(ours_out, "wb", 0)
        self.buffer = b""
        self.last = 0
        self.session = ""
        self.events: list[dict] = []
        tabs = self.send("Target.getTargets")["targetInfos"]
        tab = next(t for t in tabs if t["type"] == "page")
        self.session = self.send("Target.attachToTarget", flatten=True,
                                 targetId=tab["targetId"])["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")

    def close(self) -> None:
        """Ends the browser and forgets its profile."""
        try:
            self.session = ""
            self.send("Browser.close")
        except (PageError, OSError):
            self.process.kill()
        self.process.wait()
        self.reader.close()
        self.writer.close()
        shutil.rmtree(self.profile, ignore_errors=True)

    def post(self, method: str, **params: Any) -> int:
        """Sends a command; its answer is awaited later, or never."""
        self.last += 1
        message = {"id": self.last, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        self.writer.write(json.dumps(message).encode() + b"\0")
        return self.last

    def read(self) -> dict:
        while b"\0" not in self.buffer:
            piece = self.reader.read(1 << 20)
            if not piece:
                raise PageError("the browser has ended")
            self.buffer += piece
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def answer(self, number: int) -> dict:
        while True:
            message = self.read()
            if message.get("id") == number:
                if "error" in message:
                    raise PageError(message["error"]["message"])
                return message["result"]
            if "method" in message:
                self.events.append(message)

    def send(self, method: str, **params: Any) -> dict:
        return self.answer(self.post(method, **params))

    def wait(self, method: str) -> dict:
        """The next event of this name, seen or to come."""
        while True:
            for at, event in enumerate(self.events):
                if event["method"] == method:
                    return self.events.pop(at)["params"]
            message = self.read()
            if "method" in message:
                self.events.append(message)

    def of(self, method: str) -> list[dict]:
        """The events of this name so far, taken out."""
        found = [e["params"] for e in self.events if e["method"] == method]
        self.events = [e for e in self.events if e["method"] != method]
        return found

    def open(self, page: Path, ident: str = "") -> None:
        """Goes to a page and waits until all of it is there."""
        self.of("Page.loadEventFired")
        if ident:  # from the same page, that would load nothing
            self.send("Page.navigate", url="about:blank")
            self.wait("Page.loadEventFired")
        self.send("Page.navigate", url=page.as_uri() + ident)
        self.wait("Page.loadEventFired")

    def run(self, script: str) -> Any:
        """The value of an expression in the page; a promise is awaited."""
        done = self.send("Runtime.evaluate", expression=script,
                         awaitPromise=True, returnByValue=True,
                         userGesture=True)
        if "exceptionDetails" in done:
            about = done["exceptionDetails"]
            raise PageError(about.get("exception", {}).get(
                "description", about["text"]))
        return done["result"].get("value")

    def look(self, width: int, dark: bool, height: int = 900) -> None:
        """How wide the window is, and which theme the reader's system has."""
        self.send("Emulation.setDeviceMetricsOverride", width=width,
                  height=height, deviceScaleFactor=1, mobile=width < 500)
        self.send("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme",
             "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"}])

    def press(self, *keys: str) -> None:
        """Keys, one after another; a letter types itself."""
        last = 0
        for name in keys:
            key, code, number, text = KEYS.get(
                name, (name, "", ord(name[0].upper()), name))
            about = {"key": key, "code": code, "windowsVirtualKeyCode": number}
            self.post("Input.dispatchKeyEvent", type="keyDown", text=text,
                      **about)
            last = self.post("Input.dispatchKeyEvent", type="keyUp", **about)
        self.answer(last)

    def click(self, selector: str) -> None:
        """A click with the mouse in the middle of the first such element."""
        x, y = self.run("(() => { const e = document.querySelector("
                        f"{json.dumps(selector)}); e.scrollIntoView("
                        "{block: 'center', behavior: 'instant'}); const r = "
                        "e.getBoundingClientRect(); return [r.x + r.width / "
                        "2, r.y + r.height / 2]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y,
                      button="left", clickCount=1)

    def picture(self, where: Path, whole: bool = True) -> None:
        """A screenshot of the whole page, or of the window."""
        data = self.send("Page.captureScreenshot", format="png",
                         captureBeyondViewport=whole)["data"]
        where.write_bytes(base64.b64decode(data))

    def paper(self, where: Path) -> None:
        """The page as it is printed."""
        data = self.send("Page.printToPDF", preferCSSPageSize=True,
                         printBackground=True)["data"]
        where.write_bytes(base64.b64decode(data))
