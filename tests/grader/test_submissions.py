"""Folders, zips, tarballs and git repositories: what is taken from them, what
is refused, and what is told."""

from __future__ import annotations

import io
import os
import shutil
import stat
import subprocess
import sys
import tarfile
import unittest
import warnings
import zipfile
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from classroom import SLUG, own, sample_root, write  # noqa: E402

from workbook import lesson as lessons  # noqa: E402
from workbook.grade import archive, reader, submissions  # noqa: E402
from workbook.lesson import Fault  # noqa: E402

PLACE = f"lessons/90_sample/{SLUG}.c"
KEY = ("90_sample", SLUG)


class Taking(unittest.TestCase):
    def setUp(self):
        self.folder = own(self)
        root = sample_root()
        self.lessons = [lessons.find("90", "sim", root)]
        self.root = root
        # In this process, where a test can make a cap smaller.
        patch = mock.patch.object(reader, "apart", submissions.read)
        patch.start()
        self.addCleanup(patch.stop)

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def take(self, name: str) -> submissions.Taken:
        (one,) = submissions.find([self.path(name)], root=self.root)
        return reader.take(one, self.lessons, self.root)

    def zip(self, members: dict[str, bytes], modes: dict[str, int] | None = None) -> str:
        with zipfile.ZipFile(self.path("a.zip"), "w", zipfile.ZIP_DEFLATED) as out:
            for name, data in members.items():
                info = zipfile.ZipInfo(name)
                info.compress_type = zipfile.ZIP_DEFLATED
                info.external_attr = (modes or {}).get(name, stat.S_IFREG | 0o644) << 16
                out.writestr(info, data)
        return "a.zip"

    def tar(self, infos: list[tuple[tarfile.TarInfo, bytes]], name: str = "a.tar.gz") -> str:
        kind = {"gz": "w:gz", "xz": "w:xz", "z2": "w:bz2", "ar": "w"}[name[-2:]]
        with tarfile.open(self.path(name), kind) as out:
            for info, data in infos:
                info.size = len(data)
                out.addfile(info, io.BytesIO(data))
        return name


class Forms(Taking):
    def test_each_form(self):
        write(self.path(f"ann/{PLACE}"), "one")
        write(self.path(f"bob/90_sample/{SLUG}.c"), "one")
        write(self.path(f"cy/{SLUG}.c"), "one")
        self.zip({f"top/{PLACE}": b"one"})
        for name in ("b.tar", "c.tar.gz", "d.tar.xz", "e.tar.bz2"):
            self.tar([(tarfile.TarInfo(PLACE), b"one")], name)
        for name in ("ann", "bob", "cy", "a.zip", "b.tar", "c.tar.gz", "d.tar.xz", "e.tar.bz2"):
            with self.subTest(name):
                taken = self.take(name)
                self.assertEqual((taken.files, taken.problem), ({KEY: b"one"}, ""))

    @unittest.skipUnless(shutil.which("git"), "needs git")
    def test_git(self):
        work = self.path("work")
        write(os.path.join(work, PLACE), "one")
        quiet = {"check": True, "capture_output": True}
        for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "mine"]):
            who = ["-c", "user.name=ann", "-c", "user.email=ann@example.org"]
            subprocess.run(["git", "-C", work, *who, *words], **quiet)
        subprocess.run(["git", "clone", "-q", "--bare", work, self.path("ann.git")], **quiet)
        self.assertEqual(self.take("work").files, {KEY: b"one"})
        self.assertEqual(self.take("ann.git").files, {KEY: b"one"})
        self.assertEqual(submissions.find([self.path("ann.git")])[0].student, "ann")

    def test_a_class(self):
        for name in ("ann", "bob"):
            write(self.path(f"{name}/{PLACE}"), "one")
        self.zip({PLACE: b"one"})
        write(self.path("notes.txt"), "not a submission")
        found = [one.student for one in submissions.find([self.folder])]
        self.assertEqual(found, ["a", "ann", "bob"])

    def test_names_that_are_safe(self):
        for name in ("=cmd|x", "a b", "-rf", "@sum", "\u202egpj", "a\u0300" * 80):
            write(self.path(f"{name}/{PLACE}"), "one")
        found = {one.student for one in submissions.find([self.folder])}
        self.assertEqual(found, {"_cmd_x", "a_b", "rf", "sum", "_gpj", "à" * 75})

    def test_names_of_any_script(self):
        for name in ("über", "李明", "Jose\u0301 Nu\u0301n\u0303ez", "王芳", "ग\u0940ता"):
            write(self.path(f"{name}/{PLACE}"), "one")
        found = {one.student for one in submissions.find([self.folder])}
        self.assertEqual(found, {"über", "李明", "José_Núñez", "王芳", "ग\u0940ता"})

    def test_names_that_begin_as_lessons_do(self):
        for name in ("01_ann", "02_bob"):
            write(self.path(f"{name}/{PLACE}"), "one")
        found = [one.student for one in submissions.find([self.folder], root=self.root)]
        self.assertEqual(found, ["01_ann", "02_bob"])
        one = submissions.find([self.path("01_ann/lessons")], root=self.root)
        self.assertEqual([a.student for a in one], ["lessons"])  # 90_sample is one

    def test_what_is_no_submission_is_told(self):
        write(self.path(f"ann/{PLACE}"), "one")
        write(self.path("notes.txt"), "")
        write(self.path("bob.rar"), "Rar!")
        found = submissions.find([self.folder], root=self.root)
        self.assertEqual([one.student for one in found], ["ann", "bob"])
        self.assertIn("bob.rar is no folder, zip or tarball", self.take("bob.rar").problem)
        self.assertEqual(submissions.passed_over([self.folder], self.root), ["notes.txt"])

    def test_a_name_that_no_list_can_hold(self):
        write(self.path(f"a\n--out=x/{PLACE}"), "one")
        with self.assertRaisesRegex(Fault, "rename"):
            submissions.find([self.folder])

    def test_two_of_one_name(self):
        for name in ("one/ann", "two/ann"):
            write(self.path(f"{name}/{PLACE}"), "one")
        found = submissions.find([self.path("one"), self.path("two")])
        self.assertEqual([one.student for one in found], ["ann", "ann~2"])

    def test_nothing_there(self):
        with self.assertRaisesRegex(Fault, "there is no submission"):
            submissions.find([self.path("nobody")])
        with self.assertRaisesRegex(Fault, "no submissions in"):
            submissions.find([self.folder])


class Beside(Taking):
    def test_altered_files_are_told(self):
        shutil.copytree(os.path.join(self.root, "lib"), self.path("ann/lib"))
        write(self.path(f"ann/{PLACE}"), "one")
        write(self.path("ann/lib/workbook/machine.h"), "mine")
        write(self.path("ann/tests/lessons/90_sample/ex1.json"), "{}")
        write(self.path("ann/notes.txt"), "free")
        taken = self.take("ann")
        self.assertEqual(
            taken.altered, ["lib/workbook/machine.h", "tests/lessons/90_sample/ex1.json"]
        )
        self.assertEqual(list(taken.files), [KEY])

    def test_answers_in_other_folders_are_not_the_students(self):
        write(self.path(f"ann/solutions/90_sample/{SLUG}.c"), "answer")
        write(self.path(f"ann/tests/lessons/90_sample/wrong/{SLUG}.c"), "wrong")
        write(self.path("ann/lessons/90_sample/notes.txt"), "")
        self.assertEqual(self.take("ann").files, {})

    def test_nearly_the_name(self):
        for name in (f"{SLUG} (1).c", "EX1-ADD-UP.C", "90_sample/ex1.c", "ex1_other.c",
                     f"tests/{SLUG}.starter.c", "ex12_add_up.c"):
            write(self.path(f"ann/{name}"), "one")
        taken = self.take("ann")
        self.assertEqual(taken.files, {})
        told = [line.split(":")[0] for line in taken.misnamed]
        self.assertEqual(sorted(told), ["90_sample/ex1.c", "EX1-ADD-UP.C", f"{SLUG} (1).c"])
        write(self.path(f"ann/{SLUG}.c"), "one")
        self.assertEqual(self.take("ann").misnamed, [])

    def test_exercises_of_other_lessons_are_for_changing(self):
        write(self.path("ann/lessons/90_sample/ex2_place.c"), "mine")
        one = submissions.Submission("ann", self.path("ann"))
        self.assertEqual(reader.take(one, [], self.root).altered, [])

    def test_an_archive_in_a_folder(self):
        self.zip({PLACE: b"one"})
        os.makedirs(self.path("ann"))
        os.rename(self.path("a.zip"), self.path("ann/a.zip"))
        one = submissions.Submission("ann", self.path("ann"))
        self.assertEqual(reader.take(one, self.lessons, self.root).files, {KEY: b"one"})
        shutil.copy(self.path("ann/a.zip"), self.path("ann/b.zip"))  # which of them?
        taken = reader.take(one, self.lessons, self.root)
        self.assertEqual((taken.files, len(taken.odd)), ({}, 2))

    def test_the_same_file_twice(self):
        """Whoever unpacks it finds the later one."""
        for name in ("a.zip", "a.tar"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # zipfile's, of two of a name
                with zipfile.ZipFile(self.path("a.zip"), "w") as out:
                    out.writestr(PLACE, b"old")
                    out.writestr(PLACE, b"new")
            self.tar([(tarfile.TarInfo(PLACE), b"old"), (tarfile.TarInfo(PLACE), b"new")], "a.tar")
            with self.subTest(name):
                taken = self.take(name)
                self.assertEqual(taken.files, {KEY: b"new"})
                self.assertEqual(taken.odd, [f"{PLACE}: there twice; the later one is taken"])

    def test_a_folder_whose_name_is_not_utf_8(self):
        self.tar([(tarfile.TarInfo(f"\udcdcbung/{PLACE}"), b"one")], "a.tar")
        self.assertEqual(self.take("a.tar").files, {KEY: b"one"})

    @unittest.skipIf(os.geteuid() == 0, "root opens every folder")
    def test_a_folder_that_cannot_be_opened(self):
        write(self.path(f"ann/{PLACE}"), "one")
        self.addCleanup(os.chmod, self.path("ann/lessons"), 0o755)
        os.chmod(self.path("ann/lessons"), 0)
        self.assertEqual(self.take("ann").odd,
                         ["lessons: cannot be opened (Permission denied); left out"])

    def test_the_surest_of_two(self):
        self.zip({f"old/{SLUG}.c": b"old", f"new/{PLACE}": b"new"})
        taken = self.take("a.zip")
        self.assertEqual(taken.files, {KEY: b"new"})
        self.assertIn("a second file of this name", taken.odd[0])


@unittest.skipUnless(shutil.which("git"), "needs git")
class Repositories(Taking):
    """Bare ones: git reads them for us."""

    def git(self, *words: str) -> str:
        who = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org"}
        who.update(GIT_COMMITTER_NAME="a", GIT_COMMITTER_EMAIL="a@example.org")
        done = subprocess.run(["git", *words], capture_output=True, text=True, check=True,
                              env={**os.environ, **who})
        return done.stdout.strip()

    def setUp(self):
        super().setUp()
        work = self.path("work")
        write(os.path.join(work, PLACE), "one")
        self.git("-C", self.folder, "init", "-q", "work")
        self.git("-C", work, "add", ".")
        self.git("-C", work, "commit", "-qm", "mine")
        self.git("clone", "-q", "--bare", work, self.path("ann.git"))

    def test_whole(self):
        self.assertEqual(self.take("ann.git").files, {KEY: b"one"})

    def test_a_classmates_files_by_name(self):
        for what, name in enumerate(("objects", "commondir", "objects/info/alternates")):
            with self.subTest(name):
                bob = self.path(f"bob{what}.git")
                self.git("init", "-q", "--bare", bob)
                if name == "objects":
                    for part in ("objects", "refs"):
                        shutil.rmtree(os.path.join(bob, part))
                        os.symlink(self.path(f"ann.git/{part}"), os.path.join(bob, part))
                    shutil.copy(self.path("ann.git/packed-refs"), bob)
                elif name == "commondir":
                    write(os.path.join(bob, name), "../ann.git\n")
                else:
                    write(os.path.join(bob, name), self.path("ann.git/objects") + "\n")
                    head = self.git("-C", self.path("work"), "rev-parse", "HEAD")
                    ref = self.git("-C", bob, "symbolic-ref", "HEAD")
                    write(os.path.join(bob, ref), head + "\n")
                shutil.copy(self.path("ann.git/HEAD"), bob)
                taken = self.take(f"bob{what}.git")
                self.assertEqual(taken.files, {})
                self.assertIn("hand in a whole one", taken.problem)

    def test_no_commit(self):
        self.git("init", "-q", "--bare", self.path("cy.git"))
        self.assertIn("it has no commit", self.take("cy.git").problem)

    def test_a_bomb(self):
        work = self.path("work")
        with open(os.path.join(work, "zeros"), "wb") as file:
            file.truncate(64 << 20)
        self.git("-C", work, "add", ".")
        self.git("-C", work, "commit", "-qm", "zeros")
        self.git("clone", "-q", "--bare", work, self.path("dot.git"))
        with mock.patch.object(archive, "MOST_BYTES", 1 << 20):
            self.assertIn("unpacks to more than", self.take("dot.git").problem)


if __name__ == "__main__":
    unittest.main()
