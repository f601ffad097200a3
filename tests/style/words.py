"""Prose without belittling words, and nothing that names somebody's machine."""

import pathlib
import re

import guard

BELITTLING = re.compile(r"\b(just|simply|obviously)\b", re.I)
# A home or a working folder by its absolute path: no other machine has it.
# (A path inside a longer one, or in a URL, is another matter.)
MACHINE = re.compile(r"(?<![\w.}~])/(?:home|Users|root|work|farm)/[\w.]")
CODE = re.compile(r"^(```|~~~).*?^\1[^\n]*$|`[^`\n]*`|<!--.*?-->",
                  re.M | re.S)


def prose(text: str) -> str:
    """Markdown without its code and comments; the lines stay."""
    return CODE.sub(lambda found: re.sub(r"[^\n]", " ", found.group(0)), text)


def is_prose(name: str) -> bool:
    return name.endswith(".md") and (name.startswith("book/") or
                                     "/" not in name)


def check(root: pathlib.Path, options: guard.Options) -> list[str]:
    complaints = []
    for name in guard.files(root, options, ("",)):
        text = guard.read(root, name)
        if "\0" in text[:1000]:
            continue
        if is_prose(name):
            for number, line in enumerate(prose(text).splitlines(), 1):
                for word in BELITTLING.findall(line):
                    complaints.append(f"{name}:{number}: \"{word}\": if it "
                                      "were, nobody would need the sentence")
        for number, line in enumerate(text.splitlines(), 1):
            if MACHINE.search(line):
                complaints.append(f"{name}:{number}: a path of one machine: "
                                  f"{line.strip()[:60]}")
    return complaints


SAMPLES = [
    guard.Sample({"book/00_a.md": "A copy costs.\n\n```c\njust(1);\n```\n"
                                  "`simply` is a word.\n"}, None),
    guard.Sample({"book/00_a.md": "One.\nYou just copy it.\n"},
                 "book/00_a.md:2: \"just\""),
    guard.Sample({"README.md": "Obviously.\n"}, "README.md:1"),
    guard.Sample({"lib/a.c": "// just\n"}, None),
    guard.Sample({"lib/a.c": "/" + "home/ann/a.h\n"}, "a path of one machine"),
    guard.Sample({"lib/a.c": "https://a.org/" + "home/x ~/" + "work/a\n"},
                 None),
]

if __name__ == "__main__":
    guard.run(check, SAMPLES)
