"""What each of the author's fences becomes: Markdown with raw HTML around it.

Blocks is the half of an Expander (expand.py) that writes; the other half
reads. Each method takes (attributes, body, line) and returns lines.
"""
from __future__ import annotations

import html
import re
from pathlib import PurePosixPath
from typing import Callable, NamedTuple

import markdown as md
import sources as src
import translation
import wholes
from fault import Fault

ESCAPED = {"quote": False}


class Pictures(NamedTuple):
    """What needs the built programs: given from outside, so that a page can
    be read without them."""
    figure: Callable[[md.Attributes, list[str]], tuple[str, str, str]]
    calls: Callable[[src.Run, str], list[str]]
    machine: Callable[[str], str]
    words: dict                   # the edition's own words
    translated: str = ""          # its folder, when it is a translation


def logged(call: str) -> str:
    """A line of the call log, with its time and its success set back."""
    text = html.escape(call, **ESCAPED)
    text = re.sub(r"\b(cu[a-zA-Z]\w*)(?=\()", r"<b>\1</b>", text, count=1)
    text = re.sub(r"^( *\d+\.\d+ us)", r"<i>\1</i>", text)
    return re.sub(r"( = 0(?: \w+)?)$", r"<i>\1</i>", text)


# A name in a hint that is written for the terminal, too: tensor_to(x, device)
NAMED = re.compile(r"`[^`]*`|(?<![\w>./])(?:cuda[A-Z]\w*|[a-z]\w*_\w+)"
                   r"(?:\((?:[^()]|\([^()]*\))*\)|"
                   r"\[(?:[^][]|\[[^][]*\])*\])?")


def coded(hint: str) -> str:
    """A hint with its names as code, so that they lead to their contracts."""
    return NAMED.sub(lambda name: f"`{name[0].strip('`')}`", hint)


def wraps(lines: list[str]) -> str:
    """The class of an output that may be wrapped: one that is no table, whose
    three or more columns would fall apart."""
    table = any(re.search(r"^[+|]|(\S {2,}\S.*){2}", line)
                for line in lines)
    return "" if table else " wraps"


class Blocks:
    """Writes what a fence stands for."""

    def __init__(self, tree: src.Tree, pictures: Pictures) -> None:
        self.tree, self.pictures = tree, pictures
        self.words = pictures.words
        self.used: set[str] = set()
        self.runs: list[tuple[int, str]] = []
        self.whole: dict[str, str] = {}
        self.blocks = 0

    def add_id(self, ident: str, number: int) -> None:
        """Note an id of the page; the reading half refuses a second one."""
        raise NotImplementedError

    def prose(self, body: list[str], number: int) -> None:
        """Note the names and links in a fence's own words."""
        raise NotImplementedError

    def need(self, attrs: md.Attributes, kind: str, key: str) -> str:
        if not attrs.values.get(key):
            raise Fault(f"a .{kind} needs {key}=\"…\"")
        return attrs.values[key]

    # -- code ----------------------------------------------------------

    def listing(self, attrs: md.Attributes, body: list[str],
                number: int) -> list[str]:
        path, region = attrs.values["file"], attrs.values.get("region", "")
        if any(text.strip() for text in body):
            raise Fault("a block with file= is filled by the build: leave it "
                        "empty")
        lines = src.shown_lines(self.tree, path, region)
        marks = self.marks(attrs, lines, path)
        language = attrs.classes[0] if attrs.classes else wholes.LANGUAGES.get(
            PurePosixPath(path).suffix, "text")
        self.used.add(f"{path}#{region}")
        for line in lines:
            self.used.update(re.findall(r"\b[A-Za-z_]\w+(?=\()", line.text))
        caption = html.escape(attrs.values.get("title", ""), **ESCAPED)
        shown = f'<code class="path">{html.escape(path)}</code>'
        known = self.whole.get(path) or wholes.address(path)
        if known and region:
            shown = (f'<a href="{known}" title="{self.words["whole"]}">'
                     f"{shown}</a>")
        made = [*md.raw('<figure class="listing">\n<figcaption>' + shown
                        + (f' <span class="what">{caption}</span>'
                           if caption else "") + "</figcaption>")]
        made += self.code(lines, language, marks)
        if region and path not in self.whole:
            made += self.whole_file(path, language)
        return made + md.raw("</figure>")

    def marks(self, attrs: md.Attributes, lines: list[src.Line],
              path: str) -> list[int]:
        """True numbers of the lines to highlight."""
        found: list[int] = []
        for part in filter(None, attrs.values.get("highlight", "").split(",")):
            first, _, last = part.strip().partition("-")
            if not first.isdigit() or (last and not last.isdigit()):
                raise Fault(f"highlight=\"{part}\" must be lines, such as 3 "
                            "or 3-4,7")
            for shown in range(int(first), int(last or first) + 1):
                if not 1 <= shown <= len(lines):
                    raise Fault(f"highlight=\"{part}\": only {len(lines)} "
                                "lines are shown")
                found.append(lines[shown - 1].number)
        text = attrs.values.get("match", "")
        if text:
            hits = [line.number for line in lines if text in line.text]
            if not hits:
                raise Fault(f"match=\"{text}\": no shown line of {path} "
                            "contains it")
            found += hits
        return found

    def code(self, lines: list[src.Line], language: str,
             marks: list[int]) -> list[str]:
        """A code block that page.lua numbers and highlights."""
        self.blocks += 1
        return wholes.fence(lines, language, f"code-{self.blocks}", marks)

    def whole_file(self, path: str, language: str) -> list[str]:
        """Under a file's first region: the way to all of it. A lesson's file
        stands on a page of its own, any other in a fold."""
        there = wholes.address(path)
        if there:
            self.whole[path] = there
            return md.raw(f'<a class="whole" href="{there}">'
                          f"{self.words['whole']}</a>")
        ident = "file-" + wholes.slug(path)
        self.whole[path] = f"#{ident}"
        return [*md.raw(f'<details class="whole" id="{ident}">'
                        f"<summary>{self.words['whole']}</summary>"),
                *self.code(wholes.lines(self.tree, path),
                           f"{language} .plain", []),
                *md.raw("</details>")]

    # -- runs ----------------------------------------------------------

    def output(self, attrs: md.Attributes, body: list[str],
               number: int) -> list[str]:
        run = src.find_run(self.tree, self.need(attrs, "output", "run"))
        self.runs.append((number, run.key))
        if attrs.values.get("stream") == "err":
            path = f"tests/lessons/{run.lesson}/expected/{run.name}.err"
            lines = [src.plain_fields(line)
                     for line in self.tree.text(path).splitlines()]
        else:
            lines = src.transcript(self.tree, run,
                                   attrs.values.get("region", ""))
        lines = src.cut_lines(lines, attrs.values, f"run {run.key}")
        text = html.escape("\n".join(lines), **ESCAPED)
        caption = "" if attrs.values.get("bare") else self.command(run)
        label = f"{self.words['output_of']}{run.program}"
        return md.raw(f'<figure class="run" aria-label="{label}">\n{caption}'
                      f'<pre class="output{wraps(lines)}"><samp>{text}</samp>'
                      "</pre>\n</figure>")

    def command(self, run: src.Run) -> str:
        """What to type, and what it ran on."""
        env = [f"{key}={value}" for key, value in run.env.items()]
        if run.machine not in ("any", "real", "v100x8"):
            env.insert(0, f"SIM_MACHINE={run.machine}")
        folder = f"lessons/{run.lesson}" if run.program != "smi" else "bin"
        program = f"build/sim/{folder}/{run.program}"
        typed = html.escape(" ".join([*env, program]), **ESCAPED)
        if run.machine == "real":
            place = self.words["real_gpu"]
        else:
            name = "v100x8" if run.machine == "any" else run.machine
            title = html.escape(self.pictures.machine(name), **ESCAPED)
            place = (f'<a href="machines.html#{name}">{title}</a>'
                     f"{self.words['comma']}{self.words['simulated']}")
        ends = ""
        if run.exit != "0":
            words = self.words["ends_code" if run.exit.isdigit()
                               else "ends_signal"]
            ends = (' <span class="exit">'
                    + words.format(code=html.escape(run.exit)) + "</span>")
        return (f'<figcaption><code class="command">{typed}</code> '
                f'<span class="machine">{place}</span>{ends}</figcaption>\n')

    def calllog(self, attrs: md.Attributes, body: list[str],
                number: int) -> list[str]:
        run = src.find_run(self.tree, self.need(attrs, "calllog", "run"))
        region = attrs.values.get("region", "")
        calls = self.pictures.calls(run, region)
        calls = src.cut_lines(calls, attrs.values, f"the log of {run.key}")
        shown = [logged(call) for call in calls]
        count = f"{len(calls)} {self.words['lines']}"
        return md.raw('<details class="calllog"><summary>'
                      f'{self.words["call_log"]} '
                      f'<span class="count">{count}</span></summary>\n'
                      '<pre><samp>' + "\n".join(shown)
                      + "</samp></pre>\n</details>")

    # -- boxes that are made -------------------------------------------

    def exercise(self, attrs: md.Attributes, body: list[str],
                 number: int) -> list[str]:
        lesson = self.need(attrs, "exercise", "lesson")
        name = self.need(attrs, "exercise", "ex")
        manifest = src.exercise(self.tree, lesson, name,
                                self.pictures.translated)
        self.add_id(name, number)
        self.used.add(f"exercise {lesson}/{name}")
        self.prose(body, number + 1)
        short, count = lesson[:2], name.removeprefix("ex")
        points = f"{manifest['points']} {self.words['points']}"
        hints = manifest["hints"]
        made = md.raw(
            f'<section class="box exercise" id="{name}">\n'
            f'<h3 class="box-title"><span class="label">'
            f"{self.words['exercise']} {short}.{count}</span> {md.inline_html(manifest['title'])}"
            f' <span class="points">{points}</span></h3>')
        made += ["", *body, ""]
        made += md.raw(
            f"<dl><dt>{self.words['edit']}</dt><dd><code>"
            f"{html.escape(manifest['file'], **ESCAPED)}</code></dd>"
            f"<dt>{self.words['check']}</dt><dd><code>./scripts/learn check {short} {name}"
            "</code></dd></dl>")
        made += self.parts(manifest)
        for at, hint in enumerate(hints, 1):
            made += [*md.raw('<details class="hint"><summary>'
                             + self.words["hint_of"].format(
                                 at=at, all=len(hints)) + "</summary>"),
                     "", *coded(str(hint)).split("\n"), "",
                     *md.raw("</details>")]
        return made + md.raw("</section>")

    def parts(self, manifest: dict) -> list[str]:
        """How an exercise's points are given: by facts that have a weight."""
        rules = {name: rule for name, rule in manifest.get("facts", {}).items()
                 if rule.get("weight")}
        whole = sum(rule["weight"] for rule in rules.values())
        known = translation.phrases(self.tree) if (
            self.pictures.translated) else {}

        def means(name: str, rule: dict) -> str:
            text = rule.get("means") or name
            return html.escape(known.get(text, text), **ESCAPED)

        colon = self.words["colon"]
        # Tenths, as the judge shows them (scripts/workbook/verdict.py).
        shares = [round(manifest["points"] * rule["weight"] / whole, 2)
                  for rule in rules.values()]
        rows = [f"<li>{round(share, 1):g} {self.words['points']}"
                f"{colon}{means(name, rule)}</li>"
                for share, (name, rule) in zip(shares, rules.items())]
        if not rows:
            return []
        told = self.words["parts_rule"].format(points=f"{manifest['points']:g}")
        if any(round(share, 1) != share for share in shares):
            told += self.words["rounded"]
        rows += [f"<li>{self.words['parts_first']}{means(name, rule)}</li>"
                 for name, rule in manifest["facts"].items() if rule.get("required")]
        return md.raw(f'<details class="parts"><summary>{self.words["parts"]}</summary>'
                      f"<p>{told}</p><ul>{''.join(rows)}</ul></details>")

    def figure(self, attrs: md.Attributes, body: list[str],
               number: int) -> list[str]:
        if not attrs.id:
            raise Fault("a .figure needs an id, such as #scatter")
        self.need(attrs, "figure", "kind")
        title = html.escape(self.need(attrs, "figure", "title"), **ESCAPED)
        self.add_id(attrs.id, number)
        svg, table, caption = self.pictures.figure(attrs, body)
        if not caption:
            raise Fault("a .figure ends with its caption: a sentence that "
                        "says what to notice")
        if attrs.values.get("run"):
            self.runs.append((number, attrs.values["run"]))
        stop = "" if title[-1] in "?？!！。" else self.words["stop"]
        return [*md.raw(f'<figure class="picture" id="{attrs.id}">\n{svg}'),
                *md.raw(f"<figcaption><strong>{title}{stop}</strong>"),
                "", caption, "",
                *md.raw('<details class="as-text"><summary>'
                        f"{self.words['in_words']}</summary>\n{table}\n</details>\n"
                        "</figcaption>\n</figure>")]
