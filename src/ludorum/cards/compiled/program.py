"""The program of the machine in ``_core``: numbers, and what they mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..language.deck import point_value, rank_value
from ..language.language import Type
from ..language.rules import ChoiceNode, Node, Rules, Statement, reachable
from ..language.terms import Term
from ..machine.machine import Machine
from ..machine.reasons import LAZY, NeedCard, NeedMove, NeedRandom, NeedShuffle, Publish
from .codes import UNSET, Codes

BOTTOM = Term("pack", (Term("bottom"),))
"""The place of cards that went back below the pack, which lie there in their order."""


class NotCompiled(Exception):
    """A chart that has no bytecode, and why."""


@dataclass
class Program:
    """The numbers the machine runs, and what they mean."""

    rules: Rules
    codes: Codes
    code: list[int] = field(default_factory=list)
    addresses: dict[int, int] = field(default_factory=dict)  # by node
    slots: dict[tuple[str, int], tuple[int, int, Type]] = field(
        default_factory=dict
    )  # begin, size, kind of index
    initial: list[int] = field(default_factory=list)  # of the slots
    places: dict[Term, int] = field(default_factory=dict)
    named_piles: dict[Term, list[Term]] = field(default_factory=dict)
    """Piles whose names are computed in the game, with all possible names of each."""
    templates: dict[tuple[str, int], tuple[int, int]] = field(default_factory=dict)  # begin, size
    expressions: dict[Term, int] = field(default_factory=dict)
    """Addresses of expressions that are evaluated besides the rules."""

    @property
    def players(self) -> int:
        return self.rules.players


def composition_of(rules: Rules) -> tuple[Term, ...]:
    """The pack of a chart, as it is when it is shuffled first; it must not change later."""
    machine = Machine(rules)
    position = machine.start()
    while True:
        position, reason = machine.advance(position)
        match reason:
            case NeedShuffle():
                break
            case NeedRandom():
                position = machine.supply(position, 0)
            case Publish():
                position = machine.supply(position, None)
            case NeedMove() | NeedCard():
                raise NotCompiled("cards are asked for before the pack is shuffled")
            case _:
                raise NotCompiled("the pack is never shuffled")
    after = machine.supply(position, LAZY)
    for index in reachable(rules, after.node):
        node = rules.nodes[index]
        if isinstance(node, Statement) and node.action.name.startswith("Pack."):
            raise NotCompiled(f"node {index} changes the pack after it was shuffled")
    return position.composition


def terms_of(node: Node) -> Iterator[Term]:
    """The terms of a node: its action or its condition."""
    if isinstance(node, Statement):
        yield node.action
    elif isinstance(node, ChoiceNode):
        yield node.condition


def rank_values(codes: Codes) -> dict[int, int]:
    """The usual order of all known ranks, by code."""
    found: dict[int, int] = {}
    for card in codes.kinds:
        rank = card.args[0]
        assert isinstance(rank, Term)
        value = rank_value(rank)
        found[codes.code(rank)] = UNSET if value is None else value << 3
    return found


def point_values(codes: Codes) -> list[int]:
    """The points of every kind of card where the chart assigns none."""
    return [point_value(card.args[0]) for card in codes.kinds if isinstance(card.args[0], Term)]
