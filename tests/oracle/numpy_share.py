"""Beside real NumPy: share memory through DLPack, both ways; print alike.

    numpy_share.py LIBRARY [--sanitized]
"""
from __future__ import annotations

import ctypes
import math
import random
import sys
from typing import Sequence

SKIP = 77
FLOAT32, INT64 = 6, 3
NAME, USED_NAME = b"dltensor", b"used_dltensor"


class Device(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("index", ctypes.c_int)]


class Shape(ctypes.Structure):
    _fields_ = [("n_dims", ctypes.c_int), ("dims", ctypes.c_int64 * 8)]


def capsules() -> tuple:
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype = ctypes.c_void_p
    pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    rename = ctypes.pythonapi.PyCapsule_SetName
    rename.argtypes = [ctypes.py_object, ctypes.c_char_p]
    return new, pointer, rename


def load(path: str) -> ctypes.CDLL:
    library = ctypes.CDLL(path)
    library.device_cpu.restype = Device
    for name in ("tensor_ones", "tensor_add_int_", "tensor_from_dlpack",
                 "tensor_to_dlpack", "tensor_repr", "numpy_str"):
        getattr(library, name).restype = ctypes.c_void_p
    library.tensor_live_count.restype = ctypes.c_int64
    return library


class Exported:
    """What numpy.from_dlpack asks for: the protocol's two methods."""

    def __init__(self, library: ctypes.CDLL, tensor: int) -> None:
        self.library, self.tensor = library, tensor

    def __dlpack__(self, **_: object) -> object:
        managed = self.library.tensor_to_dlpack(ctypes.c_void_p(self.tensor))
        return capsules()[0](managed, NAME, None)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


def text_of(library: ctypes.CDLL, tensor: int) -> str:
    pointer = library.tensor_repr(ctypes.c_void_p(tensor))
    text = ctypes.string_at(pointer).decode()
    library.mem_free(ctypes.c_void_p(pointer))
    return text


def check(what: str, got: object, wanted: object) -> None:
    if got != wanted:
        raise SystemExit(f"{what}: got {got!r}, wanted {wanted!r}")


def tensor_to_numpy(library: ctypes.CDLL, numpy: object) -> None:
    """Row 1.4 of the seeds: t.add_(2) shows in n, np.add(n, 2, out=n) in t."""
    library.scope_open()
    shape = Shape(1, (ctypes.c_int64 * 8)(5))
    t = library.tensor_ones(FLOAT32, shape, library.device_cpu())
    n = numpy.from_dlpack(Exported(library, t))
    check("before", (text_of(library, t), str(n)),
          ("tensor([1., 1., 1., 1., 1.])", "[1. 1. 1. 1. 1.]"))
    library.tensor_add_int_(ctypes.c_void_p(t), ctypes.c_int64(2))
    check("t.add_(2)", (text_of(library, t), str(n)),
          ("tensor([3., 3., 3., 3., 3.])", "[3. 3. 3. 3. 3.]"))
    numpy.add(n, 2, out=writable(numpy, n))
    check("np.add(n, 2, out=n)", (text_of(library, t), str(n)),
          ("tensor([5., 5., 5., 5., 5.])", "[5. 5. 5. 5. 5.]"))
    library.scope_close()
    check("n keeps the tensor", library.tensor_live_count(), 1)
    check("n is still there", str(n), "[5. 5. 5. 5. 5.]")
    del n
    check("nobody keeps it", library.tensor_live_count(), 0)


def writable(numpy: object, n: object) -> object:
    """NumPy before 2.1 makes what it takes over read-only: the same memory,
    seen through its address."""
    if n.flags.writeable:
        return n
    address = n.__array_interface__["data"][0]
    numbers = (ctypes.c_float * n.size).from_address(address)
    return numpy.frombuffer(numbers, dtype=n.dtype)


def numpy_to_tensor(library: ctypes.CDLL, numpy: object) -> None:
    _, pointer, rename = capsules()
    n = numpy.arange(6, dtype=numpy.int64).reshape(2, 3)
    before = sys.getrefcount(n)
    library.scope_open()
    capsule = n.T.__dlpack__()
    t = library.tensor_from_dlpack(ctypes.c_void_p(pointer(capsule, NAME)))
    rename(capsule, USED_NAME)
    check("strides are kept", text_of(library, t),
          "tensor([[0, 3],\n        [1, 4],\n        [2, 5]])")
    n += 10
    check("n += 10 shows", text_of(library, t),
          "tensor([[10, 13],\n        [11, 14],\n        [12, 15]])")
    library.tensor_add_int_(ctypes.c_void_p(t), ctypes.c_int64(-10))
    check("t.add_(-10) shows", n.tolist(), [[0, 1, 2], [3, 4, 5]])
    library.scope_close()
    del capsule
    check("the array is given back", sys.getrefcount(n), before)


def prints_alike(library: ctypes.CDLL, numpy: object, n_arrays: int) -> None:
    """NumPy's print form of random arrays, among them what is no number."""
    rnd = random.Random(3)
    dtypes = {0: "bool", 1: "uint8", 2: "int32", 3: "int64", 4: "float16",
              6: "float32", 7: "float64"}
    for _ in range(n_arrays):
        sizes = [rnd.choice([0, 1, 2, 3, 7, 9, 30])
                 for _ in range(rnd.choice([0, 1, 1, 2, 3]))]
        scale = 10.0 ** rnd.randint(-6, 6)
        numbers = [rnd.choice([rnd.uniform(-scale, scale), rnd.uniform(0, 1),
                               float(rnd.randint(-9, 9))])
                   for _ in range(math.prod(sizes))]
        if numbers and rnd.random() < 0.2:
            numbers[0] = rnd.choice([math.inf, -math.inf, math.nan])
        code = rnd.choice(list(dtypes))
        with numpy.errstate(all="ignore"):
            array = numpy.array(numbers, "float64").reshape(sizes)
            if "float" not in dtypes[code]:
                array = numpy.nan_to_num(array, posinf=0, neginf=0) % 200
            array = numpy.asarray(array, dtypes[code])
        shape = Shape(len(sizes), (ctypes.c_int64 * 8)(*sizes))
        pointer = library.numpy_str(code, shape,
                                    ctypes.c_void_p(array.ctypes.data))
        text = ctypes.string_at(pointer).decode()
        library.mem_free(ctypes.c_void_p(pointer))
        check(f"print of {dtypes[code]} {sizes}", text, str(array))


def main(argv: Sequence[str]) -> int:
    if "--sanitized" in argv:
        print("needs a library without sanitizers: Python has none")
        return SKIP
    try:
        import numpy
    except ImportError:
        print("needs NumPy, which this Python lacks")
        return SKIP
    if not hasattr(numpy, "from_dlpack"):
        print(f"needs NumPy 1.22: {numpy.__version__} has no from_dlpack")
        return SKIP
    library = load(argv[0])
    tensor_to_numpy(library, numpy)
    numpy_to_tensor(library, numpy)
    prints_alike(library, numpy, 1000)
    print(f"seeds 1.4: memory is shared with NumPy {numpy.__version__}, "
          "and 1000 arrays print alike")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
