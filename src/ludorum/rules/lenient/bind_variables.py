"""Bind head variables that no condition binds: a role by ``(role ?p)``, others by their known values.

``(<= (legal ?p noop) (not (true (control ?p))))`` means every role, and official GDL-II sheets write it so.
A variable in any other place takes the constants that rules put into the same kind of place.
"""

from __future__ import annotations

from ..binding import free_variables
from ..keywords import HINTS
from ..quoting import quoted
from ..ruleset import Atom, Rule, Ruleset, variable_span
from ..source import Diagnostic, Severity
from ..syntax import Node, NodeKind
from ..terms import Term, Variable
from .argument_classes import ArgumentClasses, Place
from .rewrite import FreshNames, call_node, fact, note

MAX_VALUES = 1000
"""Most values a variable is bound to: with more, the repaired rule could overload the grounder."""

MAX_ROWS = 100_000
"""Most combinations of values one rule is given."""

MAX_FREE = 50
"""Most variables bound in one rule; a rule with more is no slip."""

ROLE_FIRST = frozenset({"legal", "goal", "sees"})


def bind_variables(ruleset: Ruleset) -> tuple[Ruleset, list[Diagnostic]]:
    faulty = {
        id(rule): free
        for rule in ruleset.rules
        if rule.head.name not in HINTS and (free := free_variables(rule))
    }
    if not faulty:
        return ruleset, []
    work = _Binder(ruleset)
    rules = [work.bind(rule, faulty[id(rule)]) if id(rule) in faulty else rule for rule in ruleset.rules]
    return (ruleset.with_rules([*rules, *work.added]) if work.notes else ruleset), work.notes


class _Binder:
    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.notes: list[Diagnostic] = []
        self.added: list[Rule] = []
        self._classes = ArgumentClasses(ruleset)
        self._names = FreshNames(ruleset)
        self._domains: dict[Place, tuple[str, int] | None] = {}

    def bind(self, rule: Rule, free: list[Variable]) -> Rule:
        """The rule with a condition for each free variable, or as it was if one has no known values."""
        if len(free) > MAX_FREE:
            return rule
        conditions: list[Atom] = []
        notes: list[Diagnostic] = []
        rows = 1
        for variable in free:
            span = variable_span(rule.node, variable)
            place = Node(NodeKind.VARIABLE, span, variable.name)
            relation, size, values = self._domain(rule, variable)
            rows *= size
            if relation is None or rows > MAX_ROWS:
                return rule
            code = "role-variable" if relation == "role" else "unbound-variable"
            conditions.append(Atom(Term(relation, (variable,)), call_node(relation, (place,), place)))
            notes.append(note(
                self.ruleset, code, Severity.WARNING, place,
                f"{quoted(str(variable))} is bound by no condition; read as {values}",
                f"add a condition that binds it, such as (role {quoted(str(variable))})",
            ))  # fmt: skip
        self.notes += notes
        return Rule(rule.head, (*conditions, *rule.body), rule.node)

    def _domain(self, rule: Rule, variable: Variable) -> tuple[str | None, int, str]:
        if rule.head.name in ROLE_FIRST and rule.head.args and rule.head.args[0] is variable:
            return "role", 1, "any role"
        place = self._classes.class_of(rule, variable)
        if place is None:
            return None, 0, ""
        if self._classes.is_role(place) and set(self._classes.terms(place)) <= set(self.ruleset.roles):
            return "role", 1, "any role"
        if place not in self._domains:
            self._domains[place] = self._write_down(place, rule)
        made = self._domains[place]
        return (None, 0, "") if made is None else (made[0], made[1], f"any of {made[1]} known values")

    def _write_down(self, place: Place, rule: Rule) -> tuple[str, int] | None:
        """Facts that list the values of a class; None if they cannot be listed."""
        values = self._classes.terms(place)
        if not 0 < len(values) <= MAX_VALUES or not all(value.is_ground for value in values):
            return None
        name = self._names.new("value")
        self.added += [fact(Term(name, (value,)), rule.node) for value in values]
        return name, len(values)
