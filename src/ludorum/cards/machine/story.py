"""One player's view of the current deal, as plain values in the order of time.

A card that the player cannot name is a *veiled* card, ``card(veiled',7)``: in a hand it stands for any card
of that hand, in a pile for the one that lies at that place. ``time`` counts the events since the pack was
shuffled; a pack that is renewed from played cards begins a new *generation*.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from ..language.terms import Term, card, number
from .position import CardPosition

_VEILED = Term("veiled'")  # a name that no chart can write


def veiled(index: int) -> Term:
    """A veiled card, by its number."""
    return card(_VEILED, number(index))


def is_veiled(what: Term) -> bool:
    return bool(what.args) and what.args[0] is _VEILED


def any_veiled(cards: Iterable[Term]) -> bool:
    return any(map(is_veiled, cards))


@dataclass(frozen=True)
class Drew:
    """A card came from the pack to a place; for a veiled card, the generation is that of its pack."""

    time: int
    step: int
    place: Term
    what: Term
    generation: int


@dataclass(frozen=True)
class Came:
    """A card that the player can name came to a hand that the player does not see."""

    time: int
    place: Term
    what: Term


@dataclass(frozen=True)
class Left:
    """A card left a hand; ``expected`` where it was known to be there, as in the player's own."""

    time: int
    place: Term
    what: Term
    expected: bool


@dataclass(frozen=True)
class Crept:
    """A card went from a hidden hand, or to one, and the player does not know which.

    Of a card that left a hand ``how`` still tells something: ``chosen`` among those of a template, the
    ``first`` of the hand that fits one (hands are sorted), or the ``last`` of all.
    """

    time: int
    source: Term
    target: Term
    what: Term
    how: Term | None = None


@dataclass(frozen=True)
class Sifted:
    """Cards left a pile that the player does not see whole, from an unknown position in it.

    ``before`` lay there from the bottom to the top; ``gone`` left (names where the player saw them), ``left``
    are new veils for the rest, which keeps its order. All that ``fit`` left, or one of them that was
    ``chosen``.
    """

    time: int
    target: Term
    before: tuple[Term, ...]
    gone: tuple[Term, ...]
    left: tuple[Term, ...]
    fit: Term
    chosen: bool


@dataclass(frozen=True)
class Tested:
    """The value of an expression over hidden cards became known; ``before`` is the knowledge at that time."""

    time: int
    node: int
    expression: Term
    value: Term
    before: CardPosition


@dataclass(frozen=True)
class Decided:
    """A player chose a card of a place (or passed); ``before`` is the knowledge at that time."""

    time: int
    player: int
    place: Term
    template: Term
    may_pass: bool
    choice: Term
    before: CardPosition


@dataclass(frozen=True)
class Chose:
    """A player chose something that is no card: a bid, a suit, whether to draw; ``before`` as above."""

    time: int
    player: int
    options: tuple[Term, ...]
    choice: Term
    before: CardPosition


@dataclass(frozen=True)
class Turned:
    """A veiled card of a pile turned out to be this one."""

    time: int
    veil: Term
    what: Term


@dataclass(frozen=True)
class Recycled:
    """The pack was used up, and these played cards became a new one."""

    time: int
    cards: tuple[Term, ...]


Happening: TypeAlias = Drew | Came | Left | Crept | Sifted | Tested | Decided | Chose | Turned | Recycled


@dataclass
class Story:
    """All events of a deal: the cards of the pack, and what was seen since."""

    cards: tuple[Term, ...] = ()
    happenings: list[Happening] = field(default_factory=list)
    generation: int = 0
    reading: object = field(default=None, compare=False, repr=False)
    """How far a reader has read, to continue from there; no part of the story."""

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "reading": None}

    @property
    def time(self) -> int:
        return len(self.happenings)

    @property
    def has_unseen_ways(self) -> bool:
        """Whether cards changed their places unseen: then worlds cannot be counted."""
        return any(isinstance(one, Crept | Sifted) for one in self.happenings)

    def add(self, happening: Happening) -> None:
        self.happenings.append(happening)

    def copy(self) -> Story:
        return Story(self.cards, list(self.happenings), self.generation)
