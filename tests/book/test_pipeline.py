"""The pipeline on a small sample book: what it makes, and the sentence for
everything that an author can get wrong."""
from __future__ import annotations

import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import reading  # finds the book's tools
import kept

SKIP = 77
CHAPTER = "book/01_sample.md"
LESSON = "lessons/01_sample/lesson.c"


class Made(unittest.TestCase):
    """What the sample becomes: rendered once, looked at by each test."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(tempfile.mkdtemp())
        root, cls.tree = reading.sample(cls.folder)
        done = reading.build(root, cls.tree)
        if done.returncode:
            raise AssertionError(done.stderr)
        cls.pages = reading.read_all(cls.tree / "book/html")
        cls.text = cls.pages["01_sample.html"].text

    @classmethod
    def tearDownClass(cls) -> None:
        shutil.rmtree(cls.folder)

    def test_sample_has_no_fault(self) -> None:
        self.assertEqual(reading.faults(self.pages), [])

    def test_code_has_true_numbers_and_no_markers(self) -> None:
        text = self.text
        shown = text.split('<figure class="listing">')[1]
        self.assertIn("counter-reset:l 11", shown)
        self.assertIn('<span class="hl">', shown)
        for marker in ("//&gt;", "//&lt;", "//>", "//<"):
            self.assertNotIn(marker, text)
        region = shown.split("<details")[0]
        self.assertNotIn("expect:", region)
        self.assertIn("&amp; &lt;tags&gt;", text)

    def test_whole_files_are_a_page_beside_the_chapter(self) -> None:
        there = "01_sample-files.html#lesson-c"
        self.assertEqual(self.text.count(f'class="whole" href="{there}"'), 1)
        whole = self.pages["01_sample-files.html"].text
        self.assertIn('id="lesson-c"', whole)
        for line in (self.tree.parent / "root" / LESSON).read_text(
                "utf-8").splitlines():
            word = line.strip().partition(" ")[0]
            if word.isidentifier():
                self.assertIn(word, whole)
        self.assertIn("expect:", whole)
        self.assertNotIn("//>", whole)
        self.assertNotIn("//&gt;", whole)

    def test_output_is_the_transcript(self) -> None:
        text = self.text
        self.assertIn("<samp>tensor([1, 2, 3])\n"
                      "tensor([1, 2, 3], device='cuda:7')</samp>", text)
        self.assertIn("simulated: 1,234 ns", text)  # {ns:1,234}
        self.assertIn("SIM_MACHINE=t4 CUDA_VISIBLE_DEVICES=0 build/sim/"
                      "lessons/01_sample/lesson", text)
        self.assertIn("exit code 1", text)

    def test_call_log_is_the_regions(self) -> None:
        log = self.text.split(
            '<details class="calllog">')[1].split("</details>")[0]
        self.assertIn("<b>cudaMalloc</b>", log)
        self.assertIn("<b>cudaMemcpy</b>", log)
        self.assertNotIn("cudaLaunchKernel", log)

    def test_exercise_box_comes_from_the_manifest(self) -> None:
        text = self.text
        self.assertIn('id="ex1"', text)
        self.assertIn("A first move", text)
        self.assertIn("./scripts/learn check 01 ex1", text)
        self.assertIn("lessons/01_sample/ex1_first_move.c", text)
        self.assertEqual(text.count('<details class="hint">'), 3)

    def test_pictures_have_title_and_words(self) -> None:
        text = self.text
        self.assertEqual(text.count('<figure class="picture"'), 4)
        self.assertEqual(text.count('role="img"'), 4)
        self.assertEqual(text.count("<desc "), 4)
        self.assertEqual(text.count('<details class="as-text">'), 4)

    def test_names_lead_somewhere(self) -> None:
        text = self.text
        self.assertIn('href="calls.html#tensor_to"', text)
        self.assertIn('href="conformance.html#cudaMalloc"', text)
        self.assertIn('href="glossary.html#term-device"', text)

    def test_reads_without_scripts(self) -> None:
        text = self.text
        self.assertIn('<button class="theme" type="button" hidden', text)
        self.assertIn('role="search" hidden', text)

    def test_search_knows_prose_calls_and_chinese(self) -> None:
        index = (self.tree / "book/html/search-index.js").read_text("utf-8")
        for words in ("显存", "tensor_pow", "One tensor, two places",
                      '"moved"', "Born on the CPU"):
            if words != '"moved"':
                self.assertIn(words, index)
        self.assertNotIn("Show the whole file{", index)


class Pipeline(unittest.TestCase):
    """Each test has a copy of the sample to break."""

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.root, self.tree = reading.sample(self.folder)

    def render(self, *more: str) -> dict[str, reading.Page]:
        done = reading.build(self.root, self.tree, *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return reading.read_all(self.tree / "book/html")

    def change(self, old: str, new: str, path: str = CHAPTER) -> int:
        """Replace text; the line number where it stood."""
        file = self.root / path
        text = file.read_text(encoding="utf-8")
        self.assertIn(old, text)
        file.write_text(text.replace(old, new, 1), encoding="utf-8")
        return text[:text.index(old)].count("\n") + 1

    def refused(self, sentence: str, line: int = 0, path: str = CHAPTER
                ) -> None:
        done = reading.build(self.root, self.tree)
        self.assertEqual(done.returncode, 1, "the build did not fail")
        place = f"{path}:{line}: " if line else ""
        self.assertIn(place + sentence, done.stderr)
        self.assertFalse((self.tree / "book/html/index.html").exists())

    def test_two_builds_are_byte_identical(self) -> None:
        first = {}
        for at in range(2):
            shutil.rmtree(self.tree / "book", ignore_errors=True)
            self.render()
            made = {path.name: path.read_bytes() for path
                    in (self.tree / "book/html").rglob("*")
                    if path.is_file()}
            if at:
                self.assertEqual(first, made)
            first = made

    def test_depfile_names_what_was_read(self) -> None:
        stamp = self.folder / "book.stamp"
        self.render("--stamp", str(stamp), "--depfile", str(stamp) + ".d")
        read = (self.folder / "book.stamp.d").read_text("utf-8")
        for path in (CHAPTER, LESSON, "tests/lessons/01_sample/runs",
                     "tests/lessons/01_sample/ex1.json",
                     "lib/sim/machines/v100x8.machine",
                     "lib/tensor/tensor.h"):
            self.assertIn(f"root/{path}", read)
        self.assertIn("page.lua", read)
        self.assertTrue(stamp.exists())

    # -- what it refuses

    def test_missing_file(self) -> None:
        line = self.change('.c file="lessons/01_sample/lesson.c" region="t',
                           '.c file="lessons/01_sample/gone.c" region="t')
        self.refused("there is no file lessons/01_sample/gone.c", line)

    def test_missing_region(self) -> None:
        line = self.change('region="transfer" highlight', 'region="gone" '
                           'highlight')
        self.refused("lessons/01_sample/lesson.c has no region 'gone'", line)

    def test_region_without_end(self) -> None:
        self.change("    //< power\n", "", LESSON)
        self.refused("region 'power' of lessons/01_sample/lesson.c is never "
                     "closed")

    def test_missing_run(self) -> None:
        line = self.change('.output run="01_sample/masked"',
                           '.output run="01_sample/gone"')
        self.refused("tests/lessons/01_sample/runs has no run 'gone'", line)

    def test_missing_lesson_of_a_run(self) -> None:
        line = self.change('.output run="01_sample/masked"',
                           '.output run="09_gone/default"')
        self.refused('run="09_gone/default": there is no tests/lessons/'
                     "09_gone/runs", line)

    def test_missing_transcript(self) -> None:
        (self.root / "tests/lessons/01_sample/expected/masked.txt").unlink()
        self.change("// expect:", "// once:", LESSON)
        self.change("// expect:", "// once:", LESSON)
        self.change("// expect:", "// once:", LESSON)
        self.refused("run 01_sample/masked has no transcript")

    def test_run_whose_words_are_free(self) -> None:
        line = self.change('.output run="01_sample/masked"',
                           '.output run="01_sample/skipped"')
        self.change("curve      curve", "skipped    lesson   none     -"
                    "                        77\ncurve      curve",
                    "tests/lessons/01_sample/runs")
        self.refused("run 01_sample/skipped has no tests/lessons/01_sample/"
                     "expected/skipped.txt, so nothing that it prints is "
                     "tested", line)

    def runner_says(self, words: str, code: int) -> None:
        """Stand in for scripts/workbook."""
        folder = self.root / "scripts/workbook"
        folder.mkdir(parents=True)
        (folder / "__main__.py").write_text(
            f"print({words!r}); raise SystemExit({code})\n")
        (self.tree / "lessons/01_sample/lesson.json").write_text("{}")

    def test_program_prints_something_else_now(self) -> None:
        self.runner_says("stdout is not the transcript", 1)
        self.refused("what this shows is no longer what the program prints."
                     "\nstdout is not the transcript")

    def test_run_that_cannot_be_checked(self) -> None:
        self.runner_says("lesson is not built", 3)
        self.refused("run 01_sample/default cannot be checked. lesson is not "
                     "built")

    def test_changed_lesson_is_the_students_right(self) -> None:
        self.runner_says("Skipped: you changed lesson.c", 77)
        self.render()

    def test_missing_line_of_a_transcript(self) -> None:
        line = self.change('.output run="01_sample/masked"',
                           '.output run="01_sample/masked" from="never"')
        self.refused('from="never": run 01_sample/masked has no such line',
                     line)

    def test_highlight_beyond_the_end(self) -> None:
        line = self.change('highlight="2"', 'highlight="9"')
        self.refused('highlight="9": only 4 lines are shown', line)

    def test_missing_exercise(self) -> None:
        line = self.change('ex="ex1"', 'ex="ex9"')
        self.refused("exercise 01_sample/ex9: there is no tests/lessons/"
                     "01_sample/ex9.json", line)

    def test_missing_program(self) -> None:
        (self.tree / "lessons/01_sample/lesson").unlink()
        self.refused("run 01_sample/default needs lesson, which is not built")

    def test_missing_machine(self) -> None:
        line = self.change('machine="v100x8" title', 'machine="abacus" title')
        self.refused("there is no machine 'abacus'", line)

    def test_place_that_was_not_printed(self) -> None:
        line = self.change("x7: tensor([1, 2, 3], device='cuda:7')",
                           "x7: tensor([9])")
        self.refused("run 01_sample/default does not print the line "
                     "'tensor([9])'")
        self.assertGreater(line, 0)

    def test_missing_column(self) -> None:
        line = self.change('y="copy,arithmetic"', 'y="copy,love"')
        self.refused("the table of run 01_sample/curve has no column 'love'",
                     line)

    def test_missing_page_and_id(self) -> None:
        line = self.change("glossary.md#term-device", "gone.md")
        self.refused("the link gone.md names a page that is not there", line)

    def test_missing_id(self) -> None:
        line = self.change("machines.md#v100x8", "machines.md#gone")
        self.refused("the link machines.md#gone: page machines has no id",
                     line)

    def test_missing_term(self) -> None:
        line = self.change("[device]{.term}", "[gadget]{.term}")
        self.refused("the glossary has no term 'gadget'", line)

    def test_missing_call(self) -> None:
        line = self.change("`tensor_to` copies, and", "`tensor_fly` copies, "
                           "and")
        self.refused("no public header knows `tensor_fly`", line)

    def test_missing_cuda_call(self) -> None:
        line = self.change("`cudaMalloc`", "`cudaMallow`")
        self.refused("no header of the simulator knows `cudaMallow`", line)

    def test_heading_without_id(self) -> None:
        line = self.change("## It stays where it is {#stays}",
                           "## It stays where it is")
        self.refused("the heading 'It stays where it is' has no id", line)

    def test_id_used_twice(self) -> None:
        line = self.change("{#stays}", "{#born}")
        self.refused("the id 'born' is used twice", line)

    def test_unknown_box(self) -> None:
        line = self.change("::: today", "::: tomorrow")
        self.refused("there is no box '::: tomorrow'", line)

    def test_box_never_closed(self) -> None:
        line = self.change("::: recap", "::: recap\n\n::: note")
        self.refused("'::: recap' is never closed", line)

    def test_html_in_a_chapter(self) -> None:
        line = self.change("With one GPU", "<b>With one GPU</b>")
        self.refused("no HTML in a page", line)

    def test_outside_link(self) -> None:
        self.change("[machines](machines.md#v100x8)",
                    "[web](https://example.org)")
        self.refused("a link leaves the book: https://example.org")

    def test_unknown_attribute(self) -> None:
        line = self.change('region="transfer" highlight', 'regoin="transfer" '
                           'highlight')
        self.refused("a .listing has no attribute regoin=", line)

    def test_all_faults_are_told_at_once(self) -> None:
        self.change('ex="ex1"', 'ex="ex9"')
        self.change("::: today", "::: tomorrow")
        done = reading.build(self.root, self.tree)
        self.assertIn("ex9", done.stderr)
        self.assertIn("tomorrow", done.stderr)


class Kept(unittest.TestCase):
    """A page is rendered again when anything that it is made from differs."""

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def render(self, markdown: str, data: str = "return {lang='en', calls={}}",
               name: str = "name", top: Path = reading.ROOT / "book"
               ) -> tuple[str, bool]:
        """The page, and whether pandoc was asked for it."""
        pandoc = kept.Pandoc(top, self.folder / "kept")
        work, target = self.folder / "work/x", self.folder / "x.html"
        work.with_name("x.md").unlink(missing_ok=True)
        pandoc.render("x.md", work, markdown, data, {
            "from": "markdown", "to": "html5", "wrap": "preserve",
            "variables": {"name": name, "w": {}}}, target)
        return target.read_text("utf-8"), work.with_name("x.md").exists()

    def test_the_same_is_taken_and_the_other_is_made(self) -> None:
        text, made = self.render("one `x`")
        self.assertTrue(made)
        self.assertIn("one <code>x</code>", text)
        self.assertEqual(self.render("one `x`"), (text, False))
        for other in ({"markdown": "two"}, {"data": "return {lang='zh', calls={}}"},
                      {"name": "other"}):
            self.assertTrue(self.render(**({"markdown": "one `x`"} | other))[1],
                            other)
        top = self.folder / "top"
        for path in kept.READ:
            (top / path).parent.mkdir(parents=True)
            (top / path).write_text("$body$" if path.endswith("html") else
                                    "return {}", "utf-8")
        text, made = self.render("one `x`", top=top)
        self.assertEqual((text.strip(), made),
                         ("<p>one <code>x</code></p>", True))

    def test_what_a_full_rendering_did_not_use_goes(self) -> None:
        self.render("one")
        pandoc = kept.Pandoc(reading.ROOT / "book", self.folder / "kept")
        pandoc.forget()
        self.assertEqual(list((self.folder / "kept").iterdir()), [])


if __name__ == "__main__":
    if not shutil.which("pandoc"):
        print("Skipped: pandoc is not installed.")
        sys.exit(SKIP)
    unittest.main()
