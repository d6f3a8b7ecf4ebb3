"""The quick report on a game: length, balance of seats, branching and decisiveness of random games.

Workers play the games in slices, so that no move has to wait for long; what slices count is added up.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from ..._core import SplitMix64
from ...cards.compiled import CompiledCards, NotCompiled
from ...cards.machine.game import CardGame
from ...engine.auto import best_engine
from ...engine.compiled import CompiledGame
from ...engine.game import Game, random_states
from ...engine.results import NO_GOAL
from ...rules.terms import format_term
from .plan import Json

GAMES = 10_000
"""Games of a report, unless the time is up before."""
SLICE_SECONDS = 0.3
FIRST_BATCH, LARGEST_BATCH = 8, 2048
MOST_STEPS = 1000
"""Longer random games are valued where they stop."""
LOW, HIGH = 0.05, 0.95
"""Shares of the games that are shorter than the low and the high length."""


def play_slice(game: Game, seed: int, most: int) -> Json:
    """Counts of some random games, as many as fit into the time of a slice, at most so many."""
    until = time.monotonic() + SLICE_SECONDS
    cards = _compiled_cards(game) if isinstance(game, CardGame) else None
    if cards is not None:
        return _play_cards(game, cards, seed, most, until).as_json()
    choices, decisions = _branching(game, seed)
    counts = Counts(choices=choices, decisions=decisions)
    engine = best_engine(game)
    batch = FIRST_BATCH if isinstance(engine, CompiledGame) else 1
    while counts.games < most and (counts.games == 0 or time.monotonic() < until):
        count = min(batch, most - counts.games)
        found = engine.playouts(count, seed=seed + counts.games, max_steps=MOST_STEPS)
        players = [engine.roles.index(role) for role in engine.info.players]
        goals = np.where(found.goals == NO_GOAL, 0, found.goals)[:, players]
        counts.games += count
        counts.lengths.update(map(int, found.lengths))
        for at, role in enumerate(engine.info.players):
            counts.goals[format_term(role)] += int(goals[:, at].sum())
        if len(players) > 1:
            counts.decided += int((goals.max(axis=1) > goals.min(axis=1)).sum())
        else:
            counts.decided += int((goals[:, 0] == 100).sum())
        if batch > 1:
            batch = min(LARGEST_BATCH, 2 * batch)
    return counts.as_json()


@lru_cache(maxsize=4)
def _compiled_cards(game: CardGame) -> CompiledCards | None:
    """The fast machine of a chart; None where it has none."""
    try:
        return CompiledCards(game.chart)
    except NotCompiled:
        return None


def _play_cards(game: Game, cards: CompiledCards, seed: int, most: int, until: float) -> Counts:
    """Counts of random card games; their length is that of their decisions."""
    counts = Counts()
    while counts.games < most and (counts.games == 0 or time.monotonic() < until):
        found = cards.random_games(1, seed + counts.games)
        counts.games += 1
        counts.lengths[found.decisions] += 1
        counts.choices += found.options
        counts.decisions += found.decisions
        for role, goal in zip(game.info.players, found.goals, strict=True):
            counts.goals[format_term(role)] += round(goal)
        counts.decided += max(found.goals) > min(found.goals)
    return counts


def _branching(game: Game, seed: int) -> tuple[int, int]:
    """Legal moves of roles with a choice in one random game, and how many such choices there were."""
    choices = decisions = 0
    for step, state in enumerate(random_states(game.initial(), SplitMix64(seed))):
        if state.is_terminal or step >= MOST_STEPS:
            break
        for role in game.info.players:
            if (moves := len(state.legal(role))) > 1:
                choices += moves
                decisions += 1
    return choices, decisions


@dataclass
class Counts:
    """What was counted in some games."""

    games: int = 0
    lengths: Counter[int] = field(default_factory=Counter)
    goals: Counter[str] = field(default_factory=Counter)
    decided: int = 0
    """Games in which one role got more than another; of a single role, those that it won."""
    choices: int = 0
    decisions: int = 0

    def as_json(self) -> Json:
        return vars(self) | {
            "lengths": {str(length): count for length, count in self.lengths.items()},
            "goals": dict(self.goals),
        }

    def add(self, data: Json) -> None:
        """Add the counts of a slice."""
        self.games += data["games"]
        self.decided += data["decided"]
        self.choices += data["choices"]
        self.decisions += data["decisions"]
        self.lengths.update({int(length): count for length, count in data["lengths"].items()})
        self.goals.update(data["goals"])

    def summary(self) -> Json:
        """The report."""
        games = max(1, self.games)
        steps = sorted(self.lengths.elements())
        return {
            "games": self.games,
            "length": {
                "mean": round(sum(steps) / games, 2),
                "low": steps[int(LOW * (len(steps) - 1))] if steps else 0,
                "high": steps[int(HIGH * (len(steps) - 1))] if steps else 0,
            },
            "branching": round(self.choices / max(1, self.decisions), 2),
            "decisive": round(self.decided / games, 4),
            "seats": {role: round(total / games, 2) for role, total in self.goals.items()},
        }
