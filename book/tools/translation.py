"""What of the Chinese edition is behind the English it was made from.

    translation.py [--root DIR] [--made NAME…] [--made-all]

Without arguments: one line for each page whose English has changed since.
After the translation has followed, --made NAME notes that it has; NAME is a
page (02_tensor_transfer) or a chapter's exercises (02_tensor_transfer.json).

book/zh/made_from holds a hash of each English text. The pages themselves
carry no date, so nothing has to be kept in step by hand but this one file.
"""
from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from pathlib import Path

import sources as src
from fault import Fault

FOLDER = "book/zh"
TABLE = f"{FOLDER}/made_from"
PHRASES = f"{FOLDER}/phrases"
CONFORMANCE = "lib/sim/CONFORMANCE.md"
TAKEN_OVER = re.compile(r"\| (`cu|`CUBLAS|\d)|`\w+`")
HEAD = """\
# The English text that each Chinese page was made from, as a hash.
# Behind? python3 book/tools/translation.py
# Translated anew? python3 book/tools/translation.py --made NAME
"""


def english(tree: src.Tree, name: str) -> str:
    """What a translator of this page or of these exercises has to read."""
    if name.endswith(".json"):
        lesson = name.removesuffix(".json")
        paths = tree.folder(f"tests/lessons/{lesson}", "ex*.json")
        shown = {}
        for path in paths:
            texts = json.loads(tree.text(str(path.relative_to(tree.root))))
            shown[path.stem] = [texts.get("title"), texts.get("hints")]
        return json.dumps(shown, sort_keys=True)
    if name == "conformance":  # its tables are not translated but taken over
        return "\n".join(line for line in tree.text(CONFORMANCE).splitlines()
                         if not TAKEN_OVER.match(line))
    return tree.text(f"book/{name}.md")


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def translated(tree: src.Tree) -> list[str]:
    """Everything that has been translated, pages and exercises."""
    pages = [path.stem for path in tree.folder(FOLDER, "*.md")]
    boxes = [path.name for path in tree.folder(FOLDER, "*.json")]
    return sorted(pages + boxes)


def read(tree: src.Tree) -> dict[str, str]:
    """name -> hash"""
    if not tree.exists(TABLE):
        return {}
    noted = {}
    for number, line in enumerate(tree.text(TABLE).splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            cells = line.split()
            if len(cells) != 2:
                raise Fault("a row is a name and a hash", TABLE, number)
            noted[cells[0]] = cells[1]
    return noted


def behind(tree: src.Tree) -> list[str]:
    """The names whose English is newer than the translation."""
    noted = read(tree)
    return [name for name in translated(tree)
            if name.endswith(".json") or name == "conformance"
            or tree.exists(f"book/{name}.md")
            if noted.get(name) != digest(english(tree, name))]


def phrases(tree: src.Tree) -> dict[str, str]:
    """What is taken over from English files, English -> Chinese."""
    if not tree.exists(PHRASES):
        return {}
    rows = [line.split(" | ") for line in tree.text(PHRASES).splitlines()
            if line.strip() and not line.startswith("#")]
    for row in rows:
        if len(row) != 2:
            raise Fault(f"a row is 'English | Chinese': {row[0]}", PHRASES, 1)
    return dict(rows)


def still_english(tree: src.Tree) -> list[str]:
    """Such phrases that the Chinese pages have in English: what earns points
    in an exercise, and the notes of the simulator's tables."""
    known = phrases(tree)
    found = [rule["means"] for path
             in sorted(tree.root.glob("tests/lessons/*/ex*.json"))
             for rule in json.loads(path.read_text("utf-8"))
             .get("facts", {}).values()
             if (rule.get("weight") or rule.get("required"))
             and rule.get("means") and rule["means"] not in known]
    for line in tree.text(CONFORMANCE).splitlines():
        if not re.match(r"\| (`cu|`CUBLAS|\d)", line):
            continue
        row = [cell.strip() for cell in line.strip(" |").split("|")]
        note = row[3] if row[0].isdigit() else row[2]
        if note not in known and not re.match(r"-$|\d+$|cuda\w+$", note):
            found.append(note)
    return found


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description="Tell which Chinese pages are behind the English ones.")
    parser.add_argument("--root", type=Path,
                        default=Path(__file__).resolve().parents[2])
    parser.add_argument("--made", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--made-all", action="store_true")
    args = parser.parse_args(argv)
    tree = src.Tree(args.root.resolve())
    names = translated(tree)
    done = names if args.made_all else args.made
    for name in done:
        if name not in names:
            print(f"there is no {FOLDER}/{name}", file=sys.stderr)
            return 1
    try:
        if done:
            noted = read(tree) | {name: digest(english(tree, name))
                                  for name in done}
            wide = max(map(len, names))
            (tree.root / TABLE).write_text(HEAD + "".join(
                f"{name:<{wide}}  {noted[name]}\n" for name in names
                if name in noted), "utf-8")
            tree.texts.pop(TABLE, None)
        late, still = behind(tree), (still_english(tree) if tree.exists(
            PHRASES) else [])
    except Fault as fault:
        print(fault, file=sys.stderr)
        return 1
    for name in late:
        print(f"{FOLDER}/{name}: the English is newer")
    for note in still:
        print(f"{PHRASES} lacks: {note}")
    print(f"{len(names)} translated, {len(late)} behind")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
