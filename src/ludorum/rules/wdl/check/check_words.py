"""The words of WDL and of its arithmetic stand where they mean something (W04, W05, W08)."""

from __future__ import annotations

from collections.abc import Iterator

from ...quoting import quoted
from ...ruleset import signed_atoms
from ...source import Diagnostic
from ...syntax import Node
from ...terms import Term
from ..arithmetic import BUILT_IN
from ..sheet import WdlSheet
from ..words import REALTIME
from .faults import fault


def check_words(sheet: WdlSheet) -> Iterator[Diagnostic]:
    arities = {name: arity for module in sheet.built_in for name, arity in BUILT_IN[module]}
    for one in sheet.statements:
        rule = one.rule
        yield from _check_head(sheet, rule.head, rule.head_node)
        if rule.head.name in arities:
            message = f"{quoted(rule.head.name)} is built in, and cannot be defined"
            yield fault(sheet, "W05", rule.head_node, message, "give the relation another name")
        for atom, _ in signed_atoms(rule.body):
            arity = arities.get(atom.term.name, atom.term.arity)
            if atom.term.arity != arity:
                message = f"{quoted(atom.term.name)} takes {arity} arguments, here are {atom.term.arity}"
                yield fault(sheet, "W04", atom.node, message, "write as many numbers or variables")
            yield from _check_condition(sheet, atom.term, atom.node)


def _check_head(sheet: WdlSheet, head: Term, node: Node) -> Iterator[Diagnostic]:
    if head.name == "set":
        yield fault(
            sheet, "W08", node, "`set` in the head of a rule", "settings hold always: write (set option)"
        )
    elif head.name == "include":
        yield fault(sheet, "W04", node, "`include` in the head of a rule", "write (include module) by itself")
    elif head.name == "clock":
        yield fault(
            sheet, "W05", node, "`clock` cannot be defined: the match gives it", "give it another name"
        )
    elif head.name == "random" and len(head.args) != 3:
        yield fault(sheet, "W04", node, f"`random` takes 3 arguments, here are {len(head.args)}",
                    "write (random name weight event)")  # fmt: skip


def _check_condition(sheet: WdlSheet, term: Term, node: Node) -> Iterator[Diagnostic]:
    if term.name == "set":
        yield fault(sheet, "W08", node, "`set` as a condition", "settings cannot be asked for")
    elif term.name == "include":
        yield fault(sheet, "W04", node, "`include` as a condition", "write (include module) by itself")
    elif term.name == "random":
        yield fault(sheet, "W06", node, "`random` as a condition: nobody can ask for odds",
                    "give what you need a relation of its own, and use that for `random`, too")  # fmt: skip
    elif term.name == "clock" and not sheet.settings.realtime:
        yield fault(sheet, "W08", node, "there is a clock in realtime games only", f"add (set {REALTIME})")
    elif term.name == "clock" and len(term.args) != 1:
        yield fault(sheet, "W04", node, f"`clock` takes 1 argument, here are {len(term.args)}",
                    "write (clock ?now)")  # fmt: skip
