"""Our headers say what NVIDIA's say: prototypes, values, sizes, offsets.

Facts are read from our headers by compiling against them, then asserted by
compiling against NVIDIA's: every enum constant, every member of every struct,
every number behind a macro, every prototype (redeclared after NVIDIA's, which
the compiler refuses unless the types agree). Skipped without the toolkit.
"""
from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

INCLUDES = "#include <stddef.h>\n#include <stdio.h>\n#include <string.h>\n" \
           "#include <cuda_runtime.h>\n#include <cublas_v2.h>\n"
SKIP = 77


def find_toolkit() -> Path | None:
    """The include folder of an installed CUDA Toolkit, version 13."""
    places = [os.environ.get(v, "") for v in ("CUDA_HOME", "CUDA_PATH")]
    nvcc = shutil.which("nvcc")
    if nvcc:
        places.append(str(Path(nvcc).resolve().parent.parent))
    places += ["/usr/local/cuda", "/usr/local/cuda-13.0", "/opt/cuda", "/usr"]
    for place in filter(None, places):
        header = Path(place) / "include" / "cuda_runtime_api.h"
        if header.exists() and re.search(r"define\s+CUDART_VERSION\s+13",
                                         header.read_text()):
            return header.parent
    return None


def compile_c(cc: str, include: Path, text: str, folder: Path,
              run: bool) -> tuple[bool, str]:
    """Compile (and run) text; True and its output, or False and why not."""
    source, program = folder / "t.c", folder / "t"
    source.write_text(text)
    flags = ["-std=gnu11", "-w", "-isystem", str(include)]
    goal = ["-o", str(program)] if run else ["-fsyntax-only"]
    got = subprocess.run([cc, *flags, str(source), *goal], text=True,
                         capture_output=True)
    if got.returncode != 0:
        return False, got.stderr
    if not run:
        return True, ""
    got = subprocess.run([str(program)], capture_output=True, text=True)
    return got.returncode == 0, got.stdout


def preprocessed(cc: str, include: Path) -> str:
    text = "#include <cuda_runtime.h>\n#include <cublas_v2.h>\n"
    got = subprocess.run([cc, "-E", "-P", "-I", str(include), "-x", "c", "-"],
                         input=text, capture_output=True, text=True, check=True)
    return re.sub(r"\s+", " ", re.sub(r"__attribute__\s*\(\(.*?\)+\)", "",
                                      got.stdout))


def enum_constants(text: str) -> list[str]:
    found = []
    for body in re.findall(r"enum(?: \w+)? \{([^{}]*)\}", text):
        found += re.findall(r"(?:^|,)\s*(c[uU]\w+|C[UU]\w+|\w+_VERSION"
                            r"|PATCH_LEVEL)", body)
    return found


def struct_members(text: str) -> list[tuple[str, str]]:
    """(type, member) of every struct with a body; type as C spells it."""
    found = []
    for tag, body in re.findall(r"struct (\w+) \{([^{}]*)\}", text):
        if not re.match(r"cuda|CU|dim3|u?(char|short|int|long|longlong|float"
                        r"|double)\d", tag):
            continue
        for declaration in filter(str.strip, body.split(";")):
            for name in declaration.split(","):
                member = re.search(r"(\w+)\s*(\[\w+\])?\s*$", name)
                if member:
                    found.append((f"struct {tag}", member.group(1)))
    return found


def prototypes(text: str) -> list[str]:
    return [p.strip() for p in re.findall(
        r"(?:cudaError_t|cublasStatus_t|const char \*|size_t) ?"
        r"cu(?:da|blas)\w+\([^;{}]*\);", text)]


def number_macros(include: Path) -> list[str]:
    found = []
    for name in ("driver_types.h", "cuda_runtime_api.h", "cublas_api.h"):
        for macro, value in re.findall(r"^#define (\w+) +(\S.*)$",
                                       (include / name).read_text(), re.M):
            if not macro.startswith("CUDASIM") and macro != "CUBLASAPI":
                found.append(macro)
    return found


def renamed(include: Path) -> list[str]:
    return re.findall(r"^#define (cublas\w+) (?:cublas\w+_v2)$",
                      (include / "cublas_v2.h").read_text(), re.M)


def assertions(cc: str, ours: Path, folder: Path) -> tuple[str, int]:
    """A program of assertions, true of our headers, and their number."""
    text = preprocessed(cc, ours)
    members = struct_members(text)
    lines = [f'printf("_Static_assert({name} == %lld, \\"{name}\\");\\n", '
             f"(long long){name});" for name in enum_constants(text)]
    for struct in sorted({s for s, _ in members}):
        lines.append(f'printf("_Static_assert(sizeof({struct}) == %zu, '
                     f'\\"{struct}\\");\\n", sizeof({struct}));')
    for struct, member in members:
        what = f"{struct}, {member}"
        lines.append(f'printf("_Static_assert(offsetof({what}) == %zu && '
                     f'sizeof((({struct} *)0)->{member}) == %zu, '
                     f'\\"{what}\\");\\n", offsetof({what}), '
                     f"sizeof((({struct} *)0)->{member}));")
    ok, asserted = compile_c(cc, ours, INCLUDES + "int main(void) {"
                             + "\n".join(lines) + "}", folder, run=True)
    if not ok:
        raise SystemExit(f"our own headers do not compile:\n{asserted}")
    declared = prototypes(text)
    checks = len(lines) + len(declared)
    return asserted + "\n".join(declared) + "\n", checks


def macro_program(macros: list[str], names: list[str]) -> str:
    """Prints what each macro stands for."""
    lines = [f'printf("{m} %lld\\n", (long long)(size_t){m});' for m in macros]
    lines += [f'printf("{n} %s\\n", STR({n}));' for n in names]
    return (INCLUDES + "#define STR_(x) #x\n#define STR(x) STR_(x)\n"
            "int main(void) {" + "\n".join(lines) + "return 0; }")


def compare(cc: str, ours: Path, theirs: Path, folder: Path,
            spoil: tuple[str, str] = ("", "")) -> tuple[list[str], int]:
    """What differs, and how many facts were compared."""
    program, checks = assertions(cc, ours, folder)
    if spoil[0]:
        if spoil[0] not in program:
            raise SystemExit(f"nothing to spoil: {spoil[0]}")
        program = program.replace(*spoil, 1)
    ok, why = compile_c(cc, theirs, INCLUDES + program, folder, run=False)
    complaints = [] if ok else [line for line in why.splitlines()
                                if "error" in line]
    macros, names = number_macros(ours), renamed(ours)
    text = macro_program(macros, names)
    _, mine = compile_c(cc, ours, text, folder, run=True)
    ok, other = compile_c(cc, theirs, text, folder, run=True)
    if not ok or not mine:
        complaints.append(f"the macros do not compile: {other}")
    for a, b in zip(mine.splitlines(), other.splitlines()):
        if a != b and not a.startswith("CUBLAS_VER"):
            complaints.append(f"ours: {a}; NVIDIA's: {b}")
    return complaints, checks + len(macros) + len(names)


SPOILS = [("cudaErrorAssert == 710", "cudaErrorAssert == 711"),
          ("sizeof(struct cudaDeviceProp) == 1008",
           "sizeof(struct cudaDeviceProp) == 1000"),
          ("cudaError_t cudaFree(void *devPtr)",
           "cudaError_t cudaFree(int devPtr)")]


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ours", type=Path)
    parser.add_argument("--cc", default="cc")
    args = parser.parse_args(argv[1:])
    theirs = find_toolkit()
    if theirs is None:
        print("needs the CUDA Toolkit 13, to compare with "
              "(looked at CUDA_HOME, nvcc, /usr/local/cuda, /opt/cuda)")
        return SKIP
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        complaints, checks = compare(args.cc, args.ours, theirs, folder)
        print("\n".join(complaints))
        for spoil in SPOILS:  # a comparison that finds nothing is none
            if not compare(args.cc, args.ours, theirs, folder, spoil)[0]:
                print(f"a wrong {spoil[1]} went unseen")
                return 1
    print(f"{checks} facts compared with {theirs}, {len(complaints)} differ")
    return 1 if complaints or checks < 900 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
