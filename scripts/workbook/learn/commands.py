"""What each word after `learn` does; watch and doctor have their own files."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

from .. import verdict
from ..show import count
from . import answers, tell, work
from . import progress as progress_file
from .course import Course, Exercise, Unknown
from .paper import Paper, say
from .progress import Progress


@dataclass
class Desk:
    """What every command works with."""

    paper: Paper
    course: Course
    progress: Progress
    yes: bool = False
    every: bool = False
    look: bool = False

    @property
    def now(self) -> Exercise:
        return work.current(self.course, self.progress)

    def one(self, words: list[str]) -> Exercise:
        found = self.course.find(words, self.now)
        if len(found) == 1:
            return found[0]
        lesson = found[0].lesson if found else None
        if lesson is None:
            raise Unknown(f"Lesson {words[0]} has no exercises.")
        known = ", ".join(item.short for item in found)
        raise Unknown(f"Lesson {lesson.name} has several exercises: {known}. Name one.")


def where(desk: Desk, words: list[str]) -> int:
    """Where you are, and the one thing to do next."""
    course, progress, now = desk.course, desk.progress, desk.now
    out = [score(course, progress), *_notes(course), ""]
    if progress.passed(now.key):
        out += [*tell.head(desk.paper, now), "  This one passes."]
        out += ["", tell.next_line(course, progress, now)]
    else:
        out += tell.task(desk.paper, now)
        out += ["", f"state: {tell.state_words(progress, now)}"]
        watch = f"next: {course.command('watch')}   (checks each time you save the file)"
        out += ["", watch if os.path.exists(now.path) else tell.bring_back(course, now)]
    say(out)
    return 0


def score(course: Course, progress: Progress) -> str:
    done = sum(progress.passed(item.key) for item in course.exercises)
    return f"{done} of {count(len(course.exercises), 'exercise')} passed."


def next_one(desk: Desk, words: list[str]) -> int:
    """Go on to the next exercise that does not pass yet."""
    course, now = desk.course, desk.now
    fresh = not desk.progress.now and not desk.progress.passed(now.key)
    item = now if fresh else work.first_open(course, desk.progress, now)
    if item is None or (item == now and desk.progress.passed(now.key)):
        say([f"All {count(len(course.exercises), 'exercise')} pass. Well done.",
             "", "next: " + course.command("check", "--all")])
        return 0
    out = []
    if item != now and not desk.progress.passed(now.key):
        out += [f"{now.key} stays open; learn list shows it.", ""]
    desk.progress = work.record(course, [], item)
    say([*out, *tell.task(desk.paper, item), "", "next: " + course.command("watch")])
    return 0


def listing(desk: Desk, words: list[str]) -> int:
    """All exercises and their states, or a lesson's."""
    out = []
    found = desk.course.find(words, desk.now) if words else desk.course.exercises
    for lesson in desk.course.lessons:
        if all(item.lesson != lesson for item in found):
            continue
        out.append(desk.paper.strong(lesson.name))
        width = max((len(slug) for slug in lesson.exercises), default=0)
        for item in (Exercise(lesson, slug) for slug in lesson.exercises):
            state = tell.state_words(desk.progress, item)
            here = "   <- you are here" if item == desk.now else ""
            if state == verdict.PASSED:
                state = desk.paper.good(state)
            out.append(f"  {item.slug:{width}}  {state}{here}")
    out += ["", score(desk.course, desk.progress)]
    last = f"next: {desk.course.command('check', desk.now.short)}"
    if desk.progress.passed(desk.now.key):
        last = tell.next_line(desk.course, desk.progress, desk.now)
    say([*out, "", last])
    return 0


def check(desk: Desk, words: list[str]) -> int:
    """The verdict on one exercise, on a lesson's, or on all."""
    found = desk.course.exercises if desk.every else desk.course.find(words, desk.now)
    if desk.every or len(found) != 1:
        return check_many(desk, found)
    item = found[0]
    result = next(iter(work.afresh([item])))
    desk.progress = work.record(desk.course, [result], item)
    out = tell.told(desk.paper, item, result)
    if result.outcome == verdict.PASSED:
        out += tell.passed(desk.paper, item, result) + tell.chapter(item)
    say(out)
    if result.outcome == verdict.PASSED:
        _recheck(desk, item)
    say([*_notes(desk.course), "", *tell.after(desk.course, desk.progress, item, result)])
    return result.exit_code


def _notes(course: Course) -> list[str]:
    lines = [line for note in course.notes for line in verdict.wrap("note: " + note, "")]
    return ["", *lines] if lines else []


def _recheck(desk: Desk, but: Exercise) -> None:
    """What passed before and was changed since, by you or by an update."""
    items = work.to_recheck(desk.course, desk.progress, but)
    if not items:
        return
    say(["", f"Checking again {count(len(items), 'earlier exercise')} (something they "
         "depend on changed)."])
    results = list(work.many(items))
    desk.progress = work.record(desk.course, results)
    worse = work.regressions(results)
    say([desk.paper.bad(work.regression_line(result)) for result in worse] or ["All still pass."])


def check_many(desk: Desk, items: list[Exercise]) -> int:
    """A line each; the progress file is written anew from what was found."""
    before = {item.key for item in items if desk.progress.passed(item.key)}
    if not items:
        say(["There are no exercises here.", "", "next: " + desk.course.command("list")])
        return 0
    say([f"Checking {count(len(items), 'exercise')}: your files."])
    width = max(len(item.key) for item in items)
    results = []
    for result in work.many(items):
        results.append(result)
        outcome = result.outcome
        if outcome == verdict.PASSED:
            outcome = desk.paper.good(outcome)
        say([f"  {result.lesson + '/' + result.slug:{width}}  {outcome}"])
    desk.progress = work.record(desk.course, results)
    out = [""]
    lost = [one for one in work.regressions(results) if f"{one.lesson}/{one.slug}" in before]
    out += [desk.paper.bad(work.regression_line(result)) for result in lost]
    passed = sum(result.outcome == verdict.PASSED for result in results)
    out.append(f"{passed} of {count(len(results), 'exercise')} passed.")
    open_ones = [
        item for item, result in zip(items, results) if result.outcome not in
        (verdict.PASSED, verdict.NEEDS)
    ]
    worst = [result for result in results if result.outcome == verdict.FAULT]
    for result in worst:
        out += ["", f"{result.lesson}/{result.slug}:", *desk.paper.words(result.sentence, "  ")]
    done = all(desk.progress.passed(one.key) for one in desk.course.exercises)
    word = "next: " + desk.course.command("next")
    if open_ones:
        word = "next: " + desk.course.command("check", open_ones[0].short)
    elif done:
        word = "That is the whole workbook. Well done."
    say([*out, *_notes(desk.course), "", word])
    if worst:
        return 3
    codes = [result.exit_code for result in results]
    return 1 if 1 in codes else 77 if 77 in codes else 0


def hint(desk: Desk, words: list[str]) -> int:
    """One more hint; when all were given, all of them."""
    item = desk.one(words)
    shown = give_hint(desk, item)
    given = tell.hints(desk.paper, item, shown or 3)[max(0, shown - 1):]
    out = [line for one in given for line in one]
    left = 3 - (shown or 3)
    end = f"There {'is' if left == 1 else 'are'} {count(left, 'more hint')}: "
    end += desk.course.command("hint", item.short) if left else ""
    say([*tell.head(desk.paper, item), *out, ""])
    if left:
        say([end])
    elif not shown:
        there = os.path.exists(item.lesson.solution(item.slug))
        answer = desk.course.command("solution", item.short)
        say(["These are all three." + (f" The answer itself: {answer}" if there else "")])
    say([f"next: {desk.course.command('check', item.short)}   (after you saved the file)"])
    return 0


def give_hint(desk: Desk, item: Exercise) -> int:
    """Remember one more hint; its number, or 0 when all were given."""
    with progress_file.change(desk.course.root) as progress:
        entry = progress.entry(item.key)
        new = entry.hints < 3
        entry.hints = min(3, entry.hints + 1)
        progress.now = item.key
    desk.progress = progress
    return entry.hints if new else 0


def reset(desk: Desk, words: list[str]) -> int:
    """The starter again; your file is kept beside it."""
    if desk.every:
        edited = [item for item in desk.course.exercises if not item.untouched()]
        if not desk.yes and not _asked(f"Reset {count(len(edited), 'edited exercise')}?"):
            say(["Nothing was changed.", "",
                 "next: " + desk.course.command("reset", "--all", "--yes")])
            return 1
    else:
        edited = [desk.one(words)]
    out: list[str] = []
    for item in edited:
        out += answers.reset(item)
    with progress_file.change(desk.course.root) as progress:
        for item in edited:
            progress.entry(item.key).state = verdict.NOT_ATTEMPTED
    where_next = edited[0].short if edited else ""
    say([*(out or ["Every exercise is its starter; nothing was changed."]), "",
         "next: " + desk.course.command("check", where_next).strip()])
    return 0


def _asked(question: str) -> bool:
    """Asks at a terminal; without one the answer is no."""
    if not sys.stdin.isatty():
        return False
    try:
        return input(question + " Type y for yes: ").strip().lower() in ("y", "yes")
    except EOFError:
        return False


def solution(desk: Desk, words: list[str]) -> int:
    """The reference answer, once you passed or asked for it."""
    item = desk.one(words)
    passed = desk.progress.passed(item.key)
    question = f"{item.key} does not pass yet.\nShow the reference answer all the same?"
    if not passed and not desk.yes and not _asked(question):
        say([f"{item.key} does not pass yet, so its answer stays closed.",
             f"A hint may do: {desk.course.command('hint', item.short)}", "",
             f"next: {desk.course.command('solution', item.short, '--yes')}"
             "   (shows it all the same)"])
        return 1
    out = tell.head(desk.paper, item)
    if os.path.exists(item.lesson.solution(item.slug)):
        out += ["This is the reference's code, not yours.", ""]
    out += tell.difference(desk.paper, item)
    out += ["", *desk.paper.words("Why it works: " + item.manifest().why, "  ")]
    out += tell.chapter(item)
    last = tell.next_line(desk.course, desk.progress, item) if passed else (
        f"next: {desk.course.command('check', item.short)}   (after you wrote your own)"
    )
    say([*out, "", last])
    return 0


def progress(desk: Desk, words: list[str]) -> int:
    """How far you are, by lesson."""
    out = []
    width = max(len(lesson.name) for lesson in desk.course.lessons)
    for lesson in desk.course.lessons:
        items = [Exercise(lesson, slug) for slug in lesson.exercises]
        done = sum(desk.progress.passed(item.key) for item in items)
        used = sum(desk.progress.entry(item.key).hints for item in items)
        hints = f", {count(used, 'hint')} used" if used else ""
        bar = "" if desk.paper.plain else "  " + "#" * done + "." * (len(items) - done)
        out.append(f"{lesson.name:{width}}  {done} of {len(items)} passed{bar}{hints}")
    out += ["", score(desk.course, desk.progress)]
    out += [f"Kept in {desk.course.lessons[0].shown(desk.course.root + '/.progress')}, "
            "a text file; to find it anew from your files:",
            "  " + desk.course.command("check", "--all")]
    open_one = work.first_open(desk.course, desk.progress)
    last = desk.course.command() if open_one else desk.course.command("check", "--all")
    say([*out, "", "next: " + last.strip()])
    return 0
