"""Pictures drawn while the book is built, from what the build knows.

draw() finds the data of a .figure, hands it to the drawing functions and
returns the SVG, the same facts as a table, and the caption.
"""
from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import capture
import draw_curve
import draw_map
import draw_places
import draw_timeline
import machines
import markdown as md
import sources as src
from fault import Fault

ATTRIBUTES = {
    "machine": {"machine"},
    "places": {"run"},
    "mapping": {"machine", "visible", "order"},
    "timeline": {"run", "region", "from", "to", "lanes"},
    "curve": {"run", "x", "y", "labels", "from", "to", "scale"},
}

# Asks the simulator, in a process of its own, which physical GPU each logical
# one is: prints a JSON list of PCI bus ids.
ASK = """
import ctypes, json, sys
cuda = ctypes.CDLL(sys.argv[1])
count, ids = ctypes.c_int(0), []
if cuda.cudaGetDeviceCount(ctypes.byref(count)) == 0:
    for i in range(count.value):
        text = ctypes.create_string_buffer(32)
        if cuda.cudaDeviceGetPCIBusId(text, 32, i):
            sys.exit("cudaDeviceGetPCIBusId failed")
        ids.append(text.value.decode())
print(json.dumps(ids))
"""


class Artist:
    """Draws figures; each kind takes (attributes, body)."""

    def __init__(self, tree: src.Tree, programs: capture.Programs,
                 known: dict[str, machines.Machine], build: Path,
                 words: dict) -> None:
        self.tree, self.programs = tree, programs
        self.say = words["figure"]
        self.machines, self.build = known, build

    def draw(self, attrs: md.Attributes,
             body: list[str]) -> tuple[str, str, str]:
        kind = attrs.values["kind"]
        if kind not in ATTRIBUTES:
            raise Fault(f"there is no figure kind=\"{kind}\". There are: "
                        + ", ".join(ATTRIBUTES))
        for key in attrs.values:
            if key not in ATTRIBUTES[kind] | {"kind", "title"}:
                raise Fault(f"a {kind} figure has no attribute {key}=")
        made = getattr(self, kind)(attrs, body)
        if len(made) == 3:
            return made
        caption = "\n".join(body).strip()
        return made[0], made[1], caption

    def given(self, attrs: md.Attributes, key: str) -> str:
        if not attrs.values.get(key):
            raise Fault(f"a {attrs.values['kind']} figure needs {key}=\"…\"")
        return attrs.values[key]

    def find_machine(self, attrs: md.Attributes) -> machines.Machine:
        name = self.given(attrs, "machine")
        if name not in self.machines:
            raise Fault(f"there is no machine '{name}'. There are: "
                        + ", ".join(self.machines))
        return self.machines[name]

    def machine(self, attrs: md.Attributes, body: list[str]) -> tuple:
        machine = self.find_machine(attrs)
        return draw_map.machine(attrs.id, attrs.values["title"], machine,
                                self.say)

    def mapping(self, attrs: md.Attributes, body: list[str]) -> tuple:
        machine = self.find_machine(attrs)
        env = {}
        if "visible" in attrs.values:
            env["CUDA_VISIBLE_DEVICES"] = attrs.values["visible"]
        if "order" in attrs.values:
            env["CUDA_DEVICE_ORDER"] = attrs.values["order"]
        logical = self.ask(machine.name, env)
        return draw_map.mapping(attrs.id, attrs.values["title"], machine, env,
                                logical, self.say)

    def ask(self, machine: str, env: dict[str, str]) -> list[int]:
        """Physical indices (in PCI order) of the logical GPUs."""
        library = self.build / "lib" / "libcudasim.so"
        if not library.is_file():
            raise Fault(f"a mapping is drawn from the simulator, and {library} "
                        "is not built")
        base = {key: os.environ[key] for key in ("PATH", "HOME")
                if key in os.environ}
        done = subprocess.run([sys.executable, "-c", ASK, str(library)],
                              env=base | {"SIM_MACHINE": machine} | env,
                              capture_output=True, text=True, check=False)
        if done.returncode:
            raise Fault("the simulator could not say its devices: "
                        f"{done.stderr.strip()}")
        known = [bus_id(gpu.get("bus_id", ""))
                 for gpu in self.machines[machine].gpus]
        return [known.index(bus_id(text)) for text in json.loads(done.stdout)]

    def places(self, attrs: md.Attributes, body: list[str]) -> tuple:
        run = src.find_run(self.tree, self.given(attrs, "run"))
        printed = src.transcript(self.tree, run)
        panels, arrows, caption = draw_places.read(body, printed, run.key)
        svg, table = draw_places.draw(attrs.id, attrs.values["title"], panels,
                                      arrows, self.say)
        return svg, table, caption

    def timeline(self, attrs: md.Attributes, body: list[str]) -> tuple:
        run = src.find_run(self.tree, self.given(attrs, "run"))
        events = self.programs.trace(run)
        span = [float(attrs.values[key]) if key in attrs.values else None
                for key in ("from", "to")]
        if attrs.values.get("region"):
            span = list(self.programs.times(run, attrs.values["region"]))
        lanes = [name.strip() for name
                 in attrs.values.get("lanes", "").split(",") if name.strip()]
        return draw_timeline.draw(attrs.id, attrs.values["title"], events,
                                  span[0], span[1], lanes, self.say)

    def curve(self, attrs: md.Attributes, body: list[str]) -> tuple:
        run = src.find_run(self.tree, self.given(attrs, "run"))
        lines = src.cut_lines(src.transcript(self.tree, run), attrs.values,
                              f"run {run.key}")
        columns = draw_curve.read(lines)
        wanted = [self.given(attrs, "x")]
        wanted += [y.strip() for y in self.given(attrs, "y").split(",")]
        for name in wanted:
            if name not in columns:
                raise Fault(f"the table of run {run.key} has no column "
                            f"'{name}'. It has: " + ", ".join(columns))
        labels = [label.strip() for label in attrs.values.get(
            "labels", ",".join(wanted)).split(",")]
        if len(labels) != len(wanted):
            raise Fault(f"labels= names {len(labels)} columns, and x= and y= "
                        f"{len(wanted)}")
        return draw_curve.draw(attrs.id, attrs.values["title"], columns,
                               wanted, labels, attrs.values.get("scale", ""),
                               self.say)


def bus_id(text: str) -> tuple[int, ...]:
    """00000000:89:00.0 and 0000:89:00.0 are one address."""
    return tuple(int(part, 16) for part in re.split(r"[:.]", text) if part)
