"""What an object file defines and calls, and whether it runs code unasked; and
which of a library's functions an address lies in.

Reads ELF64, little endian, as gcc and clang write it on Linux. Elsewhere
(Mach-O) `nm -P` says the names. Source: System V ABI, "Object Files".
"""

from __future__ import annotations

import struct
import subprocess
from dataclasses import dataclass, field

SHT_SYMTAB, SHT_DYNSYM = 2, 11
STT_FUNC = 2
STB_LOCAL = 0
STT_GNU_IFUNC = 10  # a function chosen by code that the loader runs
SHN_UNDEF = 0
SHT_UNASKED = {14: "init_array", 15: "fini_array", 16: "preinit_array"}
UNASKED = (".init_array", ".preinit_array", ".ctors", ".init", ".fini_array", ".dtors", ".fini")


@dataclass
class Symbols:
    """Names without their versions: write@GLIBC_2.2.5 is write."""

    defined: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    local: set[str] = field(default_factory=set)
    unasked: set[str] = field(default_factory=set)  # sections run outside main


class Unreadable(Exception):
    """An object file that is none, or not as compilers write them."""


def symbols(path: str) -> Symbols:
    """Raises Unreadable: inline assembly can write what it likes."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:6] != b"\x7fELF\x02\x01":
        return _by_nm(path)
    try:
        return _by_tables(data)
    except (struct.error, IndexError, ValueError) as error:
        raise Unreadable(str(error)) from None


def function_at(path: str, address: int) -> str:
    """The function of a shared library, of those that others may call, whose
    instructions hold this address; "" where there is none."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:6] != b"\x7fELF\x02\x01":
        return ""
    sections, _ = _sections(data)
    for section in sections:
        if section[1] != SHT_DYNSYM:
            continue
        strings = sections[section[6]][4]
        for at in range(section[4], section[4] + section[5], 24):
            text, info, _, home, value, size = struct.unpack_from("<IBBHQQ", data, at)
            if info & 15 == STT_FUNC and home != SHN_UNDEF and value <= address < value + size:
                return _string(data, strings + text)
    return ""


def _sections(data: bytes) -> tuple[list[tuple], int]:
    """All section headers, and where their names begin."""
    (table,) = struct.unpack_from("<Q", data, 0x28)
    size, count, names_index = struct.unpack_from("<HHH", data, 0x3A)
    if not count:
        raise ValueError("more sections than its head can count")
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, table + i * size) for i in range(count)]
    return sections, sections[names_index][4]


def _by_tables(data: bytes) -> Symbols:
    sections, names = _sections(data)
    found = Symbols()
    for section in sections:
        name = _string(data, names + section[0])
        if section[5] and name.startswith(UNASKED):
            found.unasked.add(name)
        if section[5] and section[1] in SHT_UNASKED:  # gold asks for no name
            found.unasked.add(SHT_UNASKED[section[1]])
        if section[1] != SHT_SYMTAB:
            continue
        strings = sections[section[6]][4]
        for at in range(section[4], section[4] + section[5], 24):
            text, info, _, home = struct.unpack_from("<IBBH", data, at)
            if not text:
                continue
            kind = found.used if home == SHN_UNDEF else found.defined
            if info >> 4 == STB_LOCAL:
                kind = found.local
            kind.add(_string(data, strings + text).split("@")[0])
            if info & 15 == STT_GNU_IFUNC:
                found.unasked.add("ifunc")
    return found


def _string(data: bytes, at: int) -> str:
    return data[at : data.index(b"\0", at)].decode("utf-8", "backslashreplace")


def _by_nm(path: str) -> Symbols:
    listing = subprocess.run(["nm", "-gP", path], capture_output=True, text=True, check=True)
    found = Symbols()
    for line in listing.stdout.splitlines():
        name, kind = line.split()[:2]
        (found.used if kind == "U" else found.defined).add(name[1:] if name[:1] == "_" else name)
    return found
