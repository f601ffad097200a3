"""A launcher that holds hostile code: the same `run` as launcher.Plain.

Levels, best first:
  namespaces  bubblewrap: own processes, files, network; nothing in sight but
              what `ro` and `rw` name, and the system's programs in /usr
  uid         as root without namespaces: a user of its own, and rlimits
  none        --unsafe: as plain ctest runs it
At each level the launcher's own watch stays: time, output, and resident memory,
sampled every twentieth of a second over the whole tree of processes.
"""

from __future__ import annotations

import json
import os
import platform
import socket
import subprocess
import tempfile
import threading
import time

from .. import launcher
from ..launcher import Limits, Pipe, Plain, Result
from ..lesson import Fault
from . import sweep, syscalls

NAMESPACES, UID, NONE = "namespaces", "uid", "none"
FIRST_UID = 61800  # one a job, so that processes are counted apart
USERS = 1000  # from there on
PATIENCE = 120  # seconds to wait for one of them
PROCESSES = 64  # threads of a BLAS among them
FILES = 64
SCRATCH_MB = 64
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32", "/etc/alternatives")
SYSTEM_FILES = ("/etc/ld.so.cache",)
TOOLS = ("/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin")

# No control group is asked for: version 2 would have to be delegated to us.
MEMORY = "memory: the resident size of all of a program's processes, sampled 20 times a second"
WORDS = {
    NAMESPACES: "namespaces (bubblewrap): no network, no files but the exercise's",
    UID: "a user of its own with limits; no namespaces: the network and the process list are in "
    "sight, and the disk is capped a file at a time",
    NONE: "NONE (--unsafe): submissions ran with your own rights",
}


def tool(name: str) -> str:
    """A program of the system; PATH is not asked."""
    for folder in TOOLS:
        path = os.path.join(folder, name)
        if os.access(path, os.X_OK):
            return path
    return ""


class Refused(Fault):
    """No sandbox, or not one that hides what it must."""


_claimed: dict[int, tuple[int, socket.socket]] = {}
_claiming = threading.Lock()


def claim(slot: int) -> int:
    """A user for a job's programs, and for nobody else's: two graders at once
    would end each other's. What claims it is an abstract socket's name, which
    the kernel gives back when this process ends, however it ends. At level uid
    a program can take all these names, for as long as it may run: hence the
    patience."""
    with _claiming:
        end = time.monotonic() + PATIENCE
        uid = FIRST_UID + slot
        while slot not in _claimed:
            held = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            try:
                held.bind(f"\0workbook-grade-{uid}")
                _claimed[slot] = (uid, held)
            except OSError:
                held.close()
                uid += 1
                if uid < FIRST_UID + USERS:
                    continue
                if time.monotonic() > end:
                    raise Fault("too many graders at once on this machine") from None
                time.sleep(0.2)
                uid = FIRST_UID + slot
        return _claimed[slot][0]


class Sandbox:
    """One job's launcher. `slot` 0, 1, … is the job's number."""

    def __init__(self, level: str, slot: int = 0) -> None:
        self.level = level
        self.name = level
        self.root = os.geteuid() == 0
        self.uid = claim(slot) if self.root else FIRST_UID + slot
        self.plain = Plain()

    def run(
        self,
        argv: list[str],
        cwd: str,
        env: dict[str, str],
        limits: Limits,
        ro: tuple[str, ...] = (),
        rw: tuple[str, ...] = (),
    ) -> Result:
        """Raises Fault when the sandbox itself fails; never for the program."""
        if self.level == NONE:
            return self.plain.run(argv, cwd, env, limits, ro, rw)
        if self.root:
            for path in rw if rw or self.level == NAMESPACES else (cwd,):
                os.chown(path, self.uid, self.uid, follow_symlinks=False)
        if self.level == UID:
            return self._run_as_user(argv, cwd, env, limits, rw)
        return self._run_apart(argv, cwd, env, limits, ro, rw)

    def lend(self, path: str, mode: int) -> None:
        """For the programs of this job to read; for no other job's, as root."""
        if self.root and self.level != NONE:
            os.chown(path, 0, self.uid, follow_symlinks=False)
            mode &= ~0o007
        os.chmod(path, mode)

    def _run_apart(self, argv, cwd, env, limits, ro, rw) -> Result:
        status = Pipe()
        calls = syscalls.handed_on()
        try:
            inner = [*self._limits(limits, bool(rw)), "--", *argv]
            words = [tool("bwrap"), *self._walls(), "--json-status-fd", str(status.write)]
            words += ["--seccomp", str(calls)] if calls >= 0 else []
            words += _folders([*ro, *rw, cwd])
            if not rw:
                words += ["--perms", "0777", "--size", str(SCRATCH_MB << 20), "--tmpfs", cwd]
            for path in ro:
                words += ["--ro-bind", path, path]
            for path in rw:
                words += ["--bind", path, path]
            words += ["--remount-ro", "/", "--chdir", cwd, "--", *inner]
            also = (status.write, calls) if calls >= 0 else (status.write,)
            result = self.plain.run(words, "/", env, limits, also=also)
            status.close_write()
            code = _status(status.read)
        finally:
            status.close()
            if calls >= 0:
                os.close(calls)
        if code is None and not result.stopped and not result.signal:
            raise Fault(f"the sandbox could not start the program:\n{result.err.strip()}")
        return _as_plain(result, code)

    def _walls(self) -> list[str]:
        walls = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
        walls += ["--unshare-cgroup-try", "--die-with-parent", "--hostname", "grader"]
        walls += ["--cap-drop", "ALL"]
        if self.root:
            for name in ("SETUID", "SETGID", "SETPCAP", "SYS_RESOURCE"):
                walls += ["--cap-add", "CAP_" + name]
        else:
            walls += ["--unshare-user", "--disable-userns", "--uid", "65534", "--gid", "65534"]
        walls += ["--perms", "0755", "--dir", "/etc"]
        for path in SYSTEM:
            if os.path.islink(path):
                walls += ["--symlink", os.readlink(path), path]
            elif os.path.isdir(path):
                walls += ["--ro-bind", path, path]
        for path in SYSTEM_FILES:
            if os.path.isfile(path):
                walls += ["--ro-bind", path, path]
        walls += ["--proc", "/proc", "--dev", "/dev"]
        for path in ("/dev/shm", "/tmp"):
            walls += ["--perms", "0777", "--size", str(SCRATCH_MB << 20), "--tmpfs", path]
        return [*walls, "--remount-ro", "/dev"]

    def _limits(self, limits: Limits, compiles: bool) -> list[str]:
        """What the program starts under, its user among it."""
        cpu = int(limits.seconds) + 2
        size = min(limits.file_megabytes, 256 if compiles else SCRATCH_MB) << 20
        words = [tool("prlimit"), f"--nproc={_processes(self.root)}", f"--cpu={cpu}:{cpu}"]
        words += [f"--fsize={size}", "--core=0", f"--nofile={FILES}", "--msgqueue=0"]
        if self.root:
            user = [tool("setpriv"), "--reuid", str(self.uid), "--regid", str(self.uid)]
            user += ["--clear-groups", "--no-new-privs", "--inh-caps=-all"]
            words = [*user, "--bounding-set=-all", "--", *words]
        return words

    def _run_as_user(self, argv, cwd, env, limits, rw) -> Result:
        inner = [*self._limits(limits, bool(rw)), "--", *argv]
        try:
            return self.plain.run(inner, cwd, env, limits)
        finally:  # whatever it left behind, wherever it hid
            kill = [tool("setpriv"), "--reuid", str(self.uid), "--regid", str(self.uid)]
            kill += ["--clear-groups", "--", tool("sh") or "/bin/sh", "-c", "kill -9 -1"]
            subprocess.run(kill, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            sweep.user(self.uid)


def _folders(paths: list[str]) -> list[str]:
    """Make what leads to `paths`: bubblewrap would keep it to itself."""
    made: dict[str, None] = {}
    for path in paths:
        parts = path.split("/")[1:-1]
        for n in range(len(parts)):
            above = "/" + "/".join(parts[: n + 1])
            if parts[0] not in ("usr", "bin", "lib", "lib64", "tmp", "etc", "dev") or n > 0:
                made[above] = None
    made = {path: None for path in made if not path.startswith("/usr/")}
    return [word for path in made for word in ("--perms", "0755", "--dir", path)]


def _processes(root: bool) -> int:
    """Since Linux 5.14 a user namespace counts its own; before, all that the
    user runs are counted."""
    words = platform.release().split(".")
    try:
        modern = (int(words[0]), int(words[1])) >= (5, 14)
    except (ValueError, IndexError):
        modern = False
    return PROCESSES if root or modern else 4096


def _status(fd: int) -> int | None:
    """The exit code that bubblewrap saw, or None when it saw none."""
    data = b""
    while True:
        part = os.read(fd, 4096)
        if not part:
            break
        data += part
    for line in data.decode("utf-8", "replace").splitlines():
        try:
            told = json.loads(line)
        except ValueError:
            continue
        if "exit-code" in told:
            return told["exit-code"]
    return None


def _as_plain(result: Result, code: int | None) -> Result:
    """A program that a signal ended is told as 128 and the signal."""
    result.code = code
    if result.stopped:
        result.code = None
    elif code is not None and 128 < code < 128 + 65:
        result.code, result.signal = None, launcher._signal_name(code - 128)
    if result.signal == "SIGXCPU":
        result.stopped = "time"
    return result


def able(level: str) -> str:
    """Why a level cannot be used here; "" when it can."""
    if level == NONE:
        return ""
    for name in ("prlimit", "setpriv"):
        if not tool(name):
            return f"{name} is missing (package util-linux)"
    if level == NAMESPACES and not tool("bwrap"):
        return "bubblewrap is missing (package bubblewrap)"
    if level == UID and os.geteuid() != 0:
        return "only root can run programs as another user"
    # An empty home of our own; world-searchable, as /tmp is.
    with tempfile.TemporaryDirectory() as work:
        os.chmod(work, 0o755)
        env = launcher.clean_environment(work)
        try:
            done = Sandbox(level).run(["/bin/sh", "-c", "exit 7"], work, env, Limits())
        except Fault as fault:
            return " ".join(str(fault).split())
    return "" if done.code == 7 else f"a first try failed: {done.err.strip()}"


def choose(unsafe: bool, asked: str = "") -> tuple[str, list[str]]:
    """The best level that works here, and what was said on the way."""
    said: list[str] = []
    for level in [asked] if asked else [NAMESPACES, UID]:
        why = able(level)
        if not why:
            return level, said
        said.append(f"no sandbox of level '{level}': {why}")
    if unsafe:
        return NONE, said
    raise Refused(
        "\n".join(said)
        + "\nNo sandbox, no grading: student code would run with your rights. Install bubblewrap "
        "and allow user namespaces, or run as root, or, for files that you trust, add --unsafe."
    )


def in_sight(paths: list[str]) -> list[str]:
    """Level uid only: what of `paths` a submission could read, or enter: names
    in it are no secret."""
    user = [tool("setpriv"), "--reuid", str(FIRST_UID), "--regid", str(FIRST_UID)]
    found = []
    for path in paths:
        words = [*user, "--clear-groups", "--", tool("test"), "-r", path, "-o", "-x", path]
        if os.path.exists(path) and subprocess.run(words, check=False).returncode == 0:
            found.append(path)
    return found


def below_system(paths: list[str]) -> list[str]:
    """Level namespaces only: what stands where every submission may look."""
    shown = tuple(os.path.realpath(folder) + "/" for folder in SYSTEM)
    return [path for path in paths if (os.path.realpath(path) + "/").startswith(shown)]
