"""Pandoc, and what it made before: a page whose every input is the same is
taken from <build>/book/kept/ instead of being rendered again.

A kept page is named by a hash of all that pandoc reads for it: the page, its
data, its variables, the template, the filter, and which pandoc it is. So it
cannot be stale; a full rendering throws away what it had no use for.
"""
from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from fault import Fault

READ = ("template/page.html", "filters/page.lua")


class Pandoc:
    """Renders pages of one book."""

    def __init__(self, top: Path, folder: Path) -> None:
        self.top, self.folder = top, folder
        self.used: set[str] = set()
        tool = shutil.which("pandoc")
        about = os.stat(tool) if tool else None
        self.same = json.dumps([
            tool, about and [about.st_size, about.st_mtime_ns],
            *((top / path).read_text("utf-8") for path in READ)])

    def key(self, markdown: str, data: str, settings: dict) -> str:
        """The name under which a page is kept."""
        told = json.dumps([self.same, markdown, data, settings],
                          sort_keys=True)
        return hashlib.sha256(told.encode("utf-8")).hexdigest()

    def render(self, page: str, work: Path, markdown: str, data: str,
               settings: dict, target: Path) -> None:
        """`page`: its path, for the sentence of a fault; `work`: where its
        input lies, less the suffix; `data`: a Lua file's text."""
        name = self.key(markdown, data, settings)
        self.used.add(name)
        work.parent.mkdir(parents=True, exist_ok=True)
        try:
            shutil.copyfile(self.folder / name, target)
            return
        except FileNotFoundError:
            pass
        source, lua, defaults = (work.with_name(work.name + suffix)
                                 for suffix in (".md", ".lua", ".yaml"))
        source.write_text(markdown, "utf-8")
        lua.write_text(data, "utf-8")
        template, filter_ = (str(self.top / path) for path in READ)
        defaults.write_text(json.dumps(settings | {
            "template": template, "filters": [filter_],
            "metadata": {"pagedata": str(lua)},
            "input-files": [str(source)], "output-file": str(target)},
            ensure_ascii=False), "utf-8")
        done = subprocess.run(
            ["pandoc", "--defaults", str(defaults), "--mathml"],
            capture_output=True, text=True, check=False)
        if done.returncode:
            raise Fault(f"pandoc: {done.stderr.strip()}", page, 1)
        self.keep(target, name)

    def keep(self, target: Path, name: str) -> None:
        """Whole or not at all: another rendering may be looking."""
        self.folder.mkdir(parents=True, exist_ok=True)
        handle, fresh = tempfile.mkstemp(dir=self.folder)
        os.close(handle)
        shutil.copyfile(target, fresh)
        os.replace(fresh, self.folder / name)

    def forget(self) -> None:
        """What this rendering, a full one, had no use for."""
        if self.folder.is_dir():
            for path in self.folder.iterdir():
                if path.name not in self.used and len(path.name) == 64:
                    path.unlink(missing_ok=True)
