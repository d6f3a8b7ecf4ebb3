"""One player against the rules: no careless end, and a search that uses its budget."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import Game
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.reference import ReferenceGame
from ludorum.rules.ruleset import Ruleset
from ludorum.search.beam import BeamSearch
from ludorum.search.budget import Budget, Stopwatch
from ludorum.search.open_play import most_open_move
from ludorum.search.plan import play_plan
from ludorum.search.single_player import SinglePlayer
from tests.alone_games import best_end, corridor, lock, placement, race, random_puzzle

ENGINES = (CompiledGame, LiftedGame)


def played(game: Game, budget: Budget, oracle: bool = False) -> int:
    """The goal at the end of a match in which every move is searched with the budget.

    ``oracle``: checks of every end with 0 that the position before it had nothing better.
    """
    player, (role,) = SinglePlayer(game), game.roles
    state = game.initial()
    while not state.is_terminal:
        after = state.play((player.search(state, role, budget).move,))
        if oracle and after.is_terminal and after.goal(role) == 0:
            assert best_end(state) == 0
        state = after
    return state.goal(role) or 0


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "rules", [placement(3), race(12, 3), lock("3120"), corridor(30, 5)], ids=["place", "race", "lock", "walk"]
)
def test_the_best_end_is_reached_with_little_work_a_move(
    engine: type[CompiledGame] | type[LiftedGame], rules: Ruleset
) -> None:
    assert played(engine(rules, "alone"), Budget(nodes=2000, playouts=20)) == 100


@pytest.mark.parametrize("engine", ENGINES)
def test_a_large_placement_puzzle_is_not_given_up(engine: type[CompiledGame] | type[LiftedGame]) -> None:
    """Breadth-first search with so few nodes sees only ``quit``; play is kept open until the end."""
    game = engine(placement(4), "placement")
    assert played(game, Budget(nodes=300, playouts=5)) == 100


def test_a_sure_gain_is_not_risked_and_not_taken_too_early() -> None:
    """With work for one step only, the walker stays where it may jump for 5, and arrives."""
    assert played(LiftedGame(corridor(12, 5), "walk"), Budget(nodes=2, playouts=1)) == 100


@pytest.mark.long
@settings(max_examples=30)
@given(st.integers(0, 2**32), st.sampled_from(ENGINES), st.integers(1, 30))
def test_no_end_with_nothing_while_something_is_left(
    seed: int, engine: type[CompiledGame] | type[LiftedGame], nodes: int
) -> None:
    """Whatever little it may search: an end with 0 is taken only where no line of play brings more."""
    game = engine(random_puzzle(Random(seed)), "puzzle")
    played(game, Budget(nodes=nodes, playouts=1), oracle=True)


@pytest.mark.long
@settings(max_examples=30)
@given(st.integers(0, 2**32), st.sampled_from(ENGINES))
def test_with_enough_work_the_best_end_of_random_puzzles_is_reached(
    seed: int, engine: type[CompiledGame] | type[LiftedGame]
) -> None:
    game = engine(random_puzzle(Random(seed)), "puzzle")
    assert played(game, Budget(nodes=500, playouts=5)) == best_end(game.initial())


def test_a_lock_opens_where_nothing_is_searched_but_its_hopeless_positions_are_seen() -> None:
    """After a wrong digit there are as many moves as after the right one: only the relaxation tells."""
    assert played(CompiledGame(lock("3120" * 5), "lock"), Budget(nodes=1, playouts=1)) == 100


def test_the_most_open_move_leads_to_no_hopeless_position_if_another_is_found() -> None:
    game = LiftedGame(lock("3120"), "lock")
    (role,), state = game.roles, game.initial()
    right = state.play(("(dial 3)",))
    found = most_open_move(state, role, (), Stopwatch(Budget(nodes=1)), lambda after: after != right)
    assert str(found.move) == "(dial 3)"
    lost = most_open_move(state, role, (), Stopwatch(Budget(nodes=1)), lambda after: True)
    assert (
        str(lost.move) == str(most_open_move(state, role, (), Stopwatch(Budget(nodes=1))).move) == "(dial 0)"
    )


# ------------------------------------------------------------------------------------------ beams


@pytest.mark.long
@settings(max_examples=30)
@given(st.integers(0, 2**32), st.sampled_from(ENGINES), st.integers(1, 200))
def test_beams_are_honest(seed: int, engine: type[CompiledGame] | type[LiftedGame], nodes: int) -> None:
    """The plan leads where it says on the reference engine, the open line goes on, and proofs are true."""
    rules = random_puzzle(Random(seed))
    game, oracle = engine(rules, "puzzle"), ReferenceGame(rules, "puzzle")
    found = BeamSearch(game, seed).search(game.initial(), Budget(nodes=nodes))
    best = best_end(oracle.initial())
    if found.plan is not None:
        assert play_plan(oracle.initial(), found.plan.moves).goals() == (found.plan.goal,)
        assert not found.plan.optimal or found.plan.goal == best
    assert not found.is_last_word or (0 if found.plan is None else found.plan.goal) == best
    assert not play_plan(game.initial(), found.open_line.moves).is_terminal


@pytest.mark.parametrize("engine", ENGINES)
def test_beams_are_repeatable(engine: type[CompiledGame] | type[LiftedGame]) -> None:
    game = engine(placement(4), "placement")
    first, second = (BeamSearch(game, 3).search(game.initial(), Budget(nodes=3000)) for _ in range(2))
    assert first.open_line == second.open_line
    assert first.plan is not None
    assert second.plan is not None
    assert (first.plan.moves, first.plan.nodes) == (second.plan.moves, second.plan.nodes)


def test_a_narrow_beam_fills_a_square_that_breadth_first_search_does_not() -> None:
    game = CompiledGame(placement(5), "placement")
    found = BeamSearch(game).search(game.initial(), Budget(nodes=50_000))
    assert found.plan is not None
    assert (found.plan.goal, len(found.plan.moves), found.is_last_word) == (100, 24, True)


def test_estimates_drop_what_is_hopeless_and_prove_it() -> None:
    """The first digit wrong, the lock never opens: the relaxation knows it, and 0 is proved to be best."""
    game = CompiledGame(lock("3120" * 5), "lock")
    searcher = SinglePlayer(game)
    state = play_plan(game.initial(), game.initial().legal(game.roles[0])[:1])
    plan = searcher.plan(state, Budget(nodes=200, playouts=1))
    assert plan is not None
    assert (plan.goal, plan.optimal) == (0, True)
