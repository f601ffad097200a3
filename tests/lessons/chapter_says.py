"""A chapter says what it owes its readers about Python and the world outside.

    chapter_says.py CHAPTER SAYS

SAYS has one debt a line: `seeds T20: words that the chapter must contain`.
Line breaks in the chapter count as spaces.
"""

from __future__ import annotations

import sys
from pathlib import Path


def main(argv: list[str]) -> int:
    chapter = " ".join(Path(argv[1]).read_text(encoding="utf-8").split())
    owed = 0
    words = []
    for line in Path(argv[2]).read_text(encoding="utf-8").splitlines():
        row, colon, text = line.partition(": ")
        if line.startswith("#") or not line.strip():
            continue
        owed += 1
        if not colon or not row.startswith("seeds "):
            words.append(f"{argv[2]}: a line is `seeds ROW: words`, not: {line}")
        elif " ".join(text.split()) not in chapter:
            words.append(f"{argv[1]} does not say what {row} asks for: {text}")
    if not owed:
        words.append(f"{argv[2]} asks for nothing")
    print("\n".join(words) or f"{owed} things said")
    return 1 if words else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
