"""The grader's archive reader against damaged zips and tarballs.

    archives.py [--runs N] [--seed S] [--keep FOLDER]
    archives.py FILE...        these files, by their suffix

First reads those of corpus/archives, which once went wrong. Then makes small
archives of each kind, changes bytes of them at random (seeded), and reads them
as a submission: whatever they hold, all that may come out is
members with safe names and bytes within the cap, or Unreadable with a sentence.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import stat
import sys
import tarfile
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "scripts"))
from workbook.grade import archive  # noqa: E402

FILES = {
    "lessons/02_tensor_transfer/ex1_first.c": b"int main(void)\n{\n    return 0;\n}\n",
    "02_tensor_transfer/ex2_second.c": b"/* two */\n" * 40,
    "ex3_third.c": b"",
    "a folder/na\xc3\xafve.txt".encode("latin-1").decode("utf-8"): bytes(range(256)),
}
# Words that mean something to one of the formats.
TOKENS = [
    b"PK\1\2", b"PK\3\4", b"PK\5\6", b"PK\6\6", b"PK\6\7", b"ustar\0" b"00",
    b"\xff\xff\xff\xff", b"\xff\xff", b"\0\0\0\0", b"\x80\0\0\0\0\0\0\0\0\0\0\0",
    b"\xff" * 12, b"../", b"/etc/passwd", b"..\\", b"C:", b"path=", b"size=", b"99999999999\0",
    b"GNU.sparse.map=1,2", b"GNU.sparse.major=1", b"\x1f\x8b\x08", b"BZh9", b"\xfd7zXZ\0", b"S",
    b"x", b"g", b"L", b"K", b"1", b"2", b"3", b"5", b"6", b"\n", b"\0", b"9" * 5000,
]  # fmt: skip


def make_zip(compression: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as made:
        for name, data in FILES.items():
            info = zipfile.ZipInfo(name)
            info.external_attr = (stat.S_IFREG | 0o644) << 16
            info.compress_type = compression
            made.writestr(info, data)
    return out.getvalue()


def make_tar(mode: str, form: int) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode, format=form) as made:
        for name, data in FILES.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            if form == tarfile.PAX_FORMAT:
                info.pax_headers = {"comment": "a note", "mtime": "1.5"}
            made.addfile(info, io.BytesIO(data))
        link = tarfile.TarInfo("a link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        made.addfile(link)
        long = tarfile.TarInfo("long/" * 40 + "name.c")
        made.addfile(long)
    return out.getvalue()


def originals() -> list[tuple[str, bytes]]:
    """(suffix, bytes), one of each kind."""
    return [
        (".zip", make_zip(zipfile.ZIP_STORED)),
        (".zip", make_zip(zipfile.ZIP_DEFLATED)),
        (".zip", make_zip(zipfile.ZIP_BZIP2)),
        (".zip", make_zip(zipfile.ZIP_LZMA)),
        (".tar", make_tar("w", tarfile.USTAR_FORMAT)),
        (".tar", make_tar("w", tarfile.GNU_FORMAT)),
        (".tar", make_tar("w", tarfile.PAX_FORMAT)),
        (".tar.gz", make_tar("w:gz", tarfile.PAX_FORMAT)),
        (".tar.bz2", make_tar("w:bz2", tarfile.GNU_FORMAT)),
        (".tar.xz", make_tar("w:xz", tarfile.GNU_FORMAT)),
    ]


def mend_tar(data: bytearray) -> None:
    """Put the checksums of a tarball's headers right, as tar counts them."""
    for at in range(0, len(data) - 511, 512):
        if data[at + 257 : at + 262] == b"ustar":
            data[at + 148 : at + 156] = b" " * 8
            data[at + 148 : at + 156] = b"%06o\0 " % sum(data[at : at + 512])


def mutate(data: bytes, source: random.Random) -> bytes:
    """A few changes: a byte, a token, a cut, a piece again somewhere else."""
    changed = bytearray(data)
    for _ in range(source.choice((1, 1, 2, 3, 8))):
        at = source.randrange(len(changed) + 1)
        kind = source.randrange(6)
        if kind == 0 and at < len(changed):
            changed[at] = source.randrange(256)
        elif kind == 1 and at < len(changed):
            changed[at] ^= 1 << source.randrange(8)
        elif kind == 2:
            token = source.choice(TOKENS)
            changed[at : at + len(token)] = token
        elif kind == 3:
            changed[at:at] = source.choice(TOKENS)
        elif kind == 4:
            del changed[at : at + source.choice((1, 4, 512, 1 << 20))]
        else:
            piece = changed[at : at + source.choice((4, 46, 512))]
            where = source.randrange(len(changed) + 1)
            changed[where:where] = piece
    if source.random() < 0.5:
        mend_tar(changed)
    return bytes(changed)


def read(path: str) -> int:
    """How many files it gave; an assertion when one is not as it must be."""
    odd: list[str] = []
    count = 0
    try:
        for member in archive.members(path, odd):
            parts = member.path.split("/")
            assert parts and ".." not in parts and "" not in parts, member.path
            assert not member.path.startswith("/") and member.path.isprintable(), member.path
            data = member.read()
            assert len(data) <= archive.MOST_OF_ONE, len(data)
            count += 1
    except archive.Unreadable as refused:
        assert str(refused).isprintable() and len(str(refused)) > 10, str(refused)
    assert len(odd) <= 50 and all(line.isprintable() for line in odd), odd
    return count


def attempt(path: str, data: bytes) -> int:
    with open(path, "wb") as file:
        file.write(data)
    return read(path)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="*", help="archives to read as they are")
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", default=".", help="where an archive that went wrong is left")
    options = parser.parse_args(argv)
    for name in options.files:
        print(f"{name}: {read(name)} files")
    if options.files:
        return 0
    corpus = os.path.join(HERE, "corpus", "archives")
    for name in sorted(os.listdir(corpus)):
        read(os.path.join(corpus, name))
    source = random.Random(options.seed)
    made = originals()
    given = 0
    with tempfile.TemporaryDirectory() as folder:
        for suffix, data in made:
            assert attempt(os.path.join(folder, "a" + suffix), data) >= len(FILES)
        for run in range(options.runs):
            suffix, data = source.choice(made)
            changed = mutate(data, source)
            try:
                given += attempt(os.path.join(folder, "a" + suffix), changed)
            except BaseException:
                kept = os.path.join(options.keep, f"archive-{options.seed}-{run}{suffix}")
                with open(kept, "wb") as file:
                    file.write(changed)
                print(f"run {run} of seed {options.seed} went wrong; kept as {kept}")
                raise
    print(f"{options.runs} damaged archives read; {given} files came out of them")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
