"""Files stop at 400 lines, functions at 60; only a flat switch may be longer."""

import ast
import pathlib
import re

import guard

FILE_LIMIT = 400
FUNCTION_LIMIT = 60
SUFFIXES = (".c", ".h", ".cu", ".py", ".sh", ".lua", ".cmake", ".js", ".css",
            "CMakeLists.txt")
BODY = re.compile(r"^\{\n(.*?)^\}", re.M | re.S)


def is_flat_switch(body: str) -> bool:
    """One switch whose cases open no further block, and little else."""
    depth = deepest = outside = 0
    for line in body.splitlines():
        depth += line.count("{") - line.count("}")
        deepest = max(deepest, depth)
        outside += depth == 0
    return "switch" in body and deepest <= 1 and outside <= FUNCTION_LIMIT


def long_c_functions(name: str, text: str) -> list[str]:
    """Functions whose braces stand in column 0, as .clang-format puts them."""
    complaints = []
    text = guard.blank_c(text)
    for found in BODY.finditer(text):
        lines = found.group(0).count("\n") + 1
        if lines > FUNCTION_LIMIT and not is_flat_switch(found.group(1)):
            at = text.count("\n", 0, found.start()) + 1
            complaints.append(f"{name}:{at}: a function of {lines} lines; "
                              f"the limit is {FUNCTION_LIMIT}")
    return complaints


def long_python_functions(name: str, text: str) -> list[str]:
    complaints = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LIMIT:
                complaints.append(
                    f"{name}:{node.lineno}: {node.name} has {lines} lines; "
                    f"the limit is {FUNCTION_LIMIT}")
    return complaints


def check(root: pathlib.Path, options: guard.Options) -> list[str]:
    complaints = []
    for name in guard.files(root, options, ("",)):
        text = guard.read(root, name)
        script = text.startswith("#!")
        if not name.endswith(SUFFIXES) and not script:
            continue
        lines = text.count("\n")
        if lines > FILE_LIMIT:
            complaints.append(f"{name}: {lines} lines; the limit is "
                              f"{FILE_LIMIT}. Split it by noun")
        if name.endswith((".c", ".h", ".cu")):
            complaints += long_c_functions(name, text)
        if name.endswith(".py") or (script and "python" in text[:40]):
            complaints += long_python_functions(name, text)
    return complaints


LONG = "    x++;\n" * 70
SAMPLES = [
    guard.Sample({"lib/a.c": "int f(void)\n{\n    return 0;\n}\n"}, None),
    guard.Sample({"lib/a.c": "int a;\n" * 401}, "lib/a.c: 401 lines"),
    guard.Sample({"lib/a.c": f"int f(int x)\n{{\n{LONG}}}\n"},
                 "lib/a.c:2: a function of 72 lines"),
    guard.Sample({"lib/a.c": "int f(int x)\n{\n    switch (x) {\n" +
                  "    case 1:\n        return 2;\n" * 40 + "    }\n}\n"},
                 None),
    guard.Sample({"lib/a.c": "int f(int x)\n{\n    switch (x) {\n"
                  "    case 1:\n        if (x) {\n" + LONG +
                  "        }\n    }\n}\n"}, "a function of"),
    guard.Sample({"scripts/a.py": "def f():\n" + "    pass\n" * 61},
                 "f has 62 lines"),
    guard.Sample({"scripts/tool": "#!/usr/bin/env python3\n\ndef f():\n" +
                  "    pass\n" * 61}, "f has 62 lines"),
]

if __name__ == "__main__":
    guard.run(check, SAMPLES)
