"""Values as numbers: the lowest three bits are the kind, the others the value.

Whole numbers (and the ranks 2 to 10) are kind 0, players 1, cards 2, everything else 4: a name by its place
in a table.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..language.deck import counted, standard_pack
from ..language.terms import ANY, EMPTY, FALSE, TRUE, Term, as_integer, is_card, number, player, player_number

NUMBER, PLAYER, CARD, NAME = 0, 1, 2, 4
ANYTHING, FIRST_PLAYER, FIRST_NAME = 160, 64, 70
"""Slots of a variable whose argument may be anything, and where players and names begin among them."""
UNSET = -(2**31)
"""In a slot without an assigned value; no value has this code."""


class Codes:
    """The codes of one game's values, and of its cards: physical ones by number, equal ones of one kind."""

    def __init__(self, composition: Iterable[Term] = standard_pack()) -> None:
        self.names: dict[Term, int] = {}
        for fixed in (FALSE, TRUE, EMPTY, ANY):
            self.name(fixed)
        self.kinds: list[Term] = []
        self.kind_of: list[int] = []  # by physical card
        for card, count in counted(composition):
            self.kind_of += [len(self.kinds)] * count
            self.kinds.append(card)
        self._kind_numbers = {card: at for at, card in enumerate(self.kinds)}
        for card in self.kinds:
            for part in card.args:
                assert isinstance(part, Term)
                self.code(part)

    def name(self, term: Term) -> int:
        """The code of a name; a new name is added to the table."""
        return self.names.setdefault(term, len(self.names)) << 3 | NAME

    def code(self, term: Term) -> int:
        """The code of any value; ValueError for cards that are not in the pack."""
        value = as_integer(term)
        if value is not None:
            if abs(value) >= 2**27:
                raise ValueError(f"{value} is too large")
            return value << 3
        who = player_number(term)
        if who is not None:
            return who << 3 | PLAYER
        if is_card(term):
            if term not in self._kind_numbers:
                raise ValueError(f"{term} is not in the pack")
            return self._kind_numbers[term] << 3 | CARD
        if term.args:
            raise ValueError(f"{term} is no simple value")
        return self.name(term)

    def part(self, term: Term, at: int) -> int:
        """The code of an argument: the rank or the suit of a card."""
        found = term.args[at]
        assert isinstance(found, Term)
        return self.code(found)

    def index(self, term: Term, size: int) -> int:
        """The slot of a variable's argument among the slots of the variable."""
        code = self.code(term)
        kind, what = code & 7, code >> 3
        if size == ANYTHING and kind != NUMBER:
            what += FIRST_PLAYER if kind == PLAYER else FIRST_NAME
        return what

    def index_term(self, at: int, size: int, is_player: bool) -> Term:
        """The argument of a slot; the twin of ``index``."""
        if size == ANYTHING and at >= FIRST_NAME:
            names = list(self.names)
            return names[at - FIRST_NAME] if at - FIRST_NAME < len(names) else EMPTY
        if size == ANYTHING and at >= FIRST_PLAYER:
            return player(at - FIRST_PLAYER)
        return player(at) if is_player else number(at)

    def term(self, code: int) -> Term:
        """The value of a code; the twin of ``code``."""
        kind, what = code & 7, code >> 3
        if kind == NUMBER:
            return number(what)
        if kind == PLAYER:
            return player(what)
        if kind == CARD:
            return self.kinds[what]
        return list(self.names)[what]
