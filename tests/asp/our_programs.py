"""Every text that our code hands to clingo for a sheet, and the names in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import clingo
from clingo import ast

from ludorum.asp.ground import ground_rules
from ludorum.asp.temporal import TemporalProgram
from ludorum.asp.whole_horizon import horizon_program
from ludorum.engine.reference import ReferenceGame
from ludorum.experiments.planning_2009.legacy import LegacyPlanner, sent_text
from ludorum.knowledge.boxes.box_knower import BoxKnower
from ludorum.knowledge.history_knower import Box, HistoryKnower
from ludorum.rules.kif import parse_kif
from ludorum.rules.source import Source
from ludorum.search.budget import Budget, Stopwatch
from ludorum.solve.planner import Planner
from ludorum.solve.repair import mend
from ludorum.solve.strategy_search import StrategySearch
from ludorum.solve.tree_leaves import LeafWeights, leaf_values

ENOUGH = Budget(seconds=300)

CALLERS = {
    "asp/control.py", "asp/ground.py", "asp/solver.py", "solve/horizon.py",
    "experiments/planning_2009/legacy.py",
    "solve/repair/choose.py", "solve/prove/transitions.py", "solve/strategy_search.py",
    "knowledge/boxes/box_solver.py", "knowledge/history_knower.py",
    "cards/asp/analyse.py", "cards/asp/control.py", "cards/asp/worlds.py",
}  # fmt: skip
"""The modules that make controls. A new one must be run by ``programs_of``; those of cards have tests."""

NAMELESS = {"solve/any_order.py"}
"""Those that hand clingo numbers of atoms and no text, so that there are no names to meet."""


@contextmanager
def listening() -> Iterator[list[str]]:
    """The texts that controls are given meanwhile, each with the head of its part."""
    heard: list[str] = []
    add = clingo.Control.add

    def note(self: clingo.Control, *args: Any) -> None:
        name, parameters, text = args if len(args) == 3 else ("base", (), args[0])
        head = f"{name}({','.join(parameters)})" if parameters else name
        heard.append(f"#program {head}.\n{text}")
        add(self, *args)

    clingo.Control.add = note  # type: ignore[method-assign, assignment]
    try:
        yield heard
    finally:
        clingo.Control.add = add  # type: ignore[method-assign]


def programs_of(sheet: str, damaged: str) -> list[str]:
    """Every program about a sheet of two roles, and what the repair of a damaged one asks."""
    rules = parse_kif(sheet)
    role, facts = rules.roles[0], ReferenceGame(rules).initial().facts()
    with listening() as heard:
        Planner(rules).plan(role, ENOUGH)
        search = StrategySearch(rules, facts, role, 100)
        search.deepen(Stopwatch(ENOUGH))
        leaf_values(search, LeafWeights(dict.fromkeys(facts, 1.0)), Stopwatch(ENOUGH))
        ground_rules(rules, in_process=True)
        ReferenceGame(rules).initial().legal(role)
        mend(Source("damaged", damaged))
        move = ReferenceGame(rules).initial().legal(role)[0]
        for roots in ([facts, frozenset()], Box(frozenset(), facts), None):
            HistoryKnower(rules, role, roots=roots).possible_facts()
        for knower in (HistoryKnower(rules, role), BoxKnower(rules, role, 3)):
            knower.update(move, [])
            knower.possible_goals()
    heard += [horizon_program(rules, root, 2, role, 100) for root in (None, facts)]
    heard.append(TemporalProgram(rules).text)
    return heard


def legacy_program_of(sheet: str) -> str:
    """The program of 2009."""
    rules = parse_kif(sheet)
    return LegacyPlanner(sent_text(rules), str(rules.roles[0])).program.text


def names_in(program: str) -> set[str]:
    """Every name of a program but those of variables: predicates, functions, constants, parts, parameters."""
    found: set[str] = set()

    def walk(node: object) -> None:
        if isinstance(node, ast.AST):
            if node.ast_type is ast.ASTType.SymbolicTerm:
                _names_of(node.symbol, found)
            elif node.ast_type is not ast.ASTType.Variable and "name" in node.keys():  # noqa: SIM118
                found.add(node.name)
            for value in node.values():
                walk(value)
        elif isinstance(node, Sequence) and not isinstance(node, str):
            for value in node:
                walk(value)

    ast.parse_string(program, walk)
    return found - {""}


def constants_in(program: str) -> set[str]:
    """The names of a program that stand where names of a sheet could: in arguments."""
    found: set[str] = set()

    def walk(node: object, inside: bool) -> None:
        if isinstance(node, ast.AST):
            if node.ast_type is ast.ASTType.SymbolicTerm:
                _names_of(node.symbol, found)
            if node.ast_type is ast.ASTType.Function and inside:
                found.add(node.name)
            inside = inside or node.ast_type is ast.ASTType.Function
            for value in node.values():
                walk(value, inside)
        elif isinstance(node, Sequence) and not isinstance(node, str):
            for value in node:
                walk(value, inside)

    ast.parse_string(program, lambda statement: walk(statement, False))
    return found - {""}


def _names_of(symbol: clingo.Symbol, found: set[str]) -> None:
    if symbol.type is clingo.SymbolType.Function:
        found.add(symbol.name)
        for arg in symbol.arguments:
            _names_of(arg, found)
