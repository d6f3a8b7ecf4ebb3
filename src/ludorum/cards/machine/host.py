"""A host that answers the machine from a seed: for tests, statistics and the debugging of charts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ..._core import SplitMix64
from ..language.terms import Term, format_term
from .machine import Machine
from .position import CardPosition
from .reasons import Finished, MaxStep, NeedCard, NeedMove, NeedRandom, NeedShuffle, Publish, Reason

Chooser = Callable[[CardPosition, NeedMove], Term]


@dataclass
class Host:
    """Draws numbers and shuffles packs; every answer is kept, so that a game can be repeated."""

    machine: Machine
    seed: int = 0
    answers: list[object] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._random = SplitMix64(self.seed)

    def answer(self, reason: Reason, position: CardPosition, choose: Chooser | None = None) -> object:
        """This host's answer to a question; moves are random unless ``choose`` is given."""
        found = self._answer(reason, position, choose)
        self.answers.append(found)
        return found

    def play(
        self, choose: Chooser | None = None, max_steps: int = 0, start: CardPosition | None = None
    ) -> Iterator[tuple[CardPosition, Reason]]:
        """A game from its start, or a position, to its end: every stop of the machine with the reason."""
        position = self.machine.start() if start is None else start
        while True:
            position, reason = self.machine.advance(position, max_steps)
            yield position, reason
            if isinstance(reason, Finished):
                return
            if not isinstance(reason, MaxStep):
                position = self.machine.supply(position, self.answer(reason, position, choose))

    def _answer(self, reason: Reason, position: CardPosition, choose: Chooser | None) -> object:
        match reason:
            case NeedRandom(_, size):
                return self._random.below(size)
            case NeedShuffle(_, cards):
                return tuple(self.shuffled(cards))
            case NeedCard(_, _, cards):
                return cards[self._random.below(len(cards))]
            case NeedMove(_, _, options):
                return choose(position, reason) if choose else options[self._random.below(len(options))]
            case Publish():
                return None
        raise ValueError(f"nothing is asked: {reason}")

    def shuffled(self, cards: tuple[Term, ...]) -> list[Term]:
        """A uniformly random order (Fisher and Yates)."""
        found = list(cards)
        for at in range(len(found) - 1, 0, -1):
            other = self._random.below(at + 1)
            found[at], found[other] = found[other], found[at]
        return found


def format_trace(position: CardPosition) -> str:
    """A position in a line: node, and all variables by name. Two engines that agree write the same lines."""
    variables = sorted((format_term(name), format_term(value)) for name, value in position.variables.items())
    return f"{position.step} {position.node} " + " ".join(f"{name}={value}" for name, value in variables)
