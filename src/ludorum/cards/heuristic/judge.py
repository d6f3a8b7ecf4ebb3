"""The interface of a judge: values of positions for a player, and the results of moves in one pass."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass

from ..language.terms import Term
from ..machine.position import CardPosition
from .scheme import Scheme


@dataclass(frozen=True)
class Instance:
    """A pseudo-heuristic with cards (those of ``scheme.symbols``) that holds once ``count`` things change."""

    scheme: Scheme
    cards: tuple[Term, ...]
    count: int

    @property
    def card(self) -> Term:
        """The card that it belongs to: mine or, of paths on which I play none, the first of the others'."""
        return self.cards[0]

    @property
    def is_active(self) -> bool:
        return self.count == 0

    @property
    def worth(self) -> float:
        """Its weight, smaller the more must change before."""
        return float(self.scheme.weight / (1 + self.count) ** 2)


@dataclass(frozen=True)
class Outcome:
    """The value of a move in one world when all others do their worst.

    ``state`` is the state that decides, in the form its judge has (None where it was not kept).
    """

    value: float
    states: int
    state: CardPosition | bytes | None = None


class Judge(ABC):
    """Knows a game and its analysis; judges worlds, in which nothing is hidden."""

    schemes: tuple[Scheme, ...]

    @abstractmethod
    def outcomes(
        self, world: CardPosition, me: int, seed: int, keep_states: bool = False
    ) -> dict[Term, Outcome]:
        """For every option of the player that is asked, all continuations to the next start of the main loop.

        Numbers and cards of the pack are drawn by the seed: the same for all moves, as a pack has one order.
        """

    @abstractmethod
    def value(self, state: CardPosition | bytes, me: int) -> float:
        """The value of a state at the start of the main loop, or at the end of the game."""

    @abstractmethod
    def instances(self, state: CardPosition | bytes, me: int) -> list[Instance]:
        """All instances that count in such a state."""


def value_of_cards(instances: Iterable[Instance]) -> dict[Term, float]:
    """The worth of each of my cards: the mean over its instances, since it can be played only once."""
    by_card: dict[Term, list[float]] = {}
    for one in instances:
        by_card.setdefault(one.card, []).append(one.worth)
    return {card: sum(worths) / len(worths) for card, worths in by_card.items()}
