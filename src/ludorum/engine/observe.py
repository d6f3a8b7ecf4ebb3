"""The kind of a game, observed by playing: fills open fields of ``GameInfo`` from seeded random play.

Play can prove that moves are simultaneous (one state is a witness); that turns are taken, or that goals
always have the same sum, it can only observe. The status says which.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from .._core import SplitMix64
from .game import Game, GameInfo, Known, State, Status
from .information import find_secret


@dataclass
class PlayTally:
    """Tallies over the states that random play went through."""

    states: int = 0
    plays: int = 0
    """Plays that reached the end."""
    longest: int = 0
    branching: list[int] = field(default_factory=list)
    """Joint moves of each non-terminal state seen."""
    simultaneous: bool = False
    sums: set[int | None] = field(default_factory=set)
    """Sums of the players' goals in the terminal states seen; None where one has no value."""


def sample_play(
    game: Game, steps: int, seed: int = 0, progress: Callable[[int], None] | None = None
) -> PlayTally:
    """Random plays one after another until ``steps`` joint moves have been made."""
    sample = PlayTally()
    chooser = SplitMix64(seed)
    state, length = game.initial(), 0
    for made in range(steps + 1):
        _tally(sample, state, length)
        stuck = any(not state.legal(role) for role in game.roles)
        if made == steps:
            break
        if state.is_terminal or stuck:
            if length == 0:
                break
            state, length = game.initial(), 0
            continue
        state = state.play([legal[chooser.below(len(legal))] for legal in map(state.legal, game.roles)])
        length += 1
        if progress:
            progress(made)
    return sample


def _tally(sample: PlayTally, state: State, length: int) -> None:
    sample.states += 1
    sample.longest = max(sample.longest, length)
    players = state.game.info.players
    if state.is_terminal:
        sample.plays += 1
        goals = [state.goal(role) for role in players]
        sample.sums.add(None if None in goals else sum(goal for goal in goals if goal is not None))
        return
    widths = [len(state.legal(role)) for role in state.game.roles]
    total = 1
    for width in widths:
        total *= width
    sample.branching.append(total)
    sample.simultaneous |= sum(len(state.legal(role)) > 1 for role in players) > 1


def observed_info(game: Game, sample: PlayTally, declared_length: int | None = None) -> GameInfo:
    """The game's info with what the sample shows and what its sheet declares."""
    info = game.info
    if info.perfect_information.value is False and game.rules is not None:
        # Engines go by the language: GDL-II may still tell every player everything.
        secret = find_secret(game)
        found: Known[bool | None] = Known(secret is None, Status.PROVED)
        if secret is not None and not secret.proved:
            found = Known(None, Status.UNKNOWN)
        info = replace(info, perfect_information=found)
    if sample.simultaneous:
        info = replace(info, simultaneous=Known(True, Status.PROVED), turn_taking=Known(False, Status.PROVED))
    elif sample.branching:
        alone = len(info.players) < 2
        status = Status.PROVED if alone else Status.OBSERVED
        info = replace(info, simultaneous=Known(False, status), turn_taking=Known(True, status))
    if len(sample.sums) == 1 and None not in sample.sums and len(info.players) > 1:
        (total,) = sample.sums
        info = replace(
            info, constant_sum=Known(total, Status.OBSERVED), zero_sum=Known(True, Status.OBSERVED)
        )
    elif len(sample.sums) > 1:
        info = replace(info, zero_sum=Known(False, Status.PROVED))
    if declared_length is not None:
        info = replace(info, maximum_length=Known(declared_length, Status.DECLARED))
    return info
