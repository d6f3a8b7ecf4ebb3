"""Arguments of nature's moves that no rule reads: numbers that tell copies of one move apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..rules.ruleset import Rule, Ruleset, formula_variables, is_nature, signed_atoms
from ..rules.terms import Pattern, Signature, Variable, variables_of

DOES = ("does", 2)


class UnreadPlaces:
    """Which arguments of moves no rule reads.

    Read is what a condition ``does`` asks for, but for a variable that stands nowhere else in its rule. Where
    a rule may ask for a move as a whole, everything is read.
    """

    def __init__(self, rules: Ruleset) -> None:
        self._reads_all = DOES in rules.by_signature
        self._unread: dict[Signature, frozenset[int]] = {}
        for rule in rules.rules:
            self._look_at(rule)

    def of(self, form: Signature) -> frozenset[int]:
        """The places that are not read in moves of this form."""
        if self._reads_all:
            return frozenset()
        return self._unread.get(form, frozenset(range(form[1])))

    def _look_at(self, rule: Rule) -> None:
        moves = [
            atom.term.args[1]
            for atom, _ in signed_atoms(rule.body)
            if atom.term.signature == DOES and _may_be_nature(atom.term.args[0])
        ]
        uses = Counter(_variables(rule)) if moves else Counter()
        for move in moves:
            if isinstance(move, Variable):
                self._reads_all |= uses[move] > 1
            else:
                free = (isinstance(arg, Variable) and uses[arg] == 1 for arg in move.args)
                here = frozenset(place for place, is_free in enumerate(free) if is_free)
                self._unread[move.signature] = self._unread.get(move.signature, here) & here


def _may_be_nature(role: Pattern) -> bool:
    return isinstance(role, Variable) or is_nature(role)


def _variables(rule: Rule) -> Iterator[Variable]:
    yield from variables_of(rule.head)
    for formula in rule.body:
        yield from formula_variables(formula)
