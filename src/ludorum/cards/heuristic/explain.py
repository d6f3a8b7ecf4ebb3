"""Explanations of a card player's moves: the worlds, the value of every move in them, and the instances."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..language.terms import Term, format_term
from ..machine.position import hand
from .judge import Instance, Judge
from .select import best_moves
from .thinker import CardDecision, WorldSeen

SHOWN = 5
"""Instances that are told in words; the data have all."""


@dataclass(frozen=True)
class InstanceShare:
    """An instance that counts in the state a move leads to; ``share`` is its part of that state's value."""

    world: int
    option: Term
    instance: Instance
    share: float

    def as_json(self) -> dict[str, object]:
        scheme = self.instance.scheme
        return {
            "world": self.world,
            "option": format_term(self.option),
            "cards": {
                format_term(symbol.name): format_term(card)
                for symbol, card in zip(scheme.symbols, self.instance.cards, strict=True)
            },
            "weight": scheme.weight,
            "count": self.instance.count,
            "share": self.share,
            "path": scheme.source.path,
            "conditions": sorted(map(format_term, scheme.source.conditions)),
        }


@dataclass(frozen=True)
class MoveExplanation:
    """A decision with everything it rests on; made from a decision with ``why``."""

    decision: CardDecision
    reasons: tuple[InstanceShare, ...]

    def as_json(self) -> dict[str, object]:
        decision = self.decision
        return {
            "player": decision.player,
            "option": format_term(decision.option),
            "values": {format_term(move): value for move, value in decision.values.items()},
            "states": decision.states,
            "seconds": decision.seconds,
            "worlds": [_world_json(seen, decision.player) for seen in decision.worlds],
            "instances": [one.as_json() for one in self.reasons],
        }

    def in_words(self) -> str:
        """The summary: the worlds, the values, and what made the difference."""
        decision = self.decision
        chosen = format_term(decision.option)
        if not decision.worlds:
            return f"{chosen} is the only move."
        lines = [f"{len(decision.worlds)} possible worlds were looked at, {decision.states} states in them."]
        lines += [f"potential model: {_hands(seen, decision.player)}" for seen in decision.worlds]
        ranked = sorted(decision.values.items(), key=lambda item: -item[1])
        lines += [f"{format_term(move)}: {value}" for move, value in ranked]
        others = len(best_moves(decision.values)) - 1
        lines.append(f"{chosen} is best" + (f", as good as {others} other, by lot." if others else "."))
        lines += self.strongest(decision.option)
        return "\n".join(lines)

    def strongest(self, option: Term) -> Iterator[str]:
        """The instances after a move that count most, over all worlds."""
        sums: dict[tuple[tuple[Term, ...], int, int], list[float]] = {}
        for one in self.reasons:
            if one.option is option:
                key = (one.instance.cards, one.instance.scheme.weight, one.instance.count)
                sums.setdefault(key, []).append(one.share)
        worlds = len(self.decision.worlds)
        ranked = sorted(sums.items(), key=lambda item: -abs(sum(item[1])))[:SHOWN]
        for (cards, weight, count), shares in ranked:
            later = f" once {count} thing{'s' * (count > 1)} changed" if count else " now"
            against = f" with {', '.join(map(format_term, cards[1:]))}" if len(cards) > 1 else ""
            yield (
                f"{format_term(cards[0])}{against}: {weight:+d}{later},"
                f" in {len(shares)} of {worlds} worlds ({sum(shares) / worlds:+.3f})"
            )


def explain(judge: Judge, decision: CardDecision) -> MoveExplanation:
    """The reasons of a decision; ValueError where the states it rests on were not kept."""
    reasons: list[InstanceShare] = []
    for world, seen in enumerate(decision.worlds):
        for option, outcome in seen.outcomes.items():
            if outcome.state is None:
                raise ValueError("this decision keeps no states: decide with why=True")
            found = judge.instances(outcome.state, decision.player)
            counts: dict[Term, int] = {}
            for one in found:
                counts[one.card] = counts.get(one.card, 0) + 1
            reasons += [InstanceShare(world, option, one, one.worth / counts[one.card]) for one in found]
    return MoveExplanation(decision, tuple(reasons))


def _world_json(seen: WorldSeen, me: int) -> dict[str, object]:
    return {
        "hands": {str(at): cards for at, cards in _others(seen, me)},
        "weight": seen.world.weight,
        "values": {format_term(move): one.value for move, one in seen.outcomes.items()},
    }


def _others(seen: WorldSeen, me: int) -> Iterator[tuple[int, list[str]]]:
    position = seen.world.position
    for index in range(position.players):
        if index != me:
            yield index, [format_term(card) for card in position.cards(hand(index))]


def _hands(seen: WorldSeen, me: int) -> str:
    return "; ".join(f"[{', '.join(cards)}]" for _, cards in _others(seen, me))
