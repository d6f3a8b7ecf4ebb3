"""Which values an expression can have, where these are few: names of piles must be known beforehand."""

from __future__ import annotations

from collections.abc import Iterable

from ...rules.terms import Pattern
from ..language.language import Type
from ..language.rules import Rules, Statement
from ..language.terms import Term, as_integer, is_string, number, player
from ..language.types import Types, type_of

MOST_VALUES = 64
"""An expression with more values is not followed."""


class PossibleValues:
    """The values of one chart's expressions, from all assignments to its variables."""

    def __init__(self, rules: Rules, types: Types, pack: Iterable[Term]) -> None:
        self._rules, self._types = rules, types
        self._parts = [tuple(dict.fromkeys(card.args[at] for card in pack)) for at in (0, 1)]
        self._assigned = _assigned(rules)

    def of(self, term: Pattern) -> list[Term] | None:
        """All values an expression can have, perhaps more; None where they are unknown or too many."""
        found = self._of(term, frozenset())
        return None if found is None or len(found) > MOST_VALUES else sorted(found, key=str)

    def _of(self, term: Pattern, asked: frozenset[tuple[str, int]]) -> set[Term] | None:
        if not isinstance(term, Term) or is_string(term):
            return None
        if as_integer(term) is not None:
            return {term}
        if type_of(term, self._types) == {Type.PLAYER}:
            return {player(at) for at in range(self._rules.players)}
        key = (term.name, len(term.args))
        if key in self._assigned or key == ("team", 1):
            return self._of_variable(term, key, asked)
        if not term.args:
            return {number(self._rules.players)} if term.name == "numberOfPlayers" else {term}
        if term.name in ("rank", "suit"):
            return {part for part in self._parts[term.name == "suit"] if isinstance(part, Term)}
        if term.name == "range" and len(term.args) == 2:
            return _range(*term.args)
        size = self._size(term)
        return None if size is None else {number(value) for value in range(size)}

    def _of_variable(
        self, term: Term, key: tuple[str, int], asked: frozenset[tuple[str, int]]
    ) -> set[Term] | None:
        """All values assigned to a variable; before, a plain name means itself, and a team is a number."""
        if key in asked:
            return set()  # its values come from its other assignments
        found = {term} if not term.args else set()
        if key == ("team", 1):
            found = {number(at) for at in range(self._rules.players)}
        for value in self._assigned.get(key, ()):
            more = self._of(value, asked | {key})
            if more is None:
                return None
            found |= more
        return found

    def _size(self, term: Term) -> int | None:
        """How many numbers from 0 on an expression can be: a remainder, or a random number."""
        if term.name == "playerNumber":
            return self._rules.players
        counted = None
        if term.name == "random":
            counted = term.args[0]
        elif term.name == "operation" and str(term.args[0]) == "modulo":
            counted = term.args[2]
        if isinstance(counted, Term) and counted.name == "numberOfPlayers":
            return self._rules.players
        size = None if not isinstance(counted, Term) else as_integer(counted)
        return size if size is not None and 0 < size <= MOST_VALUES else None


def _range(least: Pattern, most: Pattern) -> set[Term] | None:
    bounds = [as_integer(one) if isinstance(one, Term) else None for one in (least, most)]
    if bounds[0] is None or bounds[1] is None or bounds[1] - bounds[0] > MOST_VALUES:
        return None
    return {number(value) for value in range(bounds[0], bounds[1] + 1)}


def _assigned(rules: Rules) -> dict[tuple[str, int], list[Term]]:
    found: dict[tuple[str, int], list[Term]] = {}
    for node in rules.nodes.values():
        if not isinstance(node, Statement) or node.action.name not in ("assign", "choose"):
            continue
        name, *values = node.action.args if node.action.name == "assign" else node.action.args[1:]
        if isinstance(name, Term):
            found.setdefault((name.name, len(name.args)), []).extend(
                value for value in values if isinstance(value, Term)
            )
    return found
