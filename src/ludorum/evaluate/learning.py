"""Weights from games that were played: their states, and the goals that each role reached."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from .._core import SplitMix64
from ..engine.endless_growth import endless_growth
from ..engine.errors import GameError
from ..engine.game import State, is_nature
from ..rules.terms import Term
from .combinations import Disjoint, Fit, FitConfig, Matrix, Overlapping, Vector, fit
from .features import Features
from .heuristic import Heuristic


@dataclass(frozen=True)
class LearnConfig:
    """Settings that may be changed, with their defaults."""

    games: int = 300
    most_steps: int = 300
    """Steps after which a game is abandoned, since its result is not known."""
    states_a_game: int = 30
    """States that are kept of each game, spread evenly: those of one game are much alike."""
    seed: int = 0
    greed: float = 0.0
    """The share of moves that are best by the heuristic so far; the others are random."""
    fit: FitConfig = field(default_factory=FitConfig)


@dataclass(frozen=True)
class Examples:
    """States as their features, with the goals that each role reached from there."""

    rows: Matrix
    goals: Matrix
    """A column for each role, in the order of the game."""
    games: npt.NDArray[np.int64]
    """The number of the game that each state belongs to."""

    def __len__(self) -> int:
        return len(self.rows)

    def __add__(self, other: Examples) -> Examples:
        after = int(self.games.max(initial=-1)) + 1
        return Examples(
            np.vstack([self.rows, other.rows]),
            np.vstack([self.goals, other.goals]),
            np.concatenate([self.games, other.games + after]),
        )

    def of_role(self, seat: int) -> tuple[Matrix, Vector]:
        return self.rows, self.goals[:, seat]


Play = Sequence[State]
"""The states of a game from its beginning to its end."""


def examples_from(features: Features, plays: Iterable[Play], states_a_game: int = 30) -> Examples:
    """The non-terminal states of games that reached an end."""
    rows: list[Vector] = []
    goals: list[list[float]] = []
    games: list[int] = []
    for number, play in enumerate(plays):
        if not play or not play[-1].is_terminal:
            continue
        ends = [float(goal or 0) for goal in play[-1].goals()]
        for state in _spread(play[:-1], states_a_game):
            rows.append(features.values(state))
            goals.append(ends)
            games.append(number)
    width = len(features.all), len(features.game.roles)
    if not rows:
        return Examples(np.zeros((0, width[0])), np.zeros((0, width[1])), np.zeros(0, np.int64))
    return Examples(np.array(rows), np.array(goals), np.array(games, np.int64))


def play_games(
    features: Features,
    config: LearnConfig | None = None,
    heuristic: Heuristic | None = None,
    until: float | None = None,
    report: Callable[[int], None] | None = None,
) -> list[Play]:
    """Games of a player against itself; at random, but for the share in which it follows the heuristic.

    ``until``: the time by ``time.monotonic`` after which no other game begins. ``report`` is called with how
    many games there are.
    """
    config = config or LearnConfig()
    plays: list[Play] = []
    for number in range(config.games):
        if until is not None and time.monotonic() > until:
            break
        play = _played(features, config, heuristic, SplitMix64((config.seed * 1_000_003 + number) % 2**64))
        if play:
            plays.append(play)
        if report is not None:
            report(number + 1)
    return plays


def learn(
    features: Features,
    examples: Examples,
    config: FitConfig | None = None,
    without: Collection[str] = (),
    seed: int = 0,
) -> Heuristic:
    """The heuristic that fits the examples best, for each role; features of ``without`` are left out.

    GameError where there is nothing to learn from.
    """
    if not len(examples):
        raise GameError(f"{features.game.name}: {_why_no_examples(features.game.initial())}")
    kept = [at for at, key in enumerate(features.keys) if key not in without]
    fits: dict[Term, Fit] = {}
    for seat, role in enumerate(features.game.roles):
        if role in features.game.info.players:
            rows, targets = examples.of_role(seat)
            fits[role] = fit(rows[:, kept], targets, config, seed, examples.games)
    combinations = {
        role: _widened(found.combination, kept, len(features.all)) for role, found in fits.items()
    }
    return Heuristic(features, combinations, fits)


def _why_no_examples(start: State) -> str:
    """Why games gave no examples, in words."""
    if not start.is_terminal:
        rules = start.game.rules
        growth = "" if rules is None else endless_growth(rules, start.game.name)
        hint = growth or "play more games or longer ones"
        return f"no game came to its end, so there is nothing to learn from; {hint}"
    values = ", ".join(
        f"{role} {'has no one value' if (goal := start.goal(role)) is None else goal}"
        for role in start.game.info.players
    )
    return f"the game is over at the start ({values}), so there is nothing to learn from"


def _widened(combination: Overlapping | Disjoint, kept: list[int], width: int) -> Overlapping | Disjoint:
    """A combination over all features, from one that was fitted to some of them."""
    if isinstance(combination, Disjoint):
        chosen = tuple(kept[at] for at in combination.chosen)
        return Disjoint(chosen, combination.cuts, combination.cells, combination.default)
    weights = np.zeros(width)
    weights[kept] = combination.weights
    return Overlapping(tuple(weights.tolist()), combination.bias)


def _played(
    features: Features, config: LearnConfig, heuristic: Heuristic | None, chance: SplitMix64
) -> list[State]:
    """One game; empty where it was abandoned."""
    state = features.game.initial()
    play = [state]
    while not state.is_terminal:
        if len(play) > config.most_steps:
            return []
        choices = [state.legal(role) for role in features.game.roles]
        if not all(choices):
            return []
        joint = features.game.random_joint(choices, chance)
        if heuristic is not None and chance.below(1000) < 1000 * config.greed:
            for seat, role in enumerate(features.game.roles):
                if len(choices[seat]) > 1 and not is_nature(role):
                    joint[seat] = best_move(heuristic, state, role, joint)
        state = state.play(joint)
        play.append(state)
    return play


def best_move(heuristic: Heuristic, state: State, role: Term, joint: Sequence[Term]) -> Term:
    """The move whose joint move leads to the best state for the role; of equal ones the first."""
    seat = state.game.roles.index(role)

    def worth(move: Term) -> float:
        return heuristic(state.play([*joint[:seat], move, *joint[seat + 1 :]]), role)

    return max(state.legal(role), key=worth)


def _spread(states: Sequence[State], most: int) -> Sequence[State]:
    if len(states) <= most:
        return states
    return [states[at * len(states) // most] for at in range(most)]
