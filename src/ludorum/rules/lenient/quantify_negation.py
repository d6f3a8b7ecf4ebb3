"""Read a variable that occurs only under a negation as "there is none".

``(not (true (hand ?p ?card)))`` with ``?card`` nowhere else becomes ``(not (some_1 ?p))`` with the new rule
``(<= (some_1 ?p) (true (hand ?p ?card)))``: what Prolog provers do, written as safe rules.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..binding import bound_by, free_variables, unbound, unbound_uses
from ..quoting import quoted
from ..ruleset import And, Atom, Formula, Not, Or, Rule, Ruleset, formula_variables, variable_span
from ..source import Diagnostic, Severity
from ..syntax import Node, NodeKind
from ..terms import Term, Variable, variables_of
from .rewrite import FreshNames, call_node, note


def quantify_negation(ruleset: Ruleset) -> tuple[Ruleset, list[Diagnostic]]:
    work = _Quantifier(ruleset)
    rules = [made for rule in ruleset.rules for made in work.mend(rule)]
    return (ruleset.with_rules(rules) if work.notes else ruleset), work.notes


class _Quantifier:
    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.notes: list[Diagnostic] = []
        self._names: FreshNames | None = None
        self._known: dict[tuple[Formula, tuple[Variable, ...]], Term] = {}

    def mend(self, rule: Rule) -> Iterator[Rule]:
        """The rule itself, mended if need be, after the rules for the relations it now uses."""
        bound = bound_by(rule.body)
        if not any(True for _ in unbound_uses(rule.body, bound)):
            yield rule
            return
        added: list[Rule] = []
        outside = frozenset(_plain_variables(rule))
        body = tuple(self._mend(formula, rule, outside, added) for formula in rule.body)
        yield from added
        yield Rule(rule.head, body, rule.node) if added or body != rule.body else rule

    def _mend(self, formula: Formula, rule: Rule, outside: frozenset[Variable], added: list[Rule]) -> Formula:
        match formula:
            case Not(body):
                free = [name for name in dict.fromkeys(formula_variables(body)) if name not in outside]
                return self._name(formula, free, rule, outside, added) if free else formula
            case And(parts):
                return And(tuple(self._mend(part, rule, outside, added) for part in parts), formula.node)
            case Or(parts):
                return Or(tuple(self._mend(part, rule, outside, added) for part in parts), formula.node)
        return formula

    def _name(
        self, formula: Not, free: list[Variable], rule: Rule, outside: frozenset[Variable], added: list[Rule]
    ) -> Formula:
        shared = tuple(name for name in dict.fromkeys(formula_variables(formula)) if name in outside)
        head = self._known.get((formula.body, shared))
        if head is None:
            self._names = self._names or FreshNames(self.ruleset)
            head = Term(self._names.new("some"), shared)
            needed = set(unbound(shared, bound_by((formula.body,))))
            made = Rule(head, (*_binders(rule, needed), formula.body), formula.node)
            if free_variables(made):
                return formula
            self._known[formula.body, shared] = head
            added.append(made)
        names = ", ".join(map(str, free[:5]))
        self.notes.append(note(
            self.ruleset, "negation-only-variable", Severity.WARNING,
            Node(NodeKind.VARIABLE, variable_span(formula.node, free[0])),
            f"read as: there is no {quoted(names)} such that {quoted(formula.body)}",
            "give the negated condition a relation of its own, and negate that",
        ))  # fmt: skip
        items = tuple(Node(NodeKind.VARIABLE, formula.node.span, variable.name) for variable in shared)
        place = call_node("not", (call_node(head.name, items, formula.node),), formula.node)
        return Not(Atom(head, place.items[1]), place)


def _plain_variables(rule: Rule) -> Iterator[Variable]:
    """The variables that occur in the head or outside every negation."""
    yield from variables_of(rule.head)
    todo: list[Formula] = list(rule.body)
    while todo:
        formula = todo.pop()
        if isinstance(formula, (And, Or)):
            todo.extend(formula.parts)
        elif not isinstance(formula, Not):
            yield from formula_variables(formula)


def _binders(rule: Rule, needed: set[Variable]) -> list[Formula]:
    """Plain atoms of the rule that bind what the negated formula itself does not."""
    if not needed:
        return []
    return [part for part in rule.body if isinstance(part, Atom) and needed & set(variables_of(part.term))]
