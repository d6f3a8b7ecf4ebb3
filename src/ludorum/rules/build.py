"""From syntax to rules: the one place that knows what shape a rule, a literal and a term must have."""

# `return _fault(...)` adds a fault and returns None; mypy would want two lines each time.
# mypy: disable-error-code="func-returns-value"

from __future__ import annotations

from collections.abc import Iterable

from .ruleset import And, Atom, Distinct, Formula, Not, Or, Rule
from .source import Diagnostic, Severity, Source
from .syntax import Node, NodeKind
from .terms import Pattern, Term, Variable

CONNECTIVES = frozenset({"not", "and", "or", "distinct"})
"""Words that join formulas in bodies. Some old sheets use them as functions or facts too: they are read as
such here, and ``check_keyword_misuse`` says what is wrong with that."""


def build_rules(nodes: Iterable[Node], source: Source) -> tuple[list[Rule], list[Diagnostic]]:
    """One rule for each expression of the right shape, and the faults of the others."""
    rules: list[Rule] = []
    faults: list[Diagnostic] = []
    for node in nodes:
        before = len(faults)
        rule = _build_rule(node, source, faults)
        if rule is not None and len(faults) == before:
            rules.append(rule)
    return rules, faults


def _build_rule(node: Node, source: Source, faults: list[Diagnostic]) -> Rule | None:
    if node.kind is NodeKind.LIST and node.head == "<=":
        if len(node.items) < 2:
            return _fault(faults, source, node, "empty-rule", "a rule without a head",
                          "write (<= head body ...)")  # fmt: skip
        head = build_sentence(node.items[1], source, faults)
        body = [build_formula(item, source, faults) for item in node.items[2:]]
        if head is None or any(formula is None for formula in body):
            return None
        return Rule(head, tuple(formula for formula in body if formula is not None), node)
    if node.kind is NodeKind.SYMBOL and node.name == "<=":
        return None  # the reader has reported the missing bracket
    head = build_sentence(node, source, faults)
    return None if head is None else Rule(head, (), node)


def build_formula(node: Node, source: Source, faults: list[Diagnostic]) -> Formula | None:
    """The body literal a piece of syntax writes, or None with a fault added."""
    word = node.head if node.kind is NodeKind.LIST else ""
    if word == "not":
        if len(node.items) != 2:
            return _fault(faults, source, node, "connective-arity",
                          f"`not` takes one literal, here are {len(node.items) - 1}",
                          "write (not literal)")  # fmt: skip
        body = build_formula(node.items[1], source, faults)
        return None if body is None else Not(body, node)
    if word in ("and", "or"):
        if len(node.items) < 2:
            return _fault(faults, source, node, "connective-arity", f"`{word}` without any literal",
                          "remove it, or say what it joins")  # fmt: skip
        parts = [build_formula(item, source, faults) for item in node.items[1:]]
        if any(part is None for part in parts):
            return None
        good = tuple(part for part in parts if part is not None)
        return And(good, node) if word == "and" else Or(good, node)
    if word == "distinct":
        if len(node.items) != 3:
            return _fault(faults, source, node, "connective-arity",
                          f"`distinct` compares two terms, here are {len(node.items) - 1}",
                          "write one (distinct a b) for each pair")  # fmt: skip
        left = build_term(node.items[1], source, faults)
        right = build_term(node.items[2], source, faults)
        return None if left is None or right is None else Distinct(left, right, node)
    sentence = build_sentence(node, source, faults)
    return None if sentence is None else Atom(sentence, node)


def build_sentence(node: Node, source: Source, faults: list[Diagnostic]) -> Term | None:
    """A relation with its arguments: a head, a fact or an atom of a body."""
    if node.kind is NodeKind.VARIABLE:
        return _fault(faults, source, node, "variable-sentence",
                      f"the variable ?{node.name} where a relation is needed",
                      "name the relation, e.g. (true ?x)")  # fmt: skip
    term = build_term(node, source, faults)
    return term if isinstance(term, Term) else None


def build_term(node: Node, source: Source, faults: list[Diagnostic]) -> Pattern | None:
    """The term a piece of syntax writes, or None with a fault added."""
    if node.kind is NodeKind.VARIABLE:
        return Variable(node.name)
    if node.kind is NodeKind.SYMBOL:
        if node.name == "<=":
            return _misplaced_arrow(faults, source, node)
        return Term(node.name)
    if not node.items:
        return _fault(faults, source, node, "empty-list", "empty brackets ()",
                      "remove them or say what they hold")  # fmt: skip
    first = node.items[0]
    if first.kind is not NodeKind.SYMBOL:
        what = "a variable" if first.kind is NodeKind.VARIABLE else "a bracket"
        return _fault(faults, source, node, "list-head", f"brackets that begin with {what} instead of a name",
                      "the first word in brackets names the relation or function")  # fmt: skip
    if first.name == "<=":
        return _misplaced_arrow(faults, source, node)
    args = [build_term(item, source, faults) for item in node.items[1:]]
    if any(arg is None for arg in args):
        return None
    return Term(first.name, tuple(arg for arg in args if arg is not None))


def _misplaced_arrow(faults: list[Diagnostic], source: Source, node: Node) -> None:
    return _fault(faults, source, node, "misplaced-arrow", "`<=` inside a rule or term",
                  "`<=` begins a rule; a closing bracket may be missing before it")  # fmt: skip


def _fault(faults: list[Diagnostic], source: Source, node: Node, code: str, message: str, hint: str) -> None:
    faults.append(Diagnostic(code, Severity.ERROR, node.span, message, hint, source))
