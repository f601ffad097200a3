"""The probe's words: each kind of fact as the judge reads it, and inputs that
follow from the seed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import harness  # noqa: E402

from workbook import facts  # noqa: E402
from workbook.launcher import FACTS_FD, Limits, Plain, clean_environment  # noqa: E402

PROGRAM = os.path.join(os.environ["WORKBOOK_JUDGE_DIR"], "probe_words")


class Stated(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        env = clean_environment("/tmp", {"SIM_MACHINE": "v100x8"})
        argv = [PROGRAM, "--seed", "1", "--facts-fd", FACTS_FD, "--nonce", "n0"]
        result = Plain().run(argv, "/", env, Limits())
        said, closed = facts.parse(result.facts, "n0")
        assert closed and result.code == 0, (result.err, result.facts)
        cls.told = {fact["n"]: fact for fact in said}
        cls.out = result.out

    def fact(self, name: str, kind: str, **parts) -> None:
        self.assertEqual(self.told[name], {"n": name, "k": kind, **parts})

    def value(self, name: str):
        return self.told[name]["v"]

    def test_plain(self):
        self.fact("text", "text", v='a "b"\n\\ \x01')
        self.fact("null", "text", v=None)
        self.fact("third", "real", v=1 / 3)
        self.fact("infinite", "real", v="-inf")
        self.fact("yes", "bool", v=True)
        self.assertEqual(self.out, "")

    def test_devices(self):
        self.fact("device", "device", v="cuda:7")
        self.fact("cpu", "device", v="cpu")

    def test_tensors(self):
        whole = {"dtype": "int64", "shape": [6], "device": "cuda:0", "v": [0, 1, 2, 3, 4, 5]}
        self.fact("y", "tensor", **whole)
        self.fact("nan", "tensor", dtype="float32", shape=[2, 1], device="cpu", v=["nan", "nan"])
        self.fact("nothing", "tensor", v=None)

    def test_the_ledger(self):
        self.fact("copies", "int", v=1)
        self.fact("bytes", "int", v=48)

    def test_stating_costs_nothing(self):
        self.fact("copies after stating", "int", v=1)
        self.assertGreater(self.value("time"), 0)
        self.assertEqual(self.value("time"), self.value("time again"))

    def test_failures(self):
        self.fact("no failure", "status", v=None)
        self.assertEqual(self.told["failure"]["code"], "RuntimeError")
        self.assertIn("invalid device ordinal", self.value("failure"))
        self.fact("taken", "status", v=None)

    def test_scopes(self):
        self.fact("scopes left open", "int", v=1)

    def test_what_the_simulator_counts(self):
        self.fact("copies by hand", "int", v=2)
        self.fact("bytes by hand", "int", v=1010)
        self.fact("bytes to GPU 0", "int", v=1000)
        self.fact("launches by hand", "int", v=0)
        self.assertGreaterEqual(self.value("held"), 4096)
        self.assertLess(self.value("held"), 4096 + 8192)
        self.fact("held after all", "int", v=0)


class ByHand(unittest.TestCase):
    def run_it(self, *words: str, program: str = PROGRAM, machine: str = "v100x8"):
        env = {"SIM_MACHINE": machine}
        return subprocess.run([program, *words], capture_output=True, text=True, env=env)

    def test_facts_go_to_stdout(self):
        lines = self.run_it("--seed", "3").stdout.splitlines()
        self.assertEqual(json.loads(lines[-1]), {"end": ""})

    def test_too_few_gpus(self):
        done = self.run_it("--seed", "99", machine="t4")
        self.assertEqual(done.returncode, 77)
        self.assertEqual(done.stdout, "this exercise needs 99 GPUs, and 1 is visible\n")

    def test_bad_options(self):
        done = self.run_it("--sed", "3")
        self.assertEqual(done.returncode, 70)
        self.assertIn("probe: the options are --seed N, --facts-fd N, --nonce WORD", done.stderr)
        self.assertEqual(self.run_it("--seed").returncode, 70)


class Inputs(unittest.TestCase):
    """The kept reference of the sample's first exercise sums seeded numbers."""

    def sums(self, seed: int) -> str:
        lesson = harness.sample()
        from workbook import manifest, probing

        bank = probing.Bank(lesson, "ex1_add_up", manifest.read(lesson, "ex1_add_up"))
        run = probing.Run("v100x8", (), seed)
        return str(bank.told("reference", run).facts)

    def test_the_seed_decides(self):
        self.assertEqual(self.sums(1), self.sums(1))
        self.assertEqual(len({self.sums(seed) for seed in range(1, 9)}), 8)


if __name__ == "__main__":
    unittest.main()
