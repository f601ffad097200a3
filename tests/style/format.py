"""Every C file stands as clang-format 14 puts it."""

import pathlib
import re
import shutil
import subprocess
from typing import Optional

import guard


def find_clang_format() -> Optional[str]:
    """clang-format 14 exactly: other versions disagree about details."""
    for name in ("clang-format-14", "clang-format"):
        if shutil.which(name):
            said = subprocess.run([name, "--version"], capture_output=True,
                                  text=True, check=False).stdout
            if re.search(r"version 14\.", said):
                return name
    return None


def check(root: pathlib.Path, options: guard.Options) -> list[str]:
    names = guard.files(root, options, (".c", ".h", ".cu"))
    if not names:
        return []
    result = subprocess.run(
        [find_clang_format() or "clang-format-14", "--dry-run", "-Werror",
         "--style=file", *names],
        cwd=root, capture_output=True, text=True, check=False)
    wrong = re.findall(r"^(.+?):(\d+):\d+: error", result.stderr, re.M)
    first = {}
    for name, line in wrong:
        first.setdefault(name, line)
    if result.returncode and not first:
        return [result.stderr.strip()]
    return [f"{name}:{line}: clang-format -i {name}"
            for name, line in first.items()]


STYLE = "BasedOnStyle: LLVM\nIndentWidth: 4\n"
BAD = "int  f( void ){return 0 ;}\n"
SAMPLES = [
    guard.Sample({".clang-format": STYLE, "lib/a.c": "int a;\n"}, None),
    guard.Sample({".clang-format": STYLE, "lib/a.c": BAD}, "lib/a.c:1"),
    guard.Sample({".clang-format": STYLE, "lessons/00_x/ex1.c": BAD}, None),
    guard.Sample({".clang-format": STYLE, "lessons/00_x/ex1.c": BAD}, "ex1.c",
                 guard.Options(author=True)),
]

if __name__ == "__main__":
    guard.run(check, SAMPLES,
              None if find_clang_format() else "clang-format 14")
