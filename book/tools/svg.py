"""Inline SVG, a shape at a time. Colours and fonts are classes of book.css,
so that a picture follows the page's theme."""
from __future__ import annotations

import html
from unicodedata import east_asian_width

# How wide a character of the picture's text is, about, at size 13.
CHAR, CODE_CHAR = 6.9, 7.9


def number(value: float) -> str:
    """Short and the same everywhere: 12, 12.5, 0.25."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def attributes(values: dict[str, object]) -> str:
    made = []
    for key, value in values.items():
        if value in (None, ""):
            continue
        if isinstance(value, float):
            value = number(value)
        made.append(f' {key.rstrip("_").replace("_", "-")}='
                    f'"{html.escape(str(value))}"')
    return "".join(made)


def tag(name: str, inner: str = "", **values: object) -> str:
    if inner:
        return f"<{name}{attributes(values)}>{inner}</{name}>"
    return f"<{name}{attributes(values)}/>"


def rect(x: float, y: float, width: float, height: float, class_: str,
         rx: float = 4) -> str:
    return tag("rect", x=float(x), y=float(y), width=float(width),
               height=float(height), rx=float(rx), class_=class_)


def line(x1: float, y1: float, x2: float, y2: float, class_: str,
         end: str = "") -> str:
    return tag("line", x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2),
               class_=class_, marker_end=end)


def path(d: str, class_: str, end: str = "") -> str:
    return tag("path", d=d, class_=class_, marker_end=end)


def text(x: float, y: float, words: str, class_: str = "",
         anchor: str = "") -> str:
    return tag("text", html.escape(words, quote=False) or " ", x=float(x),
               y=float(y), class_=class_, text_anchor=anchor)


def columns(words: str) -> int:
    """How wide words are, in characters of Latin: a Chinese one takes two."""
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in words)


def cut(words: str, width: float, char: float = CHAR) -> str:
    """Words that fit into a width."""
    room = int(width / char)
    if columns(words) <= room:
        return words
    while words and columns(words) > room - 1:
        words = words[:-1]
    return words.rstrip() + "…" if room > 3 else ""


def arrow_head(ident: str) -> str:
    return (f'<defs><marker id="{ident}-head" viewBox="0 0 8 8" refX="7" '
            'refY="4" markerWidth="8" markerHeight="8" orient="auto">'
            '<path d="M0 0L8 4L0 8Z" class="head"/></marker></defs>')


def picture(ident: str, title: str, says: str, width: float, height: float,
            shapes: list[str]) -> str:
    """The whole drawing, with its title and description."""
    head = arrow_head(ident) if any("-head)" in s for s in shapes) else ""
    return (f'<div class="canvas"><svg viewBox="-1 -1 {number(width + 2)} '
            f'{number(height + 2)}" role="img" aria-labelledby="{ident}-title '
            f'{ident}-desc" style="--w:{number(width)}px">'
            f'<title id="{ident}-title">{html.escape(title, quote=False)}'
            f'</title><desc id="{ident}-desc">'
            f"{html.escape(says, quote=False)}</desc>{head}\n"
            + "\n".join(shapes) + "\n</svg></div>")


def table(head: list[str], rows: list[list[str]]) -> str:
    """The same facts as a table: the text equivalent."""
    def cells(kind: str, row: list[str]) -> str:
        return "".join(f"<{kind}>{html.escape(c, quote=False)}</{kind}>"
                       for c in row)
    body = "\n".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return (f'<div class="table"><table><thead><tr>{cells("th", head)}</tr>'
            f"</thead><tbody>\n{body}\n</tbody></table></div>")
