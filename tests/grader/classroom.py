"""A class of our own for the grader: the sample workbook of the judge's tests,
honest students, and hostile ones (attacks/), graded by scripts/grade itself."""

from __future__ import annotations

import csv
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "judge"))
import harness as judge_harness  # noqa: E402

from workbook.grade import sandbox  # noqa: E402

ROOT = judge_harness.ROOT
SLUG = "ex1_add_up"
# Attacks for --long alone: those that keep the compiler or a core busy, and
# those that try a wall which another one tries as well.
SLOW = {"compile_time", "compile_device", "compile_macros", "stop_itself", "flood_facts",
        "link_too_large", "many_sections", "warnings", "many_facts", "ld_preload", "many_files"}
SECOND = {"asm_constructor", "constructor_exit", "deep_facts", "exit_silently", "huge_numbers",
          "incbin_tests", "include_environment", "leave_main", "link_bytecode_only",
          "map_descriptors", "outlive_the_killer", "override_asm", "override_library",
          "print_long_lines", "read_neighbours", "renamed_by_pragma", "reuse_descriptors",
          "scan_memory", "skips", "versioned"}
SECRET = "the-secret-of-this-test"
write = judge_harness.write
own = judge_harness.own


def sample_root() -> str:
    return judge_harness.place()


def solution(slug: str = SLUG) -> str:
    with open(os.path.join(sample_root(), "solutions/90_sample", slug + ".c")) as file:
        return file.read()


def starter(slug: str = SLUG) -> str:
    with open(os.path.join(sample_root(), "lessons/90_sample", slug + ".c")) as file:
        return file.read()


def wrong(what: str, slug: str = SLUG) -> str:
    path = os.path.join(sample_root(), "tests/lessons/90_sample/wrong", f"{slug}.{what}.c")
    with open(path) as file:
        return file.read()


def need_namespaces() -> None:
    """Skip, with the reason, where the first level cannot be had."""
    why = sandbox.able(sandbox.NAMESPACES)
    if why:
        raise unittest.SkipTest(f"needs namespaces: {why}")


def attack_names(long: bool) -> list[str]:
    names = sorted(n[:-2] for n in os.listdir(os.path.join(HERE, "attacks")) if n.endswith(".c"))
    return [name for name in names if long or name not in SLOW | SECOND]


def attack(name: str, folder: str, out: str, port: int) -> str:
    """A hostile file, with what its author knows of the instructor's machine."""
    root = sample_root()
    parts = [f"#define AT_ROOT \"{root}\"", f"#define AT_OUT \"{out}\""]
    parts += [f"#define AT_CLASS \"{folder}\"", f"#define AT_PORT {port}"]
    parts.append(f"#define AT_SOLUTION \"{root}/solutions/90_sample/{SLUG}.c\"")
    parts.append(f"#define AT_TEST \"{root}/tests/lessons/90_sample/ex1.json\"")
    parts = ["#define _GNU_SOURCE", *parts]
    for path in ("raw.h", name + ".c"):
        with open(os.path.join(HERE, "attacks", path), encoding="utf-8") as file:
            parts.append(file.read())
    return "\n".join(parts)


def grade(*words: str, **options) -> subprocess.CompletedProcess:
    """scripts/grade on the sample; its results go to `out`."""
    command = [sys.executable, "-IS", os.path.join(ROOT, "scripts", "grade")]
    command += ["--root", sample_root(), *words]
    env = {**os.environ, "GRADER_TEST_SECRET": SECRET, "NO_COLOR": "1"}
    return subprocess.run(command, capture_output=True, text=True, env=env, check=False, **options)


def rows(out: str) -> dict[tuple[str, str], dict[str, str]]:
    """The long gradebook, by student and exercise."""
    with open(os.path.join(out, "gradebook-long.csv"), newline="", encoding="utf-8") as file:
        return {(row["student"], row["exercise"]): row for row in csv.DictReader(file)}


def report(out: str, student: str, name: str = "report.txt") -> str:
    path = os.path.join(out, "students", student, name)
    with open(path, encoding="utf-8") as file:
        return file.read()


def results(out: str, student: str) -> dict:
    return json.loads(report(out, student, "results.json"))


def tree(folder: str) -> dict[str, int]:
    """Every file below, and its size; what the grader keeps for itself aside."""
    found = {}
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            if "/judge/kept/" not in path and "/judge/tmp/" not in path:
                found[path] = os.lstat(path).st_size
    return found


def left_behind(work: str) -> list[int]:
    """Processes that run a program of a submission."""
    found = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.readlink(f"/proc/{name}/exe").startswith(work):
                found.append(int(name))
        except OSError:
            pass
    return found


def folders_left(work: str) -> list[str]:
    """The working folders of programs that are judged, or were."""
    folder = os.path.join(work, "sim/judge/tmp")
    return os.listdir(folder) if os.path.isdir(folder) else []


def left_by_attacks() -> list[str]:
    """What bears an attack's name where everybody may write, and in the
    shared memory of System V."""
    found = []
    for folder in ("/tmp", "/var/tmp", "/dev/shm", "/run/lock"):
        for at, folders, names in os.walk(folder):
            found += [os.path.join(at, name) for name in folders + names if name == "pwned"]
    for kind in ("shm", "msg", "sem"):
        with open(f"/proc/sysvipc/{kind}", encoding="ascii") as file:
            found += [line for line in file if line.split()[0] == str(0x70776E)]
    return found


def listener() -> socket.socket:
    """Somebody to call; an attack that does is heard."""
    heard = socket.create_server(("127.0.0.1", 0))
    heard.setblocking(False)
    return heard


def wait_for(condition, seconds: float = 60.0) -> bool:
    """Poll for something that must happen; the limit is for a broken test."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False


def write_exactly(path: str, text: str) -> None:
    """Without the help of `write`, which takes indentation away."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def read_bytes(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def fresh(path: str) -> str:
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return path
