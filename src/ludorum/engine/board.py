"""The board of a game, recognised from some states of one random match."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Protocol

from ..asp import asp_program, derive
from ..rules.dependencies import Dependencies
from ..rules.move_counters import move_counters
from ..rules.ruleset import Ruleset
from ..rules.terms import Signature, Term, format_term
from ..show.grid import Grid, grid_of, may_have_board
from ..show.picture import Picture
from .errors import GameError

SAMPLE_STATES = 60
SAMPLE_TERMS = 20_000
"""How much of one random match is used: states, and facts and moves in them."""
BASE: Signature = ("base", 1)


class SampledState(Protocol):
    """The part of a state that is used."""

    def facts(self) -> frozenset[Term]: ...
    def legal(self, role: Term, /) -> tuple[Term, ...]: ...


class SampledGame(Protocol):
    """A game of which random matches can be played."""

    @property
    def roles(self) -> tuple[Term, ...]: ...
    @property
    def rules(self) -> Ruleset | None: ...
    def playout(self, seed: int = 0) -> Iterator[SampledState]: ...


def find_grid(game: SampledGame) -> Grid | None:
    """The board of a game, or None if its facts show none."""
    return _grid(game, *_sample(game))


def find_picture(game: SampledGame) -> Picture:
    """How states of a game are drawn."""
    states, moves = _sample(game)
    counters = frozenset[str]() if game.rules is None else move_counters(game.rules)
    return Picture.of(_grid(game, states, moves), moves, [format_term(role) for role in game.roles], counters)


def _grid(game: SampledGame, states: list[frozenset[Term]], moves: set[Term]) -> Grid | None:
    return grid_of(states, moves, _declared(game)) if may_have_board(states) else None


def _sample(game: SampledGame) -> tuple[list[frozenset[Term]], set[Term]]:
    """Facts and moves of some states of a random match; at least those of the first state."""
    states: list[frozenset[Term]] = []
    moves: set[Term] = set()
    seen = 0
    try:
        for state in islice(game.playout(0), SAMPLE_STATES):
            found = [state.facts(), *(state.legal(role) for role in game.roles)]
            states.append(state.facts())
            moves.update(*found[1:])
            seen += sum(map(len, found))
            if seen > SAMPLE_TERMS:
                break
    except GameError:
        pass  # rules that break on the way are reported by the match, not here
    return states, moves


def _declared(game: SampledGame) -> frozenset[Term]:
    """The facts that may become true by the rules."""
    rules = game.rules
    if rules is None or BASE not in rules.by_signature:
        return frozenset()
    program = asp_program(Dependencies(rules).slice([BASE]), rules.source)
    return frozenset(fact for row in derive(program, [BASE])[BASE] if isinstance(fact := row[0], Term))
