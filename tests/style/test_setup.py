"""The set-up on machines that are not this one: a bare one, one without sudo,
one whose apt fails, one that has everything. apt-get is a stand-in that writes
down how it was called; nothing is installed."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

# What a shell script may count on: nothing here compiles or installs.
BASICS = ["sh", "awk", "cat", "cmp", "cp", "cut", "env", "grep", "head",
          "mkdir", "rm", "sed", "tail", "touch", "tr", "uname"]
APT = """#!/bin/sh
echo "$*" >>"$APT_LOG"
echo 'E: Unable to locate package'
exit {code}
"""
NPM = """#!/bin/sh
echo "npm $*" >>"$APT_LOG"
mkdir -p node_modules/axe-core node_modules/vnu-jar/build/dist
touch node_modules/axe-core/axe.min.js node_modules/vnu-jar/build/dist/vnu.jar
"""


class Outcome(NamedTuple):
    code: int
    said: str
    apt: list[str]  # how apt-get was called, a line each


def set_up(root: str, *, kinds: str = "required light", install: str = "yes",
           uid: int = 0, apt: str = APT.format(code=0), npm: str = "",
           bare: bool = True) -> Outcome:
    """tools_setup on a machine that has the basics (bare), or what this has."""
    with tempfile.TemporaryDirectory() as folder:
        tools = pathlib.Path(folder, "bin")
        tools.mkdir()
        for name in BASICS:
            (tools / name).symlink_to(shutil.which(name) or "")
        stand_ins = {"id": f"#!/bin/sh\necho {uid}\n", "apt-get": apt,
                     "npm": npm}
        book = pathlib.Path(folder, "tests/book")
        book.mkdir(parents=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(pathlib.Path(root, "tests/book", name), book)
        for name, text in stand_ins.items():
            if text:
                (tools / name).write_text(text)
                (tools / name).chmod(0o755)
        path = str(tools) if bare else f"{tools}:{os.environ['PATH']}"
        log = pathlib.Path(folder, "apt.log")
        log.touch()
        result = subprocess.run(
            [str(tools / "sh"), "-eu", "-c",
             f'. "$1/scripts/lib/tools.sh"; tools_setup "{kinds}" {install}',
             "sh", root], cwd=folder, text=True, check=False,
            env={"PATH": path, "APT_LOG": str(log), "HOME": folder},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        return Outcome(result.returncode, result.stdout,
                       log.read_text().splitlines())


def expect(what: str, outcome: Outcome, code: int, apt_calls: int,
           *said: str) -> int:
    """How many of these expectations are not met, each told."""
    wrong = [f"exit code {outcome.code}, expected {code}"
             for _ in "." if outcome.code != code]
    if len(outcome.apt) != apt_calls:
        wrong.append(f"apt-get was called {len(outcome.apt)} times, expected "
                     f"{apt_calls}: {outcome.apt}")
    wrong += [f"nothing says \"{text}\"" for text in said
              if text not in outcome.said + "\n".join(outcome.apt)]
    for complaint in wrong:
        print(f"{what}: {complaint}\n{outcome.said}")
    return len(wrong)


def main(argv: list[str]) -> int:
    root = argv[0]
    wrong = expect("a bare machine", set_up(root), 1, 2, " update",
                   "--no-install-recommends gcc libc6-dev cmake ninja-build "
                   "make python3 ", "Installing with apt", "Stopping")
    wrong += expect("--no-install", set_up(root, install="no"), 1, 0,
                    "not here: a C11 compiler (gcc libc6-dev)", "cmocka")
    wrong += expect("no sudo", set_up(root, uid=1000), 1, 0,
                    "there is no sudo here", "apt-get install gcc")
    wrong += expect("apt fails", set_up(root, apt=APT.format(code=100)), 1, 2,
                    "apt could not install all of that", "E: Unable")
    wrong += expect("no apt", set_up(root, apt=""), 1, 0,
                    "neither Debian nor Ubuntu", "(ninja-build make)")
    wrong += expect("npm fails", set_up(root, kinds="full",
                                        npm="#!/bin/sh\nexit 1\n"), 0, 2,
                    "npm could not", "not here: axe-core, by npm")
    wrong += expect("npm is refused", set_up(root, kinds="full", npm=NPM,
                                             install="no"), 0, 0,
                    "not here: axe-core, by npm")
    outcome = set_up(root, kinds="full", npm=NPM)
    wrong += expect("npm works", outcome, 0, 3, "Installing with npm",
                    "npm ci --ignore-scripts")
    wrong += "axe-core, by npm" in outcome.said
    wrong += expect("a machine that has everything",
                    set_up(root, kinds="required", bare=False), 0, 0)
    for script in ("start", "test", "check-all"):
        result = subprocess.run([f"{root}/scripts/{script}", "--bogus"],
                                capture_output=True, text=True, check=False)
        wrong += expect(f"{script} --bogus",
                        Outcome(result.returncode, result.stderr, []), 2, 0,
                        "no option \"--bogus\"", "--help")
    with tempfile.TemporaryDirectory() as folder:
        for name, code in (("a,b", 1), ("a#b", 1), ("it's (a) ü & b", 0)):
            clone = pathlib.Path(folder, name)
            shutil.copytree(f"{root}/scripts", clone / "scripts")
            told = ["Move the workbook to a folder without"] * code
            result = subprocess.run(
                ["sh", "-euc", '. scripts/lib/build.sh; build_place'],
                cwd=clone, env={**os.environ, "root": str(clone)},
                capture_output=True, text=True, check=False)
            wrong += expect(f"in {name}", Outcome(
                result.returncode, result.stderr, []), code, 0, *told)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
