"""The players that do not think: first legal move, random move, and best goal one step ahead."""

from __future__ import annotations

import time
from itertools import product

from .._core import SplitMix64
from ..engine.game import State
from ..engine.sight import Position
from ..rules.terms import Term
from .player import Player


class LegalPlayer(Player):
    """Plays the first legal move."""

    name = "legal"
    quick = True

    def choose(self, position: Position, seconds: float) -> Term:
        return position.legal[0]


class RandomPlayer(Player):
    """Plays any legal move, each as likely as the others; the same seed plays the same."""

    name = "random"
    quick = True

    def __init__(self, seed: int = 0) -> None:
        self._chooser = SplitMix64(seed)

    def choose(self, position: Position, seconds: float) -> Term:
        return position.legal[self._chooser.below(len(position.legal))]


class GreedyPlayer(Player):
    """Plays the move after which its own goal value is highest, others' replies taken as equally likely.

    Goals count where the rules give them, also before the end; moves that look the same are chosen by lot.
    Where others have many replies only the first ones are looked at, and where the state is hidden none.
    """

    name = "greedy"
    MOST_REPLIES = 32

    def __init__(self, seed: int = 0) -> None:
        self._chooser = SplitMix64(seed)

    def choose(self, position: Position, seconds: float) -> Term:
        deadline = time.monotonic() + seconds / 2
        best: list[Term] = list(position.legal)
        if position.state is None or len(best) == 1:
            return best[self._chooser.below(len(best))]
        best_value = -1.0
        for move in position.legal:
            if time.monotonic() > deadline:
                break
            value = self._value(position.state, position.role, move)
            if value > best_value:
                best, best_value = [move], value
            elif value == best_value:
                best.append(move)
        return best[self._chooser.below(len(best))]

    def _value(self, state: State, role: Term, move: Term) -> float:
        replies = product(*((move,) if own is role else state.legal(own) for own in state.game.roles))
        total, count = 0.0, 0
        for joint in replies:
            total += state.play(joint).goal(role) or 0
            count += 1
            if count == self.MOST_REPLIES:
                break
        return total / max(count, 1)
