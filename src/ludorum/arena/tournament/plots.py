"""Plots of a tournament as SVG, drawn by hand: they take their colours from the page, light or dark."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from itertools import pairwise

from .ratings import Rating

WIDTH = 720
ROW = 28
RIGHT = 70
LETTER = 7
"""What a letter of a name takes, on average."""


def rating_plot(ratings: Sequence[Rating]) -> str:
    """A dot for each player, with its interval by the error (line) and by the bootstrap (bar)."""
    low = min(min(row.low, row.bootstrap[0]) for row in ratings)
    high = max(max(row.high, row.bootstrap[1]) for row in ratings)
    ticks = nice_ticks(low, high)
    low, high = min(low, ticks[0]), max(high, ticks[-1])
    left = 24 + LETTER * max(len(shorten(row.player)) for row in ratings)
    across = WIDTH - left - RIGHT

    def at(elo: float) -> float:
        return left + across * (elo - low) / ((high - low) or 1)

    height = ROW * len(ratings) + 34
    parts = [_open(height, "Ratings with 95 % intervals")]
    parts.append(_text(WIDTH - RIGHT + 26, height - 8, "Elo", "start", kind="axis"))
    for tick in ticks:
        parts.append(_line(at(tick), 6, at(tick), height - 24, "grid"))
        parts.append(_text(at(tick), height - 8, f"{tick:g}", "middle", kind="axis"))
    for place, row in enumerate(ratings):
        y = ROW * place + 20
        one, two = row.bootstrap
        parts.append(_text(left - 12, y + 4, shorten(row.player), "end", row.player))
        parts.append(
            f'<rect class="bar" x="{at(one):.1f}" y="{y - 5}" width="{at(two) - at(one):.1f}" height="10"/>'
        )
        parts.append(_line(at(row.low), y, at(row.high), y, "whisker"))
        parts.append(f'<circle class="dot" cx="{at(row.elo):.1f}" cy="{y}" r="4.5"/>')
        parts.append(_text(WIDTH - RIGHT + 12, y + 4, f"{row.elo:+.0f}", "start"))
    return "".join([*parts, "</svg>"])


def line_plot(
    title: str,
    series: Sequence[tuple[str, Sequence[float]]],
    levels: Sequence[float] = (),
    percent: bool = False,
    first: int = 1,
) -> str:
    """Curves over sets of matches, from the number ``first`` on, with dashed lines at given levels."""
    series = [(name, curve) for name, curve in series if curve]
    if not series:
        return ""
    values = [value for _, curve in series for value in curve] + list(levels)
    ticks = nice_ticks(min(values), max(values))
    low, high = min(*values, ticks[0]), max(*values, ticks[-1])
    longest = max(len(curve) for _, curve in series)
    height, left, bottom = 240, 50, 26

    def point(number: int, value: float) -> tuple[float, float]:
        x = left + (WIDTH - left - RIGHT - 90) * number / max(longest - 1, 1)
        return x, 12 + (height - 12 - bottom) * (high - value) / ((high - low) or 1)

    parts = [_open(height, title)]
    end = point(longest - 1, low)[0]
    for tick in ticks:
        y = point(0, tick)[1]
        parts += [
            _line(left, y, end, y, "grid"),
            _text(left - 8, y + 4, f"{tick:.0%}" if percent else f"{tick:g}", "end"),
        ]
    parts += [_line(left, point(0, level)[1], end, point(0, level)[1], "level") for level in levels]
    ends = _apart([point(0, curve[-1])[1] for _, curve in series])
    for place, ((name, curve), label_y) in enumerate(zip(series, ends, strict=True)):
        drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in (point(n, v) for n, v in thinned(curve)))
        parts.append(f'<polyline class="curve c{place % 8}" points="{drawn}"/>')
        x, y = point(len(curve) - 1, curve[-1])
        parts.append(f'<circle class="end c{place % 8}" cx="{x:.1f}" cy="{y:.1f}" r="3"/>')
        parts.append(_text(end + 8, label_y + 4, shorten(name, 22), "start", name, f"end c{place % 8}"))
    parts.append(_text(end, height - 6, f"set {first + longest - 1}", "end", kind="axis"))
    return "".join([*parts, "</svg>"])


def thinned(curve: Sequence[float], most: int = 400) -> list[tuple[int, float]]:
    """At most so many points of a curve, its last among them."""
    step = max(1, math.ceil(len(curve) / most))
    kept = list(range(0, len(curve), step))
    if kept[-1] != len(curve) - 1:
        kept.append(len(curve) - 1)
    return [(number, curve[number]) for number in kept]


def nice_ticks(low: float, high: float, most: int = 7) -> list[float]:
    """Round numbers that span a range.

    >>> nice_ticks(-130, 210)
    [-200, -100, 0, 100, 200, 300]
    """
    spread = (high - low) or 1.0
    power = 10.0 ** math.floor(math.log10(spread / most))
    step = next(power * factor for factor in (1, 2, 5, 10, 20) if spread / (power * factor) <= most - 1)
    first, last = math.floor(low / step), math.ceil(high / step)
    values = [round(number * step, 10) for number in range(first, last + 1)]
    return [int(value) if value == int(value) else value for value in values]


def shorten(name: str, most: int = 28) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


def _apart(heights: Sequence[float], gap: float = 14.0) -> list[float]:
    """Labels moved down where they would lie on each other."""
    order = sorted(range(len(heights)), key=lambda place: heights[place])
    placed = list(heights)
    for before, after in pairwise(order):
        placed[after] = max(placed[after], placed[before] + gap)
    return placed


def _open(height: int, title: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>"
    )


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(x: float, y: float, text: str, anchor: str, title: str = "", kind: str = "") -> str:
    hover = f"<title>{escape(title)}</title>" if title and title != text else ""
    shown = f' class="{kind}"' if kind else ""
    return f'<text{shown} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{hover}{escape(text)}</text>'
