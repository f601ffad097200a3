"""Work in a process of its own, so that the terminal stays awake and work
that is no longer wanted can be stopped, with all it started."""

from __future__ import annotations

import dataclasses
import json
import os
import select
import shutil
import signal
import tempfile
from typing import Callable, Iterable

from .. import launcher
from ..verdict import Verdict

ENDS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Worker:
    """Runs `work()` in a fork; its verdicts come back through `fd`. What it
    leaves behind when it is stopped, in `scratch` and of programs, is ended
    here: an exception may come where no `finally` catches it."""

    def __init__(self, work: Callable[[], Iterable[Verdict]], scratch: str) -> None:
        launcher.become_reaper()
        self.scratch = scratch
        self.fd, write = os.pipe()
        # No signal may find the child with its parent's handlers.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDS)
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.fd)
            _child(work, write)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(write)
        self._rest = b""

    def read(self) -> tuple[list[Verdict], bool]:
        """The verdicts that have come, and whether there may be more."""
        data = os.read(self.fd, 1 << 16)
        if not data:
            self._end()
            return [], False
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [Verdict(**json.loads(line)) for line in lines], True

    def stop(self) -> None:
        """End the work and wait until all it started has ended too."""
        if self.pid:
            os.kill(self.pid, signal.SIGTERM)
            # Said again where the first went unheard, as in a destructor.
            while not select.select([self.fd], [], [], 2.0)[0]:
                os.kill(self.pid, signal.SIGTERM)
            while os.read(self.fd, 1 << 16):
                pass
            self._end()

    def _end(self) -> None:
        if self.pid:
            os.close(self.fd)
            os.waitpid(self.pid, 0)
            launcher.end_orphans()
            there = os.path.isdir(self.scratch)  # not when the build tree went
            for name in os.listdir(self.scratch) if there else ():
                if name.startswith(_prefix(self.pid)):
                    shutil.rmtree(os.path.join(self.scratch, name), ignore_errors=True)
            self.pid = 0


def _prefix(pid: int) -> str:
    return f"learn-{pid}-"


def _child(work: Callable[[], Iterable[Verdict]], write: int) -> None:
    """Never returns. SIGTERM and Ctrl-C unwind, so that what the judge has
    started is ended and its folders are removed."""
    code = 0
    try:
        signal.set_wakeup_fd(-1)
        tempfile.template = _prefix(os.getpid())
        for number in ENDS:
            signal.signal(number, _unwind)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDS)
        with os.fdopen(write, "wb") as out:
            for result in work():
                out.write(json.dumps(dataclasses.asdict(result)).encode() + b"\n")
                out.flush()
    except BaseException:
        code = 1
    os._exit(code)


def _unwind(number: int, frame: object) -> None:
    raise SystemExit(1)
