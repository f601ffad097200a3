"""Run one program and bring back what it did: never more than its limits.

Everything the judge compiles or runs goes through `run(argv, cwd, env,
limits, ro, rw)`. `Plain` starts a child of ours; a sandbox is another object
with the same method. A launcher never raises for what the program did.
"""

from __future__ import annotations

import os
import resource
import selectors
import signal
import subprocess
import threading
import time
from dataclasses import dataclass, field

# Stand in argv where the number of a descriptor belongs: the facts', and the
# one on which the program says where a signal met it.
FACTS_FD = "@facts-fd@"
CRASH_FD = "@crash-fd@"

PASSED_ON = ("PATH",)


@dataclass(frozen=True)
class Limits:
    """seconds: wall clock; megabytes: resident; kept: bytes of each output
    stream that are kept (head and tail); flood: bytes after which the program
    is stopped."""

    seconds: float = 5.0
    megabytes: int = 1024
    kept: int = 1 << 18
    flood: int = 64 << 20
    file_megabytes: int = 256


@dataclass
class Result:
    """code: exit status, or None when a signal ended it; stopped: why we
    ended it ("time", "memory", "output") or ""; started: False when there
    is no such program, and err says so."""

    code: int | None = None
    signal: str = ""
    stopped: str = ""
    out: str = ""
    err: str = ""
    facts: bytes = b""
    crash: bytes = b""
    seconds: float = 0.0
    started: bool = True


def clean_environment(home: str, extra: dict[str, str] | None = None) -> dict[str, str]:
    """What a program of ours may see: PATH, HOME, LANG and what is asked."""
    env = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    env.setdefault("PATH", "/usr/local/bin:/usr/bin:/bin")
    env.update(HOME=home, TMPDIR=home, LANG="C.UTF-8")
    env.update(XDG_RUNTIME_DIR=home)  # smi tells of no other programs
    # Several programs run at once: threads of each would only wait for the
    # others', and a product is the same however many cores there are.
    env.update(OPENBLAS_NUM_THREADS="1")
    env.update(extra or {})
    return env


@dataclass
class Kept:
    """The head and the tail of a stream, and how much there was."""

    limit: int
    head: bytearray = field(default_factory=bytearray)
    tail: bytearray = field(default_factory=bytearray)
    total: int = 0

    def add(self, data: bytes) -> None:
        self.total += len(data)
        half = self.limit // 2
        room = half - len(self.head)
        if room > 0:
            self.head += data[:room]
            data = data[room:]
        self.tail += data
        if len(self.tail) > 2 * half:
            del self.tail[: len(self.tail) - half]

    def text(self) -> str:
        half = self.limit // 2
        tail = bytes(self.tail[-half:]) if self.tail else b""
        left_out = self.total - len(self.head) - len(tail)
        middle = b""
        if left_out > 0:
            middle = b"\n[... %d bytes left out ...]\n" % left_out
        return (bytes(self.head) + middle + tail).decode("utf-8", "backslashreplace")


class Plain:
    """A child process of ours in a session of its own. It keeps honest
    mistakes in bounds; it does not hold hostile code (scripts/grade does)."""

    name = "plain"

    def run(
        self,
        argv: list[str],
        cwd: str,
        env: dict[str, str],
        limits: Limits,
        ro: tuple[str, ...] = (),
        rw: tuple[str, ...] = (),
        also: tuple[int, ...] = (),
    ) -> Result:
        """`ro` and `rw` name what the program may read and write: a promise
        to sandboxes, of no effect here. `also`: descriptors to hand on."""
        pipes = {word: Pipe() for word in (FACTS_FD, CRASH_FD) if word in argv}
        argv = [str(pipes[word].write) if word in pipes else word for word in argv]
        become_reaper()
        start = time.monotonic()
        try:
            with _spawning:
                child = subprocess.Popen(
                    argv,
                    cwd=cwd,
                    env=env,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    start_new_session=True,
                    pass_fds=(*(pipe.write for pipe in pipes.values()), *also),
                )
                _ours.add(child.pid)
        except OSError as error:
            for pipe in pipes.values():
                pipe.close()
            return Result(code=127, err=f"{argv[0]}: {error.strerror}\n", started=False)
        _limit(child.pid, limits)
        for pipe in pipes.values():
            pipe.close_write()
        try:
            return _follow(child, pipes, limits, start)
        finally:
            _end_tree(child)
            for pipe in pipes.values():
                pipe.close()


class Pipe:
    """A way out of the program that is none of its own streams."""

    def __init__(self) -> None:
        self.read, self.write = os.pipe()

    def close_write(self) -> None:
        if self.write >= 0:
            os.close(self.write)
            self.write = -1

    def close(self) -> None:
        self.close_write()
        if self.read >= 0:
            os.close(self.read)
            self.read = -1


_spawning = threading.Lock()
_ours: set[int] = set()
_reaping: list[bool] = []


def become_reaper() -> None:
    """Orphans of our children become ours, so that a daemon cannot outlive
    its test. (Linux; elsewhere the session is all that is killed.)"""
    if _reaping:
        return
    _reaping.append(True)
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    try:
        import ctypes

        pr_set_child_subreaper = 36
        ctypes.CDLL(None).prctl(pr_set_child_subreaper, 1, 0, 0, 0)
    except (ImportError, AttributeError, OSError):
        pass


def _limit(pid: int, limits: Limits) -> None:
    """No address-space limit: the simulator reserves hundreds of gigabytes
    that it never touches. Memory is watched instead."""
    if not hasattr(resource, "prlimit"):
        return
    cpu = int(limits.seconds) + 2
    size = limits.file_megabytes << 20
    try:
        resource.prlimit(pid, resource.RLIMIT_CPU, (cpu, cpu))
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, size))
    except (OSError, ValueError):
        pass


def _follow(
    child: subprocess.Popen, pipes: dict[str, Pipe], limits: Limits, start: float
) -> Result:
    result = Result()
    streams = {child.stdout.fileno(): Kept(limits.kept), child.stderr.fileno(): Kept(limits.kept)}
    out, err = streams.values()
    told = {FACTS_FD: Kept(1 << 24), CRASH_FD: Kept(1 << 16)}
    streams.update({pipe.read: told[word] for word, pipe in pipes.items()})
    with selectors.DefaultSelector() as waiting:
        for fd in streams:
            os.set_blocking(fd, False)
            waiting.register(fd, selectors.EVENT_READ)
        ended = _end_of(child.pid)
        if ended >= 0:
            waiting.register(ended, selectors.EVENT_READ)
        while child.poll() is None:
            left = start + limits.seconds - time.monotonic()
            if left <= 0:
                result.stopped = "time"
            elif sum(kept.total for kept in streams.values()) > limits.flood:
                result.stopped = "output"
            elif _resident(child.pid) > limits.megabytes << 20:
                result.stopped = "memory"
            if result.stopped:
                break
            for key, _ in waiting.select(min(left, 0.05 if ended >= 0 else 0.01)):
                if key.fd in streams and not _drain(key.fd, streams[key.fd], 1 << 20):
                    waiting.unregister(key.fd)
        if ended >= 0:
            os.close(ended)
    _kill_session(child)
    for fd, kept in streams.items():
        _drain(fd, kept, limits.flood)
    child.stdout.close()
    child.stderr.close()
    result.seconds = time.monotonic() - start
    status = child.returncode
    if status is not None and status >= 0:
        result.code = status
    elif status is not None:
        result.signal = _signal_name(-status)
    result.out, result.err = out.text(), err.text()
    result.facts, result.crash = (bytes(kept.head + kept.tail) for kept in told.values())
    if result.signal == "SIGXCPU":
        result.stopped = "time"
    return result


def _end_of(pid: int) -> int:
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return -1


def _drain(fd: int, kept: Kept, most: int) -> bool:
    """Read what is there; False at the stream's end."""
    while most > 0:
        try:
            data = os.read(fd, 1 << 16)
        except BlockingIOError:
            return True
        except OSError:
            return False
        if not data:
            return False
        kept.add(data)
        most -= len(data)
    return True


def _resident(pid: int) -> int:
    """Bytes in use by a process and its descendants."""
    total = 0
    page = resource.getpagesize()
    waiting = [pid]
    while waiting:
        one = waiting.pop()
        try:
            with open(f"/proc/{one}/statm", "rb") as file:
                total += int(file.read().split()[1]) * page
        except (OSError, IndexError, ValueError):
            continue
        waiting += _children(one)
    return total


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _kill_session(child: subprocess.Popen) -> None:
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    child.wait()


def _end_tree(child: subprocess.Popen) -> None:
    """Kill what the program left behind, however it hid."""
    _kill_session(child)
    with _spawning:
        _ours.discard(child.pid)
        end_orphans()


def end_orphans() -> None:
    """Kill the children that became ours when their parent went."""
    for _ in range(100):
        orphans = [pid for pid in _children("self") if _fled(pid)]
        if not orphans:
            return
        for pid in orphans:
            try:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            except OSError:
                pass


def _fled(pid: int) -> bool:
    """A child that is no program of ours and no process of our session: it
    left its own session and lost its parent."""
    try:
        return pid not in _ours and os.getsid(pid) != os.getsid(0)
    except OSError:
        return False


def _children(pid: int | str) -> list[int]:
    found = []
    tasks = f"/proc/{pid}/task"
    try:
        for task in os.listdir(tasks):
            with open(f"{tasks}/{task}/children", "rb") as file:
                found += [int(word) for word in file.read().split()]
    except OSError:
        pass
    return found
