"""What engines, searches and proofs do with rules that explode: they end, and say why."""

from __future__ import annotations

import time

import pytest

from ludorum.asp.ground import ground_rules
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.errors import GameError
from ludorum.engine.foresight import look_ahead
from ludorum.engine.game import State
from ludorum.engine.lifted import LiftedGame, LimitError
from ludorum.engine.perft import Exploration, explore, perft
from ludorum.rules.kif import parse_kif
from ludorum.search.budget import Budget, Stopwatch
from ludorum.search.state_graph import SimultaneousError, UnsolvedError, explore_states
from ludorum.solve.prove.reachable import reach_all
from ludorum.solve.state_symmetry import find_state_symmetries
from ludorum.solve.symmetry import find_symmetry
from ludorum.solve.values.simultaneous import solve_simultaneous
from tests.exploding_sheets import GROWING_TERMS, many_joint_moves, many_moves


@pytest.mark.slow
def test_foresight_ends_where_each_of_a_thousand_moves_depends_on_all_others() -> None:
    """Quadratic in the moves: it took eight times as long for twice as many, and heard no Ctrl-C."""
    circuit = CompiledGame(parse_kif(many_moves(1500)), "wide").circuit
    before = time.process_time()
    assert look_ahead(circuit) is None
    assert time.process_time() - before < 4


def play_on(game: LiftedGame, steps: int) -> State:
    state: State = game.initial()
    for _ in range(steps):
        state = state.play(tuple(state.legal(role)[0] for role in game.roles))
    return state


@pytest.mark.long
def test_a_state_whose_terms_grow_without_end_is_refused() -> None:
    game = LiftedGame(parse_kif(GROWING_TERMS), "grows")
    with pytest.raises(LimitError) as error:
        play_on(game, 20_000)
    assert str(error.value) == (
        "grows: a state has terms within terms, more than 10000 deep; (<= (next (s (f ?x))) (true (s ?x)))"
        " in line 3 wraps terms in terms again and again, and nothing bounds them"
    )


def test_deep_terms_are_states_like_others() -> None:
    state = play_on(LiftedGame(parse_kif(GROWING_TERMS), "grows"), 3000)
    again = LiftedGame(parse_kif(GROWING_TERMS), "grows").state(state.facts())
    assert again == state


def test_exploring_ends_at_its_limit_within_one_state() -> None:
    rules = parse_kif(many_joint_moves())
    seen = Exploration(500, 0, 0, None, None, complete=False)
    assert explore(LiftedGame(rules, "product"), limit=500) == seen
    assert explore(CompiledGame(rules, "product"), limit=500) == seen


def test_joint_moves_that_no_memory_holds_are_counted_and_not_listed() -> None:
    game = CompiledGame(parse_kif(many_joint_moves()), "product")
    assert perft(LiftedGame(game.rules, "product"), 1) == [100**10]
    simulator = game.simulator()
    with pytest.raises(GameError, match=r"^1e\+20 joint moves at once are too many to be listed$"):
        simulator.successors(simulator.pack([game.initial()]))


@pytest.mark.parametrize(("roles", "moves"), [(10, 100), (64, 2)])
def test_all_states_are_given_up_where_joint_moves_exceed_integers(roles: int, moves: int) -> None:
    """Two to the 64th are none at all in integers of 64 bits."""
    game = CompiledGame(parse_kif(many_joint_moves(roles, moves)), "product")
    assert reach_all(game, Stopwatch(Budget(seconds=600)), 1000) is None


def test_games_in_which_many_choose_at_once_are_told_before_their_moves_are_listed() -> None:
    rules = parse_kif(many_joint_moves())
    for game in (CompiledGame(rules, "product"), LiftedGame(rules, "product")):
        with pytest.raises(SimultaneousError):
            explore_states(game, game.initial(), Stopwatch(Budget(seconds=600)), 1000)


def test_induction_over_matrices_hears_that_time_is_over() -> None:
    state = LiftedGame(parse_kif(many_joint_moves(2, 1000)), "product").initial()
    before = time.process_time()
    with pytest.raises(UnsolvedError, match=r"^not solved within the limits$"):
        solve_simultaneous(state, Stopwatch(Budget(seconds=0)))
    assert time.process_time() - before < 2  # a million joint moves take a minute


def test_symmetries_are_not_looked_for_when_time_is_over() -> None:
    rules = parse_kif(many_joint_moves(5, 3))
    assert find_symmetry(rules, *rules.roles[:2]) is not None
    assert find_symmetry(rules, *rules.roles[:2], is_up=lambda: True) is None
    program = ground_rules(rules, in_process=True)
    assert find_state_symmetries(program) != []
    assert find_state_symmetries(program, is_up=lambda: True) == []
