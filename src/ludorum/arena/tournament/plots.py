"""Plots of a tournament as SVG: positions are computed here, the template ``pages/plots.svg`` draws them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from markupsafe import Markup

from ...pages import render
from .ratings import Rating

WIDTH = 720
ROW = 28
RIGHT = 70
LETTER = 7
"""The mean width of a letter of a name."""

MINUS = "−"
"""As wide as a plus sign, which a hyphen is not."""


@dataclass(frozen=True)
class PlotLine:
    x1: float
    y1: float
    x2: float
    y2: float
    kind: str = ""


@dataclass(frozen=True)
class PlotLabel:
    x: float
    y: float
    text: str
    anchor: str
    kind: str = ""
    hover: str = ""
    """The whole of a text that was shortened."""


@dataclass(frozen=True)
class PlotBar:
    x: float
    y: float
    width: float
    height: int


@dataclass(frozen=True)
class Dot:
    x: float
    y: float
    radius: float
    kind: str


@dataclass(frozen=True)
class Curve:
    colour: int
    points: Sequence[tuple[float, float]]


@dataclass
class Plot:
    """The elements the template draws, from the ground up: lines, bars, whiskers, curves, dots, labels."""

    title: str
    height: int
    width: int = WIDTH
    lines: list[PlotLine] = field(default_factory=list)
    bars: list[PlotBar] = field(default_factory=list)
    whiskers: list[PlotLine] = field(default_factory=list)
    curves: list[Curve] = field(default_factory=list)
    dots: list[Dot] = field(default_factory=list)
    labels: list[PlotLabel] = field(default_factory=list)

    def svg(self) -> Markup:
        """The plot as an element of a page."""
        return render("plots.svg", plot=self)


def rating_plot(ratings: Sequence[Rating]) -> Markup:
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
    plot = Plot("Ratings with 95 % intervals", height)
    plot.labels.append(PlotLabel(WIDTH - RIGHT + 26, height - 8, "Elo", "start", "axis"))
    for tick in ticks:
        plot.lines.append(PlotLine(at(tick), 6, at(tick), height - 24, "grid"))
        plot.labels.append(PlotLabel(at(tick), height - 8, with_minus(f"{tick:g}"), "middle", "axis"))
    for place, row in enumerate(ratings):
        y = ROW * place + 20
        one, two = row.bootstrap
        plot.labels.append(_named(left - 12, y + 4, row.player, 28, "end"))
        plot.bars.append(PlotBar(at(one), y - 5, at(two) - at(one), 10))
        plot.whiskers.append(PlotLine(at(row.low), y, at(row.high), y))
        plot.dots.append(Dot(at(row.elo), y, 4.5, "dot"))
        plot.labels.append(PlotLabel(WIDTH - RIGHT + 12, y + 4, with_minus(f"{row.elo:+.0f}"), "start"))
    return plot.svg()


def line_plot(
    title: str,
    series: Sequence[tuple[str, Sequence[float]]],
    levels: Sequence[float] = (),
    percent: bool = False,
    first: int = 1,
) -> Markup:
    """Curves over sets of matches, from the number ``first`` on, with dashed lines at given levels."""
    series = [(name, curve) for name, curve in series if curve]
    if not series:
        return Markup("")
    values = [value for _, curve in series for value in curve] + list(levels)
    ticks = nice_ticks(min(values), max(values))
    low, high = min(*values, ticks[0]), max(*values, ticks[-1])
    longest = max(len(curve) for _, curve in series)
    height, left, bottom = 240, 50, 26

    def point(number: int, value: float) -> tuple[float, float]:
        x = left + (WIDTH - left - RIGHT - 90) * number / max(longest - 1, 1)
        return x, 12 + (height - 12 - bottom) * (high - value) / ((high - low) or 1)

    plot = Plot(title, height)
    end = point(longest - 1, low)[0]
    for tick in ticks:
        y = point(0, tick)[1]
        plot.lines.append(PlotLine(left, y, end, y, "grid"))
        said = f"{tick:.0%}" if percent else with_minus(f"{tick:g}")
        plot.labels.append(PlotLabel(left - 8, y + 4, said, "end"))
    plot.lines += [PlotLine(left, point(0, level)[1], end, point(0, level)[1], "level") for level in levels]
    heights = _apart([point(0, curve[-1])[1] for _, curve in series])
    for place, ((name, curve), label_y) in enumerate(zip(series, heights, strict=True)):
        colour = place % 8
        plot.curves.append(Curve(colour, [point(number, value) for number, value in thinned(curve)]))
        plot.dots.append(Dot(*point(len(curve) - 1, curve[-1]), 3, f"end c{colour}"))
        plot.labels.append(_named(end + 8, label_y + 4, name, 22, "start", f"end c{colour}"))
    plot.labels.append(PlotLabel(end, height - 6, f"set {first + longest - 1}", "end", "axis"))
    return plot.svg()


def with_minus(number: str) -> str:
    """A number with a true minus sign."""
    return number.replace("-", MINUS)


def _named(x: float, y: float, name: str, most: int, anchor: str, kind: str = "") -> PlotLabel:
    short = shorten(name, most)
    return PlotLabel(x, y, short, anchor, kind, name if short != name else "")


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
    """Labels moved down where they would overlap."""
    order = sorted(range(len(heights)), key=lambda place: heights[place])
    placed = list(heights)
    for before, after in pairwise(order):
        placed[after] = max(placed[after], placed[before] + gap)
    return placed
