"""Folders, zips, tarballs and git repositories: what is taken from them, what
is refused, and what is told."""

from __future__ import annotations

import io
import os
import shutil
import stat
import struct
import subprocess
import sys
import tarfile
import unittest
import zipfile
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from classroom import SLUG, own, sample_root, write  # noqa: E402

from workbook import lesson as lessons  # noqa: E402
from workbook import verdict  # noqa: E402
from workbook.grade import archive, sandbox, submissions, work  # noqa: E402
from workbook.lesson import Fault  # noqa: E402

PLACE = f"lessons/90_sample/{SLUG}.c"
KEY = ("90_sample", SLUG)


class Taking(unittest.TestCase):
    def setUp(self):
        self.folder = own(self)
        root = sample_root()
        self.lessons = [lessons.find("90", "sim", root)]
        self.root = root

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def take(self, name: str) -> submissions.Taken:
        (one,) = submissions.find([self.path(name)], root=self.root)
        return submissions.take(one, self.lessons, self.root)

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
        self.assertEqual(submissions.take(one, [], self.root).altered, [])

    def test_an_archive_in_a_folder(self):
        self.zip({PLACE: b"one"})
        os.makedirs(self.path("ann"))
        os.rename(self.path("a.zip"), self.path("ann/a.zip"))
        one = submissions.Submission("ann", self.path("ann"))
        self.assertEqual(submissions.take(one, self.lessons, self.root).files, {KEY: b"one"})
        shutil.copy(self.path("ann/a.zip"), self.path("ann/b.zip"))  # which of them?
        taken = submissions.take(one, self.lessons, self.root)
        self.assertEqual((taken.files, len(taken.odd)), ({}, 2))

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


class Hostile(Taking):
    def test_much_to_read(self):
        names = [f"{'a/' * depth}{SLUG}.c" for depth in range(9, 0, -1)]
        self.zip({name: bytes(1 << 19) for name in names})
        with mock.patch.object(archive, "MOST_BYTES", 1 << 21):
            self.assertIn("MB to read", self.take("a.zip").problem)

    def test_a_tarball_of_heads_alone(self):
        folders = [(tarfile.TarInfo(f"d{at}"), b"") for at in range(3000)]
        for info, _ in folders:
            info.type = tarfile.DIRTYPE
        self.tar([*folders, (tarfile.TarInfo(PLACE), b"one")])
        kept = []
        real = tarfile.TarFile.next

        def spy(file):
            kept.append(len(file.members))
            return real(file)

        with mock.patch.object(tarfile.TarFile, "next", spy):
            self.assertEqual(self.take("a.tar.gz").files, {KEY: b"one"})
        self.assertLess(max(kept), 4)

    def test_links_in_a_folder(self):
        write(self.path("ann/lessons/90_sample/notes"), "")
        os.symlink("/etc/passwd", self.path(f"ann/{PLACE}"))
        os.symlink("/", self.path("ann/all"))
        os.mkfifo(self.path("ann/pipe"))
        taken = self.take("ann")
        self.assertEqual((taken.files, taken.altered), ({}, []))
        self.assertIn(f"{PLACE}: a link; left out", taken.odd)
        self.assertIn("all: a link; left out", taken.odd)
        self.assertIn("pipe: no regular file; left out", taken.odd)

    def test_pipes_and_names_in_a_folder(self):
        write(self.path("ann/lessons/90_sample/notes"), "")
        os.mkfifo(self.path("ann/pipe"))
        os.symlink(self.path("ann/pipe"), self.path(f"ann/{PLACE}"))
        write(self.path(f"ann/lessons/90_sample/{SLUG}.c\n{SLUG}.c"), "evil")
        write(self.path(f"bob/lessons/90_sample/\n/{SLUG}.c"), "evil")
        os.mkfifo(self.path(f"bob/lessons/90_sample/{SLUG}.c"))
        for student in ("ann", "bob"):
            taken = self.take(student)
            self.assertEqual((student, taken.files), (student, {}))
            for line in taken.odd:
                self.assertTrue(line.isprintable(), line)

    def test_names_in_a_zip(self):
        names = {f"../{PLACE}": "a name with '..'", f"/{PLACE}": "an absolute name"}
        names.update({f"C:\\{SLUG}.c": "an absolute name", f"a\x1b[2J/{SLUG}.c": "an odd name"})
        self.zip({name: b"evil" for name in names})
        taken = self.take("a.zip")
        self.assertEqual(taken.files, {})
        for line, why in zip(taken.odd, names.values()):
            self.assertIn(f"{why}; left out", line)
            self.assertTrue(line.isprintable())

    def test_links_in_a_zip(self):
        self.zip({PLACE: b"/etc/passwd"}, {PLACE: stat.S_IFLNK | 0o777})
        taken = self.take("a.zip")
        self.assertEqual((taken.files, taken.odd), ({}, [f"{PLACE}: a link; left out"]))

    def test_links_and_devices_in_a_tarball(self):
        infos = []
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE):
            info = tarfile.TarInfo(PLACE)
            info.type, info.linkname = kind, "/etc/passwd"
            infos.append((info, b""))
        infos.append((tarfile.TarInfo(f"../../{PLACE}"), b"evil"))
        taken = self.take(self.tar(infos))
        self.assertEqual(taken.files, {})
        self.assertEqual([line.split(": ")[1] for line in taken.odd][:4],
                         ["a link; left out"] * 2 + ["no regular file; left out"] * 2)

    def test_a_zip_bomb_is_not_unpacked(self):
        self.zip({"bomb": b"\0" * (8 << 20), PLACE: b"one"})
        self.assertEqual(self.take("a.zip").files, {KEY: b"one"})
        self.zip({PLACE: b"\0" * (8 << 20)})
        self.assertIn("is larger than 1 MB", self.take("a.zip").problem)

    def test_a_tar_bomb(self):
        self.tar([(tarfile.TarInfo("bomb"), b"\0" * (4 << 20)), (tarfile.TarInfo(PLACE), b"one")])
        with mock.patch.object(archive, "MOST_BYTES", 2 << 20):
            taken = self.take("a.tar.gz")
        self.assertIn("unpacks to more than 2 MB", taken.problem)
        self.assertEqual(taken.files, {})

    def test_too_many(self):
        self.zip({f"f{i}": b"" for i in range(30)})
        with mock.patch.object(archive, "MOST_MEMBERS", 20):
            self.assertIn("holds more than 20 files", self.take("a.zip").problem)

    def test_a_table_of_contents_without_end(self):
        data = b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 9, 9, 1 << 30, 0, 0)
        with open(self.path("a.zip"), "wb") as file:
            file.write(data)
        self.assertIn("holds more than", self.take("a.zip").problem)

    def test_a_member_that_is_damaged(self):
        name = self.zip({PLACE: b"int x;\n" * 9})
        with open(self.path(name), "r+b") as file:
            file.seek(30 + len(PLACE) + 3)  # in the member's bytes
            file.write(b"\xff\xff")
        taken = self.take(name)
        self.assertEqual(taken.files, {})
        self.assertIn("The archive cannot be read: ", taken.problem)

    def test_a_member_without_a_name(self):
        name = self.zip({"": b"int x;\n", PLACE: b"int x;\n"})
        self.assertIn("The archive cannot be read: ", self.take(name).problem)

    def test_no_archive_at_all(self):
        for name in ("a.zip", "a.tar", "a.tar.gz", "a.tar.xz", "a.tgz"):
            for data in (b"", b"PK\3\4 and so on", b"\x1f\x8b\x08 and so on" * 50):
                with self.subTest(name=name, data=data[:4]):
                    with open(self.path(name), "wb") as file:
                        file.write(data)
                    taken = self.take(name)
                    self.assertEqual(taken.files, {})

    def test_its_outcome_is_its_own(self):
        """Neither "not attempted" nor "does not compile"."""
        with open(self.path("a.zip"), "wb") as file:
            file.write(b"PK\3\4 and so on")
        course = work.Course(self.lessons, self.root, self.path("out"), sandbox.NONE)
        (one,) = submissions.find([self.path("a.zip")])
        for result in work.grade(course, one, 0, lambda reused: None).verdicts:
            self.assertEqual(result.outcome, verdict.UNREADABLE)
            self.assertEqual(work.kind(result), work.NOT_GRADABLE)
            self.assertIn("has no table of contents", result.sentence)

    def test_a_link_in_the_place_of_a_submission(self):
        os.symlink("/etc", self.path("a.zip"))
        taken = submissions.take(
            submissions.Submission("a", self.path("a.zip")), self.lessons, self.root
        )
        self.assertIn("is a link, not a submission", taken.problem)


if __name__ == "__main__":
    unittest.main()
