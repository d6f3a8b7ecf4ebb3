"""Explanations of our card player's moves: worlds, visits and values in words, and the pseudo-heuristics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ...rules.terms import Term
from ...search.decision import Decision
from ..heuristic import HeuristicThinker, ThinkingConfig, explain
from ..heuristic.explain import MoveExplanation
from ..machine.game import CardGame, option_of
from ..machine.position import hand
from ..show.faces import face, faces, move_text
from ..worlds import World
from .others import AnswerFound

SHOWN = 3
"""Answers and worlds that are told in words."""


@dataclass(frozen=True)
class Looks:
    """What a search looked at: how many worlds there are (None: not counted), and its model of the others."""

    possible: int | None
    drawn: int
    """Worlds that were looked into; several moves may have been tried in one."""
    random_share: float
    replies: tuple[AnswerFound, ...] = ()
    preferred: Term | None = None
    """The move that pseudo-heuristics preferred at first, where they take part and do not like all alike."""
    heard: tuple[str, ...] = ()
    """What was learnt of the others' choices, in words."""


def reasons(decision: Decision, looks: Looks) -> tuple[str, ...]:
    """The sentences of a decision that need no computation."""
    return tuple(_sentences(decision, looks))


def _sentences(decision: Decision, looks: Looks) -> Iterator[str]:
    out_of = "" if looks.possible is None else f" of {looks.possible:,} that agree with what was seen"
    drawn = looks.drawn if looks.possible is None else min(looks.drawn, looks.possible)
    yield f"{decision.playouts:,} looks into {drawn:,} worlds{out_of}"
    yield f"others are taken to do anything in {looks.random_share:.0%} of their moves"
    yield from looks.heard
    for choice in decision.choices:
        yield f"{move_text(choice.move)}: tried {choice.visits:,} times, worth {choice.value:.1f} of 100"
    if looks.preferred is not None:
        yield f"before any look the pseudo-heuristics preferred {move_text(looks.preferred)}"
    likely = sorted(looks.replies, key=lambda reply: -reply.visits)[:SHOWN]
    if likely:
        told = ", ".join(
            f"{face(reply.option)} (worth {100 * reply.value:.0f} to its player)" for reply in likely
        )
        yield f"after {move_text(decision.move)} most looked at: {told}"


@dataclass(frozen=True)
class MindExplanation:
    """A decision, some of its worlds, and the values of the pseudo-heuristics there."""

    decision: Decision
    player: int
    worlds: tuple[World, ...]
    judged: MoveExplanation | None

    def as_json(self) -> dict[str, object]:
        return {
            "decision": self.decision.as_json(),
            "worlds": [_hands(world, self.player) for world in self.worlds],
            "heuristics": None if self.judged is None else self.judged.as_json(),
        }

    def in_words(self) -> str:
        lines = [f"{move_text(self.decision.move)} is played.", *self.decision.reasons]
        lines += [f"a world that was possible: {_hands(world, self.player)}" for world in self.worlds[:SHOWN]]
        if self.judged is not None:
            chosen = option_of(self.decision.move)
            values = self.judged.decision.values
            best = max(values, key=lambda option: values[option])
            says = (
                "say so too" if values[chosen] >= values[best] - 1e-9 else f"would rather have {face(best)}"
            )
            lines.append(f"the pseudo-heuristics of the chart {says}; what counts in them:")
            lines += list(self.judged.strongest(chosen))
        return "\n".join(lines)


def explain_mind(game: CardGame, player: int, decision: Decision, worlds: Sequence[World]) -> MindExplanation:
    """The explanation with the pseudo-heuristics of the chart, evaluated in the given worlds."""
    judged = None
    if worlds and len(decision.choices) > 1:
        thinker = HeuristicThinker(game, ThinkingConfig(n_worlds=len(worlds)))
        judged = explain(thinker.judge, thinker.decide_in(worlds, player, why=True))
    return MindExplanation(decision, player, tuple(worlds), judged)


def _hands(world: World, me: int) -> str:
    position = world.position
    others: Iterable[int] = (at for at in range(position.players) if at != me)
    return "; ".join(f"player{at} {faces(position.cards(hand(at)))}" for at in others)


__all__ = ["Looks", "MindExplanation", "explain_mind", "reasons"]
