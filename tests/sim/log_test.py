"""SIM_LOG: what each call looks like, where it goes, and bad values of it."""
from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

EXPECTED = """\
        0.000 us  cudaMalloc(cuda:0+0x0, 64) = 0 cudaSuccess
   300050.000 us  cudaMallocHost(pinned+0x0, 64, 0) = 0 cudaSuccess
   302350.007 us  cudaStreamCreate(cuda:0 stream 1, 0, 0) = 0 cudaSuccess
   302350.207 us  cudaStreamCreateWithFlags(cuda:0 stream 2, 0x1, 0) = 0 cudaSuccess
   302350.407 us  cudaEventCreate(event) = 0 cudaSuccess
   302350.607 us  cudaLaunchKernel(fill "it", [1,1,1], [16,1,1], args, 0, cuda:0 stream 1) = 0 cudaSuccess
   302352.607 us  cudaEventRecord(event, cuda:0 stream 1) = 0 cudaSuccess
   302352.807 us  cudaStreamWaitEvent(cuda:0 stream 2, event, 0) = 0 cudaSuccess
   302353.007 us  cudaMemcpyAsync(pinned+0x0, cuda:0+0x0, 64, cudaMemcpyDeviceToHost, cuda:0 stream 2) = 0 cudaSuccess
   302358.007 us  cudaStreamSynchronize(cuda:0 stream 2) = 0 cudaSuccess
   302363.007 us  cudaLaunchKernel(fill "it", [1,1,1], [16,1,1], args, 0, cuda:0 stream 1) = 0 cudaSuccess
   302365.007 us  cudaMemcpy(cuda:0+0x20, host, 32, cudaMemcpyHostToDevice) = 0 cudaSuccess
   302384.013 us  cublasCreate(handle of cuda:0) = 0 CUBLAS_STATUS_SUCCESS
   302434.013 us  cublasSgemm(0, 0, 2, 2, 2, cuda:0+0x0, 2, cuda:0+0x0, 2, cuda:0+0x20, 2, batches 1) = 0 CUBLAS_STATUS_SUCCESS
   302436.013 us  cudaSetDevice(99) = 101 cudaErrorInvalidDevice
   302436.213 us  cudaMalloc(NULL, 1152921504606846976) = 2 cudaErrorMemoryAllocation
"""


def run(walk: str, **env: str) -> subprocess.CompletedProcess[str]:
    keep = {k: v for k, v in os.environ.items()
            if not k.startswith(("SIM_", "CUDA_"))}
    return subprocess.run([walk], env=keep | {"SIM_MACHINE": "v100x8"} | env,
                          capture_output=True, text=True, timeout=60)


def refused(walk: str, value: str, sentence: str, complaints: list[str]) -> None:
    got = run(walk, SIM_LOG=value)
    if got.returncode != 2 or got.stderr != f"cudasim: {sentence}\n":
        complaints.append(f"SIM_LOG={value}: exit {got.returncode}, "
                          f"{got.stderr!r} instead of {sentence!r}")


def main(argv: list[str]) -> int:
    walk = argv[1]
    complaints: list[str] = []
    got = run(walk, SIM_LOG="1")
    if not got.stderr.startswith(EXPECTED):
        complaints.append(f"the log is not as expected:\n{got.stderr}")
    if "[thread 1] cudaFree(cuda:0+0x0) = 0 cudaSuccess" not in got.stderr:
        complaints.append("the second thread's call is not marked")
    if got.stdout or "0x7f" in got.stderr:
        complaints.append("stdout or raw addresses were written")
    if run(walk, SIM_LOG="1").stderr != got.stderr:
        complaints.append("two runs gave two logs")
    for value in ("", "0"):
        if run(walk, SIM_LOG=value).stderr:
            complaints.append(f"SIM_LOG={value!r} is not off")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "calls.log"
        if run(walk, SIM_LOG=str(path)).stderr or \
                path.read_text() != got.stderr:
            complaints.append("the file does not hold what stderr had")
    refused(walk, "yes", "SIM_LOG=yes is not valid; it can be 1 (to stderr), "
            "0, or the path of a file to write (with a / or a . in it).",
            complaints)
    refused(walk, "/no/such/dir/x", "SIM_LOG=/no/such/dir/x cannot be "
            "written: No such file or directory.", complaints)
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
