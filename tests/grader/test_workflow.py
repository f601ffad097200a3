"""The workflow for classrooms is YAML, and does no more than it should. What
its steps do is tried in the student edition (test_edition.py)."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import classroom  # noqa: E402

from workbook import handout  # noqa: E402

PATH = os.path.join(classroom.ROOT, "scripts", "classroom", "check.yml")
LOAD = "import json, sys, yaml; json.dump(yaml.safe_load(open(sys.argv[1])), sys.stdout)"


def as_yaml() -> dict | None:
    """The file as a YAML reader sees it; None where there is no reader."""
    for python in (sys.executable, "/usr/bin/python3", "python3"):
        try:
            done = subprocess.run([python, "-c", LOAD, PATH], capture_output=True, text=True,
                                  check=False)
        except OSError:
            continue
        if done.returncode == 0:
            return json.loads(done.stdout)
        if "No module named" not in done.stderr:
            raise AssertionError(done.stderr)
    return None


def steps() -> list[dict[str, str]]:
    """Each step's keys, as plainly as the file is written."""
    with open(PATH, encoding="utf-8") as file:
        lines = file.read().split("\n")
    found: list[dict[str, str]] = []
    key = ""
    for line in lines[lines.index("    steps:") + 1 :]:
        new = re.match(r"(      - |        )(\w+): ?(.*)$", line)
        if new:
            if new[1].strip():
                found.append({})
            key = new[2]
            found[-1][key] = "" if new[3] == "|" else new[3]
        elif line.startswith("          "):
            found[-1][key] += line[10:] + "\n"
    return found


class Workflow(unittest.TestCase):
    def test_it_is_yaml(self):
        whole = as_yaml()
        if whole is None:
            self.skipTest("needs PyYAML (package python3-yaml)")
        # YAML 1.1 reads the word `on` as true.
        self.assertEqual(set(whole), {"name", "true", "permissions", "jobs"})
        self.assertEqual(set(whole["true"]), {"push", "workflow_dispatch"})
        self.assertEqual(whole["permissions"], {"contents": "read"})
        self.assertEqual(list(whole["jobs"]), ["check"])
        job = whole["jobs"]["check"]
        self.assertEqual(job["runs-on"], "ubuntu-latest")
        self.assertEqual(job["steps"], steps())

    def test_its_steps(self):
        self.assertEqual([step["uses"] for step in steps() if "uses" in step],
                         ["actions/checkout@v4"])
        words = "\n".join(step["run"] for step in steps() if "run" in step)
        self.assertIn("ctest --preset sim -L exercise", words)
        self.assertNotIn("${{", words)  # nobody's text becomes a command
        self.assertEqual(steps()[-1]["if"], "always()")

    def test_the_edition_leaves_it_to_the_instructor(self):
        self.assertFalse(handout.belongs("scripts/classroom/check.yml"))
        self.assertFalse(os.path.exists(os.path.join(classroom.ROOT, ".github/workflows/check.yml")))


if __name__ == "__main__":
    unittest.main()
