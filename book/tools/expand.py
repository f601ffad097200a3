"""First pass over a page: the author's fences become what they stand for.

Reads book/NN_name.md, resolves regions, transcripts, exercises, call logs and
figures, checks headings, and returns Markdown that pandoc and page.lua can
present, together with what other pages need to know of this one.
"""
from __future__ import annotations

import re
from typing import Callable, NamedTuple

import blocks
import markdown as md
import sources as src
from fault import Fault

# What a run showed. Right after a prediction it goes into the answer's fold.
SHOWN = ("output", "calllog", "figure")
BOXES = ("goals", "predict", "answer", "pytorch", "cost", "today", "trap",
         "recap", "note")
KNOWN = {"output": {"run", "region", "from", "to", "grep", "bare", "stream"},
         "calllog": {"run", "region", "from", "to", "grep"},
         "exercise": {"lesson", "ex"},
         "figure": None,
         "listing": {"file", "region", "highlight", "match", "title"}}


class Page(NamedTuple):
    """A page after the first pass."""
    name: str                     # 02_tensor_transfer
    path: str                     # book/02_tensor_transfer.md
    title: str                    # HTML
    headings: list[md.Heading]    # ## and ###
    ids: dict[str, int]           # every id an author gave, with its line
    links: list[tuple[int, str]]  # (line, target)
    names: list[tuple[int, str, str]]  # (line, kind, text): call term test code
    used: set[str]                # region and exercise keys, identifiers
    runs: list[tuple[int, str]]   # (line, NN_name/<run>) of what is shown
    markdown: str
    faults: list[Fault]


class Expander(blocks.Blocks):
    """The state of one page's first pass."""

    def __init__(self, tree: src.Tree, pictures: blocks.Pictures, name: str,
                 path: str) -> None:
        super().__init__(tree, pictures)
        self.trusted = False
        self.boxes: list[tuple[str, int]] = []
        self.answer: list[int] = []   # where one begins and ends in out
        self.asked = False            # nothing but it since: a prediction
        self.name, self.path = name, path
        self.out: list[str] = []
        self.headings: list[md.Heading] = []
        self.ids: dict[str, int] = {}
        self.links: list[tuple[int, str]] = []
        self.names: list[tuple[int, str, str]] = []
        self.faults: list[Fault] = []
        self.title = ""

    def page(self, text: str) -> Page:
        lines = text.splitlines()
        at = 0
        while at < len(lines):
            number = at + 1
            fence = md.FENCE.match(lines[at])
            self.asked &= bool(fence or not lines[at].strip())
            try:
                if fence:
                    end = self.end_of_fence(lines, at, fence[2])
                    self.fence(fence, lines[at + 1:end], number,
                               lines[at:end + 1])
                    at = end + 1
                    continue
                self.line(lines[at], number)
            except Fault as fault:
                self.faults.append(fault.at(self.path, number))
                self.out += ["", f"**Missing here:** {fault.sentence}", ""]
                at = self.after(lines, at, fence)
                continue
            at += 1
        for name, opened in self.boxes:
            self.faults.append(Fault(f"'::: {name}' is never closed",
                                     self.path, opened))
        if not self.title:
            self.faults.append(Fault("the page has no '# Title'", self.path,
                                     1))
        return Page(self.name, self.path, self.title, self.headings, self.ids,
                    self.links, self.names, self.used, self.runs,
                    "\n".join(self.out)
                    + "\n", self.faults)

    def after(self, lines: list[str], at: int, fence: re.Match | None) -> int:
        """Where to go on after a fault, to find the next one too."""
        try:
            end = self.end_of_fence(lines, at, fence[2]) if fence else at
        except Fault:
            end = len(lines)
        return end + 1

    @staticmethod
    def end_of_fence(lines: list[str], at: int, mark: str) -> int:
        close = re.compile(r"^\s*" + re.escape(mark[0]) + "{%d,}\\s*$"
                           % len(mark))
        for end in range(at + 1, len(lines)):
            if close.match(lines[end]):
                return end
        raise Fault("this code block is never closed")

    def line(self, text: str, number: int) -> None:
        """Prose: note its headings, links and names; pass it on."""
        if text.lstrip().startswith(":::"):
            self.box(text, number)
            return
        head = md.heading(text, number)
        if head and head.level == 1:
            if self.title:
                raise Fault("a page has one '# Title'; sections are '##'")
            self.title = md.inline_html(head.text)
            return
        if head:
            self.add_id(head.id, number)
            if head.level <= 3:
                self.headings.append(head)
        prose = md.INLINE_CODE.sub(self.note_code(number), text)
        for target in md.LINK.findall(prose):
            self.links.append((number, target))
        for words, braces in md.SPAN.findall(prose):
            self.note_span(words, md.attributes("{" + braces + "}"), number)
        if not self.trusted and re.match(r"^\s*</?[a-z][a-z0-9]*[\s/>]", text):
            raise Fault("no HTML in a page: use the fences of book/README.md")
        self.out.append(text)

    def box(self, text: str, number: int) -> None:
        """A ::: line: opens a box that we know, or closes the last one."""
        name = text.strip().lstrip(":").strip()
        self.out.append(text)
        if not name:
            if not self.boxes:
                raise Fault("':::' closes nothing")
            closed, _ = self.boxes.pop()
            if closed == "answer":
                self.answer.append(len(self.out) - 1)
            self.asked = closed == "predict" and len(self.answer) == 2
            return
        if name.startswith("{"):
            attrs = md.attributes(name)
            if attrs.id:
                self.add_id(attrs.id, number)
            name = attrs.classes[0] if attrs.classes else name
        self.boxes.append((name, number))
        if name in ("predict", "answer"):
            self.answer = [len(self.out) - 1] if name == "answer" else []
        if name not in BOXES and not self.trusted:
            raise Fault(f"there is no box '::: {name}'. There are: "
                        + ", ".join(BOXES))
        if name == "trap" and not (text.strip().endswith("}")
                                   and attrs.values.get("title")):
            raise Fault("a trap has a title=\"…\": what is often said, and "
                        "is wrong")
        if name == "answer" and "predict" not in [b[0] for b in self.boxes]:
            raise Fault("an 'answer' stands inside a 'predict'")

    def note_code(self, number: int) -> Callable[[re.Match], str]:
        def note(match: re.Match) -> str:
            braces = match[3] or "{}"
            if "foreign" not in md.attributes(braces).classes:
                self.names.append((number, "code", match[2].strip()))
            return "code"
        return note

    def note_span(self, words: str, attrs: md.Attributes, number: int) -> None:
        for kind in ("call", "term", "test"):
            if kind in attrs.classes:
                self.names.append((number, kind,
                                   attrs.values.get("of", words)))
        if attrs.id:
            self.add_id(attrs.id, number)

    def prose(self, body: list[str], number: int) -> None:
        length = len(self.out)
        for at, text in enumerate(body):
            self.line(text, number + at)
        del self.out[length:]

    def add_id(self, ident: str, number: int) -> None:
        if ident in self.ids:
            raise Fault(f"the id '{ident}' is used twice: first in line "
                        f"{self.ids[ident]}")
        self.ids[ident] = number

    def fence(self, match: re.Match, body: list[str], number: int,
              whole: list[str]) -> None:
        asked, self.asked = self.asked, False
        if match[3].startswith("{="):
            if not self.trusted:
                raise Fault("no HTML in a page: use the fences of "
                            "book/README.md")
            self.out += whole
            return
        braces = match[3] if match[3].startswith("{") else "{}"
        attrs = md.attributes(braces)
        kind = attrs.classes[0] if attrs.classes else ""
        if "file" in attrs.values:
            kind = "listing"
        if kind not in KNOWN:
            self.out += whole
            return
        known = KNOWN[kind]
        for key in attrs.values:
            if known is not None and key not in known:
                raise Fault(f"a .{kind} has no attribute {key}=; it has: "
                            + ", ".join(sorted(known)))
        made = getattr(self, kind)(attrs, body, number)
        made = ["", *(match[1] + line for line in made), ""]
        if asked and kind in SHOWN:
            self.fold(made)
        else:
            self.out += made

    def fold(self, made: list[str]) -> None:
        """Put what a run showed into the answer before it: who predicts does
        not read the outcome on the way."""
        start, end = self.answer
        self.out[start] = "::: {.answer .shows}"
        self.out[end:end] = made
        self.answer[1] += len(made)
        self.asked = True


def expand(tree: src.Tree, pictures: blocks.Pictures, name: str, path: str,
           generated: str = "") -> Page:
    """A page from its file, or from text that the build has written."""
    expander = Expander(tree, pictures, name, path)
    expander.trusted = bool(generated)
    return expander.page(generated or tree.text(path))
