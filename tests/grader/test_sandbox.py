"""The launcher that holds hostile code, level by level, and what is said when
there is none. What it gives back must be what launcher.Plain would give."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import classroom  # noqa: E402
from classroom import own, solution, write  # noqa: E402

from workbook import judge, manifest, probing, verdict  # noqa: E402
from workbook import launcher as launchers  # noqa: E402
from workbook.grade import main, sandbox, seeds, sweep, work  # noqa: E402
from workbook.launcher import Limits, Plain  # noqa: E402
from workbook.lesson import Fault  # noqa: E402


class Alike(unittest.TestCase):
    """The same program, the same result, whoever starts it."""

    def setUp(self):
        self.folder = own(self)
        os.chmod(self.folder, 0o755)

    def run_in(self, launcher, script: str) -> launchers.Result:
        env = launchers.clean_environment(self.folder)
        return launcher.run(["/bin/sh", "-c", script], self.folder, env, Limits(seconds=10))

    def alike(self, level: str) -> None:
        why = sandbox.able(level)
        if why:
            self.skipTest(f"needs the level {level}: {why}")
        for script in ("exit 0", "exit 3", "kill -SEGV $$", "kill -ABRT $$", "echo a; echo b >&2"):
            one, two = (self.run_in(run, script) for run in (Plain(), sandbox.Sandbox(level)))
            with self.subTest(script):
                self.assertEqual(
                    (one.code, one.signal, one.stopped, one.out),
                    (two.code, two.signal, two.stopped, two.out),
                )

    def test_namespaces(self):
        self.alike(sandbox.NAMESPACES)

    def test_uid(self):
        self.alike(sandbox.UID)

    def test_nobody_of_importance(self):
        for level in (sandbox.NAMESPACES, sandbox.UID):
            if not sandbox.able(level):
                self.assertNotIn(self.run_in(sandbox.Sandbox(level), "id -u").out, ("0\n", ""))

    def test_only_its_own_processes(self):
        classroom.need_namespaces()
        said = self.run_in(sandbox.Sandbox(sandbox.NAMESPACES), "ls -d /proc/[0-9]*").out
        self.assertLess(len(said.split()), 6)

    def test_a_sandbox_that_fails_is_our_fault(self):
        classroom.need_namespaces()
        path = write(os.path.join(own(self), "ex1_add_up.c"), solution())
        broken = sandbox.Sandbox(sandbox.NAMESPACES)
        with mock.patch.object(broken, "_walls", return_value=["--bind", "/none", "/none"]):
            result = judge.check(classroom.judge_harness.sample(), "ex1_add_up", path, launcher=broken)
        self.assertEqual((result.outcome, result.exit_code), (verdict.FAULT, 3))
        self.assertIn("the sandbox could not start", result.sentence)
        self.assertEqual(work.kind(result), work.FAULT)


class Swept(unittest.TestCase):
    """Level uid: what a program leaves where everybody may write."""

    @unittest.skipUnless(os.geteuid() == 0, "needs root, to give files to another user")
    def test_the_users_own_and_nothing_else(self):
        uid, folder = 61790, own(self)
        os.chmod(folder, 0o755)
        for name in ("his/deep/note", "his/note", "open/note", "open/ours", "shut/note"):
            write(os.path.join(folder, name), "a secret")
        os.symlink(os.path.join(folder, "shut"), os.path.join(folder, "link"))
        for name in ("his", "his/deep", "his/deep/note", "open/note", "shut/note"):
            os.chown(os.path.join(folder, name), uid, uid)
        os.chmod(os.path.join(folder, "open"), 0o1777)
        sweep.files(uid, (folder,))
        left = sorted(os.path.relpath(path, folder) for path in classroom.tree(folder))
        self.assertEqual(left, ["open/ours", "shut/note"])
        self.assertTrue(os.path.islink(os.path.join(folder, "link")))

    def test_a_program_leaves_nothing(self):
        why = sandbox.able(sandbox.UID)
        if why:
            self.skipTest(f"needs the level uid: {why}")
        name = f"/tmp/left-{os.getpid()}"
        folder = own(self)
        os.chmod(folder, 0o755)
        env = launchers.clean_environment(folder)
        script = f"mkdir {name} && echo secret > {name}/a; echo b > /var/tmp/left; ls -d {name}"
        one = sandbox.Sandbox(sandbox.UID, 90)
        done = one.run(["/bin/sh", "-c", script], folder, env, Limits(seconds=10))
        self.assertEqual(done.out, name + "\n")
        self.assertFalse(os.path.exists(name))
        self.assertFalse(os.path.exists("/var/tmp/left"))

    def test_shared_memory(self):
        folder = own(self)
        head = "key shmid perms size cpid lpid nattch uid gid\n"
        write(os.path.join(folder, "shm"), head + "0 7 600 8 1 1 0 61790 0\n0 8 600 8 1 1 0 0 0\n")
        write(os.path.join(folder, "sem"), "key semid perms nsems uid gid\n0 3 600 1 61790 0\n")
        self.assertEqual(sweep.system_v(61790, folder), [["-m", "7"], ["-s", "3"]])


class Claims(unittest.TestCase):
    """A user for each job; a hostile program may hold the names for a while."""

    def setUp(self):
        self.taken = [socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(2)]
        for at, one in enumerate(self.taken):
            one.bind(f"\0workbook-grade-{61700 + at}")
            self.addCleanup(one.close)
        for name, value in (("FIRST_UID", 61700), ("USERS", 2), ("_claimed", {})):
            patch = mock.patch.object(sandbox, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def test_waits_for_a_name(self):
        with mock.patch.object(sandbox.time, "sleep", lambda _: self.taken[1].close()):
            self.assertEqual(sandbox.claim(0), 61701)
        sandbox._claimed[0][1].close()

    def test_not_for_ever(self):
        with mock.patch.object(sandbox, "PATIENCE", -1):
            with self.assertRaisesRegex(Fault, "too many graders"):
                sandbox.claim(0)


class Levels(unittest.TestCase):
    def test_falls_back_then_refuses(self):
        with mock.patch.object(sandbox, "able", side_effect=lambda level: f"no {level} here"):
            with self.assertRaises(sandbox.Refused) as caught:
                sandbox.choose(False)
            self.assertIn("No sandbox, no grading", str(caught.exception))
            self.assertIn("no namespaces here", str(caught.exception))
            self.assertEqual(sandbox.choose(True)[0], sandbox.NONE)
        only_uid = {sandbox.NAMESPACES: "refused", sandbox.UID: ""}
        with mock.patch.object(sandbox, "able", side_effect=only_uid.get):
            level, said = sandbox.choose(False)
        self.assertEqual((level, said), ("uid", ["no sandbox of level 'namespaces': refused"]))

    def test_no_sandbox_has_an_exit_code_of_its_own(self):
        folder = own(self)
        write(os.path.join(folder, "ann/ex1_add_up.c"), solution())
        words = ["grade", folder, "--out", folder + ".out", "--root", classroom.sample_root()]
        with mock.patch.object(sandbox, "able", return_value="not here"):
            with mock.patch("sys.stderr"), mock.patch("sys.stdout"):
                self.assertEqual(main.main(words), 4)

    @unittest.skipUnless(os.geteuid() == 0, "needs root")
    def test_the_second_level_hides_by_permissions(self):
        # Not below the clone, which may stand where nobody else can look.
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        folder = kept.name
        os.chmod(folder, 0o755)
        path = write(os.path.join(folder, "answer.c"), "")
        os.chmod(path, 0o600)
        self.assertEqual(sandbox.in_sight([path]), [])
        os.chmod(folder, 0o751)  # its names are known to all
        self.assertEqual(sandbox.in_sight([folder, path]), [folder])

    def test_a_key_that_the_process_list_shows(self):
        words = ["grade", own(self), "--seed", "key", "--out", own(self, "out")]
        with mock.patch.object(sandbox, "choose", lambda *_: (sandbox.UID, [])):
            with self.assertRaisesRegex(sandbox.Refused, "say --seed-file FILE"):
                main.prepare(main.arguments(words))

    @unittest.skipUnless(os.geteuid() == 0, "needs root, to give files to another user")
    def test_the_kept_answers_of_whoever_built_them(self):
        lesson = classroom.judge_harness.sample()
        kept = lesson.scratch("kept")
        self.addCleanup(os.chown, kept, 0, 0)
        os.chown(kept, 61790, 61790)
        os.chmod(kept, 0o755)
        rules = manifest.read(lesson, "ex1_add_up")
        probing.Bank(lesson, "ex1_add_up", rules).prove()
        self.assertEqual(sandbox.in_sight([kept]), [])

    @unittest.skipUnless(os.geteuid() == 0, "needs root")
    def test_what_the_second_level_must_hide(self):
        # Not below the clone, which may stand where nobody else can look.
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        folder = kept.name
        os.chmod(folder, 0o755)
        for name in ("solutions/a", "tests/a", ".git/HEAD", "class/ann/a", "key"):
            write(os.path.join(folder, name), "secret")
        words = ["grade", os.path.join(folder, "class"), "--out", os.path.join(folder, "out")]
        options = main.arguments([*words, "--seed-file", os.path.join(folder, "key")])
        secret = main._secrets(folder, options, os.path.join(folder, "out"))
        with self.assertRaises(sandbox.Refused) as caught:
            main._hide(sandbox.UID, [], secret)
        for name in ("solutions", "tests", ".git", "class", "key"):
            self.assertIn(f"chmod o-rwx {os.path.join(folder, name)}", str(caught.exception))
        write(os.path.join(folder, "tree/.git"), f"gitdir: {folder}/.git/worktrees/tree")
        beside = main._secrets(os.path.join(folder, "tree"), options, "")
        self.assertIn(os.path.join(folder, ".git"), beside)

    def test_nothing_of_ours_below_the_systems_folders(self):
        with self.assertRaisesRegex(sandbox.Refused, "move these elsewhere:\n  /usr/src/book"):
            main._hide(sandbox.NAMESPACES, ["/usr/src/book", own(self)], [])
        main._hide(sandbox.NAMESPACES, [own(self)], [])

    def test_without_programs(self):
        with mock.patch.object(sandbox, "tool", return_value=""):
            self.assertIn("prlimit is missing", sandbox.able(sandbox.NAMESPACES))


class Seeds(unittest.TestCase):
    def test_derived(self):
        one = seeds.derive("key", "ann", "90_sample", "ex1_add_up", 3)
        self.assertEqual(one, seeds.derive("key", "ann", "90_sample", "ex1_add_up", 3))
        self.assertEqual(len(set(one)), 3)
        for other in (("kez", "ann", "ex1_add_up"), ("key", "bob", "ex1_add_up"), ("key", "ann", "ex2")):
            key, student, slug = other
            self.assertNotEqual(one, seeds.derive(key, student, "90_sample", slug, 3))
        # A report told the inputs of one file: the next file meets others.
        self.assertNotEqual(one, seeds.derive("key", "ann", "90_sample", "ex1_add_up", 3, b"table"))

    def test_of_a_student_in_the_report(self):
        classroom.need_namespaces()
        folder = own(self)
        write(os.path.join(folder, "in/ann/ex1_add_up.c"), solution())
        write(os.path.join(folder, "in/bob/ex1_add_up.c"), "int64_t add_up(const int64_t *x, int n)")
        out = os.path.join(folder, "out")
        done = classroom.grade(os.path.join(folder, "in"), "--out", out, "--seed", "key")
        self.assertEqual(done.returncode, 0, done.stderr)
        row = classroom.rows(out)[("ann", "ex1_add_up")]
        with open(os.path.join(folder, "in/ann/ex1_add_up.c"), "rb") as file:
            data = file.read()
        numbers = seeds.derive("key", "ann", "90_sample", "ex1_add_up", 2, data)
        self.assertEqual(row["points"], "10")
        self.assertEqual(sorted(map(int, row["seeds"].split())), sorted(numbers))
        # What the answers tell for secret inputs is not kept: it would pile up.
        kept = os.path.join(classroom.sample_root(), "build/sim/judge/kept")
        public = len(manifest.read(classroom.judge_harness.sample(), "ex1_add_up").seeds)
        for role in os.listdir(kept):
            if role.startswith("90_sample.ex1."):
                told = [n for n in os.listdir(os.path.join(kept, role)) if n.startswith("told-")]
                self.assertLessEqual(len(told), public, role)
        again = ",".join(str(seed) for seed in sorted(numbers))
        self.assertIn(f"exercise 90 ex1 --seeds {again}", classroom.report(out, "ann"))


if __name__ == "__main__":
    unittest.main()
