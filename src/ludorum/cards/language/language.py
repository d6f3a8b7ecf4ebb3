"""The words of flow charts: statements, functions and built-in names, with the types of their arguments.

One table for reader, checker, machine and manual. Words beyond the first description of the language (several
packs, piles, choices that are no cards) are marked as extensions; old charts do not have them and mean what
they meant.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Type(Enum):
    """The types of values."""

    INTEGER = "whole number"
    BOOLEAN = "true or false"
    RANK = "rank"
    SUIT = "suit"
    CARD = "card"
    PLAYER = "player"
    TEMPLATE = "card template"
    PLACE = "place for cards"
    NAME = "name of a variable"
    STRING = "text"
    VALUE = "value"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Word:
    """A statement or a function: its arguments, how many of them may be left out, and its type."""

    takes: tuple[Type, ...] = ()
    gives: Type | None = None
    optional: int = 0
    more: bool = False  # the last argument may come several times
    extension: bool = False

    def fits(self, arguments: int) -> bool:
        least = len(self.takes) - self.optional
        return arguments >= least and (self.more or arguments <= len(self.takes))

    @property
    def arguments(self) -> str:
        """The number of arguments in words, for messages."""
        least, most = len(self.takes) - self.optional, len(self.takes)
        if self.more:
            return f"at least {least}"
        return str(most) if least == most else f"{least} to {most}"


_I, _B, _C, _P, _T, _L, _N, _V = (
    Type.INTEGER,
    Type.BOOLEAN,
    Type.CARD,
    Type.PLAYER,
    Type.TEMPLATE,
    Type.PLACE,
    Type.NAME,
    Type.VALUE,
)

STATEMENTS: dict[str, Word] = {
    "assign": Word((_N, _V)),
    "publish": Word((Type.STRING,)),
    "Shuffle": Word(),
    "Deal": Word((_I,)),
    "Stack.empty": Word(),
    "playCard": Word((_P, _T)),
    "playCardOrPass": Word((_P, _T)),
    "pickUp": Word((_P, _I)),
    # Packs that are not the usual one.
    "Pack.use": Word((_T, _I), optional=1, extension=True),
    "Pack.add": Word((_T, _I), optional=1, extension=True),
    "Pack.remove": Word((_T,), extension=True),
    # Piles, melds, captures.
    "move": Word((_L, _L, _I), extension=True),
    "moveAll": Word((_L, _L, _T), optional=1, extension=True),
    "chooseCard": Word((_P, _L, _L, _T), extension=True),
    "chooseCardOrPass": Word((_P, _L, _L, _T), extension=True),
    "Pile.open": Word((_N,), extension=True),
    "Pile.closed": Word((_N,), extension=True),
    "Pile.private": Word((_N,), extension=True),
    # Bids, trumps that are called, other choices that are no cards.
    "choose": Word((_P, _N, _V), more=True, extension=True),
}

FUNCTIONS: dict[str, Word] = {
    "player": Word((_I,), _P),
    "playerNumber": Word((_P,), _I),
    "card": Word((_V, _V), _T),
    "union": Word((_T, _T), _T),
    "suit": Word((_V,), Type.SUIT),
    "rank": Word((_C,), Type.RANK),
    "rankValue": Word((_V,), _I),
    "random": Word((_I,), _I),
    "playerHas": Word((_P, _T), _B),
    "cardInstanceOf": Word((_C, _T), _B),
    "score": Word((_P,), _I),
    "cardsRemaining": Word((_P,), _I),
    "middle": Word((_P,), _C),
    "passed": Word((_P,), _B),
    "equal": Word((_V, _V), _B),
    "lessThan": Word((_I, _I), _B),
    "greaterThan": Word((_I, _I), _B),
    "neg": Word((_B,), _B),
    "operation": Word((_V, _V, _V), _V),
    "abs": Word((_I,), _I, extension=True),
    "min": Word((_I, _I), _I, extension=True),
    "max": Word((_I, _I), _I, extension=True),
    "nextPlayer": Word((_P,), _P, extension=True),
    "team": Word((_P,), _I, extension=True),
    "pointValue": Word((_V,), _I, extension=True),
    "hand": Word((_P,), _L, extension=True),
    "pile": Word((_V, _V), _L, optional=1, extension=True),
    "range": Word((_I, _I), _V, extension=True),
    "cards": Word((_L,), _I, extension=True),
    "count": Word((_L, _T), _I, extension=True),
    "has": Word((_L, _T), _B, extension=True),
    "top": Word((_L,), _C, extension=True),
    "total": Word((_L,), _I, extension=True),
    "sameRank": Word((_L,), _I, extension=True),
    "runLength": Word((_L,), _I, extension=True),
    "deadwood": Word((_L,), _I, extension=True),
}

HIDDEN_FUNCTIONS = frozenset({"playerHas"})
"""Functions whose value depends on a hand."""

PLACE_FUNCTIONS = frozenset({"count", "has", "top", "total", "sameRank", "runLength", "deadwood"})
"""Functions whose value depends on a place, which may be hidden; the number of cards is never hidden."""

PLACES = ("pack", "stack", "discard")
"""Places with a name of their own; others are ``hand(player)`` and ``pile(name)``, ``pile(name,player)``."""

CONSTANTS = frozenset(
    {
        "any",
        "empty",
        "true",
        "false",
        "clubs",
        "diamonds",
        "hearts",
        "spades",
        "jack",
        "queen",
        "king",
        "ace",
        "joker",
    }
    | set(PLACES)
)
"""Names that always mean themselves."""

READ_ONLY = frozenset(
    {"numberOfPlayers", "numberOfCards", "currentPackIndex", "cardsRemaining", "middle", "passed", "me"}
)
"""Built-in variables that only the game changes."""

SEATS = frozenset({"me", "otherPlayer", "myCard", "otherCard"})
"""The analysis' names of players and cards as one player sees them: no chart may use them."""

ASSIGNABLE = frozenset({"score", "team", "rankValue", "pointValue", "recycle", "decisionLimit"})
"""Built-in names that a chart may change."""

DECISIONS = frozenset({"playCard", "playCardOrPass", "chooseCard", "chooseCardOrPass", "choose"})
"""Statements at which a player is asked."""
