"""An open bracket of Prolog text: it collects literals joined by ``,`` and alternatives joined by ``;``."""

from __future__ import annotations

from dataclasses import dataclass, field

from .source import Span
from .syntax import Node, NodeKind


@dataclass(slots=True)
class PrologFrame:
    """An open bracket, or the clause itself, and what stands in it so far."""

    start: int
    functor: Node | None = None
    arguments: list[Node] = field(default_factory=list)
    alternatives: list[Node] = field(default_factory=list)
    literals: list[Node] = field(default_factory=list)
    negations: list[Span] = field(default_factory=list)
    left: Node | None = None
    value: Node | None = None
    began: int = -1
    """The token with which the current literal began."""
    comma: Span | None = None
    semicolon: Span | None = None
    unequal: Span | None = None

    @property
    def is_empty(self) -> bool:
        return not (self.arguments or self.alternatives or self.literals or self.negations or self.left)

    def close_literal(self) -> None:
        node = self.value
        assert node is not None
        if self.left is not None and self.unequal is not None:
            node = _joined("distinct", self.unequal, [self.left, node])
        for span in reversed(self.negations):
            inner = Span(span.start, node.span.end)
            node = Node(NodeKind.LIST, inner, "", (Node(NodeKind.SYMBOL, span, "not"), node))
        self.literals.append(node)
        self.negations = []
        self.left = self.value = self.unequal = None
        self.began = -1

    def close_alternative(self) -> None:
        self.close_literal()
        if len(self.literals) > 1 and self.comma is not None:
            self.literals = [_joined("and", self.comma, self.literals)]
        self.alternatives += self.literals
        self.literals = []
        self.comma = None

    def close_expression(self, around: Span | None = None) -> Node:
        """Everything joined by commas and semicolons, as one node."""
        joined = bool(self.literals or self.alternatives)
        self.close_alternative()
        parts, self.alternatives = self.alternatives, []
        node = parts[0] if self.semicolon is None else _joined("or", self.semicolon, parts)
        self.semicolon = None
        return Node(node.kind, around, node.name, node.items) if joined and around else node


def _joined(word: str, span: Span, parts: list[Node]) -> Node:
    whole = Span(parts[0].span.start, parts[-1].span.end)
    return Node(NodeKind.LIST, whole, "", (Node(NodeKind.SYMBOL, span, word), *parts))
