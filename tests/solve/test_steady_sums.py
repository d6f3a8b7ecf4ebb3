"""Sums that no move changes, against all reachable states, and what follows of goals."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum._core import SplitMix64
from ludorum.asp.ground import ground_rules
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import Game, State, random_states
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game, load_rules
from ludorum.rules.kif import parse_kif
from ludorum.rules.library import find_sheet
from ludorum.rules.ruleset import Ruleset
from ludorum.search.budget import TO_THE_END, Budget, Stopwatch
from ludorum.search.plan import play_plan
from ludorum.solve.goal_bound import highest_goal
from ludorum.solve.portfolio import PlanTask, best_plan
from ludorum.solve.prove.plays import play_at_random
from ludorum.solve.prove.proof import seen_in
from ludorum.solve.prove.reachable import reach_all
from ludorum.solve.prove.steady_sums import Echelon, SteadySum, prove_steady_sums
from ludorum.solve.prove.transitions import Transitions
from tests.how_much import some

from ..random_games import random_games

PEGS = """
; Five holes in a row, the second empty: two jumps leave two pegs, and a third one cannot be made.
(role you) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 0 1)
(init (peg 1)) (init (hole 2)) (init (peg 3)) (init (peg 4)) (init (peg 5)) (init (left 4))
(<= (line ?x ?y ?z) (succ ?x ?y) (succ ?y ?z)) (<= (line ?z ?y ?x) (succ ?x ?y) (succ ?y ?z))
(<= (legal you (jump ?x ?y ?z)) (line ?x ?y ?z) (true (peg ?x)) (true (peg ?y)) (true (hole ?z)))
(<= (touched ?x) (does you (jump ?x ?y ?z))) (<= (touched ?y) (does you (jump ?x ?y ?z)))
(<= (touched ?z) (does you (jump ?x ?y ?z)))
(<= (next (hole ?x)) (does you (jump ?x ?y ?z))) (<= (next (hole ?y)) (does you (jump ?x ?y ?z)))
(<= (next (peg ?z)) (does you (jump ?x ?y ?z)))
(<= (next (peg ?x)) (true (peg ?x)) (not (touched ?x)))
(<= (next (hole ?x)) (true (hole ?x)) (not (touched ?x)))
(<= (next (left ?n)) (true (left ?m)) (succ ?n ?m))
(<= can (legal you ?m)) (<= terminal (not can))
(<= (goal you 100) (true (left 1))) (<= (goal you 50) (true (left 2)))
(<= (goal you 0) (not (true (left 1))) (not (true (left 2))))
"""


def proved_sums(game: Game) -> tuple[list[SteadySum], Transitions]:
    assert game.rules is not None
    transitions = Transitions(ground_rules(game.rules, in_process=True), Stopwatch(TO_THE_END))
    plays = play_at_random(game, 20, Stopwatch(TO_THE_END), float("inf"), most_states=400)
    return prove_steady_sums(transitions, seen_in(plays, transitions.fluents)), transitions


def written(sums: list[SteadySum], transitions: Transitions) -> set[tuple[bool, int, frozenset[str]]]:
    """Sums in which each fluent counts once."""
    return {
        (each.parity, each.value, frozenset(str(transitions.fluents[at]) for at, _ in each.weights))
        for each in sums
        if all(weight == 1 for _, weight in each.weights)
    }


def value(steady: SteadySum, transitions: Transitions, state: State) -> int:
    facts = state.facts()
    total = sum(weight for at, weight in steady.weights if transitions.fluents[at] in facts)
    return total % 2 if steady.parity else total


def check(rules: Ruleset) -> None:
    """Every sum has its value in every reachable state, and no end has a higher goal than it may."""
    game = CompiledGame(rules, "game")
    reach = reach_all(game, Stopwatch(Budget(nodes=1)), 3000)
    if reach is None:
        return
    sums, transitions = proved_sums(LiftedGame(rules, "game"))
    number = {fluent: at for at, fluent in enumerate(game.circuit.fluents)}
    never = np.zeros((reach.states, 1), np.int64)
    columns = np.concatenate([reach.facts.astype(np.int64), never], axis=1)
    for each in sums:
        own = [number.get(transitions.fluents[at], len(number)) for at, _ in each.weights]
        totals = columns[:, own] @ np.array([weight for _, weight in each.weights], np.int64)
        assert set((totals % 2 if each.parity else totals).tolist()) == {each.value}, each
    for at, role in enumerate(game.roles):
        ends = reach.goals[reach.terminal, at]
        assert highest_goal(rules, role) >= max([goal for goal in ends.tolist() if goal <= 100], default=0)


@pytest.mark.parametrize("name", ["buttons", "blocks", "maze", "hodgepodge", "nim", "tictactoe"])
def test_sums_hold_in_all_states_of_small_games(name: str) -> None:
    check(load_rules(find_sheet(name)))


@settings(max_examples=some(15, 15))
@given(random_games())
def test_sums_hold_in_all_states_of_random_games(rules: Ruleset) -> None:
    check(rules)


def test_pegs_in_a_row_leave_two() -> None:
    rules = parse_kif(PEGS)
    check(rules)
    assert highest_goal(rules, rules.roles[0]) == 50


@pytest.mark.long
def test_colours_of_a_board_say_how_many_pegs_are_left(corpus: Path) -> None:
    """On the European board with its centre empty one peg cannot be left (Beasley, *The Ins and Outs of Peg
    Solitaire*); an end with a single peg in the centre has two goal values on another sheet, and so none."""
    for name, best in {"pegEuro__v0": 90, "pegEuro": 100, "peg-2__aaai2006": 99}.items():
        rules = load_rules(find_sheet(str(corpus / "gdl1" / f"{name}.kif")), lenient=True)
        assert highest_goal(rules, rules.roles[0]) == best


@pytest.mark.long
def test_the_gap_changes_its_colour_at_every_step() -> None:
    game = load_game("eight_puzzle")
    sums, transitions = proved_sums(game)
    found = written(sums, transitions)
    for x, y in product("123", repeat=2):
        assert (False, 1, frozenset(f"(cell {x} {y} {tile})" for tile in "12345678b")) in found
    for tile in "12345678b":
        cells = frozenset(f"(cell {x} {y} {tile})" for x, y in product("123", repeat=2))
        assert (False, 1, cells) in found
    (gap,) = [each for each in sums if len({weight for _, weight in each.weights}) == 2]
    for state in random_states(game.initial(), SplitMix64(7)):
        assert value(gap, transitions, state) == gap.value


@pytest.mark.long
def test_a_bound_makes_a_plan_the_best() -> None:
    """Nothing but the sums says that one peg cannot be left."""
    game = CompiledGame(parse_kif(PEGS), "pegs")
    (found,) = best_plan(PlanTask(game, game.roles[0]), Budget(seconds=60), ["bound"])
    assert found.answer is not None
    assert (found.answer.plan, found.answer.complete, found.answer.bound) == (None, False, 50)
    best = best_plan(PlanTask(game, game.roles[0]), Budget(seconds=60))[0].answer
    assert best is not None
    assert best.plan is not None
    assert (best.plan.goal, best.plan.optimal) == (50, True)
    moves = tuple(move for (move,) in best.plan.moves)
    assert play_plan(game.initial(), moves).goals() == (50,)


@pytest.mark.long
def test_a_goal_that_can_be_had_is_no_limit() -> None:
    rules = load_rules(find_sheet("peg_solitaire"))
    assert highest_goal(rules, rules.roles[0]) == 100


@given(st.lists(st.lists(st.integers(-2, 2), min_size=5, max_size=5), max_size=6), st.sampled_from((2, 101)))
def test_what_is_orthogonal_to_rows_is_all_that_is(rows: list[list[int]], modulus: int) -> None:
    """Against all vectors of five numbers modulo 2, and against the rank."""
    space = Echelon(5, modulus)
    for row in rows:
        space.add(np.array(row, np.int64))
    found = [space.orthogonal(free) for free in space.free()]
    assert len(found) + len(space.pivots) == 5
    for vector in found:
        assert all(int(np.array(row) @ vector) % modulus == 0 for row in rows)
        assert space.is_orthogonal(vector)
    if modulus == 2:
        orthogonal = (
            [
                each
                for each in product((0, 1), repeat=5)
                if not (np.array([each]) @ np.array(rows).T % 2).any()
            ]
            if rows
            else list(product((0, 1), repeat=5))
        )
        assert len(orthogonal) == 2 ** len(found)
