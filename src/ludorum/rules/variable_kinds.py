"""What kind of thing each variable of each rule stands for: a block, a cell, a step of the clock.

Variables belong to their rule, so one name may stand for blocks here and for steps there. That is fine today;
grounders of 2009 gave a name one domain in the whole sheet and failed (asp-player, sections 9.6 and 17.3).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .lenient.argument_classes import ArgumentClasses, Place
from .ruleset import Rule, Ruleset, formula_variables
from .terms import Term, Variable, variables_of


@dataclass(frozen=True)
class KindOfVariable:
    """A variable of a rule, and the class of argument places it stands in."""

    rule: Rule
    variable: Variable
    kind: Place


class VariableKinds:
    """The kinds of a sheet's variables, rule by rule."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._classes = ArgumentClasses(ruleset)
        self.uses = tuple(self._uses(ruleset))

    def things(self, kind: Place) -> list[Term]:
        """The terms that rules put into places of a kind, in text order."""
        return self._classes.terms(kind)

    def have_nothing_in_common(self, one: Place, other: Place) -> bool:
        """Whether both kinds have known terms, and share none."""
        left, right = set(self.things(one)), set(self.things(other))
        return bool(left) and bool(right) and left.isdisjoint(right)

    def _uses(self, ruleset: Ruleset) -> Iterator[KindOfVariable]:
        for rule in ruleset.rules:
            for variable in _variables(rule):
                kind = self._classes.class_of(rule, variable)
                if kind is not None:  # a variable of comparisons only has no place
                    yield KindOfVariable(rule, variable, kind)


def _variables(rule: Rule) -> dict[Variable, None]:
    found = dict.fromkeys(variables_of(rule.head))
    for formula in rule.body:
        found.update(dict.fromkeys(formula_variables(formula)))
    return found
