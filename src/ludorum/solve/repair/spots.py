"""Every name and variable of a rule's text, with the place in which it stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ...rules.build import CONNECTIVES
from ...rules.lenient.argument_classes import FLUENT, MOVE, ROLE, Place
from ...rules.syntax import Node, NodeKind

Role: TypeAlias = Literal["relation", "function", "constant", "variable", "connective"]

_SAME: dict[Place, Place] = {
    **{("r", keyword, 1, 0): FLUENT for keyword in ("init", "next", "base")},
    **{("r", keyword, 2, 1): MOVE for keyword in ("legal", "input")},
    **{("r", keyword, 2, 0): ROLE for keyword in ("does", "legal", "goal", "sees", "input")},
}


@dataclass(frozen=True)
class NameSpot:
    """A name or variable where it stands."""

    node: Node
    """Its syntax node: the symbol itself, also where it heads a bracket."""
    whole: Node
    """The bracket it heads, or the symbol again."""
    role: Role
    place: Place | None
    """The argument place that the whole fills; none for relations and connectives."""
    in_head: bool
    literal: Node
    """The literal (or head) it stands in."""

    @property
    def text(self) -> str:
        return f"?{self.node.name}" if self.role == "variable" else self.node.name

    @property
    def arity(self) -> int:
        return max(len(self.whole.items) - 1, 0)

    @property
    def filler(self) -> str:
        """The filler of the place: a variable, a constant, or a function with its arity."""
        return f"{self.text}/{self.arity}" if self.role == "function" else self.text


def same_place(place: Place) -> Place:
    """The key of a place: one for `init`, `true` and `next`, one for moves, one for roles."""
    return _SAME.get(place, place)


def spots_of(form: Node) -> Iterator[NameSpot]:
    """The spots of a rule or fact from left to right; what is not shaped like a rule is skipped."""
    if form.kind is NodeKind.LIST and form.head == "<=":
        if len(form.items) > 1:
            yield from _sentence(form.items[1], True)
        for item in form.items[2:]:
            yield from _formula(item)
    else:
        yield from _sentence(form, True)


def _formula(node: Node) -> Iterator[NameSpot]:
    if node.kind is NodeKind.LIST and node.head in CONNECTIVES:
        yield NameSpot(node.items[0], node, "connective", None, False, node)
        for index, item in enumerate(node.items[1:]):
            if node.head == "distinct":
                yield from _term(item, ("r", "distinct", len(node.items) - 1, index), False, node)
            else:
                yield from _formula(item)
    else:
        yield from _sentence(node, False)


def _sentence(node: Node, in_head: bool) -> Iterator[NameSpot]:
    if node.kind is NodeKind.SYMBOL:
        yield NameSpot(node, node, "relation", None, in_head, node)
    elif node.head:
        yield NameSpot(node.items[0], node, "relation", None, in_head, node)
        arity = len(node.items) - 1
        for index, item in enumerate(node.items[1:]):
            yield from _term(item, same_place(("r", node.head, arity, index)), in_head, node)
    elif node.items:  # brackets that begin with a variable or a bracket
        for item in node.items:
            yield from _term(item, None, in_head, node)


def _term(node: Node, place: Place | None, in_head: bool, literal: Node) -> Iterator[NameSpot]:
    if node.kind is NodeKind.VARIABLE:
        yield NameSpot(node, node, "variable", place, in_head, literal)
    elif node.kind is NodeKind.SYMBOL:
        yield NameSpot(node, node, "constant", place, in_head, literal)
    elif node.head:
        yield NameSpot(node.items[0], node, "function", place, in_head, literal)
        arity = len(node.items) - 1
        for index, item in enumerate(node.items[1:]):
            yield from _term(item, ("f", node.head, arity, index), in_head, literal)
    else:
        for item in node.items:
            yield from _term(item, None, in_head, literal)
