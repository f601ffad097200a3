"""State dicts beside real NumPy: theirs are read, ours are read by numpy.load.

    numpy_reads_npz.py LIBRARY [--sanitized]
"""
from __future__ import annotations

import ctypes
import sys
import tempfile
from pathlib import Path
from typing import Sequence

SKIP = 77


class Device(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("index", ctypes.c_int)]


def load(path: str) -> ctypes.CDLL:
    library = ctypes.CDLL(path)
    for name in ("linear_new", "batch_norm_1d_new", "sequential_new",
                 "sequential_add", "module_cast", "module_parameter",
                 "module_buffer"):
        getattr(library, name).restype = ctypes.c_void_p
    library.status_sentence.restype = ctypes.c_char_p
    library.tensor_numel.restype = ctypes.c_int64
    return library


def net(library: ctypes.CDLL) -> ctypes.c_void_p:
    """Sequential(Linear(3, 2), BatchNorm1d(2)): float32, and one int64."""
    made = ctypes.c_void_p(library.sequential_new())
    linear = library.linear_new(ctypes.c_int64(3), ctypes.c_int64(2))
    norm = library.batch_norm_1d_new(ctypes.c_int64(2))
    for child in (linear, norm):
        library.sequential_add(made, ctypes.c_void_p(child))
    return made


SHAPES = {"0.weight": (2, 3), "0.bias": (2,), "1.weight": (2,), "1.bias": (2,),
          "1.running_mean": (2,), "1.running_var": (2,),
          "1.num_batches_tracked": ()}


def numbers(library: ctypes.CDLL, module: ctypes.c_void_p,
            name: str) -> list[float]:
    tensor = (library.module_parameter(module, name.encode())
              or library.module_buffer(module, name.encode()))
    n = library.tensor_numel(ctypes.c_void_p(tensor))
    values = (ctypes.c_double * n)()
    library.tensor_read(ctypes.c_void_p(tensor), values, ctypes.c_int64(n))
    return list(values)


def check(what: str, got: object, wanted: object) -> None:
    if got != wanted:
        raise SystemExit(f"{what}: got {got!r}, wanted {wanted!r}")


def ours_is_theirs(library: ctypes.CDLL, numpy: object, path: Path) -> None:
    for dtype in ("float32", "float16", "float64"):
        module = net(library)
        library.module_cast(module, DTYPE[dtype])
        check("module_save", library.module_save(module, bytes(path)), 0)
        with numpy.load(path) as archive:
            check("names", archive.files, list(SHAPES))
            for name, shape in SHAPES.items():
                array = archive[name]
                integer = name.endswith("tracked")
                check(name, (array.shape, str(array.dtype)),
                      (shape, "int64" if integer else dtype))
                check(name, array.astype("float64").ravel().tolist(),
                      numbers(library, module, name))


def arrays(numpy: object, dtype: str) -> dict:
    return {name: (numpy.arange(numpy.prod(shape, dtype=int)) + at)
            .reshape(shape).astype(dtype)
            for at, (name, shape) in enumerate(SHAPES.items())}


def theirs_is_ours(library: ctypes.CDLL, numpy: object, path: Path) -> None:
    for dtype in ("bool", "uint8", "int32", "int64", "float16", "float32",
                  "float64"):
        saved = arrays(numpy, dtype)
        numpy.savez(path, **saved)
        module = net(library)
        check(f"module_load {dtype}: {library.status_sentence()!r}",
              library.module_load(module, bytes(path)), 0)
        for name, array in saved.items():
            check(name, numbers(library, module, name),
                  array.astype("float64").ravel().tolist())


def refused(library: ctypes.CDLL, path: Path, why: str) -> None:
    module = net(library)
    before = numbers(library, module, "0.weight")
    check("refused", library.module_load(module, bytes(path)) != 0, True)
    library.status_take()
    check("sentence", library.status_sentence().decode(),
          f"cannot read '{path}': {why}")
    check("untouched", numbers(library, module, "0.weight"), before)


def others_are_refused(library: ctypes.CDLL, numpy: object,
                       path: Path) -> None:
    good = arrays(numpy, "float32")
    numpy.savez_compressed(path, **good)
    refused(library, path, "its entries are compressed; save it with "
                           "numpy.savez, not savez_compressed")
    numpy.savez(path, **{**good, "0.weight":
                         numpy.asfortranarray(good["0.weight"])})
    refused(library, path, "an entry is in Fortran order; save "
                           "numpy.ascontiguousarray(x) instead")
    unknown = ("an entry's dtype is not one of bool, uint8, int32, int64, "
               "float16, float32, float64 in little-endian order")
    for dtype in (">f4", "c8", "i2", "U3", [("a", "<f4")]):
        numpy.savez(path, **{**good, "0.bias": numpy.zeros(2, dtype)})
        refused(library, path, unknown)
    numpy.save(path.with_suffix(".npy"), good["0.weight"])
    refused(library, path.with_suffix(".npy"),
            "it is not a whole .npz archive")


def dtypes(library: ctypes.CDLL) -> dict[str, int]:
    """Our enum's numbers by NumPy's names: asked, not written down twice."""
    library.dtype_name.restype = ctypes.c_char_p
    names = (library.dtype_name(t).decode() for t in range(8))
    return {name.removeprefix("torch."): t for t, name in enumerate(names)}


DTYPE: dict[str, int] = {}


def main(argv: Sequence[str]) -> int:
    if "--sanitized" in argv:
        print("needs a library without sanitizers: Python has none")
        return SKIP
    try:
        import numpy
    except ImportError:
        print("skipped: not attempted, needs NumPy (apt: python3-numpy)")
        return SKIP
    library = load(argv[1])
    DTYPE.update(dtypes(library))
    library.scope_open()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state.npz"
        ours_is_theirs(library, numpy, path)
        theirs_is_ours(library, numpy, path)
        others_are_refused(library, numpy, path)
    library.scope_close()
    print(f"NumPy {numpy.__version__} and the library read each other")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
