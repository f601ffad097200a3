"""Notice that a file was saved: inotify where it works, else by looking."""

from __future__ import annotations

import ctypes
import os
import struct

IN_CLOSE_WRITE, IN_MOVED_TO, IN_DELETE = 0x8, 0x80, 0x200
IN_NONBLOCK, IN_CLOEXEC = 0o4000, 0o2000000
HEAD = struct.Struct("iIII")

# File systems whose changes may be made elsewhere, unseen by inotify.
REMOTE = ("9p", "drvfs", "nfs", "nfs4", "cifs", "smb3", "vboxsf", "prl_fs", "virtiofs", "fuse")

LOOK_SECONDS = 0.1  # between two looks, where looking is all there is
SAFETY_SECONDS = 1.0  # a look now and then, where inotify is trusted


def file_system(path: str, mounts: str = "/proc/mounts") -> str:
    """The type of the file system that holds a path; "" where unknown."""
    path = os.path.realpath(path)
    best, kind = "", ""
    try:
        with open(mounts, encoding="utf-8", errors="replace") as file:
            rows = [line.split() for line in file]
    except OSError:
        return ""
    for row in rows:
        if len(row) < 3:
            continue
        point = row[1].replace("\\040", " ")
        inside = path == point or path.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best, kind = point, row[2]
    return kind


def remote(kind: str) -> bool:
    return kind in REMOTE or kind.startswith("fuse.")


class Saved:
    """Tells when a file changes. `fd` is -1 where it must be looked at;
    `why` then says why."""

    def __init__(self, path: str, look: bool = False) -> None:
        self.path = path
        self.fd = -1
        self.why = "asked for"
        self.seen = self._stamp()
        kind = file_system(os.path.dirname(path))
        if remote(kind):
            self.why = f"the files are on {kind}"
        elif not look:
            self._open()

    @property
    def seconds(self) -> float:
        return LOOK_SECONDS if self.fd < 0 else SAFETY_SECONDS

    def _open(self) -> None:
        """Watch the folder: editors replace a file as often as they write it."""
        try:
            libc = ctypes.CDLL(None, use_errno=True)
            fd = libc.inotify_init1(IN_NONBLOCK | IN_CLOEXEC)
            if fd < 0:
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
            mask = IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE
            folder = os.fsencode(os.path.dirname(self.path))
            if libc.inotify_add_watch(fd, folder, mask) < 0:
                code = ctypes.get_errno()
                os.close(fd)
                raise OSError(code, os.strerror(code))
            self.fd = fd
        except AttributeError:
            self.why = "this system has no inotify"
        except OSError as error:
            self.why = f"inotify: {error.strerror}"

    def _stamp(self) -> tuple[int, int, int]:
        try:
            found = os.stat(self.path)
            return found.st_mtime_ns, found.st_size, found.st_ino
        except OSError:
            return 0, 0, 0

    def changed(self, told: bool = False) -> bool:
        """Whether the file was saved since the last call. `told`: `fd` is
        ready to be read."""
        named = told and self._named()
        stamp = self._stamp()
        different = stamp != self.seen
        self.seen = stamp
        return named or different

    def _named(self) -> bool:
        """Read what inotify has; whether it names our file."""
        try:
            data = os.read(self.fd, 1 << 16)
        except OSError:
            return False
        name = os.fsencode(os.path.basename(self.path))
        at, found = 0, False
        while at + HEAD.size <= len(data):
            _, mask, _, length = HEAD.unpack_from(data, at)
            at += HEAD.size
            if data[at : at + length].rstrip(b"\0") == name and not mask & IN_DELETE:
                found = True
            at += length
        return found

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1
