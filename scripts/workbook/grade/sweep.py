"""What a user that is nobody leaves on the machine, taken away.

Without namespaces a program can write where everybody can: files for the next
submission to read, shared memory for another to find. The user is one job's
alone, so whatever is its own goes, once its processes are gone.
"""

from __future__ import annotations

import os
import stat
import subprocess

from ..lesson import remove_tree

# Where everybody may write on Debian and Ubuntu.
SHARED = ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run/lock", "/var/crash")
# /proc/sysvipc/NAME: which option of ipcrm. The columns of id and owner are
# found by their names; an owner can give a thing away, its creator stays.
SYSTEM_V = {"shm": "-m", "msg": "-q", "sem": "-s"}
OWNERS = ("uid", "cuid")


def files(uid: int, places: tuple[str, ...] = SHARED, deep: int = 8) -> list[str]:
    """Remove what `uid` owns below `places`; what went. Links are not
    followed, and no folder is entered into which `uid` could not write."""
    gone: list[str] = []
    for place in places:
        if not os.path.islink(place):
            _below(place, uid, deep, gone)
    return gone


def _below(folder: str, uid: int, deep: int, gone: list[str]) -> None:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        try:
            info = entry.stat(follow_symlinks=False)
        except OSError:
            continue
        if info.st_uid == uid:
            _remove(entry.path, info.st_mode)
            gone.append(entry.path)
        elif stat.S_ISDIR(info.st_mode) and info.st_mode & stat.S_IWOTH and deep:
            _below(entry.path, uid, deep - 1, gone)


def _remove(path: str, mode: int) -> None:
    try:
        if stat.S_ISDIR(mode):
            remove_tree(path)
        else:
            os.unlink(path)
    except OSError:
        pass


def system_v(uid: int, folder: str = "/proc/sysvipc") -> list[list[str]]:
    """Words for ipcrm: the shared memory, queues and semaphores of `uid`."""
    found = []
    for name, option in SYSTEM_V.items():
        try:
            with open(os.path.join(folder, name), encoding="ascii") as file:
                head, *rows = [line.split() for line in file]
        except (OSError, ValueError):
            continue
        whose = [at for at, word in enumerate(head) if word in OWNERS]
        found += [[option, row[1]] for row in rows if any(row[at] == str(uid) for at in whose)]
    return found


def user(uid: int) -> None:
    """All of it. `uid` runs nothing any more."""
    files(uid)
    for words in system_v(uid):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run(["ipcrm", *words], check=False, **quiet)
