"""The oracle of all samplers: every history of a match one by one, with its probability."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import Game, State
from ludorum.knowledge.worlds import MoveModel, ToldStep
from ludorum.rules.kif import parse_kif
from ludorum.rules.terms import Term

Posterior = dict[frozenset[Term], float]

ROW = """
    (role x) (role o) (cell a) (cell b) (cell c) (cell d) (cell e)
    (init (round 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
    (<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))
    (<= (legal ?p (mark ?c)) (role ?p) (cell ?c) (not (true (owns ?p ?c))) (not (true (tried ?p ?c))))
    (<= clash (does x (mark ?c)) (does o (mark ?c)))
    (<= (taken ?c) (true (owns ?p ?c)))
    (<= (holds ?p ?c) (does ?p (mark ?c)) (not (taken ?c)) (not clash))
    (<= (next (owns ?p ?c)) (holds ?p ?c))
    (<= (next (owns ?p ?c)) (true (owns ?p ?c)))
    (<= (next (tried ?p ?c)) (does ?p (mark ?c)) (not (holds ?p ?c)))
    (<= (next (tried ?p ?c)) (true (tried ?p ?c)))
    (<= (sees ?p got) (holds ?p ?c))
    (<= two (true (owns x a)) (true (owns x b)))
    (<= terminal two)
    (<= terminal (true (round 4)))
    (<= (goal x 100) two)
    (<= (goal x 0) (not two))
    (<= (goal o 0) two)
    (<= (goal o 100) (not two))
"""
"""Krieg tic-tac-toe on a row of cells: marks fail unseen, which only the absence of a percept tells."""
WIDER = "(cell f) (cell g) (cell h)"


def row_of_five() -> CompiledGame:
    return CompiledGame(parse_kif(ROW), "row_of_five")


def row_of_eight() -> CompiledGame:
    return CompiledGame(parse_kif(ROW + WIDER), "row_of_eight")


def told_to(states: Sequence[State], role: Term) -> list[ToldStep]:
    """What a role is told in a match."""
    seat = states[0].game.roles.index(role)
    return [
        ToldStep(state.joint[seat], frozenset(state.percepts(role)))
        for state in states[1:]
        if state.joint is not None
    ]


def posterior(game: Game, role: Term, steps: Sequence[ToldStep], model: MoveModel | None = None) -> Posterior:
    """The states that are not over and agree with all steps, and their probabilities, by every history."""
    found: Posterior = {}

    def visit(state: State, depth: int, chance: float) -> None:
        if depth == len(steps):
            if not state.is_terminal:
                found[state.facts()] = found.get(state.facts(), 0.0) + chance
            return
        if state.is_terminal:
            return
        for joint in product(*(state.legal(one) for one in game.roles)):
            after = state.play(joint)
            if joint[game.roles.index(role)] is not steps[depth].move:
                continue
            if frozenset(after.percepts(role)) == steps[depth].percepts:
                likelihood = _likelihood(state, joint, role, model)
                if likelihood > 0:
                    visit(after, depth + 1, chance * likelihood)

    visit(game.initial(), 0, 1.0)
    total = sum(found.values())
    return {facts: chance / total for facts, chance in found.items()}


def _likelihood(state: State, joint: Sequence[Term], role: Term, model: MoveModel | None) -> float:
    """How likely all others move so."""
    chance = 1.0
    for one, move in zip(state.game.roles, joint, strict=True):
        legal = state.legal(one)
        if one is role:
            continue
        if model is None or one is state.game.info.chance_role:
            chance /= len(legal)
        else:
            weights = model(state, one, legal)
            chance *= weights[legal.index(move)] / sum(weights)
    return chance
