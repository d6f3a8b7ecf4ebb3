"""Symbolic positions: players are concrete, cards and most values are names.

A value is a term over the values at the start: after ``score(p)=score(p)+1`` the score of ``p`` is
``score(p)+1``. Where a value must be known, mostly a player, an exception names it; the walk then goes on
with every possible value.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

from ...rules.terms import Pattern
from ..language.terms import (
    COMPARISONS,
    FALSE,
    TRUE,
    Term,
    as_integer,
    is_string,
    number,
    operation,
    player,
    player_number,
    subterms,
)
from .closure import Closure
from .contents import Contents, evaluate_place_word
from .linear import Sum, as_sum, as_term
from .names import BUILT_IN, ChartNames
from .needs import NeedPlayer, NeedTruth, NoValue
from .simplify import conjuncts, fold, is_operation

# Names that no chart can write: a variable ``played`` of a chart is something else.
PLAYED = "played'"
"""``played'(player(0),1)``: the first card that player 0 plays in this pass."""

LATER = "later'"
"""``later'(playerHas(p,t),1)``: the same of a hand that has changed once since the start of the pass."""

DRAWN, CHOSEN, UNKNOWN = "drawn'", "chosen'", "unknown'"
UNFORESEEN = frozenset({DRAWN, CHOSEN, UNKNOWN})
_OF_HANDS = frozenset({"playerHas"})


@lru_cache(maxsize=1 << 14)
def is_foreseen(condition: Term) -> bool:
    """Whether a condition can be evaluated when a pass begins; chance and later hands cannot."""
    words = (*UNFORESEEN, LATER)
    return not any(one.name in words for one in subterms(condition))


def _whose(term: Term) -> Term:
    who = term.args[0]
    assert isinstance(who, Term)
    return who


@dataclass(frozen=True)
class Role:
    """A variable that names a player, as a condition has it, and the number of that player."""

    term: Term
    who: int


@dataclass
class SymbolicState:
    """One moment of a path through the chart."""

    names: ChartNames
    node: int
    initial: dict[Term, Term] = field(default_factory=dict)
    variables: dict[Term, Term] = field(default_factory=dict)
    remainders: dict[tuple[Term, int], int] = field(default_factory=dict)
    places: dict[Term, Contents] = field(default_factory=dict)
    first_places: dict[Term, Contents] = field(default_factory=dict)
    hand_changes: dict[Term, int] = field(default_factory=dict)
    conditions: tuple[Term, ...] = ()
    roles: tuple[Role, ...] = ()
    repeated_roles: tuple[Role, ...] = ()
    sources: dict[Term, Term] = field(default_factory=dict)
    cards: tuple[tuple[Term, bool], ...] = ()
    one_leader: bool = False
    leaves: bool = False
    """Whether the path has left the main loop."""
    path: str = ""
    steps: int = 0
    undecided: dict[int, int] = field(default_factory=dict)

    def copy(self) -> SymbolicState:
        return replace(
            self,
            initial=dict(self.initial),
            variables=dict(self.variables),
            remainders=dict(self.remainders),
            places=dict(self.places),
            sources=dict(self.sources),
            undecided=dict(self.undecided),
            hand_changes=dict(self.hand_changes),
        )

    # Values.

    def value(self, name: Term) -> Term:
        """The value of a variable whose arguments are values."""
        found = self.variables.get(name)
        return self.initial.get(name, name) if found is None else found

    def evaluate(self, term: Pattern) -> Term:
        """An expression of the chart over the values at the start."""
        return self._evaluate(term, now=True)

    def at_start(self, term: Pattern) -> Term:
        """An expression over the values at the start, with what has become known of them."""
        return self._evaluate(term, now=False)

    def truth(self, condition: Pattern) -> Term:
        """A condition; true or false where that follows from the conditions of the path so far."""
        return Closure(self.names, self.conditions).decide(self.evaluate(condition))

    def who(self, term: Pattern) -> int:
        """The number of the player that an expression means."""
        value = self.evaluate(term)
        index = player_number(value)
        if index is None:
            raise NeedPlayer(value, as_number=False)
        return index

    def contents(self, place: Term, now: bool = True) -> Contents:
        found = self.places.get(place) if now else self.first_places.get(place)
        return Contents(Term("cards", (place,))) if found is None else found

    # Changes.

    def assume(self, condition: Term) -> SymbolicState | None:
        """The state with one more condition; None where that contradicts the others."""
        found = self.copy()
        parts = list(found.conditions)
        for part in conjuncts(condition):
            decided = Closure(self.names, parts).decide(part)
            if decided is FALSE:
                return None
            if decided is not TRUE:
                parts.append(part)
        found.conditions = tuple(parts)
        return found

    def with_player(self, need: NeedPlayer) -> list[SymbolicState]:
        """States for all players that may be meant, each with the condition that names the player."""
        term, as_number = self._unknown_in(need.term, need.as_number)
        role = Term("player", (term,)) if as_number else term
        if is_operation(term, "modulo") and as_number:
            found = self._with_remainder(term, role)
            if found is not None:
                return found
        # A number that no variable holds is remembered by the player that it means.
        by_role = as_number and not self._is_name(term)
        if (role if by_role else term) in self.initial:
            raise NoValue(f"which player {need.term} is cannot be told")
        states = []
        for index in self._seats():
            one = self.copy()
            if by_role:
                one.initial[role] = player(index)
            else:
                one.initial[term] = number(index) if as_number else player(index)
            one.roles += (Role(role, index),)
            states.append(one._again())
        return [one for one in states if one is not None]

    def _is_name(self, term: Term) -> bool:
        """Whether ``initial`` is asked for the value of a term itself."""
        return self.names.is_variable(term) or term.name in UNFORESEEN

    def _seats(self) -> range:
        """Players that may be meant first; where all seats are alike the first one is enough."""
        return range(1 if self.one_leader and not self.roles else self.names.players)

    def _with_remainder(self, term: Term, role: Term) -> list[SymbolicState] | None:
        """States for every remainder of a counter that determines the player to move.

        None where the remainder is known already, and does not determine the player.
        """
        _, counter, divisor = term.args
        size = as_integer(divisor)
        assert isinstance(counter, Term)
        if size != self.names.players or (counter, size) in self.remainders:
            return None
        states = []
        for index in self._seats():
            found = self.copy()
            found.remainders[counter, size] = index
            found.roles += (Role(role, index),)
            states.append(found._again())
        return [one for one in states if one is not None]

    def _unknown_in(self, term: Term, as_number: bool) -> tuple[Term, bool]:
        """The term that must be known to know a player: a variable, a counter's remainder, or all of it."""
        names = self.names
        for part in _open_parts(term):
            if names.holds_number_of_player(part):
                return part, True
            if names.holds_player(part):
                return part, False
        if is_operation(term, "modulo"):
            _, left, right = term.args
            size = as_integer(right)
            parts = as_sum(left).parts
            if size == names.players and parts:
                return operation("modulo", parts[0][0], number(size)), True
        if as_number or self._is_name(term):
            return term, as_number
        raise NoValue(f"which player {term} is cannot be told")

    def _again(self) -> SymbolicState | None:
        """Simplify everything again, now that more is known; None where a condition cannot hold."""
        try:
            self.variables = {name: self._refined(value) for name, value in self.variables.items()}
            self.places = {
                place: replace(one, count=self._refined(one.count)) for place, one in self.places.items()
            }
            refined = [self._refined(condition) for condition in self.conditions]
        except NoValue:
            return None  # the game would have stopped with an error on this path
        self.conditions = ()
        state: SymbolicState | None = self
        for condition in refined:
            assert state is not None
            state = state.assume(condition)
            if state is None:
                return None
        return state

    def _refined(self, term: Term) -> Term:
        """A term over the start with what has become known since; unchanged where more must be known."""
        try:
            return self.at_start(term)
        except (NeedPlayer, NeedTruth):
            return term

    # Evaluation.

    def _evaluate(self, term: Pattern, now: bool) -> Term:
        assert isinstance(term, Term)
        if as_integer(term) is not None or is_string(term):
            return term
        if term.name == "numberOfPlayers":
            return number(self.names.players)
        if term.name == PLAYED:
            return term
        if term.name in UNFORESEEN:
            return self._opaque(term)  # it is a label: two that are equal now are still two
        if is_operation(term, "add", "subtract", "modulo", "multiply", "divide", "and", "or"):
            return self._operation(term, now)
        args = tuple(self._evaluate(arg, now) for arg in term.args)
        if term.name == "player":
            return self._player(args[0])
        if self.names.is_variable(term):
            name = self.name_of(Term(term.name, args))
            return self.value(name) if now else self.initial.get(name, name)
        if term.name in ("hand", "pile"):
            return self.name_of(Term(term.name, args))
        if term.name in ("playerHas", "playerNumber", "nextPlayer") and player_number(args[0]) is None:
            raise NeedPlayer(args[0], as_number=False)
        if term.name in COMPARISONS:
            self._ask_who(args)
        if term.name in _PLACE_WORDS:
            return evaluate_place_word(self, term.name, args, now)
        if term.name in ("rankValue", "pointValue"):
            return self._worth(term.name, args[0])
        if term.name == "team":
            return self._team(args[0])
        if term.name == "random":
            return self._opaque(Term(DRAWN, (args[0], number(self.steps))))
        if term.name in _OF_HANDS and now:
            return self._of_hand(fold(term.name, args, self.names))
        return fold(term.name, args, self.names)

    def _opaque(self, term: Term) -> Term:
        """A value that only the game shows, unless it has been asked for."""
        return self.initial.get(term, term)

    def _of_hand(self, term: Term) -> Term:
        """Mark a statement about a hand that has changed since the start: it is about another hand."""
        changes = self.hand_changes.get(_whose(term), 0)
        return term if changes == 0 else Term(LATER, (term, number(changes)))

    def _operation(self, term: Term, now: bool) -> Term:
        sign = term.args[0]
        assert isinstance(sign, Term)
        left, right = (self._evaluate(arg, now) for arg in term.args[1:])
        if sign.name == "modulo":
            left = self._reduced(left, right)
        return fold("operation", (sign, left, right), self.names)

    def _reduced(self, left: Term, right: Term) -> Term:
        """The remainder of a sum, with the known remainders of its parts."""
        size = as_integer(right)
        if size is None or not self.remainders:
            return left
        total = as_sum(left)
        found = Sum(total.constant)
        for part, count in total.parts:
            known = self.remainders.get((part, size))
            found = found.plus(Sum(0, ((part, count),)) if known is None else Sum(known * count))
        return as_term(found)

    def _player(self, index: Term) -> Term:
        value = as_integer(index)
        if value is None:
            known = self.initial.get(Term("player", (index,)))
            if known is not None:
                return known
            raise NeedPlayer(index, as_number=True)
        if not 0 <= value < self.names.players:
            raise NoValue(f"there is no player({value})")
        return player(value)

    def name_of(self, name: Term) -> Term:
        """A variable with players known in its arguments: no other player's score is meant.

        Only the first argument of a built-in is a player: ``passed(player(0),2)`` is the second decision of
        player 0 in this pass.
        """
        if name.name in BUILT_IN and player_number(name.args[0]) is None:
            raise NeedPlayer(_whose(name), as_number=False)
        for arg in name.args:
            assert isinstance(arg, Term)
            if self.names.holds_player(arg):
                raise NeedPlayer(arg, as_number=False)
            if self.names.holds_number_of_player(arg):
                raise NeedPlayer(arg, as_number=True)
        return name

    def _ask_who(self, args: tuple[Term, ...]) -> None:
        """``leader==0`` asks about a player, and seats are counted from me: the leader must be known."""
        for one, other in (args, args[::-1]):
            if as_integer(one) is not None and self.names.holds_number_of_player(other):
                raise NeedPlayer(other, as_number=True)

    def _worth(self, name: str, what: Term) -> Term:
        """The points that a chart has assigned to a rank, a suit or a card before the game."""
        for part in (what, *what.args) if what.name == "card" else (what,):
            found = self.value(Term(name, (part,))) if isinstance(part, Term) else None
            if found is not None and found.name != name:
                return found
        return fold(name, (what,), self.names)

    def _team(self, who: Term) -> Term:
        index = player_number(who)
        if index is None:
            raise NeedPlayer(who, as_number=False)
        found = self.value(Term("team", (who,)))
        return number(index) if found.name == "team" else found


def _open_parts(term: Term) -> list[Term]:
    """A term and all terms inside it, except labels of choices and drawings."""
    found = [term]
    for inner in found:
        if inner.name not in UNFORESEEN:
            found.extend(arg for arg in inner.args if isinstance(arg, Term))
    return found


_PLACE_WORDS = frozenset({"cards", "count", "has", "top", "total", "sameRank", "runLength", "deadwood"})
