"""The readable judge, on the readable machine, a condition at a time: the oracle of the compiled one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..._core import SplitMix64
from ..analysis import ChartAnalysis, by_number, player_symbol
from ..language.deck import fits
from ..language.faults import CardsError
from ..language.terms import Term, player
from ..machine.evaluate import EvaluationError, as_number, as_player, evaluate, holds
from ..machine.game import CardGame
from ..machine.outcome import goals, team_of
from ..machine.position import CardPosition, hand
from ..machine.reasons import LAZY, Finished, MaxStep, NeedCard, NeedMove, NeedRandom, NeedShuffle, Publish
from .config import ThinkingConfig
from .judge import Instance, Judge, Outcome
from .scheme import Scheme, for_family, properties_of, schemes_of


class ReadableJudge(Judge):
    """Minimax over one pass on the readable machine."""

    def __init__(self, game: CardGame, analysis: ChartAnalysis | None, config: ThinkingConfig) -> None:
        self.machine = game.machine
        self.players = game.chart.players
        self.config = config = for_family(config, analysis, self.players)
        self.header = None if analysis is None else analysis.main_loop.header
        self.properties = properties_of(analysis, self.players, config)
        self.schemes = schemes_of(analysis, self.players, config)

    def outcomes(
        self, world: CardPosition, me: int, seed: int, keep_states: bool = False
    ) -> dict[Term, Outcome]:
        position, reason = self.machine.run(world)
        if not isinstance(reason, NeedMove) or reason.player != me:
            raise ValueError(f"player({me}) is not asked in this world")
        found = {}
        for option in reason.options:
            answered = self.machine.supply(position, option)
            value, states, state = self._fold(answered, me, SplitMix64(seed), self.config.passes)
            found[option] = Outcome(value, states, state if keep_states else None)
        return found

    def value(self, state: CardPosition | bytes, me: int) -> float:
        assert isinstance(state, CardPosition)
        end = self._end(state, SplitMix64(0))
        if end is None:
            return self._properties(state, me) + self._hand_value(state, me)
        return self._properties(end, me) + self.config.decided * (goals(end)[me] - 50) / 50

    def instances(self, state: CardPosition | bytes, me: int) -> list[Instance]:
        assert isinstance(state, CardPosition)
        return [one for scheme in self.schemes for one in self._of_scheme(scheme, state, me)]

    def _fold(
        self, position: CardPosition, me: int, random: SplitMix64, passes: int
    ) -> tuple[float, int, CardPosition]:
        """Value, number of states and the state that decides, after a decision has been answered."""
        position, asked = self._run(position, random, self.header)
        while asked is None and not position.is_finished and passes > 1:  # on through the next pass
            passes -= 1
            position, asked = self._run_on(position, random)
        if asked is None or (self.header is None and asked.player == me):
            return self.value(position, me), 1, position
        results = [
            self._fold(self.machine.supply(position, option), me, SplitMix64(random.state), passes)
            for option in asked.options
        ]
        friend = team_of(position, asked.player) is team_of(position, me)
        best = (max if friend else min)(results, key=lambda one: one[0])
        return best[0], sum(states for _, states, _ in results), best[2]

    def _run(
        self, position: CardPosition, random: SplitMix64, header: int | None
    ) -> tuple[CardPosition, NeedMove | None]:
        """Runs to the next decision, or to the header or the end (None); a fault of the chart ends it."""
        while True:
            if position.node == header or position.is_finished:
                return position, None
            try:
                position, reason = self.machine.advance(position, 1)
            except CardsError:
                return replace(position, is_finished=True, is_broken_off=True), None
            match reason:
                case NeedMove():
                    return position, reason
                case NeedRandom(_, size):
                    position = self.machine.supply(position, random.below(size))
                case NeedCard(_, _, cards):
                    position = self.machine.supply(position, cards[random.below(len(cards))])
                case NeedShuffle():
                    position = self.machine.supply(position, LAZY)
                case Publish():
                    position = self.machine.supply(position, None)
                case Finished() | MaxStep():
                    continue

    def _run_on(self, position: CardPosition, random: SplitMix64) -> tuple[CardPosition, NeedMove | None]:
        """The same from the header on."""
        try:
            position, _ = self.machine.advance(position, 1)
        except CardsError:
            return replace(position, is_finished=True, is_broken_off=True), None
        return self._run(position, random, self.header)

    def _end(self, state: CardPosition, random: SplitMix64) -> CardPosition | None:
        """The end of the game, where no player is asked any more; else None."""
        position, asked = self._run(state, random, None)
        return position if asked is None else None

    def _properties(self, position: CardPosition, me: int) -> float:
        total = 0
        for one in self.properties:
            try:
                value = as_number(evaluate(by_number(one.term, me, self.players), position))
            except EvaluationError:
                continue
            total += value if one.direction == "max" else -value
        return float(total)

    def _hand_value(self, position: CardPosition, me: int) -> float:
        """Cards are counted one by one, equal ones too: each can be played."""
        sums: dict[tuple[int, Term], list[float]] = {}
        for one in self.instances(position, me):
            sums.setdefault((one.scheme.symbols[0].seat, one.card), []).append(one.worth)
        return sum(
            sum(found) / len(found) * position.cards(hand((me + seat) % self.players)).count(card)
            for (seat, card), found in sums.items()
        )

    def _of_scheme(self, scheme: Scheme, position: CardPosition, me: int) -> Iterator[Instance]:
        named = self._with_players(position, me)
        for cards in self._cards(scheme, position, me):
            here = replace(named, variables=dict(named.variables))
            for symbol, card in zip(scheme.symbols, cards, strict=True):
                here.variables[symbol.name] = card
            count = self._count(scheme, here)
            if count is not None and not (self.config.active_only and count):
                yield Instance(scheme, cards, count)

    def _with_players(self, position: CardPosition, me: int) -> CardPosition:
        found = position.copy()
        for seat in range(self.players):
            found.variables[player_symbol(seat, self.players)] = player((me + seat) % self.players)
        return found

    def _cards(self, scheme: Scheme, position: CardPosition, me: int) -> Iterator[tuple[Term, ...]]:
        """All ways to give the symbols cards; no card is played twice."""

        def fill(chosen: tuple[tuple[int, int], ...]) -> Iterator[tuple[tuple[int, int], ...]]:
            if len(chosen) == len(scheme.symbols):
                yield chosen
                return
            seat = scheme.symbols[len(chosen)].seat
            for at in range(len(hands[seat])):
                if (seat, at) not in chosen:
                    yield from fill((*chosen, (seat, at)))

        hands = [position.cards(hand((me + seat) % self.players)) for seat in range(self.players)]
        for chosen in fill(()):
            yield tuple(hands[seat][at] for seat, at in chosen)

    def _count(self, scheme: Scheme, here: CardPosition) -> int | None:
        """How many changes are needed before all conditions hold; None where that cannot be."""
        if not all(_is_true(condition, here) for condition in scheme.plain):
            return None
        count = 0
        wrong = sum(not _is_true(condition, here) for condition in scheme.roles)
        if wrong and (self.config.role_mismatch == "exclude" or self.config.active_only):
            return None
        if self.config.role_mismatch == "count_one":
            count += wrong * self.config.role_count
        for absent in scheme.absences:
            try:
                who = as_player(evaluate(absent.who, here), here)
                template = evaluate(absent.template, here)
            except EvaluationError:
                return None
            count += sum(fits(card, template) for card in here.cards(hand(who)))
        return count


def _is_true(condition: Term, position: CardPosition) -> bool:
    """Conditions that have no value here do not hold."""
    try:
        return holds(condition, position)
    except EvaluationError:
        return False
