"""Names of a chart: which are variables, and which of these name a player."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ...rules.terms import Pattern
from ..language.language import FUNCTIONS, Type
from ..language.rules import Rules, Statement
from ..language.terms import Term, as_integer, is_string, player_number, subterms
from ..language.types import Types, infer_types, type_of

BUILT_IN = frozenset({"score", "cardsRemaining", "middle", "passed"})
"""Variables of every game; their argument is a player."""

_NUMBERS = frozenset({"numberOfCards", "currentPackIndex"})


@dataclass(frozen=True)
class ChartNames:
    """The vocabulary of one chart."""

    rules: Rules

    @property
    def players(self) -> int:
        return self.rules.players

    @cached_property
    def types(self) -> Types:
        return infer_types(self.rules)

    @cached_property
    def assigned(self) -> frozenset[tuple[str, int]]:
        return frozenset(self.types.of)

    def is_variable(self, term: Term) -> bool:
        """Whether a term is a variable, and not a name that means itself."""
        if not term.args:
            return (term.name, 0) in self.assigned or term.name in _NUMBERS
        if term.name in BUILT_IN:
            return True
        return (term.name, len(term.args)) in self.assigned and term.name not in FUNCTIONS

    def is_value(self, term: Pattern) -> bool:
        """Whether a term is constant: a number, a suit, ``player(0)``, ``card(2,hearts)``."""
        if not isinstance(term, Term):
            return False
        if not term.args:
            return not self.is_variable(term) and not is_string(term)
        if term.name == "player":
            return player_number(term) is not None
        return term.name in ("card", "pile") and all(self.is_value(arg) for arg in term.args)

    def holds_player(self, term: Term) -> bool:
        """Whether the value of a variable is a player."""
        return self.is_variable(term) and type_of(term, self.types) == {Type.PLAYER}

    def holds_number_of_player(self, term: Term) -> bool:
        """Whether the value of a variable is always the number of a player, 0 to one below their count."""
        return self.is_variable(term) and (term.name, len(term.args)) in self._indices

    @cached_property
    def _indices(self) -> frozenset[tuple[str, int]]:
        """The largest set of variables that only get numbers of players, found by removing others."""
        values = self._values()
        found = set(values)
        while True:
            bad = {name for name in found if not all(self._is_index(value, found) for value in values[name])}
            if not bad:
                return frozenset(name for name in found if self._speaks_of_players(name))
            found -= bad

    def _values(self) -> dict[tuple[str, int], list[Term]]:
        """All expressions that are assigned to each variable."""
        found: dict[tuple[str, int], list[Term]] = {}
        for node in self.rules.nodes.values():
            if not isinstance(node, Statement) or node.action.name not in ("assign", "choose"):
                continue
            name, *values = node.action.args if node.action.name == "assign" else node.action.args[1:]
            if isinstance(name, Term) and name.name not in FUNCTIONS:
                found.setdefault((name.name, len(name.args)), []).extend(
                    value for value in values if isinstance(value, Term)
                )
        return found

    def _is_index(self, value: Term, found: set[tuple[str, int]]) -> bool:
        constant = as_integer(value)
        if constant is not None:
            return 0 <= constant < self.players
        if value.name == "playerNumber" or (value.name, len(value.args)) in found:
            return True
        if value.name == "random":
            return self._is_count(value.args[0])
        return value.name == "operation" and str(value.args[0]) == "modulo" and self._is_count(value.args[2])

    def _is_count(self, term: Pattern) -> bool:
        return isinstance(term, Term) and (term.name == "numberOfPlayers" or as_integer(term) == self.players)

    def _speaks_of_players(self, name: tuple[str, int]) -> bool:
        """Whether a variable is used inside ``player(...)``: other small numbers are no players.

        A variable that is only assigned to such a variable counts as well.
        """
        return name in self._inside_player

    @cached_property
    def _inside_player(self) -> frozenset[tuple[str, int]]:
        values = self._values()
        found = {
            (inner.name, len(inner.args))
            for node in self.rules.nodes.values()
            for term in _terms(node)
            for one in subterms(term)
            if one.name == "player" and one.args
            for inner in subterms(one.args[0])
            if inner.name != "player"
        }
        while True:
            more = {
                (inner.name, len(inner.args))
                for name in found & set(values)
                for value in values[name]
                for inner in subterms(value)
                if (inner.name, len(inner.args)) in values
            } - found
            if not more:
                return frozenset(found)
            found |= more


def _terms(node: object) -> list[Term]:
    if isinstance(node, Statement):
        return [node.action]
    condition = getattr(node, "condition", None)
    return [condition] if isinstance(condition, Term) else []
