"""The board of a scene: the facts that stand on places, and the places of the last move."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..rules.terms import Term
from ..show.board import last_places
from ..show.grid import PlacedFact
from .game_look import GameLook
from .model import BoardScene
from .sight import ViewerSight

MARKS = 1000
"""The layer of marks that never change, behind all others."""


def board_scene(look: GameLook, sight: ViewerSight) -> BoardScene | None:
    """The board as the viewer sees it; None for games without one."""
    if look.points is not None:
        return look.points.scene(sight)
    empty, grid = look.board, look.grid
    if empty is None or grid is None:
        return None
    spots = [spot for fact in sight.facts or () if (spot := grid.spot(fact)) is not None]
    more, more_looks = look.more_contents(spot.content for spot in spots)
    is_whole = sight.is_open or sight.step == 0
    return replace(
        empty,
        contents=empty.contents + more_looks,
        cells=_cells(spots, look, {**look.content_numbers, **more}),
        last=_last(look, sight),
        is_unknown=not is_whole and not _are_empty_places_listed(spots, look),
    )


def _cells(
    spots: Iterable[PlacedFact], look: GameLook, contents: Mapping[str, int]
) -> dict[int, tuple[int, ...]]:
    found: dict[int, list[tuple[int, int]]] = {
        place: [(MARKS, mark) for mark in marks] for place, marks in look.marked.items()
    }
    for spot in spots:
        if spot.content in contents:
            found.setdefault(look.numbers[spot.place], []).append((spot.layer, contents[spot.content]))
    return {at: tuple(number for _, number in sorted(here)) for at, here in sorted(found.items())}


def _are_empty_places_listed(spots: Iterable[PlacedFact], look: GameLook) -> bool:
    """Whether it is known of every place what is on it, because empty places are facts, too."""
    if not look.empty:
        return False
    known = {spot.place for spot in spots if spot.layer == 0}
    return len(known) == len(look.numbers) - len(look.grid.absent if look.grid else ())


def _last(look: GameLook, sight: ViewerSight) -> tuple[int, ...]:
    assert look.grid is not None
    if not sight.step:
        return ()
    moves: list[Term] = [move for _, move in sight.moves]
    places = last_places(look.grid, moves, sight.facts if sight.is_open else None, sight.before)
    return tuple(dict.fromkeys(look.numbers[place] for place in places if place in look.numbers))
