"""The sentences about a program that a signal or the time limit ended."""

from __future__ import annotations

import re

from .crash import NOWHERE, PROGRAM, Record, Stop

SI_KERNEL, SEGV_ACCERR = 0x80, 2  # si_code: no address is known; not allowed there
FIRST_PAGES = 1 << 16  # what lies there, a NULL pointer's field or element is
OUTSIDE = "in the exercise's own program, outside your functions"


def where(stop: Stop, file: str) -> str:
    """`ex1.c:41, in scatter(), called from go(), line 7`; "" where nothing is
    known. `file` is the name that the student knows it by."""
    at = stop.own()
    if at < 0:
        return OUTSIDE if any(frame.function == "main" for frame in stop.frames) else ""
    frame = stop.frames[at]
    words = f"{file}:{frame.line}"
    if frame.function:
        words += f", in {frame.function}()"
    inner = stop.frames[at - 1].function.replace("__wrap_", "") if at else ""
    if at and not _jumped_astray(stop):
        return words + (f", which called {inner}()" if inner else ", which called the C library")
    outer = next((one for one in stop.frames[1:] if one.function != frame.function), None)
    if outer and outer.line and outer.function:
        words += f", called from {outer.function}(), line {outer.line}"
    elif outer and outer.function == "main":
        words += ", called from main()"
    return words


def what(end: str, stop: Stop, err: str) -> tuple[str, str]:
    """What happened, and what to look for: without a full stop."""
    record = stop.record
    if end == "SIGSEGV" and record:
        return _segmentation(record, stop, err)
    if end == "SIGABRT":
        return _abort(err)
    return CRASHES.get(end, (end, ""))


def _jumped_astray(stop: Stop) -> bool:
    """It jumped to where no program is."""
    return bool(stop.record and stop.record.frames and stop.record.frames[0][0] == NOWHERE)


def _segmentation(record: Record, stop: Stop, err: str) -> tuple[str, str]:
    gpu = re.search(r"^cudasim: .{0,200}? (?:on|of) GPU (\d{1,3})\b", err, re.MULTILINE)
    if stop.endless():
        return (
            "its calls go on and on until the stack is full",
            "Look for the case in which a function must stop calling itself",
        )
    if record.full:
        return (
            "its stack is full",
            "A large array among the local variables? Take its memory from malloc()",
        )
    if "the host followed a device pointer" in err and gpu:
        return (
            f"it followed a pointer into GPU {gpu[1]}'s memory, which the CPU cannot read",
            "Copy the bytes to host memory first, by cudaMemcpy or tensor_to",
        )
    if record.code == SI_KERNEL:
        return (
            "it followed a pointer that holds no address",
            "Look for a pointer that was never set, or that a write past an array's end changed",
        )
    if _jumped_astray(stop):
        return (
            "it jumped to where no function is",
            "Look for a function pointer that was never set, and for a write past the end of a "
            "local array",
        )
    if record.address < FIRST_PAGES:
        return "it followed a NULL pointer", _why_null(record, stop)
    if record.code == SEGV_ACCERR and record.home == PROGRAM and record.writes:
        return (
            "it wrote to memory that may only be read",
            "A string between quotes, or a const? Copy it to an array of your own first",
        )
    did = "wrote to" if record.writes else "touched"
    return (
        f"it {did} memory that is not its own",
        "Look for a pointer that was never set, or freed, and for an index past the end of an "
        "array",
    )


def _why_null(record: Record, stop: Stop) -> str:
    if record.failure:
        return f"A call had failed, and nobody asked why: {record.failure}"
    if stop.tensors:
        return "A call that fails returns NULL, and status_sentence() says why"
    return "Look for a pointer that was never set, and for a call that failed and returned NULL"


# What glibc says when it finds its heap, or a function's frame, damaged.
DAMAGE = (
    (
        r"^(?:free|realloc)\(\): this belongs to the library",
        "it freed what the library holds",
        "A scope holds each tensor and module, and releases it when it closes: take the call away",
    ),
    (r"double free", "it freed the same memory twice", "Look for two free() of one pointer"),
    (
        r"stack smashing detected",
        "it wrote past the end of a local array",
        "Look for an index past the end",
    ),
    (
        r"(?:free|munmap_chunk|realloc)\(\): invalid pointer",
        "it freed what malloc() did not give",
        "Hand free() what malloc() returned, and look for a write just before that",
    ),
    (
        r"corrupted|invalid (?:next )?size|invalid old size|unaligned|mismatching",
        "it found its heap damaged",
        "Memory was written past the end of a malloc(), or after a free(), before this line",
    ),
)


def _abort(err: str) -> tuple[str, str]:
    last = err.rstrip().rsplit("\n", 1)[-1][:400]
    for pattern, happened, look in DAMAGE:
        if re.search(pattern, last):
            return happened, look
    if re.search(r"'.*' is NULL, but nothing has failed", last):
        return (
            "it gave NULL to a function that needs a value",
            "No call had failed before: look where that NULL comes from",
        )
    if re.search(r": Assertion `.*' failed\.$", last):
        return "an assert() failed", ""
    return CRASHES["SIGABRT"]


CRASHES = {
    "SIGSEGV": (
        "it touched memory that is not its own",
        "Look for a pointer that is NULL, was never set or is a GPU's, and for an index past the "
        "end of an array",
    ),
    "SIGBUS": ("it touched memory that is not there", ""),
    "SIGABRT": ("a check failed and stopped it", ""),
    "SIGFPE": ("it divided a whole number by zero", ""),
    "SIGILL": ("it ran into something that is no instruction", ""),
    "SIGTRAP": ("it hit a trap", ""),
    "sanitizer": ("the sanitizer stopped it", ""),
}


def crashed(run: str, end: str, err: str, stop: Stop, file: str) -> str:
    """The verdict's sentences on a program that a signal ended."""
    happened, look = what(end, stop, err)
    place = where(stop, file)
    if place == OUTSIDE:
        look = "Look at what your function returned, and for memory that it freed or wrote past"
    by = f" ({end})" if end.startswith("SIG") else ""
    return "\n".join(
        part
        for part in (
            f"Crashed {run}: {happened}{by}.",
            _sentence("Where: ", place),
            _sentence("", look),
        )
        if part
    )


def timed_out(run: str, seconds: float, stop: Stop, file: str) -> str:
    place = where(stop, file)
    lines = [f"Timed out {run}: still running after {seconds:g} s."]
    lines += [_sentence("Where it was then: ", place)] if place else []
    lines.append("Look for a loop that never ends, or a wait for something that never comes.")
    return ("\n" if place else " ").join(lines)


def _sentence(before: str, words: str) -> str:
    return before + words + ("" if words.endswith((".", "?")) else ".") if words else ""
