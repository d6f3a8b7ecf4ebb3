"""The puzzles of the library from where they are hardest: lengths that tables and algebra confirm."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.engine.game import State
from ludorum.engine.load import load_game
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from ludorum.search.budget import Budget
from ludorum.search.single_player import SinglePlayer, SinglePlayerConfig
from ludorum.solve.planner import JointPlan
from ludorum.solve.portfolio import PlanTask, best_plan
from tests.games.test_eight_puzzle import Board, board_of, distances
from tests.games.test_lights_out import PANEL, solutions
from tests.how_much import sample
from tests.library_games import compiled_game

ENOUGH = Budget(seconds=120)
SOME = Budget(seconds=30)
"""Searches that share the time begin with one that finds nothing here: more time would only be wasted."""


def planned(name: str, state: frozenset[Term] | None = None, *, shortest: bool = True) -> JointPlan:
    """The plan of all ways together, once the lifted engine has played it to the goal it promises."""
    game = compiled_game(name)
    found = best_plan(PlanTask(game, game.roles[0], state, shortest=shortest), ENOUGH if shortest else SOME)[
        0
    ]
    assert found.answer is not None
    assert found.answer.plan is not None
    plan = found.answer.plan
    other = load_game(name)
    end: State = other.initial() if state is None else other.state(state)
    for joint in plan.moves:
        assert not end.is_terminal
        end = end.play(joint)
    assert end.is_terminal
    assert end.goals() == (plan.goal,)
    return plan


def facts_of(board: Board) -> frozenset[Term]:
    """A board at the start of the count."""
    cells = [f"(cell {x} {y} {tile})" for (x, y), tile in zip(product("123", "123"), board, strict=True)]
    return frozenset(map(parse_term, [*cells, "(step 0)"]))


def test_facts_of_a_board_are_read_back() -> None:
    assert board_of(load_game("eight_puzzle").state(facts_of("8672543b1"))) == "8672543b1"


@pytest.mark.long
def test_the_two_boards_farthest_from_order_need_31_moves() -> None:
    farthest = [board for board, moves in distances().items() if moves == 31]
    assert sorted(farthest) == ["64785b321", "8672543b1"]
    for board in farthest:
        plan = planned("eight_puzzle", facts_of(board))
        assert (plan.goal, len(plan), plan.optimal, plan.shortest) == (100, 31, True, True)


@pytest.mark.long
@settings(max_examples=10, deadline=None)
@given(st.integers(0, 181_439))
def test_boards_are_as_far_from_order_as_the_table_says(number: int) -> None:
    board, moves = list(distances().items())[number]
    if moves == 0:
        return
    game = compiled_game("eight_puzzle")
    plan = SinglePlayer(game).plan(game.state(facts_of(board)), ENOUGH, shortest=True)
    assert plan is not None
    assert (plan.goal, len(plan.moves), plan.optimal, plan.shortest) == (100, moves, True, True)


@pytest.mark.slow
def test_peg_solitaire_is_solved_in_its_31_jumps() -> None:
    plan = planned("peg_solitaire", shortest=False)
    assert (plan.goal, len(plan), plan.optimal) == (100, 31, True)


@pytest.mark.long
@pytest.mark.parametrize(("name", "moves"), sample([("knights_tour", 24), ("knights_tour_6", 35)], 2))
def test_the_knight_visits_every_square(name: str, moves: int) -> None:
    plan = planned(name, shortest=False)
    assert (plan.goal, len(plan), plan.optimal) == (100, moves, True)


def test_no_way_to_store_both_crates_is_shorter_than_27_moves() -> None:
    plan = planned("sokoban")
    assert (plan.goal, len(plan), plan.optimal, plan.shortest) == (100, 27, True, True)


@pytest.mark.long
def test_lights_out_is_solved_by_presses_that_algebra_knows() -> None:
    plan = planned("lights_out", shortest=False)
    assert (plan.goal, plan.optimal) == (100, True)
    pressed: frozenset[tuple[int, int]] = frozenset()
    for (move,) in plan.moves:
        x, y = (int(str(arg)) for arg in move.args)
        pressed ^= {(x, y)}
    assert pressed in solutions(frozenset((x, y) for x, y in PANEL if {x, y} & {1, 5}))


@pytest.mark.slow
def test_no_way_to_put_the_lights_out_is_shorter_than_ten_presses() -> None:
    """Some four million panels are seen before the tenth press: a minute or two of the processor."""
    game = compiled_game("lights_out")
    search = SinglePlayer(game, SinglePlayerConfig(memory_bytes=2 << 30))
    plan = search.plan(budget=Budget(seconds=1500), shortest=True)
    assert plan is not None
    assert (plan.goal, len(plan.moves), plan.optimal, plan.shortest) == (100, 10, True, True)
