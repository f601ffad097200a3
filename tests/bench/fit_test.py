"""bench_measure and fit.py on the simulator: a machine file's own figures
must come out of the table, and a machine made of them must predict the rest.

    fit_test.py BENCH_MEASURE
"""
from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from statistics import median

import fit

SIZES = ["--largest", "4194304", "--side", "2048"]
UNITS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9, "ns/B": 1.0, "GB/s": 1e9,
         "TB/s": 1e12, "GFLOP/s": 1e9, "TFLOP/s": 1e12, "TOP/s": 1e12}
measure = ""
tables: dict[str, fit.Table] = {}


def table_of(machine: str) -> fit.Table:
    if machine not in tables:
        tables[machine] = fit.simulate(measure, Path(machine), SIZES)
    return tables[machine]


def value(text: str) -> object:
    """"4.8 TB/s * 0.9" as a number, "2 us + 55.4 GB/s" as two."""
    if " + " in text:
        return tuple(value(part) for part in text.split(" + "))
    number, unit, *factor = text.split()
    return (float(number) * UNITS[unit]
            * (float(factor[1]) if factor else 1.0))


def true_figures(machine: str) -> dict[str, object]:
    """What GPU 0's machine file says, by the keys that fit() uses."""
    found: dict[str, object] = {}
    section = ""
    for line in fit.base_lines(machine):
        line = line.split("#")[0].strip()
        match = re.match(r"(\w+) = (.*)", line)
        if line.startswith("["):
            section = line.strip("[]").split()[0]
        elif match and match[1] == "like":
            found = true_figures(match[2])
        elif match and section in ("calls", "links", "gpu"):
            key = match[1]
            if section == "calls" and key == "copy":
                key = "copy_call"
            if section == "gpu" and key == "context":
                continue # bytes, not time
            try:
                found[key] = value(match[2])
            except (KeyError, ValueError):
                pass # no time and no rate
    return found


class Fit(unittest.TestCase):
    def near(self, key: str, got: object, true: object) -> None:
        """Within a nanosecond or two, and two in a thousand."""
        if isinstance(got, tuple):
            for part, whole in zip(got, true):
                self.near(key, part, whole)
        else:
            self.assertLess(abs(got - true), 2e-3 * true + 2e-9,
                            f"{key} is {got}, not {true}")

    def recovers(self, machine: str) -> None:
        figures = fit.fit(table_of(machine))
        true = true_figures(machine)
        self.assertGreaterEqual(len(figures), 23)
        for key, got in figures.items():
            self.near(key, got, true[key])

    def test_h200_comes_out_as_it_went_in(self) -> None:
        self.recovers("h200")

    def test_t4_comes_out_as_it_went_in(self) -> None:
        self.recovers("t4")

    def test_a_machine_of_these_figures_predicts_the_rest(self) -> None:
        table = table_of("t4")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "fitted.machine"
            path.write_text(fit.machine_text(fit.fit(table), table, "v100x8"))
            pairs = fit.predictions(table, fit.simulate(measure, path, SIZES))
        names = {row.what for row, _ in pairs}
        self.assertIn("program_overlap", names)
        self.assertIn("memset", names)
        self.assertIn("gemm_float32", names)
        self.assertNotIn("call_sync", names)
        errors = [abs(ns - row.ns) / row.ns for row, ns in pairs]
        self.assertLess(median(errors), 1e-3)
        self.assertLess(max(errors), 1e-2)

    def test_held_out_rows_have_no_say(self) -> None:
        table = table_of("h200")
        fitted = fit.fit(table)
        series = table.series("h2d_pinned")
        for row in series:
            others = [r._replace(ns=3 * r.ns) if r is row else r
                      for r in table.rows]
            changed = fit.fit(fit.Table(table.head, others))
            if row in fit.used(series):
                self.assertNotEqual(changed, fitted)
            else:
                self.assertEqual(changed, fitted)

    def test_one_wild_row_does_little(self) -> None:
        table = table_of("t4")
        rows = []
        for i, row in enumerate(table.rows):
            noise = 1 + 0.02 * (i * 7 % 5 - 2) / 2
            wild = row.what == "d2h_pinned" and row.size == 65536
            rows.append(row._replace(ns=row.ns * noise * (2 if wild else 1)))
        start, rate = fit.fit(fit.Table(table.head, rows))["d2h_pinned"]
        self.assertAlmostEqual(start / 2000, 1, delta=0.1)
        self.assertAlmostEqual(rate / 6.6e9, 1, delta=0.1)

    def test_the_source_is_named(self) -> None:
        head = {"card": "NVIDIA H200", "driver": "580.65.06, CUDA 13.0",
                "date": "2026-12-01", "times": "measured"}
        table = fit.Table(head, table_of("h200").rows)
        text = fit.machine_text(fit.fit(table), table, "h200")
        self.assertIn("# source: measured on NVIDIA H200, 580.65.06, "
                      "CUDA 13.0, 2026-12-01\n", text)
        self.assertIn("bandwidth = 4.8 TB/s * 0.9", text)

    def test_what_is_refused(self) -> None:
        for text, words in (("a b c", "line 1: \"a b c\"; expected what"),
                            ("# only a head", "the table has no rows")):
            with self.assertRaisesRegex(SystemExit, words):
                fit.read_table(text)
        with self.assertRaisesRegex(SystemExit, "called \"h2000\"; there are"):
            fit.base_lines("h2000")

    def test_without_a_gpu_it_says_so(self) -> None:
        env = dict(os.environ, SIM_MACHINE="none")
        done = subprocess.run([measure], env=env, text=True,
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, 77)
        self.assertEqual(done.stdout, "needs 1 GPU, and there are 0: "
                         "no CUDA-capable device is detected\n")


def main(argv: list[str]) -> int:
    global measure
    measure = argv.pop(1)
    unittest.main(argv=argv)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
