"""Complete knowledge is what all histories of a match have in common: each is made, and nothing is left out.

The oracle makes every course of a game by the plain engine, puts together those that look the same to a
role, and has no part in common with what knows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import cache
from itertools import product
from random import Random

import pytest

from ludorum.engine.game import Game, State
from ludorum.engine.lifted import LiftedGame
from ludorum.knowledge.complete_knower import CompleteKnower
from ludorum.knowledge.history_knower import HistoryKnower
from ludorum.knowledge.knower import Knower, Truth
from ludorum.knowledge.listed_knower import goal_values
from ludorum.rules.ruleset import Ruleset
from ludorum.rules.terms import Term
from tests.how_much import FULL, sample
from tests.knowledge.role_matches import answers, hidden_games
from tests.library_games import compiled_game

Told = tuple[tuple[Term, frozenset[Term]], ...]
"""What a role was told: its move and its percepts in each step."""

MOST = 5_000 if FULL else 1_500
"""Histories of a step; steps that would have more are not looked at."""
FOLLOWED = 30 if FULL else 4
"""Sequences of moves and percepts that are followed for each role; of the smallest game, all."""
SMALLEST = "monty_hall_random"
ENGINES: list[Callable[[Game, Term], Knower]] = [
    CompleteKnower,
    lambda game, role: HistoryKnower(rules_of(game), role, conflicts=None),
]


def rules_of(game: Game) -> Ruleset:
    assert game.rules is not None
    return game.rules


@cache
def ends_of_histories(name: str) -> list[tuple[State, dict[Term, Told]]]:
    """Every history of the first steps of a game: the state where it ends, and what each role was told."""
    compiled = compiled_game(name)
    game = LiftedGame(rules_of(compiled), name)
    nobody: dict[Term, Told] = dict.fromkeys(game.info.players, ())
    step: list[tuple[State, dict[Term, Told]]] = [(game.initial(), nobody)]
    found = step
    while step:
        joint_moves = [
            (state, told, list(product(*(state.legal(role) for role in game.roles))))
            for state, told in step
            if not state.is_terminal
        ]
        if sum(len(moves) for _, _, moves in joint_moves) > MOST:
            break
        step = [
            (after := state.play(joint), {role: (*told[role], _told(after, role)) for role in told})
            for state, told, moves in joint_moves
            for joint in moves
        ]
        found = found + step
    return found


def _told(state: State, role: Term) -> tuple[Term, frozenset[Term]]:
    assert state.joint is not None
    return state.joint[state.game.roles.index(role)], frozenset(state.percepts(role))


def in_common(states: list[State], role: Term) -> tuple[object, ...]:
    """What a knower must say where the history is one of some, in the order of ``answers``."""
    legal = [frozenset(state.legal(role)) for state in states]
    facts = [state.facts() for state in states]
    goals = [goal_values(state.goal_terms(role)) for state in states]
    over = {state.is_terminal for state in states}
    return (
        frozenset.intersection(*legal),
        frozenset.union(*legal),
        frozenset.intersection(*facts),
        frozenset.union(*facts),
        Truth.UNKNOWN if len(over) > 1 else Truth.TRUE if over.pop() else Truth.FALSE,
        frozenset.intersection(*goals),
        frozenset.union(*goals),
    )


@pytest.mark.parametrize("engine", ENGINES, ids=["complete", "histories"])
@pytest.mark.parametrize("name", [SMALLEST, *sample([one for one in hidden_games() if one != SMALLEST], 5)])
@pytest.mark.spec("filtering-gdl2", 21)
def test_what_is_known_is_what_all_histories_have_in_common(
    name: str, engine: Callable[[Game, Term], Knower]
) -> None:
    game, chance = compiled_game(name), Random(3)
    for role in game.info.players:
        alike: dict[Told, list[State]] = defaultdict(list)
        for state, told in ends_of_histories(name):
            alike[told[role]].append(state)
        chosen = list(alike)
        if name != SMALLEST:
            chosen = chance.sample(chosen, min(FOLLOWED, len(chosen)))
        for steps in chosen:
            knower = engine(game, role)
            for move, percepts in steps:
                knower.update(move, percepts)
            assert answers(knower) == in_common(alike[steps], role)
