"""A C++ program builds against the headers and runs; skipped without c++."""
from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def main(argv: list[str]) -> int:
    root, library = Path(argv[1]), Path(argv[2])
    flags = [f"-fsanitize={argv[3]}"] if len(argv) > 3 and argv[3] else []
    compiler = shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        print("needs a C++ compiler (c++ or g++)")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "plusplus")
        build = [compiler, "-std=c++11", "-Wall", "-Wextra", "-Werror", *flags,
                 str(root / "tests/sim/programs/plusplus.cc"), "-o", program,
                 "-I", str(root / "lib/sim/include"), "-L",
                 str(library.parent), "-lcudasim",
                 f"-Wl,-rpath,{library.parent}"]
        got = subprocess.run(build, capture_output=True, text=True)
        if got.returncode == 0:
            got = subprocess.run([program], capture_output=True, text=True)
        print(got.stdout + got.stderr)
        return 1 if got.returncode else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
