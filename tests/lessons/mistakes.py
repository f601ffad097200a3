"""Compile programs that are wrong on purpose, and hear the compiler out.

    mistakes.py CC FOLDER INCLUDE…

Each FOLDER/*.c marks the line of its mistake with `// says: text`. The
compiler must complain about that line, with that text, and about no other.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

SAYS = re.compile(r"// says: (.*)$")
COMPLAINT = re.compile(r"^[^:]+:(\d+):\d+: (?:error|warning): (.*)$")


def wanted(path: Path) -> dict[int, str]:
    found: dict[int, str] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = SAYS.search(line)
        if match:
            found[number] = match[1].strip()
    return found


def complaints(cc: str, path: Path, includes: list[str]) -> list[tuple[int, str]]:
    command = [cc, "-std=c11", "-Wall", "-c", "-o", "/dev/null", "-fdiagnostics-color=never"]
    command += [f"-I{folder}" for folder in includes]
    done = subprocess.run([*command, str(path)], capture_output=True, text=True,
                          env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}, check=False)
    matches = (COMPLAINT.match(line) for line in done.stderr.splitlines())
    return [(int(match[1]), match[2]) for match in matches if match]


def check(cc: str, path: Path, includes: list[str]) -> list[str]:
    marked, heard = wanted(path), complaints(cc, path, includes)
    words = [] if marked else [f"{path}: no line is marked with '// says:'"]
    for number, text in marked.items():
        if not any(line == number and text in said for line, said in heard):
            words.append(f"{path}:{number}: the compiler does not say '{text}'")
    for number, said in heard:
        if number not in marked:
            words.append(f"{path}:{number}: nobody expected: {said}")
    return words


def main(argv: list[str]) -> int:
    cc, folder, includes = argv[1], Path(argv[2]), argv[3:]
    files = sorted(folder.glob("*.c"))
    words = [] if files else [f"{folder} holds no programs"]
    for path in files:
        words += check(cc, path, includes)
    print("\n".join(words) or f"{len(files)} mistakes, each heard")
    return 1 if words else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
