"""The left side of the screen: lines of coloured text, and which of their signs can be clicked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rich.text import Text

from ...rules.terms import Term
from ...show.grid import Place


@dataclass(frozen=True)
class Spot:
    """A part of a picture that stands for a place of the board or for a move."""

    x: int
    y: int
    width: int
    height: int
    means: Place | Term

    def holds(self, x: int, y: int) -> bool:
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


@dataclass
class ScreenPicture:
    """Lines from top to bottom."""

    lines: list[Text] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)

    def at(self, x: int, y: int) -> Place | Term | None:
        """The target at a sign of the picture."""
        return next((spot.means for spot in self.spots if spot.holds(x, y)), None)

    def spot_of(self, means: Place | Term) -> Spot | None:
        return next((spot for spot in self.spots if spot.means == means), None)

    def add(self, lines: Iterable[Text]) -> None:
        self.lines += lines

    def text(self) -> Text:
        return Text("\n", no_wrap=True).join(self.lines)
