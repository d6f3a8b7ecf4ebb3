"""Seeds: numbers for chance that have nothing to do with each other unless they name the same thing."""

from __future__ import annotations

import hashlib


def seed_from(*parts: object) -> int:
    """A seed below 2**62 for what these parts name: the same everywhere, unrelated for other parts.

    Seeds that are counted up, or shared, are no such thing: two random players with one seed make the same
    choices all through a match.
    """
    text = "\x1f".join(map(str, parts))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 2
