"""Play of small games in which several choose at once and goals are not opposed, state by state.

Each role maximises its own goal, and takes the others to do the same: dominated moves are left out, and over
the rest all roles match their regrets (Hart and Mas-Colell 2000), from even chances on. A prisoner who does
so defects; of two equilibria the one wins that is good against a player of whom nothing is known. Nothing
here is a proof: others may play otherwise, and several equilibria may have several values.
"""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from ...engine.game import State
from ...search.budget import Stopwatch
from ...search.state_graph import UnsolvedError
from .simultaneous import MixedPlay, value_states

Numbers = NDArray[np.float64]

ROUNDS = 300
"""In which regrets are matched; later rounds count more."""
MOST_JOINTS = 2_000
"""The most joint moves of a state."""


class EachForItself:
    """The values of a state and all that follow, and how roles play there."""

    def __init__(self, start: State, watch: Stopwatch, limit: int) -> None:
        game = start.game
        self.game, self.start, self.watch, self.limit = game, start, watch, limit
        self.seats = [game.roles.index(player) for player in game.info.players]
        self.values: dict[State, Numbers | None] = {}
        """Goal values of the players; None while a state is being worked out."""

    def run(self) -> None:
        """UnsolvedError where play can go in circles, states are too many, or the budget is over."""
        value_states(self.start, self.values, self._value, self.watch, self.limit)

    def play(self, state: State) -> MixedPlay:
        """How the roles play in a state that has a value and is no end."""
        table = self._table(state)
        chances = play_of(table)
        chosen = [(self.game.roles[seat], state.legal(self.game.roles[seat])) for seat in self.seats]
        return MixedPlay(
            {
                role: dict(zip(moves, own.tolist(), strict=True))
                for (role, moves), own in zip(chosen, chances, strict=True)
            },
            {
                role: dict(zip(moves, _worth(table, chances, at).tolist(), strict=True))
                for at, (role, moves) in enumerate(chosen)
            },
        )

    def _value(self, state: State) -> Numbers:
        if state.is_terminal or not all(map(state.legal, self.game.roles)):
            goals = state.goals()
            return np.array([min(100, max(0, goals[seat] or 0)) for seat in self.seats], np.float64)
        table = self._table(state)
        return expected(table, play_of(table))

    def _table(self, state: State) -> Numbers:
        """Values after joint moves: an axis for each player, the last one for the player who gets them."""
        moves = [state.legal(role) for role in self.game.roles]
        if prod(map(len, moves)) > MOST_JOINTS:
            raise UnsolvedError(f"a state has more than {MOST_JOINTS} joint moves")
        table = np.zeros((*(len(moves[seat]) for seat in self.seats), len(self.seats)))
        weights, chances = np.zeros(table.shape[:-1]), self.game.chances
        for places in product(*(range(len(own)) for own in moves)):
            joint = [own[at] for own, at in zip(moves, places, strict=True)]
            value = self.values[state.play(joint)]
            assert value is not None
            weight = prod(chances.weight(joint[seat]) for seat in self.game.info.chance_seats)
            cell = tuple(places[seat] for seat in self.seats)
            table[cell] += weight * value
            weights[cell] += weight
        return np.asarray(table / weights[..., None])


def play_of(table: Numbers) -> list[Numbers]:
    """How likely each player makes each of its moves, where all choose at once."""
    kept = _undominated(table)
    inner = table[np.ix_(*kept, range(len(kept)))]
    played = [np.zeros(size) for size in table.shape[:-1]]
    for own, places, shares in zip(played, kept, _match_regrets(inner), strict=True):
        own[places] = shares
    return played


def expected(table: Numbers, chances: list[Numbers]) -> Numbers:
    """What each player may expect."""
    found = table
    for own in chances:
        found = np.tensordot(own, found, axes=(0, 0))
    return np.asarray(found)


def _worth(table: Numbers, chances: list[Numbers], player: int) -> Numbers:
    """What a player may expect after each of its moves."""
    found = np.moveaxis(table[..., player], player, -1)
    for own in (*chances[:player], *chances[player + 1 :]):
        found = np.tensordot(own, found, axes=(0, 0))
    return np.asarray(found)


def _undominated(table: Numbers) -> list[list[int]]:
    """The places of moves that no other is better than whatever the others do, again and again."""
    players = table.shape[-1]
    kept = [list(range(size)) for size in table.shape[:-1]]
    changed = True
    while changed:
        changed = False
        for player in range(players):
            values = np.moveaxis(table[np.ix_(*kept, range(players))][..., player], player, 0)
            rows = values.reshape(len(kept[player]), -1)
            left = [
                place
                for place, row in zip(kept[player], rows, strict=True)
                if not (rows > row).all(axis=1).any()
            ]
            changed |= len(left) < len(kept[player])
            kept[player] = left
    return kept


def _match_regrets(table: Numbers) -> list[Numbers]:
    """The average strategies of players that match their regrets, none of which is ever below 0."""
    sizes = table.shape[:-1]
    if all(size == 1 for size in sizes):
        return [np.ones(1) for _ in sizes]
    regrets = [np.zeros(size) for size in sizes]
    sums = [np.zeros(size) for size in sizes]
    for number in range(1, ROUNDS + 1):
        played = [_shares(own) for own in regrets]
        for player, own in enumerate(played):
            worth = _worth(table, played, player)
            regrets[player] = np.maximum(0.0, regrets[player] + worth - worth @ own)
            sums[player] += number * own
    return [_shares(own) for own in sums]


def _shares(weights: Numbers) -> Numbers:
    total = weights.sum()
    return np.asarray(weights / total) if total > 0 else np.full(len(weights), 1.0 / len(weights))
