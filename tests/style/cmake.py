"""CMake speaks of targets: no globs but the one for lessons, no hand-set flag
variables, no directory-wide settings, no test judged by a word it prints."""

import pathlib
import re

import guard

FORBIDDEN = [
    (r"\bfile\s*\(\s*GLOB(_RECURSE)?\b", "file(GLOB): list sources by name"),
    (r"\baux_source_directory\s*\(", "aux_source_directory: list sources"),
    (r"\bset\s*\(\s*CMAKE_\w*_FLAGS\w*\b", "a hand-set flags variable"),
    (r"\b(include_directories|link_libraries|link_directories|add_definitions|"
     r"add_compile_definitions|add_compile_options|add_link_options)\s*\(",
     "a setting for a whole directory: give it to a target"),
    (r"\b(PASS|FAIL)_REGULAR_EXPRESSION\b",
     "a test judged by a word that it prints"),
]
THE_ONE_GLOB = "file(GLOB lesson_lists CONFIGURE_DEPENDS " \
    "lessons/[0-9]*/CMakeLists.txt)"


def check(root: pathlib.Path, options: guard.Options) -> list[str]:
    complaints = []
    for name in guard.files(root, options, ("CMakeLists.txt", ".cmake")):
        text = re.sub(r"#[^\n]*", "", guard.read(root, name))
        if name == "CMakeLists.txt":
            text = text.replace(THE_ONE_GLOB, "")
        for pattern, why in FORBIDDEN:
            for found in re.finditer(pattern, text):
                line = text.count("\n", 0, found.start()) + 1
                complaints.append(f"{name}:{line}: {why}")
    return complaints


SAMPLES = [
    guard.Sample({"CMakeLists.txt": THE_ONE_GLOB + "\n"}, None),
    guard.Sample({"lib/CMakeLists.txt": THE_ONE_GLOB + "\n"}, "file(GLOB)"),
    guard.Sample({"lib/CMakeLists.txt": "file(GLOB_RECURSE x *.c)\n"},
                 "file(GLOB)"),
    guard.Sample({"lib/CMakeLists.txt": 'set(CMAKE_C_FLAGS "-O3")\n'},
                 "hand-set flags"),
    guard.Sample({"lib/a.cmake": "include_directories(lib)\n"},
                 "whole directory"),
    guard.Sample({"lib/a.cmake": "target_include_directories(a PUBLIC b)\n"},
                 None),
    guard.Sample({"tests/CMakeLists.txt": "set_tests_properties(a PROPERTIES "
                                          "PASS_REGULAR_EXPRESSION ok)\n"},
                 "tests/CMakeLists.txt:1: a test judged"),
]

if __name__ == "__main__":
    guard.run(check, SAMPLES)
