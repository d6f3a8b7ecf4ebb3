"""The words of WDL."""

from __future__ import annotations

import re

RESERVED = frozenset({
    "role", "init", "true", "does", "next", "legal", "goal", "terminal", "distinct", "not", "or", "and", "<=",
    "random", "visible", "set", "include", "clock",
})  # fmt: skip
"""Words that mean the same in every module, so that they never get its name in front."""

REALTIME = "realtime"
OPTIONS = {
    REALTIME: (),
    "tick-inertia": (),
    "tick": ("hundredths",),
    "force": ("signals",),
    "range": ("low", "high"),
}
"""What can be ``set``, with its arguments. All but ``realtime`` are ours, and off by default."""

_INTEGER = re.compile(r"[+-]?[0-9]+")


def is_integer(name: str) -> bool:
    return _INTEGER.fullmatch(name) is not None
