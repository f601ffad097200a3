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
import re
import stat
import struct
import subprocess
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

MOST_MEMBERS = 20_000
MOST_BYTES = 1 << 28  # of a tarball, unpacked; of what is read of any
MOST_DIRECTORY = 1 << 23  # of a zip's table of contents
MOST_OF_ONE = 1 << 20  # of a file that is read
TARS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
ZIPS = (".zip",)
# Not taken; whoever hands one in is told.
OTHERS = (".rar", ".7z", ".gz", ".bz2", ".xz", ".zst", ".zipx", ".cab", ".iso", ".dmg", ".lzh")
BYTES = re.compile("[\udc80-\udcff]")  # of a name that is not UTF-8
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


def ending(name: str) -> str:
    """The suffix also of an archive that is not taken."""
    found = [end for end in OTHERS if name.lower().endswith(end)]
    return suffix(name) or max(found, key=len, default="")


def members(path: str, odd: list[str]) -> Iterator[Member]:
    """All regular files; `odd` collects a line about each that is refused.

    A member is to be read before the next is asked for."""
    if os.path.islink(path):
        raise Unreadable(f"{os.path.basename(path)} is a link, not a submission.")
    if os.path.isdir(path):
        found = _of_git(path, odd) if is_bare(path) else _of_folder(path, odd)
    elif not os.path.isfile(path):
        raise Unreadable(f"{printable(os.path.basename(path))} is no regular file.")
    elif suffix(path) in ZIPS:
        found = _of_zip(path, odd)
    elif suffix(path):
        found = _of_tar(path, odd)
    else:
        raise Unreadable(f"{printable(os.path.basename(path))} is no folder, zip or tarball.")
    left = MOST_BYTES

    def counted(read: Callable[[], bytes]) -> bytes:
        nonlocal left
        with _told():
            data = read()
        left -= len(data)
        if left < 0:
            raise Unreadable(f"The submission holds more than {MOST_BYTES >> 20} MB to read.")
        return data

    with _told():
        for count, member in enumerate(found):
            if count >= MOST_MEMBERS:
                raise Unreadable(f"The submission holds more than {MOST_MEMBERS} files.")
            yield Member(member.path, member.size, lambda read=member.read: counted(read))


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


def printable(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text)[:200]


def _safe(name: str, odd: list[str]) -> str:
    """The name as a relative path, or "" (and a line in `odd`)."""
    path = BYTES.sub("?", name.replace("\\", "/"))
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
    def untold(error: OSError) -> None:
        if error.filename == root:
            raise error
        inside = printable(os.path.relpath(error.filename, root))
        _note(odd, f"{inside}: cannot be opened ({error.strerror}); left out")

    for folder, names, files in os.walk(root, onerror=untold):
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
        yield from _of_stream(plain, odd)


def _of_stream(plain: BinaryIO, odd: list[str]) -> Iterator[Member]:
    with tarfile.open(fileobj=_Stream(plain), mode="r|") as archive:
        for info in archive:
            archive.members.clear()  # or all heads would be kept, wanted or not
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
    git copies it first, as it would from a stranger's server. What it unpacks
    to never meets the disk: a few bytes can stand for terabytes."""
    _stands_alone(path)
    with tempfile.TemporaryDirectory() as work:
        copy = os.path.join(work, "copy")
        env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": work}
        env.update(GIT_CONFIG_NOSYSTEM="1", GIT_TERMINAL_PROMPT="0", LANG="C.UTF-8")
        env.update(GIT_CONFIG_COUNT="1", GIT_CONFIG_KEY_0="safe.directory")
        env.update(GIT_CONFIG_VALUE_0="*")
        url = "file://" + os.path.abspath(path)
        for words in (
            ["clone", "-q", "--bare", "--depth=1", "--no-tags", url, copy],
            ["--git-dir", copy, "rev-parse", "-q", "--verify", "HEAD^{tree}"],
        ):
            done = subprocess.run(
                ["git", *words], env=env, capture_output=True, text=True, timeout=120, check=False
            )
            if done.returncode != 0:
                said = printable(done.stderr.strip()) or "it has no commit"
                raise Unreadable(f"git cannot read it: {said}")
        words = ["git", "--git-dir", copy, "archive", "--format=tar", "HEAD"]
        quiet = subprocess.DEVNULL
        with subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=quiet) as git:
            try:
                yield from _of_stream(git.stdout, odd)
            finally:
                git.kill()


def _stands_alone(path: str) -> None:
    """A repository can name another's files as its own, a classmate's or ours."""
    others = ("commondir", "objects/info/alternates", "objects/info/http-alternates")
    led = any(os.path.lexists(os.path.join(path, name)) for name in others)
    for folder, folders, names in os.walk(path):
        led = led or any(os.path.islink(os.path.join(folder, n)) for n in (*folders, *names))
    if led:
        raise Unreadable("The repository points to files outside of it: hand in a whole one.")
