"""Seeds: numbers for chance that are unrelated unless they name the same thing."""

from __future__ import annotations

import hashlib
import secrets

SECRET_BITS = 53
"""Bits of an unpredictable seed: as many as all programs that read records can read as a number."""


def secret_seed() -> int:
    """An unpredictable seed: the seed of a match tells what nature will draw."""
    return secrets.randbits(SECRET_BITS)


def seed_from(*parts: object) -> int:
    """A seed below 2**62 for these parts: the same everywhere, unrelated for other parts.

    Seeds that are counted up, or shared, do not do: two random players with one seed make the same choices
    all through a match.
    """
    text = "\x1f".join(map(str, parts))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 2
