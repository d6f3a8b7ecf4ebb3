"""The storage of a program: its variables, templates and cards."""

from __future__ import annotations

from itertools import product
from math import prod

from ..language.language import Type
from ..language.rules import Rules, Statement
from ..language.terms import (
    ANY,
    EMPTY,
    FALSE,
    Term,
    format_term,
    is_card,
    number,
    player,
    player_number,
    subterms,
)
from ..language.types import Types, type_of
from ..machine.position import PACK
from .codes import ANYTHING, UNSET
from .possible_values import MOST_VALUES, PossibleValues
from .program import BOTTOM, NotCompiled, Program, terms_of

INDEXED_NUMBERS = 64
"""Variables such as ``x(3)`` have numbers from 0 to this as their argument."""
_SIZES = {Type.INTEGER: INDEXED_NUMBERS, Type.VALUE: ANYTHING}


def make_slots(program: Program, types: Types) -> None:
    """Numbers for all variables of a chart, and their initial values."""
    count = program.rules.players
    templates = _template_names(program.rules)
    built_in = [("score", number(0)), ("cardsRemaining", number(0)), ("middle", EMPTY), ("passed", FALSE)]
    for name, value in built_in:
        add_slot(program, name, 1, count, Type.PLAYER, [program.codes.code(value)] * count)
    add_slot(program, "team", 1, count, Type.PLAYER, [program.codes.code(number(at)) for at in range(count)])
    add_slot(program, "numberOfCards", 0, 1, Type.VALUE, [0])
    add_slot(program, "currentPackIndex", 0, 1, Type.VALUE, [0])
    add_slot(program, "numberOfPlayers", 0, 1, Type.VALUE, [count << 3])
    for (name, arity), _ in sorted(types.of.items()):
        if (name, arity) in program.slots or name in ("rankValue", "pointValue"):
            continue
        if (name, arity) in templates:
            _template_slot(program, name, arity)
            continue
        if arity == 0:
            add_slot(program, name, 0, 1, Type.VALUE, [program.codes.code(Term(name))])
        elif arity == 1:
            kind = _index_type(program.rules, types, name)
            size = _SIZES.get(kind, count)
            add_slot(program, name, 1, size, kind, [UNSET] * size)
        else:
            raise NotCompiled(f"{name} has {arity} arguments")


def _template_slot(program: Program, name: str, arity: int) -> None:
    if arity > 1:
        raise NotCompiled(f"{name} has {arity} arguments")
    begin = sum(size for _, size in program.templates.values())
    program.templates[name, arity] = (begin, ANYTHING if arity else 1)


def add_slot(program: Program, name: str, arity: int, size: int, kind: Type, values: list[int]) -> None:
    """Add one variable."""
    program.slots[name, arity] = (len(program.initial), size, kind)
    program.initial += values


def _index_type(rules: Rules, types: Types, name: str) -> Type:
    """The possible arguments of a variable."""
    found: set[Type] = set()
    for node in rules.nodes.values():
        for term in terms_of(node):
            for one in subterms(term):
                if one.name == name and len(one.args) == 1 and isinstance(one.args[0], Term):
                    found |= type_of(one.args[0], types)
    if found == {Type.PLAYER} or found == {Type.INTEGER}:
        return found.pop()
    if Type.CARD not in found and Type.TEMPLATE not in found:
        return Type.VALUE
    raise NotCompiled(f"cards stand in the brackets of {name}")


def make_places(program: Program, types: Types) -> None:
    """Numbers for hands, the stack, the pack, and all piles."""
    places = program.places
    for at in range(program.rules.players):
        places[Term("hand", (player(at),))] = at
    for name in ("stack", "discard", "pack"):
        places[Term(name)] = len(places)
    values = PossibleValues(program.rules, types, program.codes.kinds)
    for node in program.rules.nodes.values():
        for term in terms_of(node):
            for one in subterms(term):
                if one.name == "pile" and one.args:
                    _make_pile(program, types, values, one)
        if isinstance(node, Statement) and _goes_back(node.action):
            places.setdefault(BOTTOM, len(places))


def _goes_back(action: Term) -> bool:
    """Whether a statement moves cards to the pack."""
    at = {"move": 1, "moveAll": 1, "chooseCard": 2, "chooseCardOrPass": 2}.get(action.name)
    return at is not None and len(action.args) > at and action.args[at] is PACK


def _make_pile(program: Program, types: Types, values: PossibleValues, pile: Term) -> None:
    places = program.places
    name = pile.args[0]
    assert isinstance(name, Term)
    is_fixed = not name.args and (name.name, 0) not in program.slots
    if is_fixed and len(pile.args) == 1:
        places.setdefault(pile, len(places))
    elif is_fixed and isinstance(pile.args[1], Term) and type_of(pile.args[1], types) == {Type.PLAYER}:
        _make_piles_of_players(program, name)
    elif pile not in program.named_piles:
        program.named_piles[pile] = _named_piles(program, values, pile)


def _make_piles_of_players(program: Program, name: Term) -> None:
    """Consecutive places: the machine finds them by adding the number of the player."""
    for at in range(program.rules.players):
        program.places.setdefault(Term("pile", (name, player(at))), len(program.places))


def _named_piles(program: Program, values: PossibleValues, pile: Term) -> list[Term]:
    """All piles that a name computed in the game may mean."""
    parts: list[list[Term]] = []
    for arg in pile.args:
        found = values.of(arg)
        if found is None:
            raise NotCompiled(f"{format_term(pile)}: what {format_term(arg)} can be is not known beforehand")
        parts.append(found)
    if prod(map(len, parts)) > MOST_VALUES:
        raise NotCompiled(f"{format_term(pile)} may be any of more than {MOST_VALUES} piles")
    piles = [Term("pile", names) for names in product(*parts)]
    for one in piles:
        if len(one.args) == 2 and player_number(one.args[1]) is not None:
            assert isinstance(one.args[0], Term)
            _make_piles_of_players(program, one.args[0])
        program.places.setdefault(one, len(program.places))
    return piles


def _template_names(rules: Rules) -> set[tuple[str, int]]:
    """Variables that hold templates: a union, a card with ``any`` or another of them is assigned to them."""
    pairs = [
        (node.action.args[0], node.action.args[1])
        for node in rules.nodes.values()
        if isinstance(node, Statement) and node.action.name == "assign"
    ]
    found: set[tuple[str, int]] = set()
    while True:
        before = len(found)
        for name, value in pairs:
            assert isinstance(name, Term)
            assert isinstance(value, Term)
            open_card = is_card(value) and any(part is ANY for part in value.args)
            if value.name == "union" or open_card or (value.name, len(value.args)) in found:
                found.add((name.name, len(name.args)))
        if len(found) == before:
            return found
