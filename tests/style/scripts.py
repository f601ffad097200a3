"""Shell scripts pass shellcheck and stop at the first failure; Python reads
as 3.9 and needs nothing but its standard library (and NumPy, where said)."""

import ast
import pathlib
import shutil
import subprocess
import sys

import guard

# NumPy is shared memory with in one test, PyTorch is timed in one benchmark;
# both say so when it is absent.
GUESTS = {"numpy", "torch"}


def language(root: pathlib.Path, name: str) -> str:
    """ "sh", "python" or "": by name, else by the first line."""
    if name.endswith(".py"):
        return "python"
    if name.endswith(".sh"):
        return "sh"
    if "." in pathlib.PurePosixPath(name).name:
        return ""
    first = guard.read(root, name).partition("\n")[0]
    if not first.startswith("#!"):
        return ""
    return "python" if "python" in first else "sh" if "sh" in first else ""


def complain_shell(root: pathlib.Path, name: str) -> list[str]:
    text = guard.read(root, name)
    complaints = []
    if text.startswith("#!") and "set -eu" not in text:
        complaints.append(f"{name}: no `set -eu`")
    if shutil.which("shellcheck"):
        result = subprocess.run(["shellcheck", "-x", "-f", "gcc", name],
                                cwd=root, capture_output=True, text=True,
                                check=False)
        complaints += result.stdout.splitlines()
    return complaints


def complain_python(root: pathlib.Path, name: str,
                    ours: set[str]) -> list[str]:
    try:
        tree = ast.parse(guard.read(root, name), feature_version=(3, 9))
    except SyntaxError as error:
        return [f"{name}:{error.lineno}: not Python 3.9: {error.msg}"]
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported.update(alias.name.split(".")[0] for alias in node.names)
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            imported.add(node.module.split(".")[0])
    # Only Python 3.10 and later knows the names of its own library.
    library = getattr(sys, "stdlib_module_names", imported)
    return [f"{name}: imports {module}, which Python does not bring along"
            for module in sorted(imported - set(library) - ours - GUESTS)]


def check(root: pathlib.Path, options: guard.Options) -> list[str]:
    names = guard.files(root, options, ("",))
    ours = {part.removesuffix(".py") for name in names if name.endswith(".py")
            for part in pathlib.PurePosixPath(name).parts[-2:]}
    complaints = []
    for name in names:
        kind = language(root, name)
        if kind == "sh":
            complaints += complain_shell(root, name)
        if kind == "python":
            complaints += complain_python(root, name, ours)
    return complaints


SAMPLES = [
    guard.Sample({"scripts/a": "#!/bin/sh\nset -eu\necho hello\n"}, None),
    guard.Sample({"scripts/a": "#!/bin/sh\necho hello\n"}, "no `set -eu`"),
    guard.Sample({"scripts/a.py": "import b\nimport json\n",
                  "scripts/b.py": ""}, None),
    guard.Sample({"scripts/a.py": "match 1:\n    case 1: pass\n"},
                 "not Python 3.9"),
    guard.Sample({"scripts/a": "#!/usr/bin/env python3\nimport requests\n"},
                 "imports requests"),
]
if shutil.which("shellcheck"):
    SAMPLES.append(guard.Sample(
        {"scripts/a": "#!/bin/sh\nset -eu\necho $1\n"}, "SC2086"))

if __name__ == "__main__":
    if not shutil.which("shellcheck"):
        print("shellcheck is not here: shell scripts were read, not checked")
    guard.run(check, SAMPLES)
