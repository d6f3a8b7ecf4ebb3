"""Rules as bytecode for the machine in ``_core`` (``cards/program.hpp`` lists the operations).

Expressions become a program for a stack, templates sets of cards, variables slots. Charts without translation
(piles that may have any number as their name, variables with several arguments) raise NotCompiled: the
readable
machine plays such charts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...rules.terms import Pattern
from ..language.language import STATEMENTS, Type
from ..language.rules import ChoiceNode, EndTerminal, Node, Rules, StartTerminal, Statement
from ..language.terms import ANY, Term, is_string, subterms
from ..language.types import infer_types
from .codes import UNSET, Codes
from .expressions import Expressions
from .program import BOTTOM, NotCompiled, Program, composition_of, terms_of
from .slots import add_slot, make_places, make_slots


def compile_program(
    rules: Rules,
    composition: tuple[Term, ...] | None = None,
    symbols: Sequence[str] = (),
    expressions: Iterable[Term] = (),
) -> Program:
    """The bytecode of a chart; NotCompiled where it has none.

    ``symbols`` are further names, without values at first, that ``expressions`` may use.
    """
    pack = composition_of(rules) if composition is None else composition
    program = Program(rules, Codes(pack))
    _lay_out(program, symbols)
    _Compiler(program).compile(expressions)
    return program


def _lay_out(program: Program, symbols: Sequence[str]) -> None:
    """Codes for all names, and room for variables and cards."""
    types = infer_types(program.rules)
    for node in program.rules.nodes.values():
        for term in terms_of(node):
            for one in subterms(term):
                if not one.args and not is_string(one):
                    program.codes.code(one)
    make_slots(program, types)
    for name in symbols:
        if (name, 0) in program.slots:
            raise NotCompiled(f"{name} is a variable of the chart")
        add_slot(program, name, 0, 1, Type.VALUE, [UNSET])
    make_places(program, types)


class _Compiler(Expressions):
    """Nodes and statements."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.rules = program.rules
        self._jumps: list[tuple[int, int]] = []  # where an address is missing, and of which node

    def compile(self, expressions: Iterable[Term]) -> None:
        for index in self._in_order():
            self._node(index, self.rules.nodes[index])
        for at, target in self._jumps:
            self.code[at] = self.program.addresses[target]
        for expression in expressions:
            if expression not in self.program.expressions:
                self.program.expressions[expression] = len(self.code)
                self.value(expression)
                self.emit("value")

    def _in_order(self) -> list[int]:
        """The order of nodes: the start first, and after every node a successor if possible: few jumps."""
        order: list[int] = []
        waiting = [self.rules.start]
        while waiting:
            index = waiting.pop()
            if index in order:
                continue
            order.append(index)
            node = self.rules.nodes[index]
            if isinstance(node, ChoiceNode):
                waiting += [node.no, node.yes]
            elif not isinstance(node, EndTerminal):
                waiting.append(node.next)
        return order

    def _node(self, index: int, node: Node) -> None:
        self.program.addresses[index] = len(self.code)
        self.emit("node", index)
        match node:
            case EndTerminal():
                self.emit("end")
            case StartTerminal(target):
                self._jump("jump", target)
            case ChoiceNode(yes, no, condition):
                self.value(condition)
                self._jump("jump_false", no)
                self._jump("jump", yes)
            case Statement(target, action):
                self._statement(action)
                self._jump("jump", target)

    def _jump(self, name: str, target: int) -> None:
        self.emit(name, 0)
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
                self.emit("shuffle")
            case "Deal":
                self.value(args[0])
                self.emit("deal")
            case "Stack.empty":
                self.emit("stack_empty")
            case "pickUp":
                self.value(args[0])
                self.value(args[1])
                self.emit("pick_up")
            case "playCard" | "playCardOrPass":
                self.template(args[1])
                self.value(args[0])
                self.emit("copy_option")  # the player, for the place of the hand
                self.emit("place_hand")
                self.push_place(Term("stack"))
                self.emit("ask_card", int(action.name == "playCardOrPass"), 1)
            case "chooseCard" | "chooseCardOrPass":
                self.template(args[3])
                self.value(args[0])
                self.place(args[1])
                self._target(args[2])
                self.emit("ask_card", int(action.name == "chooseCardOrPass"), 0)
            case "choose":
                self._choose(args)
            case "move":
                self.place(args[0])
                self._target(args[1])
                self.value(args[2])
                self.emit("move")
            case "moveAll":
                self.template(
                    args[2] if len(args) == 3 else Term("card", (ANY, ANY)), everything=len(args) < 3
                )
                self.place(args[0])
                self._target(args[1])
                self.emit("move_all")
            case _:
                raise NotCompiled(
                    f"{action.name} has no bytecode" if action.name in STATEMENTS else action.name
                )

    def _assign(self, name: Pattern, value: Pattern) -> None:
        assert isinstance(name, Term)
        if (name.name, len(name.args)) not in self.program.templates:
            self.value(value)
            self._store(name)
            return
        self.template(value)
        self.held("mask_store", name)

    def _choose(self, args: tuple[Pattern, ...]) -> None:
        name = args[1]
        assert isinstance(name, Term)
        begin, size, _ = self.slots_of(name)
        self.value(args[0])
        for option in args[2:]:
            assert isinstance(option, Term)
            if option.name == "range" and len(option.args) == 2:
                self.value(option.args[0])
                self.value(option.args[1])
                self.emit("option_range", 1)
            else:
                self.value(option)
                self.emit("option_range", 0)
        if name.args:
            self.value(name.args[0])
        self.emit("ask_choice", begin, size if name.args else 0)

    def _target(self, term: Pattern) -> None:
        if isinstance(term, Term) and term.name == "pack":
            self.push_place(BOTTOM)
        else:
            self.place(term)

    def _store(self, name: Pattern) -> None:
        assert isinstance(name, Term)
        if name.name in ("rankValue", "pointValue"):
            self.value(name.args[0])
            self.emit("set_rank_value" if name.name == "rankValue" else "set_point_value")
            return
        begin, size, _ = self.slots_of(name)
        if not name.args:
            self.emit("store", begin)
            return
        self.value(name.args[0])
        self.emit("store_at", begin, size)
