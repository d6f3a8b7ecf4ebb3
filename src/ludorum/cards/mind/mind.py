"""Our own card player: worlds that agree with all percepts, and one tree over all of them.

Compiled search over information sets (``_core/cards/ismcts.cpp``) where the chart has bytecode, the plain one
(``search/ismcts.py``) where it has none. A decision tells how often each move was tried and its value.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Any

from ..._core import SplitMix64
from ...engine.game import Moves
from ...rules.terms import Term
from ...search.budget import Budget
from ...search.decision import Choice, Decision
from ...search.ismcts import Ismcts, IsmctsConfig
from ..compiled import CompiledCards, NotCompiled
from ..heuristic.compiled_judge import CompiledJudge
from ..heuristic.config import USUAL as THINKING
from ..heuristic.scheme import analysis_of
from ..language.faults import CardsError
from ..language.terms import PASS
from ..machine.game import CardGame, CardState, move_of
from ..machine.reasons import Finished
from ..worlds import World, WorldSource, sample_worlds
from ..worlds.dealing import Dealing, any_move, dealing_of
from ..worlds.knowledge import Knowledge
from .explain_mind import Looks, MindExplanation, explain_mind, reasons
from .family import cards_worth, family_of
from .habits import Habits, is_spoken
from .mind_config import CardMindConfig
from .others import AnswerFound, Others

MOST_ITERATIONS = 10**9
_GROWTH = 4


class CardMind:
    """Follows one match of one player by its percepts, and decides when it is asked."""

    def __init__(
        self, game: CardGame, role: Term, seed: int = 0, config: CardMindConfig | None = None
    ) -> None:
        self.game = game
        self.role = role
        self._cards_worth = cards_worth(game.chart)
        self.config = config or CardMindConfig()
        self.settings = self.config.settings_for(family_of(game.chart), game.chart.players)
        self.knowledge = Knowledge.of(game, game.players.index(role))
        self.worlds: list[World] = []
        """The worlds of the last decision, where they were drawn one by one."""
        self._random = SplitMix64(seed)
        self._looks = Looks(None, 0, self.settings.random_others)
        self._judge = _judge(game) if self.settings.is_advised else None
        self._compiled = _compiled(game) if self._judge is None else self._judge.cards
        self.others: Others | None = None
        """The model of the other players in this match, where it is learnt."""
        if self._compiled is not None and self.config.model == "learnt":
            self.others = Others(self._compiled, self.settings.random_others, self._cards_worth)
        self.habits: Habits | None = None
        """The others' habits, where there is a model and choices other than cards."""
        if self.config.model != "none" and is_spoken(game.chart):
            self.habits = Habits(game, self.knowledge.player)

    def observe(self, percepts: Iterable[Term], move: Term | None = None) -> None:
        """Take the percepts of the last step of the match; the own move is among them."""
        before = self.knowledge.last_deal
        self.knowledge.observe(percepts)
        over = self.knowledge.last_deal
        if self.habits is not None and over is not None and over is not before:
            self.habits.learn(over, Random(self._random.next()))

    def decide(self, budget: Budget) -> Decision:
        """The best move in the current position, as far as the budget allows."""
        begin = time.monotonic()
        if self.knowledge.asked != self.knowledge.player:
            raise CardsError(f"{self.role} is not asked", self.knowledge.position.node)
        deadline = None if budget.seconds is None else begin + budget.seconds
        found = self._search_dealt(budget, deadline)
        if found is None:
            self.worlds = self._draw_worlds(budget, begin)
            if self._compiled is None:
                left = None if deadline is None else max(0.001, deadline - time.monotonic())
                found = self._search_plainly(replace(budget, seconds=left))
            else:
                tables = [self._compiled.table_of(world.position) for world in self.worlds]
                found = self._search(self._compiled, tables, None, budget, deadline)
        return replace(found, seconds=time.monotonic() - begin, reasons=reasons(found, self._looks))

    def explain(self, decision: Decision, worlds: int = 5) -> MindExplanation:
        """The reasons of the last decision; to be asked before anything else is observed."""
        some = self.worlds[:worlds] or sample_worlds(self.knowledge, worlds, self._random.next() >> 1)
        return explain_mind(self.game, self.knowledge.player, decision, some)

    def _search_dealt(self, budget: Budget, deadline: float | None) -> Decision | None:
        """A decision with worlds that the kernel deals; None where it cannot."""
        self.worlds = []
        if self._compiled is None:
            return None
        learnt = None if self.others is None else self.others.model
        model = any_move if self.config.model == "any_move" else learnt
        chance = Random(self._random.next())
        tells = None if self.habits is None else self.habits.tells
        dealing = dealing_of(self.knowledge, self._compiled, chance, model, tells)
        if dealing is None:
            return None
        return self._search(self._compiled, [dealing.table], dealing, budget, deadline)

    def _draw_worlds(self, budget: Budget, begin: float) -> list[World]:
        """As many worlds as asked for, or as the time allows; a few in any case."""
        seed = self._random.next() & (2**63 - 1)
        found = self._draw_batches(budget, begin, seed)
        if self.habits is None or not self.habits.counts:
            return found
        weights = [world.weight for world in found]
        return Random(seed).choices(found, weights, k=max(len(found), self.config.worlds))

    def _draw_batches(self, budget: Budget, begin: float, seed: int) -> list[World]:
        """Worlds weighted by the likelihood of the others' choices."""
        source = WorldSource(self.knowledge, seed)
        if budget.seconds is None:
            return self._some_worlds(source, self.config.worlds)
        deadline = begin + self.config.world_share * budget.seconds
        found: list[World] = []
        count = _GROWTH
        while len(found) < self.config.worlds:
            before = time.monotonic()
            fresh = self._some_worlds(source, count)
            found += [World(world.position, world.weight * len(fresh)) for world in fresh]
            took = time.monotonic() - before
            if len(fresh) < count or time.monotonic() + _GROWTH * took > deadline:
                break
            count = min(_GROWTH * count, max(1, self.config.worlds - len(found)))
        return found

    def _some_worlds(self, source: WorldSource, count: int) -> list[World]:
        if self.habits is None or not self.habits.counts:
            return source.some(count)
        return source.likely(count, self.habits.likelihood)

    def _search(
        self,
        compiled: CompiledCards,
        tables: list[bytes],
        dealing: Dealing | None,
        budget: Budget,
        deadline: float | None,
    ) -> Decision:
        config, settings = self.config, self.settings
        habits = None
        if self.habits is not None and config.foresee:
            habits = self.habits.as_dict(compiled, self.knowledge.position)
        share = settings.random_others if self.others is None else self.others.random_share
        looks = budget.playouts or budget.nodes or MOST_ITERATIONS
        found = compiled.kernel.ismcts(
            tables,
            looks,
            self._random.next(),
            exploration=config.exploration,
            random_others=share,
            margin_weight=config.margin_weight,
            margin_scale=config.margin_scale,
            seconds=None if deadline is None else max(0.001, deadline - time.monotonic()),
            stop=None if budget.stop is None else budget.stop.is_set,
            dealing=None if dealing is None else dealing.as_dict(),
            pool=config.pool,
            halving=config.halving,
            greedy=settings.greedy,
            points_worth=1.0,
            cards_worth=self._cards_worth,
            longest=settings.longest,
            lead_scale=config.lead_scale,
            habits=habits,
            **self._advice(looks),
        )
        terms = {option: term for term, option in compiled.options(compiled.kernel.run(tables[0], 0)).items()}
        numbers = {move_of(term): option for option, term in terms.items()}
        choices = sorted(
            (
                Choice(move_of(terms[option]), visits, 100 * value)
                for option, visits, value, _ in found["options"]
            ),
            key=lambda choice: (
                numbers[choice.move] != found["best"],
                -choice.visits,
                -choice.value,
                choice.move,
            ),
        )
        playouts = sum(choice.visits for choice in choices)
        replies = self._replies(compiled, found["replies"][numbers[choices[0].move]])
        possible = None if dealing is None else dealing.worlds
        bonus, preferred = max((bonus, option) for option, _, _, bonus in found["options"])
        told = move_of(terms[preferred]) if bonus > 0 else None
        heard = () if self.habits is None else tuple(self.habits.in_words())
        self._looks = Looks(possible, found["worlds"], share, tuple(replies), told, heard)
        return Decision(self.role, choices[0].move, tuple(choices), playouts, playouts, 0.0)

    def _advice(self, looks: int) -> dict[str, Any]:
        """The search's arguments for pseudo-heuristics; empty where they take no part."""
        if self._judge is None:
            return {}
        config, settings = self.config, self.settings
        return {
            "judge": self._judge.kernel,
            "prior": settings.prior,
            "prior_looks": config.prior_looks,
            "prior_worlds": min(config.prior_worlds, max(1, looks // config.looks_a_world)),
            "policy": settings.policy,
            "sharpness": config.sharpness,
        }

    def _replies(self, compiled: CompiledCards, rows: list[tuple[int, int, int, float]]) -> list[AnswerFound]:
        codes = compiled.program.codes
        return [
            AnswerFound(PASS if key == -1 else codes.term(key), visits, available, value)
            for key, visits, available, value in rows
        ]

    def _search_plainly(self, budget: Budget) -> Decision:
        """The search over the readable machine, for charts without bytecode."""
        self._looks = Looks(None, len(self.worlds), self.settings.random_others)
        states = [_Line(self.game, *self.game.machine.run(one.position), None, ()) for one in self.worlds]
        config = IsmctsConfig(self.config.exploration, self.settings.random_others, seed=self._random.next())
        return Ismcts(config).search(lambda random: states[random.below(len(states))], self.role, budget)


class _Line(CardState):
    """A state of a search: where the chart fails, the game ends there and is valued as it stands."""

    def play(self, joint: Moves) -> CardState:
        try:
            found = super().play(joint)
        except CardsError:
            end = replace(self.position, is_finished=True, is_broken_off=True)
            return _Line(self.game, end, Finished(end.step), self.joint_move(joint), ())
        return _Line(self.game, found.position, found.reason, found.joint, found.events)


@lru_cache(maxsize=32)
def _judge(game: CardGame) -> CompiledJudge | None:
    """The judge with the pseudo-heuristics of a game; None where the chart has none, or no bytecode."""
    analysis = analysis_of(game.chart)
    try:
        return None if analysis is None else CompiledJudge(game, analysis, THINKING)
    except NotCompiled:
        return None


@lru_cache(maxsize=32)
def _compiled(game: CardGame) -> CompiledCards | None:
    """The compiled game, shared by all matches: bytecode has no state."""
    try:
        return CompiledCards(game.chart, game.machine.config)
    except NotCompiled:
        return None


__all__ = ["CardMind", "CardMindConfig"]
