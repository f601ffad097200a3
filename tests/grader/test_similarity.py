"""The similarity report: a renamed and reformatted copy is found, two answers
written apart are not, and what the workbook gave counts for nobody."""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import classroom  # noqa: E402
from classroom import write  # noqa: E402

from workbook.grade import alike  # noqa: E402

PLACE = "07_data_parallel/ex1_chunk_rule"
HEAD = "#include <stdint.h>\n\nint my_chunks(int64_t size, int n, int64_t *sizes)\n"
ANN = HEAD + """\
{
    int64_t each = size / n;
    if (each * n < size)
        each = each + 1;
    int used = 0;
    int64_t taken = 0;
    while (taken < size) {
        int64_t rest = size - taken; // whatever nobody took so far
        sizes[used] = rest;
        if (rest > each)
            sizes[used] = each;
        taken = taken + sizes[used];
        used = used + 1;
    }
    return used;
}
"""
RENAMED = {"each": "per", "used": "k", "taken": "done", "rest": "left"}
# Written by another mind: the same sizes, another way.
CY = HEAD + """\
{
    int64_t piece = size % n == 0 ? size / n : size / n + 1;
    int whole = (int)(size / piece);
    for (int i = 0; i < whole; i++)
        sizes[i] = piece;
    int64_t over = size - piece * whole;
    if (over == 0)
        return whole;
    sizes[whole] = over;
    return whole + 1;
}
"""


def copied() -> str:
    """ANN's, as somebody hides it: other names, other lines, no comment."""
    text = re.sub(r"//.*", "", ANN)
    for old, new in RENAMED.items():
        text = re.sub(rf"\b{old}\b", new, text)
    return re.sub(r"\n\s+", "\n ", text.replace(";\n        ", "; ")) + "/* all mine */\n"


def answer(marks: bool = False) -> str:
    """Our own, as one may come to write it too."""
    path = os.path.join(classroom.ROOT, "solutions", PLACE + ".c")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return text if marks else re.sub(r"\n *//[<>:].*", "", text)


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        base = os.path.join(os.environ["WORKBOOK_JUDGE_DIR"], "similarity")
        cls.out = os.path.join(classroom.fresh(base), "out")
        folder = os.path.join(base, "class")
        for student, text in (
            ("ann", ANN), ("bob", copied()), ("cy", CY), ("dee", answer()),
            ("eve", answer().replace("piece = (", "part = (").replace("count", "c")
             .replace("= piece", "= part").replace("< piece", "< part").replace(": piece", ": part")),
            ("fay", answer(marks=True)),
        ):
            write(os.path.join(folder, student, "lessons", PLACE + ".c"), text)
        with open(os.path.join(folder, "gus.zip"), "wb") as file:
            file.write(b"no zip")
        command = [sys.executable, "-IS", os.path.join(classroom.ROOT, "scripts", "similarity")]
        cls.command = [*command, folder, "--lessons", "07", "--out", cls.out]
        cls.done = subprocess.run(cls.command, capture_output=True, text=True, check=False)
        assert cls.done.returncode == 0, cls.done.stderr

    def read(self, name: str) -> str:
        with open(os.path.join(self.out, name), encoding="utf-8") as file:
            return file.read()

    def rows(self) -> list[dict[str, str]]:
        return list(csv.DictReader(self.read("similarity.csv").splitlines()))

    def test_the_copy_is_found_and_nobody_else(self):
        rows = self.rows()
        self.assertEqual([(row["one"], row["two"]) for row in rows], [("ann", "bob")])
        self.assertEqual((rows[0]["exercise"], rows[0]["percent"]), (PLACE, "100"))
        # Told beside it: no other pair of this class is as alike.
        self.assertEqual((rows[0]["as_alike"], rows[0]["pairs"]), ("1", "3"))

    def test_what_was_given_does_not_count(self):
        """dee, eve and fay have our own answer: nothing to compare."""
        line = next(line for line in self.done.stdout.splitlines() if line.startswith(f"  {PLACE} "))
        self.assertEqual(line.split()[1:4], ["6", "3", "3"])

    def test_what_could_not_be_read_is_told(self):
        self.assertIn("gus: not compared: The archive cannot be read", self.done.stdout)
        self.assertEqual(self.done.stdout.partition("\nnext: ")[0], self.read("similarity.txt"))

    def test_the_page(self):
        page = self.read("similarity.html")
        self.assertIn("<mark>", page)
        self.assertIn("int64_t each = size / n;", page)
        self.assertIn("if (each * n &lt; size)", page)

    def test_a_second_opinion(self):
        if not shutil.which("sim_c"):
            self.assertIn("sim_c is not here (package similarity-tester)", self.done.stdout)
            self.skipTest("needs sim_c (package similarity-tester)")
        if "no sandbox" in self.done.stdout:
            self.skipTest("needs a sandbox for sim_c")
        self.assertEqual(self.rows()[0]["sim_c"], "100")

    def test_wrong_use(self):
        done = subprocess.run([*self.command, "--threshold", "0"], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 3)
        self.assertIn("--threshold is a percentage", done.stderr)


class Measure(unittest.TestCase):
    def test_tokens(self):
        seen = alike.tokens('x = f("a;b") /* c\n d */ + y_1; // e\nif (1.5e-3)\n', {"f"})
        self.assertEqual(" ".join(word for word, _ in seen),
                         "name = f ( string ) + name ; if ( 1.5e-3 )")
        self.assertEqual([line for _, line in seen][-4:], [2, 2, 2, 2])

    def test_what_is_never_closed(self):
        for text in ('"abc', "/* abc", "'", "\\", '"a\\'):
            alike.tokens(text, set())

    def test_equal_comments(self):
        given = alike.Given([HEAD], set())
        said = "/* The remainder goes\n * to whoever comes last, poor thing. */\n"
        _, (pair,) = alike.compare([alike.read("a", said + ANN, given),
                                  alike.read("b", CY + said, given)])
        self.assertEqual(len(pair.said), 2)

    def test_what_the_class_has_is_nobodys_own(self):
        """Two who share what is rare are alike; those who share what everybody
        wrote are not even compared."""
        given = alike.Given([HEAD], set())
        common, rare = ANN[len(HEAD):], CY[len(HEAD):]
        texts = [common + f"int b{'+1' * n};" for n in range(6)]
        texts += [common + rare + "int c = 7;", rare + "char d[8];", common]
        files, pairs = alike.compare([alike.read(str(n), t, given) for n, t in enumerate(texts)])
        self.assertEqual({file.student for file in files}, {"6", "7"})
        self.assertEqual([pair.share > 0.7 for pair in pairs], [True])


if __name__ == "__main__":
    unittest.main()
