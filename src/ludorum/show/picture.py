"""Pictures of the states of one game, as text and as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from ..rules.terms import Term
from .board import Marked, draw_state, last_places, list_facts
from .grid import Grid, Place
from .pieces import Piece, make_pieces
from .svg import board_svg, text_svg

SQUARES, HOLES, LINES = "squares", "holes", "lines"


@dataclass(frozen=True)
class Picture:
    """How the states of a game are drawn: on a board, or as a list of facts where there is none."""

    grid: Grid | None
    look: str
    """Squares in two colours where pieces move, holes where they are dropped, lines where they are put."""
    roles: tuple[str, ...]
    counters: frozenset[str] = frozenset()
    """Relations that only count steps, which are not shown."""

    @classmethod
    def of(
        cls,
        grid: Grid | None,
        moves: Iterable[Term],
        roles: Sequence[str],
        counters: frozenset[str] = frozenset(),
    ) -> Picture:
        """The picture that fits some moves of the game."""
        return cls(grid, LINES if grid is None else look_of(grid, moves), tuple(roles), counters)

    def text(self, facts: frozenset[Term], joint: Iterable[Term] = (), width: int = 78) -> str:
        """A state as lines of text, with the places of the last joint move in brackets."""
        last = () if self.grid is None else last_places(self.grid, joint, None, None)
        return draw_state(self.telling(facts), self.grid, width=width, marked=Marked(last))

    def element(self, facts: frozenset[Term], joint: Iterable[Term] = ()) -> Element:
        """A state as SVG: the board, or the facts where there is none."""
        if self.grid is None:
            return text_svg(list_facts(self.telling(facts)))
        last = last_places(self.grid, joint, None, None)
        return board_svg(self.grid, self.contents(facts), self.pieces(facts), self.look, last)

    def telling(self, facts: frozenset[Term]) -> frozenset[Term]:
        """The facts without counters of steps; all of them where there is nothing else."""
        return frozenset(fact for fact in facts if fact.name not in self.counters) or facts

    def contents(self, facts: frozenset[Term]) -> Mapping[Place, list[str]]:
        """The contents of each place, in words; the layer that defines the board first."""
        assert self.grid is not None
        spots = [spot for fact in facts if (spot := self.grid.spot(fact))]
        found: dict[Place, list[str]] = {}
        for spot in sorted(spots, key=lambda spot: (spot.layer, spot.content)):
            found.setdefault(spot.place, []).append(spot.content)
        return found

    def pieces(self, facts: frozenset[Term]) -> Mapping[str, Piece]:
        """How contents are drawn; those that occur in no sample get the first letters for a mark."""
        assert self.grid is not None
        shown = {spot.content for fact in facts if (spot := self.grid.spot(fact))}
        marks = dict(self.grid.marks) | {one: one[:2] for one in sorted(shown - self.grid.marks.keys())}
        return make_pieces(marks, self.roles)

    def off_board(self, facts: frozenset[Term]) -> list[Term]:
        """The facts that are not drawn on the board."""
        return [fact for fact in self.telling(facts) if self.grid is None or self.grid.spot(fact) is None]


def look_of(grid: Grid, moves: Iterable[Term]) -> str:
    """The look of the board for such moves."""
    named = [(move, grid.places_in(move)) for move in moves if move.args]
    if grid.absent:
        return LINES
    if any(len(set(places)) > 1 for _, places in named):
        return SQUARES
    dropped = named and all(len(move.args) == 1 and str(move.args[0]) in grid.columns for move, _ in named)
    return HOLES if dropped and not any(places for _, places in named) else LINES
