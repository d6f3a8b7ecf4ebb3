"""States and legal moves by the translation of 2009 against the engine, until the game ends (section 9.9)."""

from __future__ import annotations

import random

import clingo
import pytest

from ludorum.engine.game import JointMove
from ludorum.engine.lifted import LiftedGame
from ludorum.experiments.planning_2009.legacy import LegacyPlanner
from ludorum.rules.ruleset import Ruleset
from ludorum.rules.terms import Term

from .sheets_2009 import legacy_planner, sheet_2009


def term(symbol: clingo.Symbol) -> Term:
    """What a symbol of the old programs stands for: its names are the sheet's."""
    if symbol.type is clingo.SymbolType.Number:
        return Term(str(symbol.number))
    return Term(symbol.name, tuple(map(term, symbol.arguments)))


def fluents(rules: Ruleset) -> set[tuple[str, int]]:
    heads = (rule.head for rule in rules.rules if rule.head.name in ("init", "next"))
    return {head.args[0].signature for head in heads if isinstance(head.args[0], Term)}


def last_moment(legacy: LegacyPlanner, play: list[JointMove]) -> tuple[set[Term], set[tuple[Term, Term]]]:
    """What holds and what may be done after some moves, by the old program without its goal."""
    now = len(play) + 1
    legacy.program.time = now
    goal_at_the_end = f":- not goal({now},R), role(R)."
    text = legacy.program.text
    assert goal_at_the_end in text
    for turn, joint in enumerate(play, 1):
        legacy.after([str(move) for move in joint])
        assert legacy.turn == turn + 1
    control = clingo.Control()
    control.add("base", [], text.replace(goal_at_the_end, "") + legacy._past)
    control.ground([("base", [])])
    holds: set[Term] = set()
    legal: set[tuple[Term, Term]] = set()

    def read(model: clingo.Model) -> bool:
        for atom in model.symbols(atoms=True):
            if atom.name == "holds" and atom.arguments[1].number == now:
                holds.add(term(atom.arguments[0]))
            if atom.name == "executable" and atom.arguments[2].number == now:
                legal.add((term(atom.arguments[0]), term(atom.arguments[1])))
        return False

    assert control.solve(on_model=read).satisfiable
    return holds, legal


@pytest.mark.spec("asp-player", 31)
@pytest.mark.parametrize("name", ["blocks", "buttons", "maze", "tictactoe", "hodgepodge"])
def test_states_and_moves_agree_until_the_end(name: str) -> None:
    rules = sheet_2009(name)
    game = LiftedGame(rules, name)
    known = fluents(rules)
    chance = random.Random(name)
    for _ in range(6):
        state = game.initial()
        play: list[JointMove] = []
        while not state.is_terminal and len(play) < chance.randint(1, 9):
            joint = tuple(chance.choice(sorted(state.legal(role))) for role in game.roles)
            after = state.play(joint)
            if after.is_terminal:
                break
            state, play = after, [*play, joint]
        holds, legal = last_moment(legacy_planner(name, str(game.roles[0])), play)
        assert {fact for fact in holds if fact.signature in known} == set(state.facts())
        assert legal == {(role, move) for role in game.roles for move in state.legal(role)}
