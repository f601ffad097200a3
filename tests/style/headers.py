"""Each header compiles alone, twice in a row, as C11 and without a warning."""

import concurrent.futures
import os
import pathlib
import re
import subprocess

import guard

FLAGS = ["-std=c11", "-Wall", "-Wextra", "-Wshadow", "-Wstrict-prototypes",
         "-Werror", "-D_POSIX_C_SOURCE=200809L", "-fsyntax-only"]
# A kernel body means nothing until a target says what KERNEL is; a loop that
# is included once a type means nothing until the type is named.
FRAGMENT = re.compile(r"\.k\.h$|_loop\.h$")


def compile_alone(root: pathlib.Path, name: str, cc: str) -> str:
    """The compiler's first error, or ""."""
    rooms = ["-Ilib/sim/include", "-Ilib/sim", "-Ilib/sim/src", "-Ilib",
             f"-I{pathlib.PurePosixPath(name).parent}"]
    result = subprocess.run(
        [cc, *FLAGS, *rooms, "-x", "c", "-"], cwd=root,
        input=f'#include "{root / name}"\n' * 2 +
        "typedef int a_file_that_is_not_empty;\n",
        capture_output=True, text=True, check=False)
    if result.returncode == 0:
        return ""
    errors = [line for line in result.stderr.splitlines() if "error" in line]
    return f"{name} does not compile alone: {(errors or ['?'])[0]}"


def check(root: pathlib.Path, options: guard.Options) -> list[str]:
    names = [name for name in guard.files(root, options, (".h",))
             if name.startswith("lib/") and not FRAGMENT.search(name)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = pool.map(lambda name: compile_alone(root, name, options.cc),
                        names)
        return [complaint for complaint in said if complaint]


SAMPLES = [
    guard.Sample({"lib/base/a.h": "#ifndef A_H\n#define A_H\n"
                                  "typedef int A;\n#endif\n",
                  "lib/base/b.h": "#ifndef B_H\n#define B_H\n"
                                  "#include \"base/a.h\"\nA b(A x);\n"
                                  "#endif\n"}, None),
    guard.Sample({"lib/base/b.h": "size_t b(void);\n"}, "size_t"),
    guard.Sample({"lib/base/b.h": "int b();\n"}, "b.h does not compile alone"),
    guard.Sample({"lib/base/b.h": "enum { TWICE };\n"}, "TWICE"),
    guard.Sample({"lib/ops/kernels/a.k.h": "KERNEL(a)\n"}, None),
]

if __name__ == "__main__":
    guard.run(check, SAMPLES)
