"""What a submission holds, without unpacking it anywhere.

A source yields members; only the bytes that are asked for are ever read, and
never more than a cap. Links, devices, absolute names, ".." and names with
control characters are left out and told of.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import lzma
import os
import stat
import struct
import subprocess
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass

MOST_MEMBERS = 20_000
MOST_BYTES = 1 << 28  # of a tarball, unpacked; zips are not unpacked
MOST_DIRECTORY = 1 << 23  # of a zip's table of contents
MOST_OF_ONE = 1 << 20  # of a file that is read
TARS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
ZIPS = (".zip",)
SKIPPED_FOLDERS = {".git", "build", "__MACOSX", "node_modules"}


class Unreadable(Exception):
    """A submission that cannot be read; the sentence is for the student."""


@dataclass
class Member:
    """`read()` gives at most MOST_OF_ONE bytes, or raises Unreadable."""

    path: str
    size: int
    read: Callable[[], bytes]


def suffix(name: str) -> str:
    """The archive's suffix, or "" when it is none."""
    found = [end for end in (*TARS, *ZIPS) if name.lower().endswith(end)]
    return max(found, key=len, default="")


def members(path: str, odd: list[str]) -> Iterator[Member]:
    """All regular files; `odd` collects a line about each that is refused.

    A member is to be read before the next is asked for."""
    if os.path.islink(path):
        raise Unreadable(f"{os.path.basename(path)} is a link, not a submission.")
    if os.path.isdir(path):
        found = _of_git(path, odd) if is_bare(path) else _of_folder(path, odd)
    elif suffix(path) in ZIPS:
        found = _of_zip(path, odd)
    elif suffix(path):
        found = _of_tar(path, odd)
    else:
        raise Unreadable(f"{os.path.basename(path)} is no folder, zip or tarball.")
    with _told():
        for count, member in enumerate(found):
            if count >= MOST_MEMBERS:
                raise Unreadable(f"The submission holds more than {MOST_MEMBERS} files.")
            yield Member(member.path, member.size, lambda read=member.read: _read_told(read))


@contextlib.contextmanager
def _told() -> Iterator[None]:
    """Damage becomes a refusal with a sentence. Python's readers raise nearly
    anything over a file that lies about itself, IndexError among the rest."""
    try:
        yield
    except Unreadable:
        raise
    except Exception as error:
        said = printable(str(error)) or type(error).__name__
        raise Unreadable(f"The archive cannot be read: {said}") from None


def _read_told(read: Callable[[], bytes]) -> bytes:
    with _told():
        return read()


def printable(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text)[:200]


def _safe(name: str, odd: list[str]) -> str:
    """The name as a relative path, or "" (and a line in `odd`)."""
    path = name.replace("\\", "/")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    why = ""
    if path.startswith("/") or (len(path) > 1 and path[1] == ":"):
        why = "an absolute name"
    elif ".." in parts:
        why = "a name with '..'"
    elif not path.isprintable() or len(path) > 1000:
        why = "an odd name"
    if why:
        _note(odd, f"{printable(name)}: {why}; left out")
        return ""
    return "/".join(parts)


def _note(odd: list[str], line: str) -> None:
    if len(odd) < 50:
        odd.append(line)


def _skipped(path: str) -> bool:
    return not SKIPPED_FOLDERS.isdisjoint(path.split("/")[:-1])


def _of_folder(root: str, odd: list[str]) -> Iterator[Member]:
    for folder, names, files in os.walk(root, followlinks=False):
        for name in [*names, *files]:
            full = os.path.join(folder, name)
            inside = os.path.relpath(full, root)
            mode = os.lstat(full).st_mode
            if stat.S_ISDIR(mode):
                continue
            path = _safe(inside, odd)
            if path and not stat.S_ISREG(mode):
                _note(odd, f"{path}: {_kind(mode)}; left out")
            elif path:
                size = os.lstat(full).st_size
                yield Member(path, size, lambda full=full: _read_file(full))
        names[:] = sorted(
            n for n in names if n not in SKIPPED_FOLDERS and not os.path.islink(f"{folder}/{n}")
        )


def _kind(mode: int) -> str:
    return "a link" if stat.S_ISLNK(mode) else "no regular file"


def _read_file(path: str) -> bytes:
    """O_NOFOLLOW, and no waiting for a pipe that took the file's place."""
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(fd, "rb") as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise Unreadable(f"{os.path.basename(path)} is no regular file.")
        return _capped(file.read(MOST_OF_ONE + 1), path)


def _capped(data: bytes, path: str) -> bytes:
    if len(data) > MOST_OF_ONE:
        raise Unreadable(f"{printable(path)} is larger than {MOST_OF_ONE >> 20} MB.")
    return data


def _of_zip(path: str, odd: list[str]) -> Iterator[Member]:
    _check_directory(path)
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            mode = info.external_attr >> 16
            if info.is_dir():
                continue
            name = _safe(info.filename, odd)
            if not name or _skipped(name):
                continue
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
                _note(odd, f"{name}: {_kind(mode)}; left out")
                continue

            def read(info: zipfile.ZipInfo = info) -> bytes:
                with archive.open(info) as file:
                    return _capped(file.read(MOST_OF_ONE + 1), info.filename)

            yield Member(name, info.file_size, read)


def _check_directory(path: str) -> None:
    """The table of contents is read whole: see its size first."""
    size = os.path.getsize(path)
    with open(path, "rb") as file:
        file.seek(max(0, size - (1 << 16) - 22))
        tail = file.read()
    at = tail.rfind(b"PK\5\6")
    if at < 0 or len(tail) < at + 22:
        raise Unreadable("The archive cannot be read: it has no table of contents.")
    count, length = struct.unpack_from("<HI", tail, at + 10)
    if count == 0xFFFF or length > MOST_DIRECTORY:
        raise Unreadable(f"The submission holds more than {MOST_MEMBERS} files.")


class _Stream:
    """A decompressed stream that ends in a refusal, not in a full memory."""

    def __init__(self, file) -> None:
        self.file, self.left = file, MOST_BYTES

    def read(self, size: int = -1) -> bytes:
        size = min(self.left, 1 << 20 if size < 0 else size)
        data = self.file.read(size)
        self.left -= len(data)
        if self.left <= 0:
            raise Unreadable(f"The archive unpacks to more than {MOST_BYTES >> 20} MB.")
        return data


def _of_tar(path: str, odd: list[str]) -> Iterator[Member]:
    openers = {"gz": gzip.open, "bz": bz2.open, "xz": lzma.open}
    opener = next((made for key, made in openers.items() if key in suffix(path)), open)
    if suffix(path) == ".tgz":
        opener = gzip.open
    with opener(path, "rb") as plain:
        with tarfile.open(fileobj=_Stream(plain), mode="r|") as archive:
            for info in archive:
                if info.isdir():
                    continue
                name = _safe(info.name, odd)
                if not name or _skipped(name):
                    continue
                if not info.isreg() or info.issparse():
                    what = "a link" if info.issym() or info.islnk() else "no regular file"
                    _note(odd, f"{name}: {what}; left out")
                    continue

                def read(info: tarfile.TarInfo = info) -> bytes:
                    return _capped(archive.extractfile(info).read(MOST_OF_ONE + 1), info.name)

                yield Member(name, info.size, read)


def is_bare(path: str) -> bool:
    """A git repository without a working tree."""
    return all(os.path.exists(os.path.join(path, name)) for name in ("HEAD", "objects", "refs"))


def _of_git(path: str, odd: list[str]) -> Iterator[Member]:
    """The last commit of HEAD. The repository's own settings are not heeded:
    git copies it first, as it would from a stranger's server."""
    with tempfile.TemporaryDirectory() as work:
        copy, tar = os.path.join(work, "copy"), os.path.join(work, "head.tar")
        env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": work}
        env.update(GIT_CONFIG_NOSYSTEM="1", GIT_TERMINAL_PROMPT="0", LANG="C.UTF-8")
        env.update(GIT_CONFIG_COUNT="1", GIT_CONFIG_KEY_0="safe.directory")
        env.update(GIT_CONFIG_VALUE_0="*")
        url = "file://" + os.path.abspath(path)
        for words in (
            ["clone", "-q", "--bare", "--depth=1", "--no-tags", url, copy],
            ["--git-dir", copy, "archive", "--format=tar", "-o", tar, "HEAD"],
        ):
            done = subprocess.run(
                ["git", *words], env=env, capture_output=True, text=True, timeout=120, check=False
            )
            if done.returncode != 0:
                raise Unreadable(f"git cannot read it: {printable(done.stderr.strip())}")
        yield from _of_tar(tar, odd)
