"""Random plays: they refute false claims cheaply and suggest candidates for invariants."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from ..._core import SplitMix64
from ...engine.game import Game, JointMove, State, random_states
from ...search.budget import Stopwatch

LONGEST = 400
"""Moves after which a play is cut off."""
MOST_STATES = 4000
"""States that are kept."""


class Plays:
    """Some random plays of a game; ``whole`` says of each whether it reached its end."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.plays: list[list[State]] = []
        self.whole: list[bool] = []

    def __len__(self) -> int:
        return len(self.plays)

    @property
    def states(self) -> Iterator[State]:
        for play in self.plays:
            yield from play

    @property
    def ends(self) -> Iterator[State]:
        """The last states of plays that reached their end."""
        for play, whole in zip(self.plays, self.whole, strict=True):
            if whole:
                yield play[-1]

    def find(self, shows: Callable[[State], str | None]) -> tuple[tuple[JointMove, ...], str] | None:
        """The moves to the first state for which the test gives something, and what it gives."""
        for play in self.plays:
            for at, state in enumerate(play):
                told = shows(state)
                if told is not None:
                    return moves_of(play[: at + 1]), told
        return None


def moves_of(play: list[State]) -> tuple[JointMove, ...]:
    """The joint moves between the states of a play."""
    return tuple(state.joint for state in play[1:] if state.joint is not None)


def play_at_random(
    game: Game, count: int, watch: Stopwatch, seconds: float, seed: int = 0, most_states: int = MOST_STATES
) -> Plays:
    """At most so many plays, at least one, while there is time."""
    found = Plays(game)
    begin, states = watch.seconds, 0
    for number in range(count):
        play: list[State] = []
        for state in islice(random_states(game.initial(), SplitMix64(seed + number)), LONGEST + 1):
            play.append(state)
            if watch.seconds - begin > seconds or watch.is_up():
                break
        found.plays.append(play)
        found.whole.append(play[-1].is_terminal)
        states += len(play)
        if states > most_states or watch.seconds - begin > seconds or watch.is_up():
            break
    return found
