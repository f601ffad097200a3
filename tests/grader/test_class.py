"""One class: honest, wrong and hostile, graded together. Each gets what is due
to it, and nobody else pays. `--long` adds attacks that take long; `--uid` runs
all without namespaces, each job as a user of its own."""

from __future__ import annotations

import os
import sys
import unittest
import xml.etree.ElementTree as xml

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import classroom  # noqa: E402
from classroom import SLUG, report, rows, solution, starter, wrong, write  # noqa: E402

from workbook.grade import sandbox  # noqa: E402

UID = "--uid" in sys.argv
LONG = "--long" in sys.argv
# Attacks that must not even be run: refused, or not compilable.
REFUSED = {
    "constructor_exit": "forbidden symbol",
    "constructor_prints": "forbidden symbol",
    "loader_runs": "forbidden symbol",
    "override_libc": "forbidden symbol",
    "asm_constructor": "forbidden symbol",
    "constructor_by_type": "forbidden symbol",
    "own_allocator": "forbidden symbol",
    "weak_by_pragma": "forbidden symbol",
    "renamed_by_macro": "missing function",
    "embed": "does not compile",
    "override_asm": "forbidden symbol",
    "override_library": "forbidden symbol",
    "include_solution": "does not compile",
    "incbin_solution": "does not compile",
    "incbin_tests": "does not compile",
    "compile_size": "does not compile",
    "compile_device": "does not compile",
    "warnings": "does not compile",
    "many_sections": "forbidden symbol",
    "versioned": "forbidden symbol",
    "link_bytecode": "forbidden symbol",
    "link_too_large": "does not compile",
    "link_refused": "does not compile",
    "compile_long_lines": "does not compile",
    "compile_time": "does not compile",
    "compile_macros": "does not compile",
}

# Where files are hidden by permissions, the preprocessor stops at them; and not
# every linker brings a compiler of its own.
EITHER = {"ask_for_files", "link_bytecode_only"}


def hide(*paths: str) -> None:
    for path in paths:
        os.chmod(path, 0o750)


class Class(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.level = sandbox.UID if UID else sandbox.NAMESPACES
        why = sandbox.able(cls.level)
        if why:
            raise unittest.SkipTest(f"needs the level {cls.level}: {why}")
        name = "class" + "_long" * LONG + "_uid" * UID
        base = os.path.join(os.environ["WORKBOOK_JUDGE_DIR"], name)
        cls.folder = classroom.fresh(os.path.join(base, "submissions"))
        if UID:  # what namespaces hide, permissions must
            hide(base, *(os.path.join(classroom.sample_root(), n) for n in ("solutions", "tests")))
        cls.out = classroom.fresh(os.path.join(base, "grades"))
        cls.heard = classroom.listener()
        port = cls.heard.getsockname()[1]
        honest = {
            "honest": solution(),
            "zz_last": solution(),
            "starter": starter(),
            "empty": "",
            "broken": "int64_t add_up(\n",
            "short": wrong("last_left_out"),
            "crasher": "#include <stdint.h>\nint64_t add_up(const int64_t *x, int n)\n{\n"
            "    return *(volatile int *)8 + x[n];\n}\n",
        }
        cls.attacks = classroom.attack_names(LONG)
        hostile = {n: classroom.attack(n, cls.folder, cls.out, port) for n in cls.attacks}
        for student, text in {**honest, **hostile}.items():
            write(os.path.join(cls.folder, student, SLUG + ".c"), text)
        cls.before = classroom.tree(classroom.sample_root())
        cls.there = set(classroom.folders_left(os.path.join(classroom.sample_root(), "build")))
        cls.done = classroom.grade(cls.folder, "--out", cls.out, "--jobs", "3",
                                   "--sandbox", cls.level)
        assert cls.done.returncode == 0, cls.done.stdout + cls.done.stderr
        cls.rows = rows(cls.out)

    @classmethod
    def tearDownClass(cls):
        cls.heard.close()

    def row(self, student: str) -> dict[str, str]:
        return self.rows[(student, SLUG)]

    def test_the_controls(self):
        for student, points, kind, outcome in (
            ("honest", "10", "points", "passed"),
            ("zz_last", "10", "points", "passed"),
            ("starter", "0", "not attempted", "not attempted"),
            ("empty", "0", "not gradable", "missing function"),
            ("broken", "0", "not gradable", "does not compile"),
            ("short", "0", "points", "wrong"),
        ):
            with self.subTest(student):
                row = self.row(student)
                self.assertEqual((row["points"], row["kind"], row["outcome"]), (points, kind, outcome))

    def test_a_wrong_answer_reads_its_sentence(self):
        self.assertEqual(self.row("short")["recognised"], "last_left_out")
        self.assertIn("Your sum leaves out the last number", report(self.out, "short"))

    def test_a_crash_names_its_line(self):
        line = f"{SLUG}.c:4: crashed  (0 of 10 points)"
        words = report(self.out, "crasher")
        self.assertIn(line, words)
        self.assertIn(f"Where: {SLUG}.c:4, in add_up(), called from main().", words)

    def test_what_was_not_handed_in(self):
        self.assertEqual(self.rows[("honest", "ex2_place")]["outcome"], "absent")

    def test_the_compilers_words(self):
        self.assertIn(f"lessons/90_sample/{SLUG}.c:1:", report(self.out, "broken"))

    def test_no_attack_scores(self):
        for student in self.attacks:
            with self.subTest(student):
                self.assertEqual(self.row(student)["points"], "0")
                self.assertNotIn(self.row(student)["kind"], ("grader fault", "not attempted"))

    def test_each_attack_is_seen_for_what_it_is(self):
        for student in self.attacks:
            with self.subTest(student):
                if student in REFUSED:
                    self.assertEqual(self.row(student)["outcome"], REFUSED[student])
                elif student not in EITHER:  # it was run, so the walls held it, not the list of names
                    self.assertEqual(self.row(student)["kind"], "points")

    def test_caps(self):
        for student, outcomes in (
            ("endless_loop", {"timed out"}),
            ("endless_output", {"too much", "timed out"}),  # whichever cap is met first
            ("memory_bomb", {"too much"}),
            ("fork_bomb", {"timed out"}),
            ("exit_silently", {"ended early"}),
            ("exit_prints", {"ended early"}),
            ("ld_preload", {"timed out"}),
            ("big_file", {"crashed", "wrong"}),
            ("forged_crash", {"crashed"}),
        ):
            with self.subTest(student):
                if LONG or student in self.attacks:
                    self.assertIn(self.row(student)["outcome"], outcomes)

    def test_nothing_was_to_be_seen(self):
        for student in self.attacks:
            with self.subTest(student):
                words = report(self.out, student)
                self.assertNotIn(classroom.SECRET, words)
                self.assertNotIn("sum += x[i]", words)
                if student == "read_others" and not UID:
                    self.assertNotIn("READ ", words)

    def test_nothing_was_done(self):
        sentences = ["FOUND THE ANSWERS", "MADE A BIG FILE", "TOOK THE", "READ A NEIGHBOUR\n"]
        # Level uid does not hold these two; its own words say so.
        for sentence in sentences + ["CALLED OUT", "FILLED THE DISK"] * (not UID):
            for student in self.attacks:
                self.assertNotIn(sentence, report(self.out, student), student)
        if UID:
            return  # the network is in sight: the report's words say so
        with self.assertRaises(BlockingIOError):
            self.heard.accept()

    def test_nothing_was_written(self):
        after = classroom.tree(classroom.sample_root())
        self.assertEqual({path for path in after if path not in self.before}, set())
        for folder in (self.folder, self.out, classroom.sample_root(), "/usr"):
            self.assertFalse(os.path.exists(os.path.join(folder, "pwned")))

    def test_nothing_stayed_behind(self):
        work = os.path.join(classroom.sample_root(), "build")
        for look in (classroom.left_behind, classroom.folders_left):
            # What another test has there at the moment will be gone.
            seen = set(look(work)) - self.there
            classroom.wait_for(lambda: not seen & set(look(work)), 20)
            self.assertEqual(seen & set(look(work)), set())
        self.assertEqual(classroom.left_by_attacks(), [])

    def test_reports_stay_short(self):
        for student in self.attacks:
            with self.subTest(student):
                self.assertLess(len(report(self.out, student)), 16_000)
        lines = report(self.out, "long_names").splitlines()
        self.assertEqual([line for line in lines if line.lstrip().startswith("FORGED")], [])

    def test_reports_cannot_be_forged(self):
        page = report(self.out, "forged_report", "report.html")
        self.assertNotIn("<script", page)
        self.assertNotIn("\x1b", report(self.out, "forged_report"))
        page = report(self.out, "forged_crash", "report.html")
        self.assertIn("nobody asked why: \\e[2J&lt;/pre&gt;&lt;script", " ".join(page.split()))
        self.assertNotIn("<script", page)
        self.assertNotIn("passwd", page)
        suites = xml.parse(os.path.join(self.out, "junit.xml")).getroot()
        forged = [one for one in suites if one.get("name") == "forged_report"]
        self.assertEqual(forged[0].get("failures"), "1")
        self.assertEqual(classroom.results(self.out, "forged_report")["score"], 0)

    def test_the_report_names_the_sandbox(self):
        for words in (report(self.out, "honest"), self.done.stdout):
            self.assertIn("sandbox: " + sandbox.WORDS[self.level], " ".join(words.split()))

    def test_the_summary(self):
        self.assertIn(f"90_sample/{SLUG}: last_left_out", self.done.stdout)
        self.assertIn("Where the class is stuck", self.done.stdout)


if __name__ == "__main__":
    unittest.main(argv=[word for word in sys.argv if word not in ("--long", "--uid")])
