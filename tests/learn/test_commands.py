"""Each command of scripts/learn, as a student types it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import classroom  # noqa: E402
from classroom import BROKEN, LEARN, WRONG  # noqa: E402

from workbook import judge, verdict  # noqa: E402
from workbook import lesson as lessons  # noqa: E402


class Commands(classroom.Clone):
    def test_where_you_are(self):
        code, out = self.learn()
        self.assertEqual(code, 0)
        self.assertIn("0 of 2 exercises passed.", out)
        self.assertIn("90_sample/ex1_add_up  exercise 1 of 2: Add up", out)
        self.assertIn("Return the sum of the first n numbers of x", out)
        self.assertRegex(out, r"edit  lessons/90_sample/ex1_add_up\.c:13\n")
        self.assertIn("next: ./scripts/learn watch", out)
        self.assertFalse(os.path.exists(os.path.join(self.root, ".progress")))

    def test_as_it_is_typed(self):
        self.save(self.ex1, WRONG)
        for words in ((), ("check",), ("--help",)):
            self.assertEqual(self.typed(*words), self.learn(*words))

    def test_every_message_ends_with_the_next_command(self):
        self.save(self.ex1, WRONG)
        for words in ("", "next", "list", "check", "check 90", "check --all", "hint", "reset",
                      "solution", "progress", "check 17", "check ex9", "hint 90", "what",
                      "--odd", "solution --yes", "reset --all"):
            with self.subTest(words):
                last = self.learn(*words.split())[1].rstrip().split("\n")[-1]
                self.assertIn("next: ./scripts/learn", last)

    def test_lines_have_80_columns(self):
        self.save(self.ex1, WRONG)
        for words in ("", "list", "check", "check --all", "hint", "progress", "solution --yes",
                      "--help"):
            for line in self.learn(*words.split())[1].split("\n"):
                self.assertLessEqual(len(line), 80, line)

    def test_from_another_folder(self):
        inside = os.path.join(self.root, "lessons/90_sample")
        out = self.learn(cwd=inside)[1]
        self.assertIn("edit  ex1_add_up.c:13", out)
        self.assertIn("next: ../../scripts/learn watch", out)
        self.save(self.ex1, BROKEN)
        out = self.learn("check", "ex1_add_up.c", cwd=inside)[1]
        self.assertRegex(out, r"(?m)^ex1_add_up\.c:6:\d+: error: ")

    def test_the_verdict_is_ctests(self):
        for text in (WRONG, BROKEN, self.answer("ex1_add_up"), "", "int main(void){return 0;}\n"):
            self.save(self.ex1, text)
            result = judge.check(lessons.read(self.json), "ex1_add_up")
            code, out = self.learn("check", "90", "ex1")
            self.assertEqual(code, result.exit_code)
            self.assertRegex(out, rf"\nyour file \S+: {result.outcome}")
            for line in verdict.wrap(result.sentence, "  ") + result.details:
                self.assertIn(line, out)

    def test_not_attempted(self):
        code, out = self.learn("check")
        self.assertEqual(code, 77)
        self.assertIn("your file lessons/90_sample/ex1_add_up.c:13: not attempted", out)
        self.assertIn("Trying costs nothing", out)

    def test_a_wrong_answer(self):
        self.save(self.ex1, WRONG)
        code, out = self.learn("check", "ex1")
        self.assertEqual(code, 1)
        self.assertIn("your file lessons/90_sample/ex1_add_up.c:2: wrong", out)
        self.assertIn("Your sum leaves out the last number", out)
        self.assertIn("stuck? ./scripts/learn hint 90 ex1", out)
        self.assertRegex(self.progress(), r"(?m)^90_sample/ex1_add_up +wrong +0$")

    def test_a_crash_can_be_clicked(self):
        self.save(self.ex1, WRONG.replace("sum += x[i];", "sum += x[i * (1 << 20)];"))
        code, out = self.learn("check", "ex1")
        self.assertEqual(code, 1)
        self.assertIn("your file lessons/90_sample/ex1_add_up.c:6: crashed", out)
        self.assertIn("\n  Where: ex1_add_up.c:6, in add_up(), called from main().\n", out)
        self.assertLessEqual(max(map(len, out.split("\n"))), 80)

    def test_only_the_first_compiler_error(self):
        self.save(self.ex1, BROKEN)
        out = self.learn("check")[1]
        self.assertEqual(len(re.findall("error:", out)), 1)
        self.assertRegex(out, r"(?m)^lessons/90_sample/ex1_add_up\.c:6:\d+: error: .y. undeclared")
        self.assertRegex(" ".join(out.split()), "There are . more errors: they often go when")

    def test_after_a_pass(self):
        self.save(self.ex1, self.answer("ex1_add_up").replace("int i = 0; i < n; i++",
                                                              "int i = n - 1; i >= 0; i--"))
        code, out = self.learn("check", "90", "1")
        self.assertEqual(code, 0)
        self.assertIn("your file lessons/90_sample/ex1_add_up.c: passed  (10 of 10 points)", out)
        self.assertIn("Why it works: A sum starts at 0", out)
        self.assertIn("\n-    for (int i = n - 1; i >= 0; i--)\n", out)
        self.assertIn("\n+    for (int i = 0; i < n; i++)\n", out)
        self.assertNotIn("//>", out)
        plain = self.learn("check", "90", "1", "--plain")[1]
        self.assertIn("yours:     for (int i = n - 1; i >= 0; i--)", plain)
        self.assertIn("reference:     for (int i = 0; i < n; i++)", plain)

    def test_the_same_as_the_reference(self):
        self.save(self.ex1, self.answer("ex1_add_up"))
        self.assertIn("the same, word for word", self.learn("check")[1])

    def test_next_and_list(self):
        self.assertIn("ex1_add_up  exercise 1", self.learn("next")[1])
        out = self.learn("next")[1]
        self.assertIn("90_sample/ex1_add_up stays open", out)
        self.assertIn("ex2_place  exercise 2", out)
        self.assertRegex(self.learn("list")[1], r"ex2_place +not attempted +<- you are here")
        self.save(self.ex1, WRONG)
        self.assertRegex(self.learn("list")[1], r"ex1_add_up +edited, not checked\n")
        for path, slug in ((self.ex1, "ex1_add_up"), (self.ex2, "ex2_place")):
            self.save(path, self.answer(slug))
            self.learn("check", slug)
        self.assertIn("All 2 exercises pass.", self.learn("next")[1])

    def test_hints_come_one_at_a_time(self):
        words = ["Visit each number once.", "A for loop, from 0.", "sum += x[i]"]
        for number, word in enumerate(words, 1):
            out = self.learn("hint")[1]
            self.assertIn(f"Hint {number} of 3: {word}", out)
            self.assertEqual([one for one in words if one in out], [word])
        self.assertRegex(self.progress(), r"(?m)^90_sample/ex1_add_up +open +3$")
        out = self.learn("hint")[1]
        self.assertEqual([one for one in words if one in out], words)
        self.assertIn("./scripts/learn solution 90 ex1", out)

    def test_the_solution_is_closed_until_asked_for(self):
        code, out = self.learn("solution")
        self.assertEqual(code, 1)
        self.assertNotIn("sum += x[i]", out)
        self.assertIn("next: ./scripts/learn solution 90 ex1 --yes", out)
        code, out = self.learn("solution", "--yes")
        self.assertEqual(code, 0)
        self.assertIn("This is the reference's code, not yours.", out)
        self.assertIn("+        sum += x[i];", out)

    def test_reset_keeps_the_file(self):
        starter = self.read(self.ex1)
        self.save(self.ex1, WRONG)
        self.learn("check")
        out = self.learn("reset")[1]
        self.assertIn("kept as lessons/90_sample/ex1_add_up.c.saved-1", out)
        self.assertEqual(self.read(self.ex1 + ".saved-1"), WRONG)
        self.assertEqual(self.read(self.ex1), starter)
        self.assertRegex(self.progress(), r"ex1_add_up +not-attempted")
        self.assertIn("nothing was changed", self.learn("reset")[1])
        os.remove(self.ex1)
        self.learn("reset")
        self.assertEqual(self.read(self.ex1), starter)

    def test_reset_where_no_file_stands(self):
        """A folder, a pipe, a link that leads nowhere: none makes learn wait."""
        starter = self.read(self.ex1)
        places = (os.mkdir, os.mkfifo, lambda path: os.symlink("/nowhere/x.c", path))
        for number, put in enumerate(places, 1):
            os.remove(self.ex1)
            put(self.ex1)
            self.assertIn("There is no file", self.learn("check")[1])
            code, out = self.learn("reset")
            self.assertEqual((code, self.read(self.ex1)), (0, starter))
            kept = f"lessons/90_sample/ex1_add_up.c.saved-{number}"
            self.assertIn(f"What stood in its place is kept as {kept}", out)

    def test_reset_all_asks(self):
        self.save(self.ex1, WRONG)
        self.assertIn("Nothing was changed.", self.learn("reset", "--all")[1])
        self.assertEqual(self.read(self.ex1), WRONG)
        self.learn("reset", "--all", "--yes")
        self.assertEqual(self.read(self.ex1 + ".saved-1"), WRONG)
        self.assertFalse(os.path.exists(self.ex2 + ".saved-1"))

    def test_an_edition_without_solutions(self):
        starter = self.read(self.ex1)
        shutil.rmtree(os.path.join(self.root, "solutions"))
        self.assertIn("not part of this edition", self.learn("solution", "--yes")[1])
        self.save(self.ex1, WRONG)
        code, out = self.learn("reset")
        self.assertEqual((code, self.read(self.ex1)), (3, WRONG))
        self.assertIn("The starter of lessons/90_sample/ex1_add_up.c is not to be found", out)
        kept = os.path.join(self.root, "tests/lessons/90_sample/expected/ex1_add_up.starter.c")
        self.save(kept, starter)
        self.assertEqual(self.learn("reset")[0], 0)
        self.assertEqual(self.read(self.ex1), starter)


class Progress(classroom.Clone):
    def test_derived_anew_from_the_files(self):
        self.save(self.ex1, WRONG)
        self.save(self.ex2, self.answer("ex2_place"))
        code, out = self.learn("check", "--all")
        self.assertEqual(code, 1)
        self.assertIn("1 of 2 exercises passed.", out)
        before = self.progress()
        os.remove(os.path.join(self.root, ".progress"))
        shutil.rmtree(os.path.join(self.root, "build/sim/judge/state"))
        self.learn("check", "--all")
        self.assertEqual(self.progress(), before)
        self.assertIn("1 of 2 passed", self.learn("progress")[1])

    def test_a_regression_is_told(self):
        for path, slug in ((self.ex1, "ex1_add_up"), (self.ex2, "ex2_place")):
            self.save(path, self.answer(slug))
        self.learn("check", "ex1")
        self.save(self.ex1, WRONG)
        out = self.learn("check", "ex2")[1]
        self.assertIn("90_sample/ex1_add_up passed before and does not any more: wrong.", out)
        self.assertNotIn("any more", self.learn("check", "ex2")[1])
        self.save(self.ex1, self.answer("ex1_add_up"))
        self.learn("check", "ex1")
        self.save(self.ex1, WRONG)
        self.assertIn("any more: wrong.", self.learn("check", "--all")[1])

    def test_an_update_checks_again(self):
        for path, slug in ((self.ex1, "ex1_add_up"), (self.ex2, "ex2_place")):
            self.save(path, self.answer(slug))
            out = self.learn("check", slug)[1]
            self.assertNotIn("Checking again", out)
        manifest = os.path.join(self.root, "tests/lessons/90_sample/ex1.json")
        self.save(manifest, self.read(manifest) + "\n")
        out = self.learn("check", "ex2")[1]
        self.assertIn("Checking again 1 earlier exercise", out)
        self.assertIn("All still pass.", out)


    def test_everything_passes(self):
        for slug in ("ex1_add_up", "ex2_place"):
            self.save(getattr(self, slug[:3]), self.answer(slug))
        out = self.learn("check", "--all")[1]
        self.assertTrue(out.endswith("\nThat is the whole workbook. Well done.\n"), out)

    def test_what_it_printed_is_shown_after_a_pass_too(self):
        text = self.answer("ex1_add_up")
        text = text.replace("\n{\n", '\n{\n    puts("I was here");\n', 1)
        self.save(self.ex1, "#include <stdio.h>\n" + text)
        out = self.learn("check", "ex1")[1]
        self.assertIn("passed  (10 of 10", out)
        self.assertIn("  | I was here\n", out)

    def test_a_reader_that_has_seen_enough(self):
        child = subprocess.Popen([*LEARN, "--root", self.root, "list"], cwd=self.root,
                                 env=self.environment(), stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True)
        child.stdout.close()  # before anything is written
        self.assertEqual(child.stderr.read(), "")
        child.stderr.close()
        self.assertEqual(child.wait(), 141)

    def test_no_answer_is_promised_where_there_is_none(self):
        for _ in range(3):
            self.learn("hint", "ex1")
        self.assertIn("The answer itself: ", self.learn("hint", "ex1")[1])
        shutil.rmtree(os.path.join(self.root, "solutions"))
        out = self.learn("hint", "ex1")[1]
        self.assertIn("These are all three.\n", out)
        self.assertNotIn("The answer", out)


class NotReady(classroom.Clone):
    def test_a_preset_that_is_not_built(self):
        out = self.learn("check", "--preset", "asan")[1]
        self.assertIn("The preset asan is not built yet.", out)
        self.assertTrue(out.endswith("cmake --preset asan && cmake --build --preset asan\n"), out)

    def test_nothing_built(self):
        shutil.rmtree(os.path.join(self.root, "build"))
        code, out = self.learn("check")
        self.assertEqual(code, 1)
        self.assertIn("The workbook is not built yet.", out)
        self.assertTrue(out.endswith("\nnext: ./scripts/start\n"), out)

    def test_a_clone_that_was_moved(self):
        moved = self.root + " moved"
        shutil.rmtree(moved, ignore_errors=True)
        os.rename(self.root, moved)
        self.root = moved
        out = self.learn()[1]
        self.assertIn("moved or copied after it was built", out)
        self.assertTrue(out.endswith("\nnext: ./scripts/start\n"), out)

    def test_a_lesson_that_an_update_brought(self):
        self.save_lesson("91_more")
        self.assertIn("note: Not built yet: 91_more. To build it: ./scripts/start",
                      self.learn()[1])
        self.assertIn("next: ", self.learn("check")[1].rstrip().split("\n")[-1])
        code, out = self.learn("doctor")
        self.assertEqual(code, 1)
        self.assertIn("broken   build/sim: Not built yet: 91_more", out)
        self.assertTrue(out.endswith("\nnext: ./scripts/start\n"), out)

    def save_lesson(self, name: str):
        os.makedirs(os.path.join(self.root, "lessons", name))
        self.save(os.path.join(self.root, "lessons", name, "CMakeLists.txt"), "")

    def test_sources_newer_than_the_build(self):
        source = os.path.join(self.root, "lib", "new.c")
        os.makedirs(os.path.dirname(source))
        self.save(source, "")
        os.utime(source, (4e9, 4e9))
        self.assertIn("sources are newer than what is built", self.learn("check")[1])
        os.utime(source, (0, 0))
        self.assertNotIn("newer", self.learn("check")[1])


if __name__ == "__main__":
    unittest.main()
