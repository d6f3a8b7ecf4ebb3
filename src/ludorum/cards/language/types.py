"""The types of a chart's variables: all types that are ever assigned to them, on any path."""

from __future__ import annotations

from dataclasses import dataclass, field

from .deck import RANKS, SUITS
from .language import FUNCTIONS, PLACES, Type
from .rules import Rules, Statement
from .terms import Term, as_integer, is_card, is_string

_ATOMS: dict[str, Type] = (
    {str(rank): Type.RANK for rank in RANKS}
    | {str(suit): Type.SUIT for suit in SUITS}
    | dict.fromkeys(PLACES, Type.PLACE)
    | {"true": Type.BOOLEAN, "false": Type.BOOLEAN, "empty": Type.CARD, "joker": Type.RANK}
)
_BUILT_IN = {"numberOfPlayers": Type.INTEGER, "numberOfCards": Type.INTEGER, "currentPackIndex": Type.INTEGER}


@dataclass
class Types:
    """Types by the name and number of arguments of a variable; ``names`` are all that are ever assigned."""

    of: dict[tuple[str, int], set[Type]] = field(default_factory=dict)

    @property
    def names(self) -> set[str]:
        return {name for name, _ in self.of}


def infer_types(rules: Rules) -> Types:
    """Adds types until no more are found."""
    types = Types()
    assigned = [
        (node.action.args[0], node.action.args[1:]) if node.action.name == "assign" else node.action.args[1:3]
        for node in rules.nodes.values()
        if isinstance(node, Statement)
        and (
            (node.action.name == "assign" and len(node.action.args) == 2)
            or (node.action.name == "choose" and len(node.action.args) >= 3)
        )
    ]
    pairs = [
        (name, value)
        for name, values in ((one[0], one[1] if isinstance(one[1], tuple) else (one[1],)) for one in assigned)
        for value in values
        if isinstance(name, Term) and isinstance(value, Term)
    ]
    for name, _ in pairs:
        types.of.setdefault((name.name, len(name.args)), set())
    while True:
        before = sum(map(len, types.of.values()))
        for name, value in pairs:
            types.of[name.name, len(name.args)] |= type_of(value, types)
        if sum(map(len, types.of.values())) == before:
            return types


def type_of(term: Term, types: Types) -> set[Type]:
    """The types of an expression; VALUE among them means any type, an empty set that nothing is known."""
    if as_integer(term) is not None:
        return {Type.INTEGER}
    if is_string(term):
        return {Type.STRING}
    own = types.of.get((term.name, len(term.args)))
    if own is not None and term.name not in FUNCTIONS:
        return own
    if not term.args:
        if term.name in _BUILT_IN:
            return {_BUILT_IN[term.name]}
        return {_ATOMS[term.name]} if term.name in _ATOMS else {Type.VALUE}
    if term.name == "operation":
        return {Type.BOOLEAN} if str(term.args[0]) in ("and", "or") else {Type.INTEGER}
    if is_card(term):
        return {Type.TEMPLATE, Type.CARD}
    word = FUNCTIONS.get(term.name)
    return {word.gives} if word is not None and word.gives is not None else {Type.VALUE}
