"""Players and cards as conditions name them: seen from one player's seat.

``me`` is that player and ``myCard`` the card that I play; with two players the other is ``otherPlayer`` with
``otherCard``, with more the k-th after me is ``otherPlayer(k)`` with ``otherCard(k)``. Where a player plays
several cards in a pass, the further ones are ``myCard(2)`` and ``otherCard(k,2)``.
"""

from __future__ import annotations

from functools import lru_cache

from ...rules.terms import Pattern
from ..language.terms import Term, as_integer, number, player, player_number
from .symbolic import PLAYED

ME, MY_CARD = Term("me"), Term("myCard")


def player_symbol(seat: int, players: int) -> Term:
    """The name of the player so many seats after me."""
    if seat == 0:
        return ME
    return Term("otherPlayer") if players == 2 else Term("otherPlayer", (number(seat),))


def card_symbol(seat: int, count: int, players: int) -> Term:
    """The name of the card that this player plays as the first, second, ... of a pass."""
    further = () if count == 1 else (number(count),)
    if seat == 0:
        return Term("myCard", further)
    if players == 2 and count == 1:
        return Term("otherCard")
    return Term("otherCard", (number(seat), *further))


@lru_cache(maxsize=1 << 16)
def seen_from(term: Term, me: int, players: int) -> Term:
    """A term about players by number, as one of them sees it."""
    if term.name == PLAYED and len(term.args) == 2:
        who, count = player_number(term.args[0]), as_integer(term.args[1])
        assert who is not None
        assert count is not None
        return card_symbol((who - me) % players, count, players)
    index = player_number(term)
    if index is not None:
        return player_symbol((index - me) % players, players)
    if not term.args:
        return term
    return Term(term.name, tuple(seen_from(arg, me, players) for arg in term.args if isinstance(arg, Term)))


def seat_of(term: Pattern) -> int | None:
    """The seat, counted from me, of the player that a name stands for; None for everything else."""
    if not isinstance(term, Term):
        return None
    if term is ME:
        return 0
    if term.name != "otherPlayer":
        return None
    return as_integer(term.args[0]) if term.args else 1


@lru_cache(maxsize=1 << 16)
def by_number(term: Term, me: int, players: int) -> Term:
    """The opposite of ``seen_from`` for players: ``score(me)`` is ``score(player(1))`` for player 1."""
    seat = seat_of(term)
    if seat is not None:
        return player((me + seat) % players)
    if not term.args:
        return term
    return Term(term.name, tuple(by_number(arg, me, players) for arg in term.args if isinstance(arg, Term)))
