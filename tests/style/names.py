"""NN_name is the only key: each lesson stands in its four places, and each
exercise has its solution, its manifest and at least two wrong answers."""

import pathlib
import re

import guard

LESSON = re.compile(r"\d\d_[a-z0-9_]+")
FEWEST_EXERCISES = 4  # 00 is the welcome: one will do
FEWEST_WRONG = 2


def places(names: list[str]) -> dict[str, set[str]]:
    """lesson -> those of its four places that exist."""
    patterns = {
        "lessons/": re.compile(r"lessons/([^/]+)/."),
        "solutions/": re.compile(r"solutions/([^/]+)/."),
        "tests/lessons/": re.compile(r"tests/lessons/([^/]+)/."),
        "book/": re.compile(r"book/(\d\d_[^/]*)\.md$"),
    }
    found: dict[str, set[str]] = {}
    for name in names:
        for place, pattern in patterns.items():
            match = pattern.match(name)
            if match:
                found.setdefault(match.group(1), set()).add(place)
    return {lesson: where for lesson, where in found.items()
            if re.match(r"\d", lesson)}


def complain_exercises(lesson: str, names: set[str]) -> list[str]:
    exercises = sorted(re.match(r"lessons/[^/]+/(ex\d+)_(\w+)\.c$", name)[0]
                       for name in names
                       if re.match(rf"lessons/{lesson}/ex\d+_\w+\.c$", name))
    complaints = []
    fewest = 1 if lesson.startswith("00") else FEWEST_EXERCISES
    if len(exercises) < fewest:
        complaints.append(f"lessons/{lesson}: {len(exercises)} exercises; "
                          f"at least {fewest}")
    for path in exercises:
        stem = pathlib.PurePosixPath(path).stem
        tests = f"tests/lessons/{lesson}"
        for needed in (f"solutions/{lesson}/{stem}.c",
                       f"{tests}/{stem.split('_')[0]}.json"):
            if needed not in names:
                complaints.append(f"{path}: there is no {needed}")
        wrong = [name for name in names
                 if name.startswith(f"{tests}/wrong/{stem}.")]
        if len(wrong) < FEWEST_WRONG:
            complaints.append(f"{path}: {len(wrong)} wrong answers "
                              f"({tests}/wrong/{stem}.WHAT.c); at least "
                              f"{FEWEST_WRONG}")
    return complaints


def check(root: pathlib.Path, options: guard.Options) -> list[str]:
    del options  # only names are read here, never what a student wrote
    names = guard.tracked(root)
    complaints = []
    found = places(names)
    everywhere = {"lessons/", "solutions/", "tests/lessons/", "book/"}
    for lesson, where in sorted(found.items()):
        if not LESSON.fullmatch(lesson):
            complaints.append(f"\"{lesson}\" is no lesson's name: NN_name, "
                              "lower case")
        for place in sorted(everywhere - where):
            complaints.append(f"lesson {lesson} has no place in {place}")
        if "lessons/" in where:
            complaints += complain_exercises(lesson, set(names))
    numbers = [lesson[:2] for lesson in found]
    for number in sorted({n for n in numbers if numbers.count(n) > 1}):
        complaints.append(f"two lessons are number {number}: " + ", ".join(
            sorted(lesson for lesson in found if lesson[:2] == number)))
    return complaints


def lesson_tree(lesson: str) -> dict[str, str]:
    tests = f"tests/lessons/{lesson}"
    return {name: "x" for name in (
        f"lessons/{lesson}/lesson.c", f"lessons/{lesson}/ex1_a.c",
        f"solutions/{lesson}/ex1_a.c", f"{tests}/ex1.json",
        f"{tests}/wrong/ex1_a.b.c", f"{tests}/wrong/ex1_a.c.c",
        f"book/{lesson}.md")}


def without(path: str) -> dict[str, str]:
    return {name: text for name, text in lesson_tree("00_x").items()
            if name != path}


SAMPLES = [
    guard.Sample({"README.md": "nothing yet"}, None),
    guard.Sample(lesson_tree("00_x"), None),
    guard.Sample(lesson_tree("01_x"), "1 exercises; at least 4"),
    guard.Sample(without("book/00_x.md"), "no place in book/"),
    guard.Sample(without("solutions/00_x/ex1_a.c"), "no place in solutions/"),
    guard.Sample(without("tests/lessons/00_x/ex1.json"), "there is no"),
    guard.Sample(without("tests/lessons/00_x/wrong/ex1_a.b.c"),
                 "1 wrong answers"),
    guard.Sample({**lesson_tree("00_x"), **lesson_tree("00_y")},
                 "two lessons are number 00"),
    guard.Sample({"solutions/2_x/a.c": "x"}, "is no lesson's name"),
]

if __name__ == "__main__":
    guard.run(check, SAMPLES)
