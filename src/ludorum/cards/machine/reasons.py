"""The reasons why the machine has stopped, and what it needs to go on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from ..language.terms import Term


class Lazy:
    """The answer to NeedShuffle of a host that draws cards when they are needed."""


LAZY: Final = Lazy()


@dataclass(frozen=True)
class NeedRandom:
    """A number from 0 to ``size`` - 1, all as likely."""

    step: int
    size: int


@dataclass(frozen=True)
class NeedShuffle:
    """These cards in a random order, the top first."""

    step: int
    cards: tuple[Term, ...]


@dataclass(frozen=True)
class NeedCard:
    """The card at a place of the pack, one of the undrawn (with repetitions where there are equal cards)."""

    step: int
    place: int
    cards: tuple[Term, ...]


@dataclass(frozen=True)
class NeedMove:
    """A player's choice: cards, ``pass``, or other values. A card must fit ``template``."""

    step: int
    player: int
    options: tuple[Term, ...]
    template: Term | None = None
    may_pass: bool = False


@dataclass(frozen=True)
class Publish:
    """A text for all."""

    step: int
    text: str


@dataclass(frozen=True)
class MaxStep:
    """The allowed number of nodes is done; nothing is missing."""

    step: int


@dataclass(frozen=True)
class Finished:
    """The game is over."""

    step: int


Reason: TypeAlias = NeedRandom | NeedShuffle | NeedCard | NeedMove | Publish | MaxStep | Finished
