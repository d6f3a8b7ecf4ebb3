"""HyperPlay-II: moves are valued by games in which every role knows only what it has seen.

After Schofield and Thielscher ("Lifting Model Sampling for General Game Playing to Incomplete-Information
Models", 2015). Where each world is searched on its own, as in HyperPlay, every search believes that it knows
the state: looking is worth nothing to it, and hiding neither. Here all worlds are played on together after
each own move. In every further step the rows that look the same to a role are one group, and the role plays
one move in all of them: the one that is best there on average, by random games. After some such steps random
games go on to the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..engine.compiled import CompiledGame
from ..engine.game import Game
from ..engine.packed_rows import random_moves, seen_after, sees_masks
from ..engine.simulator import Numbers, Packed
from ..rules.terms import Term
from .budget import Budget, Stopwatch
from .decision import Choice, Decision
from .mixed import NoAdviceError
from .world_votes import SampledWorld

MOST_TRIES = 1 << 13
"""Moves that are tried for one step of one role, over all rows."""


@dataclass(frozen=True)
class HyperPlayTwoConfig:
    """How far roles are followed, and in how many worlds."""

    worlds: int = 256
    """The most worlds of one round; fewer where there are many moves."""
    steps: int = 4
    """Steps in which every role chooses by what it has seen; random games follow."""
    games: int = 2
    """Random games for each move that is tried."""
    max_steps: int = 2000
    seed: int = 0


class HyperPlayTwo:
    """Plays worlds on in groups that look the same; for games with a circuit."""

    def __init__(self, game: Game, config: HyperPlayTwoConfig | None = None) -> None:
        """NoAdviceError of every search where the game has no circuit."""
        self.config = config or HyperPlayTwoConfig()
        self._game = game if isinstance(game, CompiledGame) else None
        self._chance = np.random.default_rng(self.config.seed)
        if self._game is not None:
            self._simulator = self._game.simulator()
            self._role_moves = self._game.circuit.role_moves
            self._weights = self._game.circuit.weights
            self._masks = sees_masks(self._game.circuit)
            self._nature = self._game.info.chance_seats

    def seeded(self, seed: int) -> HyperPlayTwo:
        """Itself, with random games that the seed determines from now on."""
        self._chance = np.random.default_rng(seed)
        return self

    def search_worlds(self, worlds: Sequence[SampledWorld], role: Term, budget: Budget) -> Decision:
        """The move with the best mean goal in rounds over worlds, as many as the budget allows."""
        if self._game is None:
            raise NoAdviceError("games in groups that look the same need a circuit")
        watch = Stopwatch(budget)
        rounds = _Rounds(self._game, worlds, role)
        self.playouts = 0
        most = min(MOST_TRIES, budget.playouts or MOST_TRIES)
        while not rounds.visits or not watch.is_up(playouts=self.playouts):
            self._play_round(rounds, most)
        moves = self._game.circuit.moves
        choices = sorted(
            (
                Choice(moves[at][1], rounds.visits[at], rounds.totals[at] / rounds.visits[at])
                for at in rounds.visits
            ),
            key=lambda choice: (-choice.value, -choice.visits, choice.move),
        )
        return Decision(role, choices[0].move, tuple(choices), self.playouts, self.playouts, watch.seconds)

    def _play_round(self, rounds: _Rounds, tries: int) -> None:
        """Play some worlds on after each own move, and count the goals."""
        rows, views = rounds.draw(self.config.worlds, tries, self._chance)
        legal = self._simulator.legal_moves(rows)
        own = self._role_moves[rounds.seat]
        parents, columns = np.nonzero(legal[:, own.start : own.stop])
        first = (columns + own.start).astype(np.int32)
        self.playouts += len(first)
        goals = self._play_on(rows[parents], views[parents], first, rounds.seat)
        for move in np.unique(first).tolist():
            which = first == move
            rounds.totals[move] = rounds.totals.get(move, 0.0) + float(goals[which].sum())
            rounds.visits[move] = rounds.visits.get(move, 0) + int(which.sum())

    def _play_on(
        self, rows: Packed, views: NDArray[np.uint64], first: Numbers, seat: int
    ) -> NDArray[np.float64]:
        """The goal of a role in each row, after its first move there."""
        goals = np.zeros(len(rows))
        playing = np.arange(len(rows))
        for step in range(self.config.steps):
            packed, terminal, values = self._simulator.expand(rows)
            legal = self._simulator.legal_flags(packed)
            over = terminal | ~_can_move(legal, self._role_moves)
            goals[playing[over]] = values[over, seat].clip(min=0)
            rows, views, legal, playing = rows[~over], views[~over], legal[~over], playing[~over]
            if not len(playing):
                return goals
            moves = self._choose(rows, views, legal, seat if step == 0 else None)
            if step == 0:
                moves[:, seat] = first[~over]
            seen = self._simulator.kernel.sees(rows, moves, 1, False)
            views = seen_after(views, moves, [seen & mask for mask in self._masks])
            rows = self._simulator.kernel.step(rows, moves, 1, False)
        goals[playing] = self._random_games(rows, 1)[:, seat]
        return goals

    def _choose(
        self, rows: Packed, views: NDArray[np.uint64], legal: NDArray[np.bool_], without: int | None
    ) -> Numbers:
        """A joint move for each row: every role by what it has seen, nature at random."""
        assert self._game is not None
        moves = random_moves(legal, self._role_moves, self._chance, self._weights)
        chosen = moves.copy()
        for seat, own in enumerate(self._role_moves):
            flags = legal[:, own.start : own.stop]
            if seat == without or seat in self._nature or (flags.sum(axis=1) < 2).all():
                continue
            chosen[:, seat] = self._best(rows, views[:, seat], legal, seat) + own.start
        return chosen

    def _best(
        self, rows: Packed, views: NDArray[np.uint64], legal: NDArray[np.bool_], seat: int
    ) -> NDArray[np.int64]:
        """The move of a role in each row that is best on average in all rows that look the same to it."""
        own = self._role_moves[seat]
        flags = legal[:, own.start : own.stop]
        tried, columns = np.nonzero(flags)
        if len(tried) > 2 * MOST_TRIES:  # too many moves even for few worlds: some of them are tried
            some = self._chance.choice(len(tried), 2 * MOST_TRIES, replace=False)
            tried, columns = tried[some], columns[some]
        moves = random_moves(legal[tried], self._role_moves, self._chance, self._weights)
        moves[:, seat] = columns + own.start
        children = self._simulator.kernel.step(rows[tried], moves, 1, False)
        values = self._random_games(children, self.config.games)[:, seat]
        _, group = np.unique(views, return_inverse=True)
        width = len(own)
        cell = group[tried] * width + columns
        size = (int(group.max()) + 1) * width
        counts = np.bincount(cell, minlength=size)
        means = np.bincount(cell, values, minlength=size) / np.maximum(counts, 1)
        table = means.reshape(-1, width)[group]
        return np.asarray(np.where(flags, table, -1.0).argmax(axis=1), np.int64)

    def _random_games(self, rows: Packed, count: int) -> NDArray[np.float64]:
        """Mean goals of random games, a row for each state."""
        seed = int(self._chance.integers(1 << 62))
        self.playouts += count * len(rows)
        most = self.config.max_steps
        return self._simulator.playouts_from(rows, count, seed=seed, max_steps=most) / count


class _Rounds:
    """The worlds of a decision, and the goals counted so far."""

    def __init__(self, game: CompiledGame, worlds: Sequence[SampledWorld], role: Term) -> None:
        simulator = game.simulator()
        self.seat = game.roles.index(role)
        self.rows = simulator.pack([world.state for world in worlds])
        self.weights = np.array([world.weight for world in worlds])
        nothing = (0,) * len(game.roles)
        self.views = np.array([world.views or nothing for world in worlds], np.uint64)
        self.totals: dict[int, float] = {}
        self.visits: dict[int, int] = {}
        legal = simulator.legal_moves(self.rows[:1])[0]
        widest = max(int(legal[own.start : own.stop].sum()) for own in game.circuit.role_moves)
        mine = game.circuit.role_moves[self.seat]
        self.tries = max(1, int(legal[mine.start : mine.stop].sum()) * widest)

    def draw(self, most: int, tries: int, chance: np.random.Generator) -> tuple[Packed, NDArray[np.uint64]]:
        """Some worlds by their weights; fewer where there are many moves to try in each."""
        count = max(2, min(most, tries // self.tries))
        chosen = chance.choice(len(self.rows), count, p=self.weights / self.weights.sum())
        return self.rows[chosen], self.views[chosen]


def _can_move(legal: NDArray[np.bool_], role_moves: Sequence[range]) -> NDArray[np.bool_]:
    """In which rows every role has a legal move."""
    able = np.ones(len(legal), np.bool_)
    for own in role_moves:
        able &= legal[:, own.start : own.stop].any(axis=1)
    return able
