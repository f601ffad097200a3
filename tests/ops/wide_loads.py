"""Do the kernels over flat rows read and write sixteen bytes at a time?

    wide_loads.py NVCC LIB SOURCE

Compiles SOURCE, the elementwise kernels, to PTX, which needs no GPU, and looks
at the loads and stores of some of them.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

# kernel: the widest load and the widest store it must have
WIDE = {
    "add_f32": (r"v4\.[fbu]32", r"v4\.[fbu]32"),
    "mul_f64": (r"v2\.[fbu]64", r"v2\.[fbu]64"),
    "relu_f32": (r"v4\.[fbu]32", r"v4\.[fbu]32"),
    "exp_f32": (r"v4\.[fbu]32", r"v4\.[fbu]32"),
    "add_scaled_f32": (r"v4\.[fbu]32", r"v4\.[fbu]32"),
    "lt_f32": (r"v4\.[fbu]32", r"(v4\.[bu]8|[bu]32)"),
}


def bodies(ptx: str) -> dict[str, str]:
    """What stands in each kernel, by its name."""
    parts = re.split(r"\.entry (\w+)_on_cuda\(", ptx)
    return dict(zip(parts[1::2], parts[2::2]))


def main(argv: list[str]) -> int:
    nvcc, lib, source = argv[1:4]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "kernels.ptx"
        subprocess.run(
            [nvcc, f"-I{lib}", "-std=c++17", "--fmad=false", "-ptx", "-o", str(out), source],
            check=True,
        )
        found = bodies(out.read_text())
    complaints = []
    for kernel, (load, store) in WIDE.items():
        body = found.get(kernel, "")
        for word, wanted in (("ld", load), ("st", store)):
            if not re.search(rf"{word}\.global\.{wanted}\b", body):
                complaints.append(f"{kernel}: no {word}.global.{wanted}")
    print("\n".join(complaints) or f"{len(WIDE)} kernels move sixteen bytes at a time")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
