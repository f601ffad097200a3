"""Each public function says what its user must know.

Public is what a header in lib/<floor>/ marks API. Such a function has a doc
comment: directly above it, above the run of declarations it stands in, or
beside it; what holds for a whole header may stand once, in its head comment.
A question (at most one argument, a plain value back) may be its name alone.
Between them they say, for a function that returns

  a Status or a pointer   errors: how it fails, or that it cannot
  a pointer               owner: whose the result is, and how long it lives
  a Tensor or an Array    place: where the result lives

and the head comment of a floor that follows PyTorch names its source.
"""

import pathlib
import re

import guard

DECLARATION = re.compile(
    r"^(?:NODISCARD )?API (?:NODISCARD )?(?P<type>[^;()]*?)(?P<name>\w+)"
    r"\((?P<rest>[^;]*);(?P<beside>[^\n]*)", re.M)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
ERRORS = re.compile(r"ERR_|\berrors?\b|\bfail|NULL|cannot fail|-1|aborts|"
                    r"\bforever\b", re.I)
OWNER = re.compile(r"\bown(s|er|ed|ership)?\b|\blends?\b|\blent\b|\bvalid\b|"
                   r"\bforever\b|\bcounts?\b|\bscope|\bfree[sd]?\b|"
                   r"\bcaller|returned\b|\breturns it\b|\bborrow", re.I)
PLACE = re.compile(r"\bplace\b|\bdevice|\blives?\b|\bGPU|\bCPU|\bhost\b|"
                   r"\bmemory\b|in place", re.I)
SOURCE = re.compile(r"\bsource\b|PyTorch|CUDA", re.I)
# A head comment that speaks for every function below it.
CONTRACT = re.compile(r"^ \* (All:|(shape|place|owner|errors)  )", re.M)
# Floors whose words are PyTorch's.
SOURCED = ("ops", "tensor", "nn", "parallel")


def head_comment(text: str) -> str:
    found = re.match(r"/\*.*?\*/", text, re.S)
    return found.group(0) if found else ""


def comment_of(text: str, start: int, beside: str) -> str:
    """The words above a declaration, up to a blank line, and those beside it."""
    above = text[:start]
    block = above[above.rfind("\n\n") + 1:]
    return " ".join(COMMENT.findall(block)) + beside


def complain(name: str, text: str, head: str,
             found: re.Match) -> list[str]:
    own = comment_of(text, found.start(), found.group("beside"))
    told = head + own
    where = f"{name}: {found.group('name')}"
    returns = found.group("type").strip()
    complaints = []
    question = "*" not in returns and "Status" not in returns and \
        "," not in found.group("rest")
    if not own.strip() and not question and not CONTRACT.search(head):
        complaints.append(f"{where} has no doc comment")
    if ("*" in returns or "Status" in returns) and not ERRORS.search(told):
        complaints.append(f"{where} does not say how it fails (errors)")
    if "*" in returns and not OWNER.search(told):
        complaints.append(f"{where} does not say whose its result is (owner)")
    if re.search(r"\b(Tensor|Array) \*$", returns) and not PLACE.search(told):
        complaints.append(f"{where} does not say where its result lives "
                          "(place)")
    return complaints


def check(root: pathlib.Path, options: guard.Options) -> list[str]:
    complaints = []
    for name in guard.files(root, options, (".h",)):
        parts = name.split("/")
        if len(parts) != 3 or parts[0] != "lib" or parts[1] == "sim":
            continue
        text = guard.read(root, name)
        head = head_comment(text)
        if not head:
            complaints.append(f"{name}: no head comment")
        declared = list(DECLARATION.finditer(text))
        if declared and parts[1] in SOURCED and not SOURCE.search(text):
            complaints.append(f"{name}: names no source")
        for found in declared:
            complaints += complain(name, text, head, found)
    return complaints


HEAD = "/* Things.\n *\n * source  PyTorch, torch.*\n */\n"
FULL = HEAD + """
/* Make one.
 * place   on `device`
 * owner   the current scope
 * errors  ERR_MEMORY */
API Tensor *tensor_new(int n, Device device);
API Tensor *tensor_old(int n, Device device);

API int tensor_count(void); // how many there are
"""
SAMPLES = [
    guard.Sample({"lib/tensor/a.h": FULL}, None),
    guard.Sample({"lib/tensor/a.h": "API int a(void); // one\n"},
                 "no head comment"),
    guard.Sample({"lib/tensor/a.h": HEAD + "\nAPI int f(int a, int b);\n"},
                 "f has no doc comment"),
    guard.Sample({"lib/tensor/a.h": FULL.replace("ERR_MEMORY", "x").replace(
        "errors", "y")}, "tensor_new does not say how it fails"),
    guard.Sample({"lib/tensor/a.h": FULL.replace("owner", "x").replace(
        "scope", "y")}, "tensor_old does not say whose"),
    guard.Sample({"lib/tensor/a.h": FULL.replace(" * place   on `device`\n",
                                                 "")}, "where its result"),
    guard.Sample({"lib/tensor/a.h": "/* Things. */\n\nAPI int f(int n); // n\n"},
                 "names no source"),
    guard.Sample({"lib/base/a.h": "/* Things. */\n\n/* One. */\n"
                                  "API Status f(int n);\n"},
                 "f does not say how it fails"),
]

if __name__ == "__main__":
    guard.run(check, SAMPLES)
