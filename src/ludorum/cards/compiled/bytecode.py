"""Rules as bytecode: what the machine in ``_core`` runs (card_program.hpp lists the operations).

Expressions become a program for a stack, templates sets of cards, variables slots. What has no translation
(piles without fixed names, templates in variables) is said clearly: the readable machine plays such charts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ...rules.terms import Pattern
from ..check.types import Types, infer_types, type_of
from ..deck import point_value, rank_value
from ..language import STATEMENTS, Type
from ..machine import Machine
from ..reasons import LAZY, NeedCard, NeedMove, NeedRandom, NeedShuffle, Publish
from ..rules import Choice, End, Node, Rules, Start, Statement
from ..terms import ANY, EMPTY, FALSE, TRUE, Term, format_term, is_card, is_string, number, player, subterms
from .codes import ANYTHING, UNSET, Codes
from .operations import CODE

INDEXED_NUMBERS = 64
"""Variables such as ``x(3)`` have numbers from 0 to this as their argument."""


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
    templates: dict[tuple[str, int], tuple[int, int]] = field(default_factory=dict)  # begin, size
    expressions: dict[Term, int] = field(default_factory=dict)
    """Addresses of expressions that somebody wants to ask for besides the rules."""

    @property
    def players(self) -> int:
        return self.rules.players


def compile_program(
    rules: Rules,
    composition: tuple[Term, ...] | None = None,
    symbols: Sequence[str] = (),
    expressions: Iterable[Term] = (),
) -> Program:
    """The bytecode of a chart; NotCompiled where it has none.

    ``symbols`` are further names, without values at first, that ``expressions`` may speak of.
    """
    pack = composition_of(rules) if composition is None else composition
    return _Compiler(rules, pack, symbols, expressions).program


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
    for index in _reachable(rules, after.node):
        node = rules.nodes[index]
        if isinstance(node, Statement) and node.action.name.startswith("Pack."):
            raise NotCompiled(f"node {index} changes the pack after it was shuffled")
    return position.composition


def _reachable(rules: Rules, start: int) -> set[int]:
    from ..check.flow import reachable

    return reachable(rules, start)


class _Compiler:
    def __init__(
        self,
        rules: Rules,
        composition: tuple[Term, ...],
        symbols: Sequence[str] = (),
        expressions: Iterable[Term] = (),
    ) -> None:
        self.rules = rules
        self.types: Types = infer_types(rules)
        self.program = Program(rules, Codes(composition))
        self.codes = self.program.codes
        self.code = self.program.code
        self._jumps: list[tuple[int, int]] = []  # where an address is missing, and of which node
        for node in rules.nodes.values():
            for term in _terms_of(node):
                for one in subterms(term):
                    if not one.args and not is_string(one):
                        self.codes.code(one)
        self._make_slots()
        for name in symbols:
            if (name, 0) in self.program.slots:
                raise NotCompiled(f"{name} is a variable of the chart")
            self._slot(name, 0, 1, Type.VALUE, [UNSET])
        self._make_places()
        for index in self._in_order():
            self._node(index, rules.nodes[index])
        for at, target in self._jumps:
            self.code[at] = self.program.addresses[target]
        for expression in expressions:
            if expression not in self.program.expressions:
                self.program.expressions[expression] = len(self.code)
                self._value(expression)
                self._emit("value")

    # Slots and places.

    def _make_slots(self) -> None:
        count = self.rules.players
        templates = _template_names(self.rules)
        built_in = [("score", number(0)), ("cardsRemaining", number(0)), ("middle", EMPTY), ("passed", FALSE)]
        for name, value in built_in:
            self._slot(name, 1, count, Type.PLAYER, [self.codes.code(value)] * count)
        self._slot("team", 1, count, Type.PLAYER, [self.codes.code(number(at)) for at in range(count)])
        self._slot("numberOfCards", 0, 1, Type.VALUE, [0])
        self._slot("currentPackIndex", 0, 1, Type.VALUE, [0])
        self._slot("numberOfPlayers", 0, 1, Type.VALUE, [count << 3])
        for (name, arity), _ in sorted(self.types.of.items()):
            if (name, arity) in self.program.slots or name in ("rankValue", "pointValue"):
                continue
            if (name, arity) in templates:
                self._template_slot(name, arity)
                continue
            if arity == 0:
                self._slot(name, 0, 1, Type.VALUE, [self.codes.code(Term(name))])
            elif arity == 1:
                kind = self._index_type(name)
                size = _SIZES.get(kind, count)
                self._slot(name, 1, size, kind, [UNSET] * size)
            else:
                raise NotCompiled(f"{name} has {arity} arguments")

    def _template_slot(self, name: str, arity: int) -> None:
        if arity > 1:
            raise NotCompiled(f"{name} has {arity} arguments")
        begin = sum(size for _, size in self.program.templates.values())
        self.program.templates[name, arity] = (begin, ANYTHING if arity else 1)

    def _slot(self, name: str, arity: int, size: int, kind: Type, values: list[int]) -> None:
        self.program.slots[name, arity] = (len(self.program.initial), size, kind)
        self.program.initial += values

    def _index_type(self, name: str) -> Type:
        found: set[Type] = set()
        for node in self.rules.nodes.values():
            for term in _terms_of(node):
                for one in subterms(term):
                    if one.name == name and len(one.args) == 1 and isinstance(one.args[0], Term):
                        found |= type_of(one.args[0], self.types)
        if found == {Type.PLAYER} or found == {Type.INTEGER}:
            return found.pop()
        if Type.CARD not in found and Type.TEMPLATE not in found:
            return Type.VALUE
        raise NotCompiled(f"cards stand in the brackets of {name}")

    def _make_places(self) -> None:
        places = self.program.places
        for at in range(self.rules.players):
            places[Term("hand", (player(at),))] = at
        for name in ("stack", "discard", "pack"):
            places[Term(name)] = len(places)
        for node in self.rules.nodes.values():
            for term in _terms_of(node):
                for one in subterms(term):
                    if one.name == "pile" and one.args:
                        self._make_pile(one)

    def _make_pile(self, pile: Term) -> None:
        places = self.program.places
        name = pile.args[0]
        if not isinstance(name, Term) or name.args or (name.name, 0) in self.program.slots:
            raise NotCompiled(f"{format_term(pile)} has no fixed name")
        if len(pile.args) == 1:
            places.setdefault(Term("pile", (name,)), len(places))
            return
        index = pile.args[1]
        if not isinstance(index, Term) or type_of(index, self.types) != {Type.PLAYER}:
            raise NotCompiled(f"the second argument of {format_term(pile)} is not always a player")
        for at in range(self.rules.players):
            places.setdefault(Term("pile", (name, player(at))), len(places))

    # Nodes.

    def _in_order(self) -> list[int]:
        """The start first, and after every node one that it leads to, where that is possible: few jumps."""
        order: list[int] = []
        waiting = [self.rules.start]
        while waiting:
            index = waiting.pop()
            if index in order:
                continue
            order.append(index)
            node = self.rules.nodes[index]
            if isinstance(node, Choice):
                waiting += [node.no, node.yes]
            elif not isinstance(node, End):
                waiting.append(node.next)
        return order

    def _node(self, index: int, node: Node) -> None:
        self.program.addresses[index] = len(self.code)
        self._emit("node", index)
        match node:
            case End():
                self._emit("end")
            case Start(target):
                self._jump("jump", target)
            case Choice(yes, no, condition):
                self._value(condition)
                self._jump("jump_false", no)
                self._jump("jump", yes)
            case Statement(target, action):
                self._statement(action)
                self._jump("jump", target)

    def _emit(self, name: str, *numbers: int) -> None:
        self.code += [CODE[name], *numbers]

    def _jump(self, name: str, target: int) -> None:
        self._emit(name, 0)
        self._jumps.append((len(self.code) - 1, target))

    # Statements.

    def _statement(self, action: Term) -> None:
        args = action.args
        if sum(one.name == "random" for one in subterms(action)) > 1:
            raise NotCompiled("several numbers are drawn in one statement: equal ones would be one draw")
        match action.name:
            case (
                "publish"
                | "Pile.open"
                | "Pile.closed"
                | "Pile.private"
                | "Pack.use"
                | "Pack.add"
                | "Pack.remove"
            ):
                return
            case "assign":
                self._assign(args[0], args[1])
            case "Shuffle":
                self._emit("shuffle")
            case "Deal":
                self._value(args[0])
                self._emit("deal")
            case "Stack.empty":
                self._emit("stack_empty")
            case "pickUp":
                self._value(args[0])
                self._value(args[1])
                self._emit("pick_up")
            case "playCard" | "playCardOrPass":
                self._template(args[1])
                self._value(args[0])
                self._emit("copy_option")  # the player, for the place of the hand
                self._emit("place_hand")
                self._push_place(Term("stack"))
                self._emit("ask_card", int(action.name == "playCardOrPass"), 1)
            case "chooseCard" | "chooseCardOrPass":
                self._template(args[3])
                self._value(args[0])
                self._place(args[1])
                self._target(args[2])
                self._emit("ask_card", int(action.name == "chooseCardOrPass"), 0)
            case "choose":
                self._choose(args)
            case "move":
                self._place(args[0])
                self._target(args[1])
                self._value(args[2])
                self._emit("move")
            case "moveAll":
                self._template(
                    args[2] if len(args) == 3 else Term("card", (ANY, ANY)), everything=len(args) < 3
                )
                self._place(args[0])
                self._target(args[1])
                self._emit("move_all")
            case _:
                raise NotCompiled(
                    f"{action.name} has no bytecode" if action.name in STATEMENTS else action.name
                )

    def _assign(self, name: Pattern, value: Pattern) -> None:
        assert isinstance(name, Term)
        if (name.name, len(name.args)) not in self.program.templates:
            self._value(value)
            self._store(name)
            return
        self._template(value)
        self._held("mask_store", name)

    def _held(self, operation: str, name: Term) -> None:
        """Loads or stores a template that a variable holds."""
        begin, size = self.program.templates[name.name, len(name.args)]
        if name.args:
            self._value(name.args[0])
        self._emit(operation, begin, size if name.args else 0)

    def _choose(self, args: tuple[Pattern, ...]) -> None:
        name = args[1]
        assert isinstance(name, Term)
        begin, size, _ = self._slots_of(name)
        self._value(args[0])
        for option in args[2:]:
            assert isinstance(option, Term)
            if option.name == "range" and len(option.args) == 2:
                self._value(option.args[0])
                self._value(option.args[1])
                self._emit("option_range", 1)
            else:
                self._value(option)
                self._emit("option_range", 0)
        if name.args:
            self._value(name.args[0])
        self._emit("ask_choice", begin, size if name.args else 0)

    def _target(self, term: Pattern) -> None:
        if isinstance(term, Term) and term.name == "pack":
            raise NotCompiled("cards go back to the pack")
        self._place(term)

    def _store(self, name: Pattern) -> None:
        assert isinstance(name, Term)
        if name.name in ("rankValue", "pointValue"):
            self._value(name.args[0])
            self._emit("set_rank_value" if name.name == "rankValue" else "set_point_value")
            return
        if name.name == "recycle":
            raise NotCompiled("recycle is set by the chart")
        begin, size, _ = self._slots_of(name)
        if not name.args:
            self._emit("store", begin)
            return
        self._value(name.args[0])
        self._emit("store_at", begin, size)

    def _slots_of(self, name: Term) -> tuple[int, int, Type]:
        found = self.program.slots.get((name.name, len(name.args)))
        if found is None:
            raise NotCompiled(f"{format_term(name)} is no variable")
        return found

    # Expressions.

    def _value(self, term: Pattern) -> None:
        assert isinstance(term, Term)
        key = (term.name, len(term.args))
        if not term.args:
            if key in self.program.slots:
                self._emit("load", self.program.slots[key][0])
            else:
                self._emit("push", self._constant(term))
            return
        if term.name in _SPECIAL:
            _SPECIAL[term.name](self, term)
            return
        if key in self.program.slots:
            begin, size, _ = self.program.slots[key]
            self._value(term.args[0])
            self._emit("load_at", begin, size)
            return
        if term.name not in _PLAIN:
            raise NotCompiled(f"{term.name} has no bytecode")
        for arg in term.args:
            self._value(arg)
        self._emit(_PLAIN[term.name])

    def _constant(self, term: Term) -> int:
        try:
            return self.codes.code(term)
        except ValueError as error:
            raise NotCompiled(str(error)) from None

    def _operation(self, term: Term) -> None:
        name = str(term.args[0])
        if name in ("and", "or"):
            self._logic(name == "and", term.args[1], term.args[2])
            return
        self._value(term.args[1])
        self._value(term.args[2])
        self._emit(name)

    def _logic(self, both: bool, left: Pattern, right: Pattern) -> None:
        """The right side is looked at only where the left one does not decide."""
        self._value(left)
        if not both:
            self._emit("neg")
        self._emit("jump_false", 0)
        otherwise = len(self.code) - 1
        self._value(right)
        self._emit("jump", 0)
        end = len(self.code) - 1
        self.code[otherwise] = len(self.code)
        self._emit("push", self.codes.code(FALSE if both else TRUE))
        self.code[end] = len(self.code)

    def _card(self, term: Term) -> None:
        if all(
            isinstance(arg, Term) and not arg.args and (arg.name, 0) not in self.program.slots
            for arg in term.args
        ):
            self._emit("push", self._constant(term))
            return
        for arg in term.args:
            self._value(arg)
        self._emit("make_card")

    def _of_template(self, term: Term) -> None:
        """A question about cards of a place or one card, and a template."""
        self._template(term.args[1])
        if term.name in ("count", "has"):
            self._place(term.args[0])
        else:
            self._value(term.args[0])
        self._emit(
            {"playerHas": "has_card", "cardInstanceOf": "card_fits", "count": "count", "has": "has_any"}[
                term.name
            ]
        )

    def _of_place(self, term: Term) -> None:
        self._place(term.args[0])
        names = {
            "cards": "cards",
            "top": "top",
            "total": "total",
            "sameRank": "same_rank",
            "deadwood": "deadwood",
            "runLength": "run_length",
        }
        self._emit(names[term.name])

    def _unknown(self, term: Term) -> None:
        raise NotCompiled(f"{term.name} has no bytecode")

    def _template(self, term: Pattern, everything: bool = False) -> None:
        assert isinstance(term, Term)
        if everything:
            self._emit("push", self.codes.code(ANY))
            self._emit("push", self.codes.code(ANY))
            self._emit("mask_card")
        elif term.name == "union" and len(term.args) == 2:
            self._template(term.args[0])
            self._template(term.args[1])
            self._emit("mask_or")
        elif is_card(term):
            self._value(term.args[0])
            self._value(term.args[1])
            self._emit("mask_card")
        elif (term.name, len(term.args)) in self.program.templates:
            self._held("mask_load", term)
        else:
            self._value(term)
            self._emit("mask_of_card")

    def _place(self, term: Pattern) -> None:
        assert isinstance(term, Term)
        if term.name == "hand" and len(term.args) == 1:
            self._value(term.args[0])
            self._emit("place_hand")
        elif term.name == "pile" and len(term.args) == 2:
            self._value(term.args[1])
            self._emit("place_pile", self.program.places[Term("pile", (term.args[0], player(0)))])
        else:
            self._push_place(term)

    def _push_place(self, term: Term) -> None:
        if term not in self.program.places:
            raise NotCompiled(f"{format_term(term)} is no fixed place")
        self._emit("push", self.program.places[term])


_PLAIN = {
    "equal": "equal",
    "lessThan": "less",
    "greaterThan": "greater",
    "neg": "neg",
    "player": "to_player",
    "playerNumber": "player_number",
    "nextPlayer": "next_player",
    "suit": "suit",
    "rank": "rank",
    "rankValue": "rank_value",
    "pointValue": "point_value",
    "random": "random",
    "abs": "abs",
    "min": "min",
    "max": "max",
}

_SPECIAL = {
    "operation": _Compiler._operation,
    "card": _Compiler._card,
    "union": _Compiler._unknown,
    "playerHas": _Compiler._of_template,
    "cardInstanceOf": _Compiler._of_template,
    "count": _Compiler._of_template,
    "has": _Compiler._of_template,
    **dict.fromkeys(("cards", "top", "total", "sameRank", "runLength", "deadwood"), _Compiler._of_place),
}


_SIZES = {Type.INTEGER: INDEXED_NUMBERS, Type.VALUE: ANYTHING}


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


def _terms_of(node: Node) -> Iterator[Term]:
    if isinstance(node, Statement):
        yield node.action
    elif isinstance(node, Choice):
        yield node.condition


def rank_values(codes: Codes) -> dict[int, int]:
    """The usual order of all ranks that are known, by code."""
    found: dict[int, int] = {}
    for card in codes.kinds:
        rank = card.args[0]
        assert isinstance(rank, Term)
        value = rank_value(rank)
        found[codes.code(rank)] = UNSET if value is None else value << 3
    return found


def point_values(codes: Codes) -> list[int]:
    """What every kind of card counts where the chart says nothing."""
    return [point_value(card.args[0]) for card in codes.kinds if isinstance(card.args[0], Term)]
