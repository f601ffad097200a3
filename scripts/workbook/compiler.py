"""From a student's one file to a program: compile, look at its names, link."""

from __future__ import annotations

import errno
import os
import re
from dataclasses import dataclass, field

from . import elf, prototype, show
from .launcher import Limits, Result, clean_environment
from .lesson import Fault, Lesson
from .manifest import Manifest

LIMITS = Limits(seconds=20, megabytes=2048)
LEAST_ROOM = 4 << 20  # bytes on the disk; a program is well below one megabyte

# What no exercise needs, and what would let a file reach around the judge.
REFUSED = set(
    "fork vfork clone execl execle execlp execv execve execvp execvpe fexecve posix_spawn "
    "posix_spawnp system popen dlopen dlsym dlmopen ptrace syscall kill raise tgkill "
    "setsid setpgid daemon _exit _Exit quick_exit on_exit socket connect dlvsym "
    "process_vm_readv process_vm_writev mprotect pidfd_open prctl".split()
)
# The probe's own words, and those that could forge what is counted.
OF_THE_PROBE = ("probe_", "fact_", "cudasim", "ledger_printing_")


@dataclass
class Built:
    """A program, or (exe == "") why there is none."""

    exe: str = ""
    problem: str = ""  # an outcome of verdict.py
    sentence: str = ""
    compiler: list[str] = field(default_factory=list)  # its own words
    linker: bool = False  # it refused, and did not say that a name is missing


def build(
    lesson: Lesson, slug: str, source: str, shown: str, manifest: Manifest, work: str, launcher
) -> Built:
    """Compile `source` (called `shown` in messages) into work/exe."""
    probe = lesson.probes[slug]
    if not os.path.exists(probe):
        raise Fault(
            f"{lesson.shown(probe)} is not built: run cmake --build --preset {lesson.preset}"
        )
    env = clean_environment(work)
    unit = os.path.join(work, "student.o")
    # No more in sight than it takes: no solutions, no tests.
    ro = (source, *(word[2:] for word in lesson.compile if word.startswith("-I")))
    argv = [lesson.cc, *lesson.compile, "-c", source, "-o", unit]
    result = launcher.run(argv, work, env, LIMITS, ro=ro, rw=(work,))
    if not result.started:
        raise Fault(f"the compiler cannot be started: {result.err.strip()}")
    said = compiler_words(result, source, shown, work)
    if result.stopped:
        return Built("", "does not compile", _gave_up(result), said)
    if result.code != 0:
        if not os.path.isfile(source):
            raise Fault(f"{shown} is missing")
        _need_room(work)
        odd = _no_utf8(source)
        if odd:
            return Built("", "does not compile", odd)
        sentence = "Your file does not compile."
        return Built("", "does not compile", sentence + _undeclared(result.err, lesson), said)
    try:
        found = elf.symbols(unit)
    except elf.Unreadable:
        sentence = "Your file compiles to more than the judge reads: take its inline assembly away."
        return Built("", "forbidden symbol", sentence, said)
    for problem, sentence in _names(found, manifest, lesson):
        return Built("", problem, sentence, said)
    odd = prototype.other_type(lesson, slug, manifest.defines, source, work, launcher, LIMITS)
    if odd:
        return Built("", "does not compile", odd, said)
    exe = os.path.join(work, "exe")
    argv = [lesson.cc, probe, unit, "-o", exe, *lesson.link]
    ro = (probe, *(word for word in lesson.link if not word.startswith("-")))
    result = launcher.run(argv, work, env, LIMITS, ro=ro, rw=(work,))
    if result.code != 0:
        _need_room(work)
        return _link_failure(result, found, said, unit)
    return Built(exe, compiler=said)


def compiler_words(result: Result, source: str, shown: str, work: str) -> list[str]:
    """The compiler's output with the path that people can click. The assembler
    names a file of its own."""
    text = result.err.replace(source, shown).replace(work + os.sep, "")
    return show.head(text, 24)


def _undeclared(err: str, lesson: Lesson) -> str:
    """Where the first function without a declaration has one: the compiler
    knows the C library's headers alone."""
    match = re.search(r"(?:undeclared library|implicit declaration of) function .(\w+)|"
                      r"call to undeclared function .(\w+)", err)
    name = match and (match[1] or match[2])
    header = header_of(name, lesson) if name else ""
    return f"\n{name}() is declared in {header}: #include that." if header else ""


def header_of(name: str, lesson: Lesson) -> str:
    """The header of ours, or CUDA's, that declares a function for everybody."""
    for start, header in (("cudasim", ""), ("cuda", "<cuda_runtime.h>"), ("cublas", "<cublas_v2.h>")):
        if name.startswith(start):
            return header
    declared = re.compile(rf"^(?:API\b[^;{{}}]*?\b|#define ){name}\(", re.MULTILINE)
    lib = os.path.join(lesson.root, "lib")
    for folder, inside, files in os.walk(lib):
        inside[:] = sorted(one for one in inside if one != "sim")
        for file in sorted(one for one in files if one.endswith(".h")):
            path = os.path.join(folder, file)
            with open(path, encoding="utf-8", errors="replace") as text:
                if declared.search(text.read()):
                    return '"' + os.path.relpath(path, lib).replace(os.sep, "/") + '"'
    return ""


def _need_room(work: str) -> None:
    """Raises OSError on a full disk: the student's file may well compile."""
    disk = os.statvfs(work)
    if disk.f_bavail * disk.f_frsize < LEAST_ROOM or (disk.f_files and not disk.f_favail):
        raise OSError(errno.ENOSPC, "the disk is full, make room there", work)


def _no_utf8(source: str) -> str:
    """An editor's other encodings of "Unicode", which no compiler reads."""
    with open(source, "rb") as file:
        head = file.read(64)
    if not head.startswith((b"\xff\xfe", b"\xfe\xff")) and b"\0" not in head:
        return ""
    return "Your file is no text in UTF-8 (an editor saved it as UTF-16?): save it as UTF-8."


def _gave_up(result: Result) -> str:
    if result.stopped == "time":
        return f"Your file does not compile: the compiler gave up after {LIMITS.seconds:g} s."
    return "Your file does not compile: the compiler needed more than it may have."


def _names(found: elf.Symbols, manifest: Manifest, lesson: Lesson):
    """Each rule about names that the file breaks, the telling ones first."""
    for name in manifest.defines:
        if name in found.defined:
            continue
        if name in found.local:
            yield "missing function", (
                f"Your {name}() is static, so nobody else can call it: take 'static' away."
            )
        yield "missing function", (
            f"The function {name}() is missing from your file. It stood in the starter: "
            "look for a changed or deleted name."
        )
    extra = found.defined - set(manifest.defines) - set(manifest.allow)
    extra = {name for name in extra if not name.startswith(("__asan", "__odr_asan", "__ubsan"))}
    if "main" in extra:
        yield "forbidden symbol", (
            "Your file has a main(). The exercise's own program calls your function: "
            "take main() away."
        )
    for name in sorted(extra):
        yield "forbidden symbol", (
            f"Your file defines {name} for the whole program. Write 'static' in front of it: "
            f"only {_list(manifest.defines)} may be seen from outside."
        )
    if found.unasked and not lesson.sanitized:
        yield "forbidden symbol", (
            "Your file runs code before or after main() (a constructor or destructor). "
            "The exercise's own program calls your function: take that away."
        )
    for name in sorted(found.used - set(manifest.allow)):
        if name in REFUSED or name.startswith(OF_THE_PROBE):
            yield "forbidden symbol", (
                f"Your file calls {name}(), which no exercise here needs: take the call away."
            )


def _list(names: list[str]) -> str:
    return ", ".join(name + "()" for name in names)


def _link_failure(result: Result, found: elf.Symbols, said: list[str], unit: str) -> Built:
    """Whose fault it is, the caller finds out: ours do not link either then."""
    missing = sorted(set(re.findall(r"undefined reference to [`'](\w+)[@']", result.err)))
    of_student = [name for name in missing if name in found.used]
    if of_student:
        return Built(
            "",
            "does not compile",
            f"Your file calls {_list(of_student)}, which does not exist: "
            "look for a slip in the name, or for a function that you meant to write.",
            said,
        )
    text = result.err.replace(unit, "your file")
    return Built(
        "",
        "does not compile",
        "Your file compiles, but the linker cannot make a program of it: look for an array "
        "without a size in reason, or for a name of the C library that you gave another type.",
        said + [re.sub(r"\S*/(?=[^/\s])", "", line) for line in show.head(text, 12)],
        linker=True,
    )
