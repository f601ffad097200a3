"""The general pages that are made, not written: machines, conformance and the
index of calls. Each returns Markdown for the same pipeline as a chapter."""
from __future__ import annotations

import html
import re

import headers as hd
import markdown as md
import sources as src
import translation
from fault import Fault

CONFORMANCE = "lib/sim/CONFORMANCE.md"


def slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


# -- the index of calls -------------------------------------------------------

def prose(text: str) -> str:
    """A comment's words: calls and constants as code."""
    text = html.escape(text, quote=False)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    return re.sub(r"(?<![\w>;])([a-z]\w*_\w+|ERR_\w+)(?![\w<])",
                  r"<code>\1</code>", text)


def comment_html(comment: str, keys: dict[str, str]) -> str:
    """Paragraphs, then the fixed sections (place, owner, errors …)."""
    paragraphs: list[str] = []
    sections: list[list[str]] = []
    for line in comment.split("\n"):
        match = re.match(r"(%s)  +(.*)" % "|".join(hd.KEYS), line)
        if match:
            sections.append([match[1], match[2]])
        elif sections and line.startswith(" "):
            sections[-1][1] += "\n" + line.strip()
        elif not line.strip():
            paragraphs.append("")
        elif paragraphs:
            paragraphs[-1] += " " + line.strip()
        else:
            paragraphs.append(line.strip())
    made = "".join(f"<p>{prose(p.strip())}</p>" for p in paragraphs
                   if p.strip())
    if sections:
        made += "<dl>" + "".join(
            f"<dt>{keys.get(key, key)}</dt><dd>{prose(text)}</dd>"
            for key, text in sections
        ) + "</dl>"
    return made


def calls_page(headers: list[hd.Header], used: dict[str, list[str]],
               titles: dict[str, str], floors: tuple[str, ...],
               say: dict) -> str:
    """`say`: the edition's words for this page. Header comments are English
    in every edition, and the page of another language says so."""
    out = [part for line in say["calls" if floors == hd.UPPER else "floors"]
           for part in (line, "")]
    keys = say["keys"]
    english = ' lang="en"' if keys else ""
    for header in headers:
        if header.path.split("/")[0] not in floors:
            continue
        out += [f"## `{header.path}` {{#{slug(header.path)}}}", ""]
        parts = [f'<div class="about"{english}>'
                 f"{comment_html(header.about, keys)}</div>"]
        for group in header.groups:
            parts.append('<div class="calls">')
            for call in group.calls:
                note = (f' <span class="note"{english}>{prose(call.note)}</span>'
                        if call.note else "")
                where = " ".join(
                    f'<a href="{page}.html" title="{titles[page]}">'
                    f"{page[:2]}</a>" for page in used.get(call.name, []))
                where = f' <span class="used">{where}</span>' if where else ""
                parts.append(
                    f'<p class="call" id="{call.name}"><code{english}>'
                    f"{html.escape(call.declaration, quote=False)}</code>"
                    f"{note}{where}</p>")
            parts.append(f"<div{english}>" * bool(english)
                         + comment_html(group.comment, keys)
                         + "</div>" * bool(english) + "</div>")
        out += [*md.raw("\n".join(parts)), ""]
    return "\n".join(out)


# -- the simulator's conformance ---------------------------------------------

def conformance_page(tree: src.Tree, translated: str) -> str:
    """lib/sim/CONFORMANCE.md with an id for each heading and each call; or
    `translated`, a page that takes over its tables."""
    if not tree.exists(CONFORMANCE):
        return ("# What the simulator does\n\nThe list of every call and how "
                f"near it is to NVIDIA's is `{CONFORMANCE}`, which this "
                "checkout lacks.\n")
    text = with_ids(tree.text(CONFORMANCE))
    if not tree.exists(translated):
        return text
    return with_tables(tree.text(translated), text, translated,
                       translation.phrases(tree))


def with_ids(text: str) -> str:
    out, seen, fence = [], set(), ""
    for line in text.splitlines():
        mark = md.FENCE.match(line)
        if mark and not fence:
            fence = mark[2]
        elif mark and mark[2].startswith(fence):
            fence = ""
        match = re.match(r"^(#{2,4}) +(.*)$", line)
        if match and not fence and "{#" not in line:
            ident = unique(slug(match[2]), seen)
            line = f"{match[1]} {match[2]} {{#{ident}}}"
        elif line.startswith("|") and not fence:
            line = row_id(line, seen)
        out.append(line)
    return "\n".join(out)


def with_tables(text: str, english: str, path: str,
                known: dict[str, str]) -> str:
    """A translated page whose lines `{{tables of ID}}` and `{{names of ID}}`
    become the rows, and the lists of names, of the English section ID, in
    which known cells are translated."""
    parts, ident = {}, ""
    for line in english.splitlines():
        match = re.match(r"^#.*\{#([^}]+)\}$", line)
        ident = match[1] if match else ident
        parts.setdefault(ident, []).append(line)
    out = []
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r"^\{\{(tables|names) of ([\w-]+)\}\}$", line)
        if not match:
            out.append(line)
        elif match[2] not in parts:
            raise Fault(f"{CONFORMANCE} has no section '{match[2]}'", path,
                        number)
        elif match[1] == "tables":
            out += [cells_in(known, row) for row in parts[match[2]]
                    if row.startswith("|")]
        else:
            out += [row for row in parts[match[2]] if re.match(
                r"^(Never: )?`\w+`( `\w+`)*$", row)]
    return "\n".join(out).replace("\nNever: ", "\n")


def cells_in(known: dict[str, str], row: str) -> str:
    """A row whose known cells are in the page's language."""
    return "|".join(f" {known[cell.strip()]} " if cell.strip() in known
                    else cell for cell in row.split("|"))


def unique(ident: str, seen: set[str]) -> str:
    ident, base, count = ident or "part", ident or "part", 1
    while ident in seen:
        count += 1
        ident = f"{base}-{count}"
    seen.add(ident)
    return ident


def row_id(line: str, seen: set[str]) -> str:
    """The first call that a table's first cell names gets its name as id."""
    cell = line.split("|")[1]
    for name in re.findall(r"\b(cu(?:da|blas)[A-Z]\w+)", cell):
        if name not in seen:
            seen.add(name)
            return line.replace(name, "\0", 1).replace(
                "`\0`", f"[`{name}`]{{#{name}}}", 1).replace("\0", name)
    return line
