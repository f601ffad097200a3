"""Secret inputs: seeds that nobody can foretell without the key, and that
anybody can replay once the report has named them."""

from __future__ import annotations

import hashlib
import hmac


def derive(
    key: str, student: str, lesson: str, slug: str, count: int, data: bytes = b""
) -> list[int]:
    """`count` seeds of one student's exercise: HMAC-SHA256, 31 bits each. They
    hang on the file too: a report names them and what was expected, and a table
    of that in the next file meets other inputs."""
    found: list[int] = []
    at = 0
    while len(found) < count:
        text = f"{student}\0{lesson}\0{slug}\0{at}\0".encode("utf-8", "surrogateescape")
        text += hashlib.sha256(data).digest()
        mac = hmac.new(key.encode("utf-8", "surrogateescape"), text, hashlib.sha256)
        seed = int.from_bytes(mac.digest()[:4], "big") >> 1
        if seed and seed not in found:
            found.append(seed)
        at += 1
    return found


def mark(key: str) -> str:
    """By which two runs with one key know each other; "" for the public inputs.
    Too short to find the key by."""
    data = key.encode("utf-8", "surrogateescape")
    return hmac.new(data, b"the same key?", hashlib.sha256).hexdigest()[:6] if key else ""
