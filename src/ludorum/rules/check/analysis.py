"""The shared analysis of a sheet for all checks, computed once: its rules, their graph, their literals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ..dependencies import Dependencies, Edge
from ..keywords import KEYWORD_ARITIES, KEYWORDS
from ..ruleset import Distinct, Not, Rule, Ruleset, subformulas
from ..source import Diagnostic, Severity, Span
from ..syntax import Node, NodeKind
from ..terms import Pattern, Signature, Term


@dataclass(frozen=True, slots=True)
class Use:
    """A term that stands as a fluent, a move or a percept: ``(true <term>)``, ``(legal ?p <term>)``."""

    keyword: str
    term: Pattern
    node: Node
    rule: Rule
    in_head: bool


class Analysis:
    """One sheet under examination."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    @cached_property
    def dependencies(self) -> Dependencies:
        return Dependencies(self.ruleset)

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Every atom of every body, with its rule and its sign, in text order."""
        return self.dependencies.edges

    @cached_property
    def inner_terms(self) -> list[tuple[Term, Node]]:
        """Every term inside a head, an atom or a comparison, however deep, with its syntax."""
        found: list[tuple[Term, Node]] = []
        for rule in self.ruleset.rules:
            _collect(rule.head, rule.head_node, found)
        for edge in self.edges:
            _collect(edge.atom.term, edge.atom.node, found)
        for comparison, _, _ in self.comparisons:
            _collect(Term("distinct", (comparison.left, comparison.right)), comparison.node, found)
        return found

    @cached_property
    def tokens(self) -> list[tuple[Rule, list[Node]]]:
        """The syntax of each rule in one list; rules that a repair made have none of their own."""
        seen: set[int] = set()
        found: list[tuple[Rule, list[Node]]] = []
        for rule in self.ruleset.rules:
            if id(rule.node) not in seen and rule.node.head != "not":
                seen.add(id(rule.node))
                found.append((rule, flattened(rule.node)))
        return found

    @cached_property
    def comparisons(self) -> list[tuple[Distinct, Rule, Not | None]]:
        """Every ``distinct`` with its rule and the ``not`` right around it, if there is one."""
        found: list[tuple[Distinct, Rule, Not | None]] = []
        for rule in self.ruleset.rules:
            negated: dict[int, Not] = {}
            for formula in subformulas(rule.body):
                if isinstance(formula, Not) and isinstance(formula.body, Distinct):
                    negated[id(formula.body)] = formula
                elif isinstance(formula, Distinct):
                    found.append((formula, rule, negated.get(id(formula))))
        return found

    @cached_property
    def uses(self) -> list[Use]:
        """Fluents, moves and percepts, by the keywords of the right arity around them."""
        found = [
            Use(head.name, head.args[-1], argument_node(rule.head_node, -1), rule, True)
            for rule in self.ruleset.rules
            if _marks(head := rule.head)
        ]
        found += [
            Use(term.name, term.args[-1], argument_node(edge.atom.node, -1), edge.rule, False)
            for edge in self.edges
            if _marks(term := edge.atom.term)
        ]
        return found

    @cached_property
    def made(self) -> dict[str, set[Signature]]:
        """Signatures of the terms each keyword's heads give, by keyword; a variable gives ``ANYTHING``."""
        found: dict[str, set[Signature]] = {}
        for use in self.uses:
            if use.in_head:
                found.setdefault(use.keyword, set()).add(signature_of(use.term))
        return found

    @cached_property
    def fluents(self) -> frozenset[Signature]:
        """Fluents some `init` or `next` makes; ``ANYTHING`` among them if a variable stands there."""
        return frozenset(self.made.get("init", set()) | self.made.get("next", set()))

    @cached_property
    def mentioned(self) -> frozenset[Signature]:
        """The relations bodies mention."""
        return frozenset(edge.body for edge in self.edges)

    def fault(
        self, code: str, severity: Severity, where: Node | Span, message: str, hint: str = ""
    ) -> Diagnostic:
        span = where if isinstance(where, Span) else where.span
        return Diagnostic(code, severity, span, message, hint, self.ruleset.source)

    def line(self, node: Node) -> int:
        return self.ruleset.source.position(node.span.start)[0]


ANYTHING: Signature = ("?", -1)
"""The signature of a variable: any term may stand there."""


def signature_of(pattern: Pattern) -> Signature:
    return pattern.signature if isinstance(pattern, Term) else ANYTHING


def _marks(term: Term) -> bool:
    return term.name in KEYWORDS and term.arity > 0 and KEYWORD_ARITIES[term.name] == term.arity


def argument_node(node: Node, index: int) -> Node:
    """The syntax of an argument (negative: from the end); the whole if the rule was made, not read."""
    if node.kind is not NodeKind.LIST or len(node.items) < 2:
        return node
    arguments = node.items[1:]
    return arguments[index] if -len(arguments) <= index < len(arguments) else node


def _collect(term: Term, node: Node, found: list[tuple[Term, Node]]) -> None:
    items = node.items
    places = items[1:] if len(items) == len(term.args) + 1 else (node,) * len(term.args)
    for arg, place in zip(term.args, places, strict=True):
        if isinstance(arg, Term):
            found.append((arg, place))
            if arg.args:
                _collect(arg, place, found)


def flattened(node: Node) -> list[Node]:
    """A piece of syntax and all inside it from left to right; twice as fast as ``walk``."""
    found: list[Node] = []
    todo = [node]
    while todo:
        node = todo.pop()
        found.append(node)
        if node.items:
            todo.extend(reversed(node.items))
    return found
