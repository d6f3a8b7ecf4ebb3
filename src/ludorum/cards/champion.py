"""Our own way to play cards: worlds that agree with all that was seen, and one tree over all of them.

Compiled search over information sets (``_core/card_ismcts.cpp``) where the chart has bytecode, the plain one
(``search/ismcts.py``) where it has none. A decision says how often each move was tried and what it was worth.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace

from .._core import SplitMix64
from ..rules.terms import Term
from ..search.budget import Budget
from ..search.decision import Choice, Decision
from ..search.ismcts import Ismcts, IsmctsConfig
from .compiled import CompiledCards, NotCompiled
from .game import CardGame, CardState, move_of
from .hyperplay import World, sample_worlds
from .knowledge import Knowledge

MOST_ITERATIONS = 10**9
_GROWTH = 4


@dataclass(frozen=True)
class CardMindConfig:
    """How it thinks. Measured at Trumps and Kings and Jacks against random and greedy players."""

    worlds: int = 64
    """Drawn for a decision: more cost time that the tree could use, fewer are taken for the truth."""
    exploration: float = 0.7
    random_others: float = 0.0
    """How often others are taken to move at random."""
    margin_weight: float = 0.0
    """How much of a reward is the lead in points instead of the victory."""
    margin_scale: float = 1.0
    world_share: float = 0.3
    """Of the time, at most, to draw worlds."""


class CardMind:
    """Follows one match of one player by its percepts, and decides when it is asked."""

    def __init__(
        self, game: CardGame, role: Term, seed: int = 0, config: CardMindConfig | None = None
    ) -> None:
        self.game = game
        self.role = role
        self.config = config or CardMindConfig()
        self.knowledge = Knowledge.of(game, game.players.index(role))
        self.worlds: list[World] = []
        """Those of the last decision, for whoever wants to know why."""
        self._random = SplitMix64(seed)
        self._compiled: CompiledCards | None
        try:
            self._compiled = CompiledCards(game.chart, game.machine.config)
        except NotCompiled:
            self._compiled = None

    def observe(self, percepts: Iterable[Term]) -> None:
        """What the player perceived in the last step of the match."""
        self.knowledge.observe(percepts)

    def decide(self, budget: Budget) -> Decision:
        """The best move where the game stands, as far as the budget allows."""
        begin = time.monotonic()
        deadline = None if budget.seconds is None else begin + budget.seconds
        self.worlds = self._draw_worlds(budget, begin)
        if self._compiled:
            found = self._search(budget, deadline)
        else:
            left = None if deadline is None else max(0.001, deadline - time.monotonic())
            found = self._search_plainly(replace(budget, seconds=left))
        seconds = time.monotonic() - begin
        return Decision(self.role, found.move, found.choices, found.nodes, found.playouts, seconds)

    def _draw_worlds(self, budget: Budget, begin: float) -> list[World]:
        """As many as asked for, or as the time allows; a few come first, so that there are always some."""
        seed = self._random.next() & (2**63 - 1)
        if budget.seconds is None:
            return sample_worlds(self.knowledge, self.config.worlds, seed)
        deadline = begin + self.config.world_share * budget.seconds
        found: list[World] = []
        count = _GROWTH
        while len(found) < self.config.worlds:
            before = time.monotonic()
            fresh = sample_worlds(self.knowledge, count, seed + len(found))
            found += fresh
            took = time.monotonic() - before
            if len(fresh) < count or time.monotonic() + _GROWTH * took > deadline:
                break
            count = min(_GROWTH * count, max(1, self.config.worlds - len(found)))
        return found

    def _search(self, budget: Budget, deadline: float | None) -> Decision:
        assert self._compiled is not None
        compiled, config = self._compiled, self.config
        tables = [compiled.table_of(world.position) for world in self.worlds]
        iterations = budget.playouts or budget.nodes or MOST_ITERATIONS
        rows = compiled.kernel.ismcts(
            tables,
            iterations,
            self._random.next(),
            exploration=config.exploration,
            random_others=config.random_others,
            margin_weight=config.margin_weight,
            margin_scale=config.margin_scale,
            seconds=None if deadline is None else max(0.001, deadline - time.monotonic()),
            stop=None if budget.stop is None else budget.stop.is_set,
        )
        terms = {option: term for term, option in compiled.options(compiled.kernel.run(tables[0], 0)).items()}
        choices = sorted(
            (Choice(move_of(terms[option]), visits, 100 * value) for option, visits, value in rows),
            key=lambda choice: (-choice.visits, -choice.value, choice.move),
        )
        playouts = sum(choice.visits for choice in choices)
        return Decision(self.role, choices[0].move, tuple(choices), playouts, playouts, 0.0)

    def _search_plainly(self, budget: Budget) -> Decision:
        """Over the readable machine, for charts without bytecode."""
        states = [CardState(self.game, *self.game.machine.run(one.position), None, ()) for one in self.worlds]
        config = IsmctsConfig(self.config.exploration, self.config.random_others, seed=self._random.next())
        return Ismcts(config).search(lambda random: states[random.below(len(states))], self.role, budget)


__all__ = ["CardMind", "CardMindConfig"]
