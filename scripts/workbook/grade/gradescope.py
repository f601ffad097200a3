"""Pack an autograder for Gradescope: scripts/gradescope [OUT.zip]

The zip holds this clone's files (not its build), setup.sh and run_autograder.
Upload it as the autograder of a programming assignment. There, setup.sh builds
the workbook and run_autograder grades each submission with scripts/grade.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import stat
import sys
import tempfile
import zipfile

from .. import handout
from .. import lesson as lessons
from ..lesson import Fault, write_whole
from . import main as grader
from . import sandbox

TEMPLATES = "scripts/classroom/gradescope"
ENTRIES = ("setup.sh", "run_autograder")
LEFT_OUT = (".ci/", "build/", "grades/")
WHEN = (2020, 1, 1, 0, 0, 0)  # the same clone makes the same zip


def arguments(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="gradescope",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("out", nargs="?", default="autograder.zip", metavar="OUT.zip")
    add("--lessons", default="", metavar="NN,…", help="grade these lessons alone")
    add("--seed", default="", metavar="KEY", help="secret inputs, derived per student")
    add("--seed-file", default="", metavar="FILE", help="the same, the key in a file")
    add("--sandbox", default="", choices=[sandbox.NAMESPACES, sandbox.UID], help="insist on one")
    add("--root", default=lessons.checkout(), help="the instructor's clone")
    add("--run", default="", metavar="DIR", help=argparse.SUPPRESS)  # run_autograder's
    return parser.parse_args(argv[1:])


def pack(options: argparse.Namespace) -> int:
    """Write the zip; how many files of the workbook are in it."""
    root = os.path.abspath(options.root)
    handout.whole(root)
    asked = [word for word in options.lessons.split(",") if word]
    known = lessons.names(root)
    for word in asked:
        if not any(word in (name, name[:2]) for name in known):
            raise Fault(f"there is no lesson '{word}'; there are: {', '.join(known)}")
    key = grader.read_key(options.seed, options.seed_file)
    settings = {"lessons": options.lessons, "key": key, "sandbox": options.sandbox}
    names = [name for name in handout.tracked(root) if not name.startswith(LEFT_OUT)]
    half = f"{options.out}.{os.getpid()}.part"
    # It holds the answers, and the key: from its first byte for no eyes but ours.
    fd = os.open(half, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        count = _fill(fd, root, names, settings)
        os.replace(half, options.out)
    except BaseException:
        os.unlink(half)
        raise
    return count


def _fill(fd: int, root: str, names: list[str], settings: dict[str, str]) -> int:
    with os.fdopen(fd, "w+b") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as out:
        for name in ENTRIES:
            _add(out, name, os.path.join(lessons.checkout(), TEMPLATES, name), 0o755)
        info = zipfile.ZipInfo("settings.json", WHEN)
        info.external_attr = (stat.S_IFREG | 0o600) << 16
        out.writestr(info, json.dumps(settings, indent=1) + "\n")
        count = 0
        for name in names:
            path = os.path.join(root, name)
            if os.path.isfile(path) and not os.path.islink(path):
                runs = os.access(path, os.X_OK)
                _add(out, "workbook/" + name, path, 0o755 if runs else 0o644)
                count += 1
    return count


def _add(out: zipfile.ZipFile, name: str, path: str, mode: int) -> None:
    info = zipfile.ZipInfo(name, WHEN)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = (stat.S_IFREG | mode) << 16
    with open(path, "rb") as file:
        out.writestr(info, file.read())


def student(base: str) -> str:
    """Who handed in, for the secret seeds alone: the addresses that Gradescope
    tells, or "submission". (Gradescope, Submission Metadata: users[].email)"""
    try:
        with open(os.path.join(base, "submission_metadata.json"), encoding="utf-8") as file:
            users = json.load(file)["users"]
        names = sorted(str(user["email"]).lower() for user in users)
    except (OSError, ValueError, KeyError, TypeError):
        names = []
    name = re.sub(r"[^\w.@+-]", "_", "+".join(names), flags=re.ASCII).lstrip(".+-@")
    return name[:100] or "submission"


def run(base: str) -> int:
    """Grade base/submission; write base/results/results.json."""
    results = os.path.join(base, "results")
    os.makedirs(results, exist_ok=True)
    target = os.path.join(results, "results.json")
    # Without a score: should this process be killed, nobody has a zero.
    words = "This submission could not be graded: our fault, not yours. Tell your instructor."
    _write(target, {"output": words, "visibility": "visible", "stdout_visibility": "hidden"})
    settings = _settings(os.path.join(base, "source", "settings.json"))
    handed_in = os.path.join(base, "submission")
    for path in (handed_in, results, os.path.join(base, "submission_metadata.json")):
        _shut(path)
    out = tempfile.mkdtemp(prefix="grades-")
    try:
        who = student(base)
        command = ["grade", handed_in, "--out", out, "--student", who]
        for name in ("lessons", "sandbox"):
            command += [f"--{name}", settings[name]] if settings.get(name) else []
        if settings.get("key"):
            path = os.path.join(out, "key")
            write_whole(path, settings["key"])
            command += ["--seed-file", path]
        code = grader.main(command)
        told = os.path.join(out, "students", who, "results.json")
        if os.path.isfile(told):
            with open(told, encoding="utf-8") as file:
                write_whole(target, file.read())
        return 0 if code == grader.OK else 1
    finally:
        shutil.rmtree(out, ignore_errors=True)


def _write(path: str, whole: dict) -> None:
    write_whole(path, json.dumps(whole, indent=1) + "\n")


def _settings(path: str) -> dict:
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        raise Fault(f"{path} cannot be read: {error}") from None


def _shut(path: str) -> None:
    """For no eyes but ours. What a link leads to stays as it is."""
    if os.path.exists(path) and not os.path.islink(path):
        os.chmod(path, os.stat(path).st_mode & ~0o077)


def main(argv: list[str]) -> int:
    options = arguments(argv)
    try:
        if options.run:
            return run(os.path.abspath(options.run))
        count = pack(options)
    except (Fault, OSError) as fault:
        print(f"gradescope: {fault}", file=sys.stderr)
        return grader.FAULTS
    except KeyboardInterrupt:
        return grader.STOPPED
    size = os.path.getsize(options.out) / 1e6
    print(f"{options.out}: {count} files of the workbook, {size:.1f} MB, the answers among them")
    print("next: upload it at Gradescope, Configure Autograder; keep it to yourself")
    return 0
