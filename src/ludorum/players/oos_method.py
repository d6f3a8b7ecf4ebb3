"""Play by online outcome sampling: what was learned in one move is kept for the next."""

from __future__ import annotations

from ..engine.game import Game
from ..knowledge.worlds import WorldSampler
from ..rules.terms import Term
from ..search.budget import Budget, Stopwatch
from ..search.decision import Decision
from ..search.mixed import NoAdviceError
from ..search.online_outcome_sampling import OnlineOutcomeSampling, OosConfig
from .drawn_move import draw_move, told_history

ROUND = 10
"""Samples for every player between two looks at the clock."""


class OosMethod:
    """Strategies of all roles, sampled on for each decision of one match."""

    def __init__(self, game: Game, role: Term, config: OosConfig) -> None:
        self._search = OnlineOutcomeSampling(game, role, config)

    def prepare(self, seconds: float | None) -> None:
        """Sample from the start of the game; where work is counted, only decisions do."""
        if seconds is not None:
            self._run(Stopwatch(Budget(seconds=seconds)))

    def decide(self, worlds: WorldSampler, budget: Budget, seed: int) -> Decision:
        """A move by its probability; NoAdviceError where no sample met what the role has seen."""
        watch = Stopwatch(budget)
        search, role = self._search, worlds.role
        history = told_history(worlds)
        is_aimed = search.aim(history)
        samples = self._run(watch)
        found = search.find(role, history)
        if found is None:
            raise NoAdviceError("no sampled game came to what was seen")
        drawn = draw_move(found.moves, found.average(), round(found.value, 2), seed)
        reasons = (
            f"regrets of {search.samples} games play {drawn}",
            "most games were sampled where the match is"
            if is_aimed
            else "too many histories agree with what was seen to sample among them",
        )
        return Decision(role, drawn.move, drawn.choices, 0, samples, watch.seconds, reasons=reasons)

    def _run(self, watch: Stopwatch) -> int:
        """Sample until time is up, at least once; the number of games."""
        before = self._search.samples
        done = 0
        while not done or not watch.is_up(nodes=done, playouts=done):
            self._search.run(ROUND)
            done = self._search.samples - before
        return done
