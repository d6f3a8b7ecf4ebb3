"""Arguments made borderline or hostile, whatever they are made of."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import numpy as np

INTEGERS = [
    *(-1, 0, 1, 2, 3, 7, 63, 64, 65, 127, 128, 255, 256, 1000, 1024, 4095, 65535, 65536),
    *(2**20, 2**26, 2**27, 2**28, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**52, 2**53, 2**60, 2**62),
    *(2**63 - 1, 2**63, 2**64 - 1, 2**64, 2**70, -2, -7, -(2**31), -(2**31) - 1, -(2**63), -(2**70)),
]
FLOATS = [
    *(math.nan, math.inf, -math.inf, 0.0, -0.0, -1.0, 0.5, 1.0, 1e-300, 1e-9, 1e9, 1e30, 1e300, -1e300),
]
TYPES = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint32, np.float32, np.float64, np.bool_]


class Mutator:
    """Draws one change after the other."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def change(self, value: Any) -> Any:
        """The value with one thing changed, or something of another kind."""
        random = self.random
        if random.random() < 0.03:
            return random.choice([None, 0, -1, "", b"", [], {}, 1.5, "auto", np.zeros(3, np.int32), object()])
        if isinstance(value, bool):
            return not value
        if isinstance(value, int):
            return self.integer(value)
        if isinstance(value, float) or value is None:
            return random.choice(FLOATS if random.random() < 0.7 else INTEGERS)
        if isinstance(value, bytes):
            return self.bytes(value)
        if isinstance(value, str):
            return random.choice(
                ["", "x", value + "x", value[:-1], "auto", "full", "cycle", "timetable", "turns"]
            )
        if isinstance(value, np.ndarray):
            return self.array(value)
        if isinstance(value, dict):
            return self.mapping(value)
        if isinstance(value, list | tuple):
            return self.sequence(value)
        return value

    def integer(self, value: int) -> int:
        random = self.random
        kind = random.randrange(4)
        if kind == 0:
            return value + random.choice([-2, -1, 1, 2])
        if kind == 1:
            return random.randrange(-3, 200)
        if kind == 2:
            return value ^ (1 << random.randrange(34))
        return random.choice(INTEGERS)

    def bytes(self, value: bytes) -> bytes:
        random = self.random
        kind = random.randrange(4)
        if kind == 0 or not value:
            return bytes(
                random.randrange(256) for _ in range(random.choice([0, 1, 7, 8, len(value), len(value) + 1]))
            )
        changed = bytearray(value)
        if kind == 1:
            return bytes(changed[:-1])
        if kind == 2:
            changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
            return bytes(changed)
        at = random.randrange(len(changed))
        changed[at : at + 4] = random.choice(
            [b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\0\x80", b"\x0a\0\0\0"]
        )
        return bytes(changed[: len(value)])

    def array(self, value: np.ndarray[Any, Any]) -> Any:
        random = self.random
        kind = random.randrange(8)
        if kind == 0:
            with np.errstate(all="ignore"):
                return value.astype(random.choice(TYPES))
        if kind == 1:
            return value[: random.randrange(len(value) + 1)] if value.ndim else value
        if kind == 2:
            return np.concatenate([value, value]) if value.ndim else value
        if kind == 3:
            return np.asfortranarray(value) if value.ndim > 1 else value[::2]
        if kind == 4:
            return value.reshape(-1) if value.ndim > 1 else value[None, :]
        changed = value.copy()
        if not changed.size:
            return np.ones(tuple(max(1, side) for side in changed.shape), changed.dtype)
        with np.errstate(all="ignore"):
            if changed.dtype.kind == "f":
                changed.flat[random.randrange(changed.size)] = random.choice(FLOATS)
            elif changed.dtype.kind == "b":
                changed.flat[random.randrange(changed.size)] ^= True
            else:
                bounds = np.iinfo(changed.dtype)
                new = self.integer(int(changed.flat[random.randrange(changed.size)]))
                changed.flat[random.randrange(changed.size)] = min(max(new, bounds.min), bounds.max)
        return changed

    def mapping(self, value: dict[Any, Any]) -> dict[Any, Any]:
        if not value:
            return {"x": 1}
        key = self.random.choice(list(value))
        if self.random.random() < 0.05:
            return {name: part for name, part in value.items() if name != key}
        return value | {key: self.change(value[key])}

    def sequence(self, value: Any) -> Any:
        random, kind = self.random, type(value)
        changed = list(value)
        choice = random.randrange(5)
        if not changed or choice == 0:
            return kind([*changed, *(changed[:1] or [random.randrange(4)])])
        at = random.randrange(len(changed))
        if choice == 1:
            del changed[at]
        elif choice == 2:
            other = random.randrange(len(changed))
            changed[at], changed[other] = changed[other], changed[at]
        else:
            changed[at] = self.change(changed[at])
        return kind(changed)
