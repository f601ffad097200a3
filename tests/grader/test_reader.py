"""What hostile archives and folders hold, and the process of its own that reads
archives: it ends where no cap of a reader's would."""

from __future__ import annotations

import os
import stat
import struct
import sys
import tarfile
import unittest
import zipfile
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from classroom import SLUG, write  # noqa: E402
from test_submissions import KEY, PLACE, Taking  # noqa: E402

from workbook import launcher  # noqa: E402
from workbook import verdict  # noqa: E402
from workbook.grade import archive, reader, sandbox, submissions, work  # noqa: E402


class Apart(Taking):
    def setUp(self):
        apart = reader.apart
        super().setUp()
        reader.apart = apart  # until the patch ends

    def apart(self, name: str, **limits) -> submissions.Taken:
        return reader.apart(self.path(name), {KEY}, self.root, launcher.Limits(**limits))

    def test_all_of_it_comes_back(self):
        self.zip({PLACE: b"\xff\0one", "../a": b"", "ex1.c": b"", "lib/workbook/machine.h": b""})
        (one,) = submissions.find([self.path("a.zip")], root=self.root)
        here = submissions.read(one.path, {KEY}, self.root)
        self.assertEqual(here.files, {KEY: b"\xff\0one"})
        self.assertTrue(here.odd and here.altered)
        self.assertEqual(reader.take(one, self.lessons, self.root), here)

    def test_a_few_bytes_to_gigabytes(self):
        info = zipfile.ZipInfo(PLACE)
        info.compress_type = zipfile.ZIP_BZIP2
        with zipfile.ZipFile(self.path("a.zip"), "w") as out, out.open(info, "w") as file:
            for _ in range(10):
                file.write(b"\0" * (16 << 20))
        self.assertLess(os.path.getsize(self.path("a.zip")), 2000)
        taken = self.apart("a.zip", seconds=60, megabytes=80)
        self.assertIn(taken.problem, (
            "The archive cannot be read: it takes more than 80 MB of memory.",
            f"{PLACE} is larger than 1 MB."))  # by a Python that unpacks piece by piece

    def test_a_head_that_is_searched_for_ever(self):
        info = tarfile.TarInfo("x")
        info.type, info.size = tarfile.XHDTYPE, 4 << 20
        with open(self.path("a.tar"), "wb") as file:
            file.write(info.tobuf(tarfile.USTAR_FORMAT) + b"1" * info.size)
        taken = self.apart("a.tar", seconds=1, megabytes=1024)
        self.assertIn(taken.problem, (
            "The archive cannot be read: it takes longer than 1 s.",
            "The archive cannot be read: invalid header"))  # by a Python that searches once

    def test_the_limits_hold_whatever_python_reads(self):
        """A reader that takes all there is, in the real one's place."""
        for body, why in (("while True: pass", "it takes longer than 1 s"),
                          ("x = bytearray(300 << 20)\n    while True: pass",
                           "it takes more than 80 MB of memory")):
            self.write_reader(f"def main(words):\n    {body}\n")
            with self.subTest(why), mock.patch.object(reader, "checkout", lambda: self.folder):
                taken = self.apart("a.zip", seconds=1, megabytes=80)
                self.assertEqual(taken.problem, f"The archive cannot be read: {why}.")

    def write_reader(self, text: str):
        for name in ("", "grade/"):
            write(self.path(f"scripts/workbook/{name}__init__.py"), "")
        write(self.path("scripts/workbook/grade/reader.py"), text)

    def test_a_reader_that_fails(self):
        with mock.patch.object(reader, "checkout", lambda: self.folder):
            self.assertIn("the reader ended with 1", self.apart("a.zip").problem)


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

    def test_a_pipe_in_the_place_of_a_submission(self):
        os.mkfifo(self.path("a.zip"))
        self.assertIn("a.zip is no regular file", self.take("a.zip").problem)

    def test_a_link_in_the_place_of_a_submission(self):
        os.symlink("/etc", self.path("a.zip"))
        taken = reader.take(
            submissions.Submission("a", self.path("a.zip")), self.lessons, self.root
        )
        self.assertIn("is a link, not a submission", taken.problem)


if __name__ == "__main__":
    unittest.main()
