"""A student's clone for each test: the judge's sample with a build tree that
names this copy, and a way to type `learn …` in it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import traceback
import unittest
from typing import IO

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "judge"))
import harness  # noqa: E402

from workbook.learn import __main__ as program  # noqa: E402

LEARN = [sys.executable, "-IS", os.path.join(harness.ROOT, "scripts", "workbook", "learn")]

WRONG = """\
#include <stdint.h>
int64_t add_up(const int64_t *x, int n)
{
    int64_t sum = 0;
    for (int i = 0; i < n - 1; i++)
        sum += x[i];
    return sum;
}
"""
ENDLESS = WRONG.replace("i < n - 1; i++", "n;")
BROKEN = WRONG.replace("return sum;", "retrun sum;").replace("sum += x[i];", "sum += y[i];")


class Clone(unittest.TestCase):
    def setUp(self):
        self.root = os.path.join(harness.own(self), "clone")
        for folder in ("lessons", "solutions", "tests"):
            shutil.copytree(os.path.join(harness.place(), folder), os.path.join(self.root, folder))
        build = os.path.join(harness.place(), "build", "sim")
        with open(os.path.join(build, "lessons/90_sample/lesson.json"), encoding="utf-8") as file:
            lesson = json.load(file)
        lesson["root"] = self.root
        lesson["build"] = os.path.join(self.root, "build", "sim")
        self.json = os.path.join(lesson["build"], "lessons/90_sample/lesson.json")
        harness.write(self.json, json.dumps(lesson))
        harness.write(os.path.join(lesson["build"], "CMakeCache.txt"), "")
        # What our own answers tell is the same in every clone: share it.
        kept = os.path.join(build, "judge", "kept")
        os.makedirs(kept, exist_ok=True)
        os.makedirs(os.path.join(lesson["build"], "judge"))
        os.symlink(kept, os.path.join(lesson["build"], "judge", "kept"))
        self.ex1, self.ex2 = self.source("ex1_add_up"), self.source("ex2_place")

    def source(self, slug: str) -> str:
        return os.path.join(self.root, "lessons/90_sample", slug + ".c")

    def read(self, path: str) -> str:
        with open(path, encoding="utf-8") as file:
            return file.read()

    def answer(self, slug: str) -> str:
        text = self.read(os.path.join(self.root, "solutions/90_sample", slug + ".c"))
        return harness.starters.answer_of(text)

    def save(self, path: str, text: str) -> None:
        """As an editor does: a new file takes the old one's name."""
        harness.write(path + "~", text)
        os.replace(path + "~", path)

    def environment(self, **extra: str) -> dict[str, str]:
        env = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        return {**env, "LANG": "C.UTF-8", **extra}

    def learn(self, *words: str, cwd: str = "", **extra: str) -> tuple[int, str]:
        """In a process of its own, forked from this one: Python's start, which
        would be most of the work, is made once."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = os.fork()
            if child == 0:
                os._exit(self.forked([*words], cwd or self.root, out, err, extra))
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            said = [self.written(one) for one in (out, err)]
        self.assertEqual(said[1], "")
        return code, said[0]

    def forked(self, words: list[str], cwd: str, out: IO, err: IO, extra: dict) -> int:
        """What the child does; its exit code."""
        try:
            os.chdir(cwd)
            env = self.environment(**extra)
            os.environ.clear()
            os.environ.update(env)
            with open(os.devnull, "rb") as nothing:
                for at, stream in enumerate((nothing, out, err)):
                    os.dup2(stream.fileno(), at)
            sys.stdout, sys.stderr = (open(at, "w", encoding="utf-8") for at in (1, 2))
            code = program.main(["learn", "--root", self.root, *words])
        except BaseException:
            traceback.print_exc()
            code = 70
        sys.stdout.flush()
        sys.stderr.flush()
        return code

    def written(self, file: IO) -> str:
        file.seek(0)
        return file.read().decode("utf-8")

    def typed(self, *words: str) -> tuple[int, str]:
        """The program itself, started as scripts/learn starts it."""
        done = subprocess.run(
            [*LEARN, "--root", self.root, *words],
            cwd=self.root,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
        )
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def progress(self) -> str:
        return self.read(os.path.join(self.root, ".progress"))
