"""The whole files behind a chapter's regions: a page of them beside each
chapter, so that a chapter carries what it speaks of and no more."""
from __future__ import annotations

import re
from pathlib import PurePosixPath

import markdown as md
import sources as src

LESSON = re.compile(r"^lessons/(\d\d_\w+)/([^/]+)$")
SUFFIX = "-files"
LANGUAGES = {".c": "c", ".h": "c", ".py": "python", ".txt": "text",
             ".cmake": "cmake", ".json": "json", ".sh": "bash"}


def address(path: str) -> str:
    """Where a lesson's file stands whole; "" for any other file."""
    match = LESSON.match(path)
    return f"{match[1]}{SUFFIX}.html#{slug(match[2])}" if match else ""


def slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def lines(tree: src.Tree, path: str) -> list[src.Line]:
    """All lines but the markers, with their true numbers."""
    return [src.Line(i, text.expandtabs(4)) for i, text
            in enumerate(tree.text(path).splitlines(), 1)
            if not src.MARK_OPEN.match(text)
            and not src.MARK_CLOSE.match(text)]


def fence(shown: list[src.Line], language: str, ident: str,
          marks: list[int] | None = None) -> list[str]:
    """A code block that page.lua numbers and highlights."""
    numbers = ",".join(str(line.number) for line in shown)
    extra = f' marks="{",".join(map(str, marks))}"' if marks else ""
    return md.fenced("\n".join(line.text for line in shown),
                     f'{{.{language} #{ident} lines="{numbers}"{extra}}}')


def shown(used: set[str], chapter: str) -> list[str]:
    """The files of a lesson that its pages show regions of: lesson.c first."""
    paths = {entry.partition("#")[0] for entry in used
             if "#" in entry and entry.partition("#")[2]}
    paths = {path for path in paths
             if (match := LESSON.match(path)) and match[1] == chapter}
    return sorted(paths, key=lambda path: (not path.endswith("/lesson.c"),
                                           path))


def page(tree: src.Tree, chapter: str, paths: list[str],
         words: dict[str, str]) -> str:
    """The page's Markdown."""
    given = {"n": chapter[:2], "page": f"{chapter}.md"}
    made = ["# " + words["files_title"].format(**given), "",
            words["files_intro"].format(**given), ""]
    for at, path in enumerate(paths, 1):
        pure = PurePosixPath(path)
        language = LANGUAGES.get(pure.suffix, "text")
        made += [f"## `{pure.name}` {{#{slug(pure.name)}}}", "",
                 *md.raw('<figure class="listing">\n<figcaption>'
                         f'<code class="path">{path}</code></figcaption>'),
                 *fence(lines(tree, path), f"{language} .plain",
                        f"code-{at}"),
                 *md.raw("</figure>"), ""]
    return "\n".join(made)
