"""`learn doctor`: what is missing or broken on this machine, and the fix."""

from __future__ import annotations

import difflib
import os
import platform
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass

from .. import lesson as lessons
from . import notify
from .course import Course, NotReady, open_course
from .paper import WIDTH, Paper, say

OK, MISSING, BROKEN, NOTE = "ok", "missing", "broken", "note"

# Variables that the simulator, CUDA and cuBLAS know; near misses do nothing.
KNOWN = (
    "CUDA_VISIBLE_DEVICES CUDA_DEVICE_ORDER CUDA_LAUNCH_BLOCKING CUDA_HOME CUDA_PATH "
    "CUDA_CACHE_PATH CUDA_MODULE_LOADING SIM_MACHINE SIM_LOG SIM_TRACE SIM_ORDER"
).split()

# Probes of scripts/lib/tools.sh, in its own words: state|kind|key|what|packages|off
PROBES = """
. "$0"
tools_table | while IFS='|' read -r kind key what packages off; do
    case $kind/$key in required/*|light/*|*/nvcc) ;; *) continue ;; esac
    state=missing
    if tools_probe "$key" </dev/null; then state=ok; fi
    echo "$state|$kind|$key|$what|$packages|$off"
done
"""


@dataclass
class Finding:
    state: str
    what: str
    fix: str = ""
    required: bool = False


def doctor(paper: Paper, course: Course) -> int:
    """Prints each finding; 1 when something required is not right."""
    found = [*tools(course), *build(course), *cuda(), *terminal(), *watching(course)]
    found += environment(dict(os.environ))
    out = []
    for one in found:
        state = {OK: paper.good, NOTE: str}.get(one.state, paper.bad)(f"{one.state:8}")
        first, *rest = paper.words(one.what, " " * 9)
        out += [state + " " + first.strip(), *rest]
        if one.fix:
            out += paper.words("fix: " + one.fix, " " * 9)
    bad = [one for one in found if one.required and one.state in (MISSING, BROKEN)]
    rest = [one for one in found if one not in bad and one.state in (MISSING, BROKEN)]
    out.append("")
    if bad:
        out.append(f"{len(bad)} of these must be put right before the workbook works.")
        say([*out, "", "next: " + course.script("start")])
        return 1
    out.append("All that is required is here." + (
        f" Worth a look: {len(rest)} above." if rest else ""))
    say([*out, "", "next: " + course.command().strip()])
    return 0


# Tools and the build


def tools(course: Course) -> list[Finding]:
    """The table and the probes are those of scripts/start."""
    here = lessons.checkout()
    script = os.path.join(here, "scripts", "lib", "tools.sh")
    try:
        done = subprocess.run(
            ["sh", "-c", PROBES, script], cwd=here, capture_output=True, text=True,
            timeout=120, check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return [Finding(BROKEN, f"the tools could not be probed: {error}", required=True)]
    rows = [line.split("|") for line in done.stdout.splitlines()]
    found = [tool(*row) for row in rows if len(row) == 6]
    if not found:
        words = " ".join(done.stderr.split())
        return [Finding(BROKEN, f"the tools could not be probed: {words}", required=True)]
    return found


def tool(state: str, kind: str, key: str, what: str, packages: str, off: str) -> Finding:
    required = kind == "required"
    if state == OK:
        return Finding(OK, what)
    said = "cannot compile a C11 program" if key == "cc" and shutil.which(compiler()) else ""
    old = present(key)
    if old and not said:
        said = f"{old} is too old"
    if key == "nvcc":
        return Finding(
            MISSING,
            f"{what}: only real GPUs need it (preset cuda); every lesson runs simulated",
            "install it from https://developer.nvidia.com/cuda-downloads",
        )
    words = f"{what}: {said or 'not here'}; switches off: {off}"
    fix = f"sudo apt-get install {packages}" if shutil.which("apt-get") else (
        f"install it (Debian calls it: {packages})")
    return Finding(BROKEN if said else MISSING, words, fix, required)


def compiler() -> str:
    return os.environ.get("CC", "cc").split()[0]


def present(key: str) -> str:
    """The version of a tool that is here and failed its probe."""
    if key not in ("cmake", "pandoc") or not shutil.which(key):
        return ""
    done = subprocess.run([key, "--version"], capture_output=True, text=True, check=False)
    return (done.stdout.splitlines() or [key])[0]


def build(course: Course) -> list[Finding]:
    start = course.script("start")
    try:
        opened = open_course(course.root, course.preset)
    except NotReady as error:
        return [Finding(MISSING, f"build/{course.preset}: {error}", start, required=True)]
    found = [Finding(OK, f"build/{course.preset}: {len(opened.exercises)} exercises")]
    if opened.notes:
        found = [Finding(BROKEN, f"build/{course.preset}: {note}", start, True)
                 for note in opened.notes]
    unbuilt = [
        slug for lesson in opened.lessons for slug, probe in lesson.probes.items()
        if not os.path.exists(probe)
    ]
    if unbuilt:
        found.append(Finding(BROKEN, f"not built in full: {len(unbuilt)} exercises have no "
                             "program to call them", start, required=True))
    page = os.path.join(course.root, "build", course.preset, "book", "html", "index.html")
    if not os.path.exists(page):
        found.append(Finding(NOTE, "the book is not rendered; book/*.md are its chapters",
                             f"cmake --build build/{course.preset} --target book"))
    return found


# CUDA


def cuda() -> list[Finding]:
    """Driver and GPU: never required."""
    smi = shutil.which("nvidia-smi") or "/usr/lib/wsl/lib/nvidia-smi"
    if not os.path.exists(smi):
        return [Finding(MISSING, "an NVIDIA driver (no nvidia-smi): only real GPUs need it; "
                        "lessons run on a simulated machine",
                        "for a real GPU, install your system's NVIDIA driver")]
    try:
        done = subprocess.run([smi, "-L"], capture_output=True, text=True, timeout=20,
                              check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return [Finding(BROKEN, f"the NVIDIA driver: nvidia-smi does not answer ({error})",
                        "restart the machine, or install the driver again")]
    return [gpus(done.returncode, done.stdout + done.stderr)]


def gpus(code: int, said: str) -> Finding:
    lines = [line for line in said.splitlines() if line.strip()]
    cards = [re.sub(r" \(UUID.*", "", line) for line in lines if line.startswith("GPU ")]
    if code == 0 and cards:
        return Finding(OK, "NVIDIA driver, " + "; ".join(cards)
                       + ". To use real GPUs: cmake --workflow --preset cuda")
    first = lines[0] if lines else f"exit code {code}"
    if "No devices" in said or code == 0:
        return Finding(MISSING, "an NVIDIA GPU: the driver sees none. Lessons run simulated",
                       "none is needed")
    return Finding(BROKEN, f"the NVIDIA driver: {first}",
                   "restart the machine, or install the driver again; lessons run simulated")


# The terminal and the file system


def terminal() -> list[Finding]:
    if not sys.stdout.isatty():
        return [Finding(NOTE, "output is not a terminal: no colour, and watch has no keys")]
    found = []
    if os.environ.get("TERM", "dumb") == "dumb":
        found.append(Finding(NOTE, "TERM is dumb: no colour", "learn --plain suits it"))
    columns = shutil.get_terminal_size((WIDTH, 24)).columns
    if columns < WIDTH:
        found.append(Finding(NOTE, f"the terminal has {columns} columns; lines have {WIDTH}",
                             "make the window wider, or the letters smaller"))
    locale = next((os.environ[name] for name in ("LC_ALL", "LC_CTYPE", "LANG")
                   if os.environ.get(name)), "")
    if locale and not re.search(r"utf-?8", locale, re.I):
        found.append(Finding(NOTE, f"the locale is {locale}: a few signs may look odd",
                             "export LC_ALL=C.UTF-8"))
    return found or [Finding(OK, f"the terminal, {columns} columns")]


def watching(course: Course) -> list[Finding]:
    """Whether `watch` is told of saved files, or has to look."""
    folder = os.path.join(course.root, "lessons")
    kind = notify.file_system(folder)
    wsl = "microsoft" in platform.release().lower()
    if notify.remote(kind):
        fix = "keep the clone in Linux's own files (~/), not under /mnt" if wsl else (
            "keep the clone on a disk of this machine")
        return [Finding(NOTE, f"watch: the files are on {kind}, where saving is not announced; "
                        "it looks at the file instead, which works", fix)]
    watched = notify.Saved(os.path.join(folder, "any.c"))
    try:
        if watched.fd < 0:
            fix = ("sudo sysctl fs.inotify.max_user_instances=512"
                   if "inotify:" in watched.why else "")
            return [Finding(NOTE, f"watch: it looks at the file, as {watched.why}", fix)]
    finally:
        watched.close()
    return [Finding(OK, "watch is told when a file is saved (inotify)")]


# The environment


def environment(env: dict[str, str]) -> list[Finding]:
    """A misspelt variable is silently ignored by everybody else."""
    found = []
    for name in sorted(env):
        if name in KNOWN or not re.match(r"(CUDA|CUA|CDUA|SIM|NVIDIA)_", name, re.I):
            continue
        near = difflib.get_close_matches(name.upper(), KNOWN, 1, 0.85)
        if near:
            found.append(Finding(BROKEN, f"{name} is set, and nothing reads it: the variable "
                                 f"is called {near[0]}",
                                 f"unset {name}; export {near[0]}={env[name]}"))
    if env.get("CUDA_VISIBLE_DEVICES") is not None:
        found.append(Finding(NOTE, f"CUDA_VISIBLE_DEVICES={env['CUDA_VISIBLE_DEVICES']}: the "
                             "programs you run see these GPUs alone; checks do not read it"))
    if env.get("SIM_MACHINE"):
        found.append(Finding(NOTE, f"SIM_MACHINE={env['SIM_MACHINE']}: the programs you run are "
                             "on this machine; checks choose their own"))
    return found
