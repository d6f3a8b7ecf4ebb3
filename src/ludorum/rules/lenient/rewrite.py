"""The shared walk of the repairs: replace formulas inside rules, make syntax for what is added."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..ruleset import And, Atom, Formula, Not, Or, Rule, Ruleset, signed_atoms
from ..source import Diagnostic, Severity
from ..syntax import Node, NodeKind
from ..terms import Term


def rewrite_atoms(rule: Rule, change: Callable[[Atom], Atom]) -> Rule:
    """The rule with each atom of its body replaced; the very same rule if nothing changes."""
    body = tuple(_rewrite(formula, change) for formula in rule.body)
    if all(new is old for new, old in zip(body, rule.body, strict=True)):
        return rule
    return Rule(rule.head, body, rule.node)


def _rewrite(formula: Formula, change: Callable[[Atom], Atom]) -> Formula:
    match formula:
        case Atom():
            return change(formula)
        case Not(body):
            inner = _rewrite(body, change)
            return formula if inner is body else Not(inner, formula.node)
        case And(parts) | Or(parts):
            made = tuple(_rewrite(part, change) for part in parts)
            if all(new is old for new, old in zip(made, parts, strict=True)):
                return formula
            return And(made, formula.node) if isinstance(formula, And) else Or(made, formula.node)
    return formula


def call_node(name: str, arguments: Iterable[Node], place: Node) -> Node:
    """Syntax for a bracket that was added, at the place of what it was added to."""
    return Node(NodeKind.LIST, place.span, "", (Node(NodeKind.SYMBOL, place.span, name), *arguments))


def note(ruleset: Ruleset, code: str, severity: Severity, node: Node, message: str, hint: str) -> Diagnostic:
    return Diagnostic(f"repaired-{code}", severity, node.span, message, hint, ruleset.source)


class FreshNames:
    """New relation names that no rule of a sheet uses."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._taken = {rule.head.name for rule in ruleset.rules}
        self._taken |= {atom.term.name for rule in ruleset.rules for atom, _ in signed_atoms(rule.body)}
        self._count: dict[str, int] = {}

    def new(self, stem: str) -> str:
        while True:
            self._count[stem] = self._count.get(stem, 0) + 1
            name = f"{stem}_{self._count[stem]}"
            if name not in self._taken:
                self._taken.add(name)
                return name


def fact(term: Term, node: Node) -> Rule:
    return Rule(term, (), node)
