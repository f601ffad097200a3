"""Run a built program on the exercise's machines and hear its facts.

What comes from our own files (the reference, the starter, the wrong answers)
is kept in the build tree under a hash of everything it depends on.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shutil
import tempfile
from dataclasses import asdict, dataclass, field

from . import compiler, facts, starters
from .facts import Told
from .launcher import CRASH_FD, FACTS_FD, Plain, Result, clean_environment
from .lesson import Fault, Lesson, key_of, write_whole
from .manifest import Manifest

SANITIZER = ("ERROR: AddressSanitizer", "runtime error:", "ERROR: LeakSanitizer")

# When a program that runs on says where it is, as a part of its time.
LOOK = 0.9


@dataclass(frozen=True)
class Run:
    """One machine, one environment, one seed."""

    machine: str
    env: tuple[tuple[str, str], ...]
    seed: int
    plain: bool = field(default=False, compare=False)  # no machine plays a part

    def words(self) -> str:
        if self.plain:
            return f"with seed {self.seed}"
        env = "".join(f", {name}={value}" for name, value in self.env)
        return f"on machine {self.machine}{env}, with seed {self.seed}"

    def key(self) -> str:
        return f"{self.machine} {' '.join('='.join(pair) for pair in self.env)} {self.seed}"


@dataclass
class Heard:
    """What one run told us, and what it printed on the way."""

    told: Told = field(default_factory=Told)
    out: str = ""
    err: str = ""
    crash: bytes = b""  # where a signal met it: crash.py reads that


def runs(lesson: Lesson, manifest: Manifest, seeds: list[int] | None = None) -> list[Run]:
    """The manifest's machines times its seeds; on real hardware there is one
    machine, so only what differs in environment remains."""
    plain = {place.machine for place in manifest.machines} == {"none"}
    found: list[Run] = []
    for place in manifest.machines:
        env, machine = place.env, place.machine
        if lesson.backend != "sim":
            if place.sim:
                continue
            machine = "this one"
            env = tuple(pair for pair in env if not pair[0].startswith("SIM_"))
        for seed in seeds or manifest.seeds:
            run = Run(machine, env, seed, plain)
            if run not in found:
                found.append(run)
    return found


def environment(lesson: Lesson, run: Run, home: str) -> dict[str, str]:
    extra = dict(run.env)
    if lesson.backend == "sim":
        extra["SIM_MACHINE"] = run.machine
    if lesson.sanitized:
        extra["ASAN_OPTIONS"] = "detect_leaks=0:color=never"
    return clean_environment(home, extra)


def hear(
    lesson: Lesson, manifest: Manifest, exe: str, run: Run, work: str, launcher
) -> Heard:
    """One run of the probe's program."""
    nonce = secrets.token_hex(16)
    argv = [exe, "--seed", str(run.seed), "--facts-fd", FACTS_FD, "--nonce", nonce]
    if not lesson.sanitized:  # a sanitizer tells by itself
        look = int(manifest.limits.seconds * 1000 * LOOK)
        argv += ["--crash-fd", CRASH_FD, "--look-ms", str(look)]
    env = environment(lesson, run, work)
    ro = (exe, *lesson.watched)
    # Not rw: what it writes in its folder, nobody reads afterwards.
    result = launcher.run(argv, work, env, manifest.limits, ro=ro)
    said, closed = facts.parse(result.facts, nonce)
    end = _end(result, closed)
    why = result.out.strip() if end == "skip" else last_words(result.err, end)
    return Heard(Told(said, end, why), result.out, result.err, result.crash)


def _end(result: Result, closed: bool) -> str:
    if result.stopped:
        return result.stopped
    if any(word in result.err for word in SANITIZER) and result.code != 0:
        return "sanitizer"
    if result.signal:
        return result.signal
    if result.code == 77 and not closed:
        return "skip"
    if result.code != 0:
        return f"exit {result.code}"
    return "" if closed else "early"


def last_words(err: str, end: str) -> str:
    """What a program that did not reach its end said of the reason, without
    numbers and paths: two that died of the same say the same."""
    if end in ("", "time", "memory", "output"):
        return ""
    if end == "sanitizer":
        found = re.search(r"SUMMARY: (\w+: [\w-]+).*?(?: in (\w+))?$", err, re.MULTILINE)
        return " ".join(word or "" for word in found.groups()) if found else ""
    return re.sub(r"\S+", _without_numbers, err.strip())


def _without_numbers(word: re.Match) -> str:
    """One look at each letter: a program may print a word of 100,000."""
    return "#" if "/" in word[0] else re.sub(r"0x[0-9a-fA-F]+|\d+", "#", word[0])


class Bank:
    """What our own answers tell: the reference, the starter, the wrong ones.

    Where the solutions are absent (the student edition), facts recorded
    beforehand stand in: tests/lessons/NN_name/expected/exK.facts.json.
    """

    def __init__(self, lesson: Lesson, slug: str, manifest: Manifest) -> None:
        self.lesson, self.slug, self.manifest = lesson, slug, manifest
        self.trusted = Plain()
        self.folders: dict[str, str] = {}
        self.secret: dict[tuple[str, Run], Told] = {}  # for as long as one verdict takes
        self.recorded: dict | None = None
        if not os.path.exists(lesson.solution(slug)):
            self.recorded = self._read_recorded()

    def names(self) -> list[str]:
        """The wrong answers' names, in the manifest's order."""
        return list(self.manifest.wrong)

    def source(self, role: str) -> str:
        """The path of a role's file; the starter has none of its own."""
        if role == "reference":
            return self.lesson.solution(self.slug)
        return self.lesson.test("wrong", f"{self.slug}.{role}.c")

    def told(self, role: str, run: Run) -> Told:
        """`role`: reference, starter, or a wrong answer's name."""
        if self.recorded is not None:
            return self._told_recorded(role, run)
        if (role, run) in self.secret:
            return self.secret[(role, run)]
        folder = self._built(role)
        name = hashlib.sha256(run.key().encode()).hexdigest()[:16]
        kept = os.path.join(folder, f"told-{name}.json")
        try:
            with open(kept, encoding="utf-8") as file:
                return Told(**json.load(file))
        except (OSError, ValueError, TypeError):
            pass
        with tempfile.TemporaryDirectory(dir=self.lesson.scratch("tmp")) as work:
            exe = os.path.join(folder, "exe")
            heard = hear(self.lesson, self.manifest, exe, run, work, self.trusted)
        if role == "reference" and heard.told.end not in ("", "skip"):
            raise Fault(
                f"{self._shown(role)} does not hold up {run.words()}: it ended with "
                f"'{heard.told.end}'\n{heard.err.strip()}"
            )
        if run.seed in self.manifest.seeds:
            write_whole(kept, json.dumps(asdict(heard.told)))
        else:  # asked for once: kept files would pile up, and tell secret facts
            self.secret[(role, run)] = heard.told
        return heard.told

    def prove(self) -> None:
        """Raises Fault when our own answer cannot be built. Where the answers
        are absent there is none to try."""
        if self.recorded is None:
            self._built("reference")

    def warnings(self, role: str) -> list[str]:
        """What the compiler said of a role's file."""
        with open(os.path.join(self._built(role), "compiler.txt"), encoding="utf-8") as file:
            return [line for line in file.read().split("\n") if line]

    def text(self, role: str) -> str:
        if role == "starter":
            return starters.text_for(self.lesson, self.slug)
        try:
            return starters.read_text(self.source(role))
        except FileNotFoundError:
            raise Fault(f"{self._shown(role)} is missing") from None

    def _shown(self, role: str) -> str:
        if role == "starter":
            return "the starter"
        return self.lesson.shown(self.source(role))

    def _built(self, role: str) -> str:
        """The folder that holds the role's program."""
        if role not in self.folders:
            self.folders[role] = self._build(role)
        return self.folders[role]

    def _build(self, role: str) -> str:
        text = self.text(role)
        stem = f"{self.lesson.name}.{key_of(self.slug)}.{role}"
        kept = self.lesson.scratch("kept")
        if os.geteuid() in (0, os.stat(kept).st_uid):
            os.chmod(kept, 0o700)  # answers: not for another user's programs
        folder = os.path.join(kept, f"{stem}-{fingerprint(self.lesson, self.slug, text)}")
        if os.path.exists(os.path.join(folder, "exe")):
            return folder
        work = tempfile.mkdtemp(dir=self.lesson.scratch("tmp"))
        try:
            source = os.path.join(work, "answer.c")
            with open(source, "w", encoding="utf-8", errors="surrogateescape") as file:
                file.write(text)
            built = compiler.build(
                self.lesson,
                self.slug,
                source,
                self._shown(role),
                self.manifest,
                work,
                self.trusted,
            )
            if not built.exe:
                words = "\n".join(built.compiler)
                raise Fault(f"{self._shown(role)}: {built.sentence}\n{words}".rstrip())
            for name in os.listdir(kept):  # older ones; not another's new one
                if name.startswith(stem + "-") and name != os.path.basename(folder):
                    shutil.rmtree(os.path.join(kept, name), ignore_errors=True)
            os.remove(os.path.join(work, "student.o"))
            write_whole(os.path.join(work, "compiler.txt"), "\n".join(built.compiler))
            os.rename(work, folder)
        except OSError:
            if not os.path.exists(os.path.join(folder, "exe")):
                raise
        finally:
            shutil.rmtree(work, ignore_errors=True)
        return folder

    def _recorded_path(self) -> str:
        return self.lesson.test("expected", key_of(self.slug) + ".facts.json")

    def _read_recorded(self) -> dict:
        try:
            with open(self._recorded_path(), encoding="utf-8") as file:
                return json.load(file)
        except (OSError, ValueError):
            raise Fault(
                f"neither {self.lesson.shown(self.lesson.solution(self.slug))} nor "
                f"{self.lesson.shown(self._recorded_path())} is here: nothing to compare with"
            ) from None

    def _told_recorded(self, role: str, run: Run) -> Told:
        try:
            return Told(**self.recorded[role][run.key()])
        except (KeyError, TypeError):
            raise Fault(
                f"{self.lesson.shown(self._recorded_path())} has no facts of the {role} "
                f"{run.words()}: the student edition holds those of the public seeds alone, "
                "and other seeds need a clone that has the answers"
            ) from None

    def record(self, every: list[Run]) -> dict:
        """What a student edition needs in place of the solutions."""
        roles = ["reference", "starter", *self.names()]
        return {
            role: {run.key(): asdict(self.told(role, run)) for run in every} for role in roles
        }


_digests: dict[str, str] = {}


def forget() -> None:
    """Look at the libraries again: they may have been built since."""
    _digests.clear()


def fingerprint(lesson: Lesson, slug: str, text: str) -> str:
    """A hash of all that the facts of a file depend on."""
    whole = hashlib.sha256()
    for word in (lesson.cc, *lesson.compile, *lesson.link, lesson.backend):
        whole.update(word.encode() + b"\0")
    for path in (*lesson.watched, lesson.probes[slug]):
        whole.update(_digest(path).encode())
    whole.update(text.encode("utf-8", "surrogateescape"))
    return whole.hexdigest()[:24]


def _digest(path: str) -> str:
    """A hash of a file, or of a folder's headers and data."""
    if path not in _digests:
        whole = hashlib.sha256()
        names = [path]
        if os.path.isdir(path):
            names = sorted(
                os.path.join(folder, name)
                for folder, _, files in os.walk(path)
                for name in files
                if not name.endswith((".c", ".txt", ".md"))
            )
        for name in names:
            try:
                with open(name, "rb") as file:
                    whole.update(name.encode() + b"\0" + file.read())
            except OSError:
                whole.update(name.encode())
        _digests[path] = whole.hexdigest()
    return _digests[path]

