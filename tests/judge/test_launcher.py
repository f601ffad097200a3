"""The launcher keeps a program in its limits and leaves nothing running."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import harness  # noqa: E402

from workbook.launcher import CRASH_FD, FACTS_FD, Limits, Plain, clean_environment  # noqa: E402


class Launched(unittest.TestCase):
    def setUp(self):
        self.home = harness.own(self)

    def sh(self, script: str, *words: str, **limits):
        argv = ["/bin/sh", "-c", script, "sh", *words]
        env = clean_environment(self.home, {"SIM_MACHINE": "t4"})
        return Plain().run(argv, self.home, env, Limits(**{"seconds": 5, **limits}))

    def test_streams_and_exit(self):
        result = self.sh("echo out; echo err >&2; exit 3")
        self.assertEqual((result.out, result.err, result.code), ("out\n", "err\n", 3))
        self.assertEqual((result.signal, result.stopped), ("", ""))

    def test_signal(self):
        result = self.sh("kill -BUS $$")
        self.assertEqual((result.signal, result.code), ("SIGBUS", None))

    def test_facts_have_a_pipe_of_their_own(self):
        result = self.sh('echo out; eval "echo fact >&$1"', FACTS_FD)
        self.assertEqual((result.out, result.facts), ("out\n", b"fact\n"))

    def test_what_a_crash_says_is_no_fact(self):
        result = self.sh('eval "echo fact >&$1; echo crash >&$2"', FACTS_FD, CRASH_FD)
        self.assertEqual((result.facts, result.crash), (b"fact\n", b"crash\n"))

    def test_environment(self):
        os.environ["WORKBOOK_SECRET"] = "1"
        self.addCleanup(os.environ.pop, "WORKBOOK_SECRET")
        names = {line.split("=")[0] for line in self.sh("env").out.splitlines()}
        self.assertLessEqual(names, {"PATH", "HOME", "TMPDIR", "XDG_RUNTIME_DIR", "LANG", "OPENBLAS_NUM_THREADS", "SIM_MACHINE", "PWD", "_", "SHLVL", "OLDPWD"})
        self.assertIn("SIM_MACHINE", names)

    def test_no_input(self):
        self.assertEqual(self.sh("cat; echo done").out, "done\n")

    def test_time(self):
        result = self.sh("echo before; while :; do :; done", seconds=0.3)
        self.assertEqual((result.stopped, result.out), ("time", "before\n"))

    def test_a_sleeper_is_stopped_too(self):
        result = self.sh("sleep 100", seconds=0.2)
        self.assertEqual(result.stopped, "time")
        self.assertLess(result.seconds, 50)

    def test_head_and_tail(self):
        result = self.sh("i=0; while [ $i -lt 5000 ]; do echo line $i; i=$((i+1)); done", kept=200)
        self.assertTrue(result.out.startswith("line 0\nline 1\n"))
        self.assertTrue(result.out.endswith("line 4999\n"))
        self.assertIn("bytes left out ...]", result.out)
        self.assertLess(len(result.out), 300)

    def test_flood(self):
        result = self.sh("yes", flood=1 << 20)
        self.assertEqual(result.stopped, "output")

    def test_memory_of_the_whole_tree(self):
        script = f"{sys.executable} -c 'x = bytearray(300 << 20); import time; time.sleep(9)'; :"
        self.assertEqual(self.sh(script, megabytes=150).stopped, "memory")

    def test_no_such_program(self):
        result = Plain().run(["/no/such"], self.home, {}, Limits())
        self.assertEqual((result.code, result.started), (127, False))
        self.assertIn("/no/such", result.err)

    def alive(self, name: str) -> bool:
        with open(os.path.join(self.home, name), encoding="ascii") as file:
            pid = int(file.read())
        for _ in range(200):
            if not os.path.exists(f"/proc/{pid}"):
                return False
            time.sleep(0.01)
        return True

    def test_children_die_with_it(self):
        result = self.sh("sleep 100 & echo $! > child; exit 0")
        self.assertEqual(result.code, 0)
        self.assertFalse(self.alive("child"))

    def test_a_daemon_dies_too(self):
        result = self.sh("setsid sh -c 'echo $$ > child; exec sleep 100' & sleep 0.2; echo done")
        self.assertEqual((result.out, result.stopped), ("done\n", ""))
        self.assertFalse(self.alive("child"))

    def test_a_daemon_does_not_hold_the_verdict(self):
        result = self.sh("setsid sleep 100 & exit 0", seconds=60)
        self.assertLess(result.seconds, 30)

    def test_children_of_somebody_else_live_on(self):
        other = subprocess.Popen(["sleep", "100"])
        self.addCleanup(other.wait)
        self.addCleanup(other.kill)
        self.sh("exit 0")
        self.assertIsNone(other.poll())

    def test_side_by_side(self):
        def one(number: int) -> str:
            return self.sh(f"echo {number}; sleep 100 & exit 0").out

        with ThreadPoolExecutor(4) as pool:
            told = list(pool.map(one, range(12)))
        self.assertEqual(told, [f"{number}\n" for number in range(12)])

    def test_bytes_that_are_no_text(self):
        self.assertEqual(self.sh(r"printf '\377\376x'").out, "\\xff\\xfex")


if __name__ == "__main__":
    unittest.main()
