"""No floor looks up: lib/floors.txt says who may include whom, and CUDA is
called only where it is taught or managed."""

import pathlib
import re

import guard

SOURCES = (".c", ".h", ".cu")
# Headers that are somebody's interface, not libc's: a floor must name them.
NAMED = re.compile(r"cu(da|blas)\w*\.h$|(library|driver|vector)_types\.h$|"
                   r"host_defines\.h$|cblas\.h$")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)
CUDA_CALL = re.compile(r"\b((?:cuda|cublas)[A-Z]\w*)\s*\(")
# Above the simulator only these rooms call CUDA; lessons teach it.
CALLERS = ("lib/device/", "lib/ops/", "lib/sim/", "lessons/", "solutions/",
           "tests/")


def read_floors(text: str) -> dict[str, set[str]]:
    """floor -> the floors and <headers> it may include."""
    floors = {}
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if line:
            floor, _, allowed = line.partition(":")
            floors[floor.strip()] = set(allowed.split())
    return floors


def complain_include(name: str, floor: str, quote: str, included: str,
                     floors: dict[str, set[str]]) -> str:
    """What is wrong with this include in this floor; "" when nothing is."""
    room = included.split("/")[0] if "/" in included else ""
    base = included.rsplit("/", 1)[-1]
    if floor == "sim":
        if room in floors and room != "sim":
            return f"{name}: sim knows nothing of the floors, yet includes " \
                   f"\"{included}\""
        return ""
    if quote == "<" or NAMED.search(base):
        if NAMED.search(base) and f"<{base}>" not in floors[floor]:
            return f"{name}: {floor} may not include <{included}> " \
                   "(lib/floors.txt)"
        if base == "cudasim.h" and not name.endswith("_sim.c"):
            return f"{name}: asks the simulator (<cudasim.h>); only a file " \
                   "that ends in _sim.c may"
        return ""
    if room not in floors:
        return f"{name}: \"{included}\" does not name its room, as in " \
               f"\"{floor}/{base}\""
    if room == "sim":
        return f"{name}: nobody above asks for the simulator's own " \
               f"\"{included}\""
    if room != floor and room not in floors[floor]:
        return f"{name}: {floor} may not include {room} (lib/floors.txt): " \
               f"\"{included}\""
    return ""


def check(root: pathlib.Path, options: guard.Options) -> list[str]:
    floors = read_floors(guard.read(root, "lib/floors.txt"))
    complaints = []
    for name in guard.files(root, options, SOURCES):
        text = guard.read(root, name)
        parts = name.split("/")
        if parts[0] == "lib" and len(parts) > 2:
            if parts[1] not in floors:
                complaints.append(f"{name}: lib/floors.txt does not know the "
                                  f"floor \"{parts[1]}\"")
                continue
            found = (complain_include(name, parts[1], quote, included, floors)
                     for quote, included in INCLUDE.findall(text))
            complaints += [complaint for complaint in found if complaint]
        if not name.startswith(CALLERS):
            complaints += [f"{name}: calls {call} outside "
                           "device, ops and the lessons"
                           for call in CUDA_CALL.findall(guard.blank_c(text))]
    return complaints


FLOORS = "base:\nsim:\ndevice: base <cuda_runtime.h> <cudasim.h>\n" \
    "array: base device\n"
SAMPLES = [
    guard.Sample({"lib/floors.txt": FLOORS,
                  "lib/array/a.c": '#include "base/status.h"\n'
                                   '#include <stdint.h>\n',
                  "lib/device/d.c": '#include <cuda_runtime.h>\n'
                                    'int f(void) { return cudaFree(0); }\n'},
                 None),
    guard.Sample({"lib/floors.txt": FLOORS,
                  "lib/base/b.c": '#include "array/shape.h"\n'},
                 "base may not include array"),
    guard.Sample({"lib/floors.txt": FLOORS,
                  "lib/array/a.c": '#include <cuda_runtime.h>\n'},
                 "array may not include <cuda_runtime.h>"),
    guard.Sample({"lib/floors.txt": FLOORS,
                  "lib/sim/s.c": '#include "base/status.h"\n'},
                 "sim knows nothing"),
    guard.Sample({"lib/floors.txt": FLOORS,
                  "lib/array/a.c": '#include "shape.h"\n'},
                 "does not name its room"),
    guard.Sample({"lib/floors.txt": FLOORS,
                  "lib/device/clock_sim.c": "#include <cudasim.h>\n"}, None),
    guard.Sample({"lib/floors.txt": FLOORS,
                  "lib/device/clock.c": "#include <cudasim.h>\n"},
                 "asks the simulator"),
    guard.Sample({"lib/floors.txt": FLOORS,
                  "lib/attic/a.c": "int a;\n"}, "does not know the floor"),
    guard.Sample({"lib/floors.txt": FLOORS,
                  "lib/array/a.c": "int f(void) { return cudaFree(0); }\n"},
                 "calls cudaFree"),
    guard.Sample({"lib/floors.txt": FLOORS,
                  "lib/array/a.c": "/* cudaFree() is device's */\nint a;\n"},
                 None),
]

if __name__ == "__main__":
    guard.run(check, SAMPLES)
