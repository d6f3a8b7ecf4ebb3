"""One player's search: worlds that agree with the player's knowledge, the moves in each, and a choice."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ..._core import SplitMix64
from ..language.faults import CardsError
from ..language.terms import Term
from ..machine.game import CardGame
from ..worlds import World, sample_worlds
from ..worlds.knowledge import Knowledge
from .choose_judge import judge_of
from .config import USUAL, ThinkingConfig
from .judge import Judge, Outcome
from .scheme import analysis_of
from .select import choose_best, expected_values


@dataclass(frozen=True)
class WorldSeen:
    """A world that was searched: its weight, and the value of every move there."""

    world: World
    outcomes: dict[Term, Outcome]


@dataclass(frozen=True)
class CardDecision:
    """The choice and its reasons; no worlds where there was only one option."""

    player: int
    option: Term
    values: dict[Term, float]
    worlds: tuple[WorldSeen, ...]
    seconds: float

    @property
    def states(self) -> int:
        """How many states were judged."""
        return sum(one.states for seen in self.worlds for one in seen.outcomes.values())


class HeuristicThinker:
    """Decides for one player of a game; the same seed decides the same."""

    def __init__(self, game: CardGame, config: ThinkingConfig = USUAL, seed: int = 0) -> None:
        self.game = game
        self.config = config
        self.analysis = analysis_of(game.chart)
        self.judge = _judge(game, config)
        self._random = SplitMix64(seed)

    def decide(
        self, knowledge: Knowledge, options: Sequence[Term], deadline: float | None = None, why: bool = False
    ) -> CardDecision:
        """One of the options of the player with this knowledge; ``deadline`` by ``time.monotonic``.

        ``why`` keeps the states that decide, for an explanation.
        """
        begin = time.monotonic()
        if not options:
            raise ValueError("there is nothing to choose")
        if len(options) == 1:
            return CardDecision(knowledge.player, options[0], {}, (), 0.0)
        worlds = self._worlds(knowledge)
        return self.decide_in(worlds, knowledge.player, begin, deadline, why)

    def decide_in(
        self,
        worlds: Sequence[World],
        player: int,
        begin: float | None = None,
        deadline: float | None = None,
        why: bool = False,
    ) -> CardDecision:
        """The same with given worlds."""
        begin = time.monotonic() if begin is None else begin
        ends = [] if deadline is None else [deadline]
        if self.config.time_limit is not None:
            ends.append(begin + self.config.time_limit)
        seen: list[WorldSeen] = []
        for world in worlds:
            if seen and ends and time.monotonic() >= min(ends):
                break
            outcomes = self.judge.outcomes(world.position, player, self._random.next(), why)
            seen.append(WorldSeen(world, outcomes))
        values = expected_values(
            [{move: one.value for move, one in each.outcomes.items()} for each in seen],
            [each.world.weight for each in seen],
        )
        option = choose_best(values, self._random)
        return CardDecision(player, option, values, tuple(seen), time.monotonic() - begin)

    def _worlds(self, knowledge: Knowledge) -> list[World]:
        worlds = sample_worlds(knowledge, self.config.n_worlds, self._random.next(), self.config.weighting)
        if not worlds:
            raise CardsError("no world fits what was seen", knowledge.position.node)
        return worlds


@lru_cache(maxsize=32)
def _judge(game: CardGame, config: ThinkingConfig) -> Judge:
    """Judges keep nothing between questions, so matches of one game share one."""
    return judge_of(game, analysis_of(game.chart), config)
