"""Wires between points, and texts beside them: what ``circuit.svg`` and ``network.svg`` draw."""

from __future__ import annotations

from dataclasses import dataclass

BEND = 30
"""The least length of the bend at each end of a wire."""


@dataclass(frozen=True)
class Label:
    x: str
    y: str
    text: str
    kind: str = ""
    anchor: str = ""


@dataclass(frozen=True)
class Wire:
    path: str
    is_back: bool
    end: tuple[str, str] | None
    """Where a ring says that the value is negated."""


def wire_between(left: float, top: float, right: float, bottom: float, *, negated: bool) -> Wire:
    """A curve from a point to another one, which is on its right unless the wire goes back."""
    bend = max((right - left) / 2, BEND)
    curve = f"C{left + bend:.0f} {top:.1f} {right - bend:.0f} {bottom:.1f} {right:.0f} {bottom:.1f}"
    end = (f"{right:.0f}", f"{bottom:.1f}") if negated else None
    return Wire(f"M{left:.0f} {top:.1f}{curve}", left > right, end)
