"""Solving: the right method for each kind of game, and values that are known."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.errors import GameError
from ludorum.engine.game import Game
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.engine.reference import ReferenceGame
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.search.budget import Budget
from ludorum.solve.values.check_strategy import check_strategy
from ludorum.solve.values.prover import ProverConfig
from ludorum.solve.values.solution import Solution, SolutionMethod
from ludorum.solve.values.solve_game import SolveConfig, solve_game
from tests.how_much import FULL, sample
from tests.library_games import compiled_game
from tests.search.small_boards import breakthrough, connect_four
from tests.small_games import CIRCLE
from tests.solve.values.graph_games import Graph

PENNIES = """
; Two rounds: whoever guesses right goes on; in the second round heads is worth twice as much as tails.
(role left) (role right)
(side heads) (side tails)
(init (round 1))
(<= (legal ?r (show ?s)) (role ?r) (side ?s))
(<= same (does left (show ?s)) (does right (show ?s)))
(<= (next (round 2)) (true (round 1)) same)
(<= (next (got 0)) (not same))
(<= (next (got 100)) (true (round 2)) (does left (show heads)) (does right (show heads)))
(<= (next (got 50)) (true (round 2)) (does left (show tails)) (does right (show tails)))
(points 0 100) (points 50 50) (points 100 0)
(<= terminal (true (got ?n)))
(<= (goal left ?n) (true (got ?n)))
(<= (goal right ?m) (true (got ?n)) (points ?n ?m))
(<= (goal ?r 50) (role ?r) (not terminal))
"""

BIDS = """
; Each of two players has the cards 1, 2 and 3 and plays one a round, both at once. The higher card takes the
; prize of the round, which is 1, then 2, then 3; more points win.
(role left) (role right)
(card 1) (card 2) (card 3)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
(init (round 1)) (<= (init (score ?r 0)) (role ?r)) (<= (init (holds ?r ?c)) (role ?r) (card ?c))
(<= (legal ?r (bid ?c)) (true (holds ?r ?c)))
(<= (legal ?r done) (role ?r) (true (round 4)))
(<= (more ?a ?b) (succ ?b ?a)) (<= (more ?a ?c) (succ ?b ?a) (more ?b ?c))
(opponent left right) (opponent right left)
(<= (takes ?r) (opponent ?r ?o) (does ?r (bid ?a)) (does ?o (bid ?b)) (more ?a ?b))
(<= (next (round ?m)) (true (round ?n)) (succ ?n ?m))
(<= (next (holds ?r ?c)) (true (holds ?r ?c)) (not (does ?r (bid ?c))))
(<= (add ?n 1 ?m) (succ ?n ?m))
(<= (add ?n 2 ?m) (succ ?n ?k) (succ ?k ?m))
(<= (add ?n 3 ?m) (add ?n 2 ?k) (succ ?k ?m))
(<= (next (score ?r ?m)) (true (score ?r ?n)) (takes ?r) (true (round ?p)) (add ?n ?p ?m))
(<= (next (score ?r ?n)) (true (score ?r ?n)) (not (takes ?r)))
(<= terminal (true (round 4)))
(<= (ahead ?r) (opponent ?r ?o) (true (score ?r ?m)) (true (score ?o ?n)) (more ?m ?n))
(<= decided (ahead ?r))
(<= (goal ?r 100) (ahead ?r))
(<= (goal ?o 0) (ahead ?r) (opponent ?r ?o))
(<= (goal ?r 50) (role ?r) (not decided))
"""

DRAW = """
; Nature draws one of four cards; then the player says whether to keep it or to take 50.
(role player) (role random)
(init (phase draw))
(card 0) (card 40) (card 60) (card 100)
(<= (legal random (give ?c)) (card ?c) (true (phase draw)))
(<= (legal random noop) (not (true (phase draw))))
(<= (legal player noop) (true (phase draw)))
(<= (legal player keep) (true (phase choose)))
(<= (legal player safe) (true (phase choose)))
(<= (next (has ?c)) (does random (give ?c)))
(<= (sees player (got ?c)) (does random (give ?c)))
(<= (next (has ?c)) (true (has ?c)) (does player keep))
(<= (next (has 50)) (does player safe))
(<= (next (phase choose)) (true (phase draw)))
(<= (next (phase over)) (true (phase choose)))
(<= terminal (true (phase over)))
(<= (goal player ?c) (true (has ?c)))
(<= (goal random 0))
"""


def values(found: Solution) -> dict[str, Fraction]:
    return {str(role): value for role, value in found.values.items()}


def test_tictactoe_is_a_draw_from_either_side() -> None:
    game = compiled_game("tictactoe")
    for role in game.roles:
        found = solve_game(game, role=role)
        assert found.solved
        assert values(found) == {"xplayer": 50, "oplayer": 50}
        assert found.mover is game.roles[0]
        assert len(found.best) == 9
        assert not found.worse


def test_moves_that_lose_are_told_from_those_that_do_not() -> None:
    game = compiled_game("tictactoe")
    centre = next(move for move in game.initial().legal(game.roles[0]) if str(move) == "(mark 2 2)")
    noop = game.initial().legal(game.roles[1])[0]
    after = game.initial().play((centre, noop))
    for role in game.roles:
        found = solve_game(game, after, role)
        assert {str(move) for move in found.best} == {"(mark 1 1)", "(mark 1 3)", "(mark 3 1)", "(mark 3 3)"}
        assert len(found.worse) == 4


@pytest.mark.parametrize("engine", ["compiled", "lifted"])
def test_nim_is_solved_by_every_engine(engine: str) -> None:
    found = solve_game(load_game("nim", engine), config=SolveConfig(strategies=True))
    assert found.solved
    assert sum(found.values.values()) == 100
    assert found.best
    for strategy in found.strategies.values():
        assert check_strategy(load_game("nim", "lifted"), strategy).holds


@pytest.mark.parametrize("methods", [("depth-first",), ("proof-number",)])
def test_both_methods_know_small_boards(methods: tuple[str, ...]) -> None:
    config = SolveConfig(prover=ProverConfig(table_bytes=1 << 26, methods=methods))
    expected = [(breakthrough(2, 6), 100), (breakthrough(4, 4), 0), (connect_four(4, 4), 50)]
    for game, value in expected if FULL else expected[1:2]:
        found = solve_game(game, config=config)
        assert found.values[game.roles[0]] == value
        assert found.values[game.roles[1]] == 100 - value
        assert found.method is (
            SolutionMethod.DEPTH_FIRST if methods == ("depth-first",) else SolutionMethod.PROOF_NUMBER
        )


def test_out_of_time_says_what_is_known() -> None:
    game = connect_four(6, 6)
    found = solve_game(game, budget=Budget(nodes=20_000))
    assert not found.solved
    assert found.bounds == {game.roles[0]: (0, 100)}
    assert "not solved" in found.note


def test_ends_are_worth_what_they_are() -> None:
    game = compiled_game("tictactoe")
    state = game.parse_state(
        "((cell 1 1 x) (cell 1 2 x) (cell 1 3 x) (cell 2 1 o) (cell 2 2 o) (cell 2 3 b)"
        " (cell 3 1 b) (cell 3 2 b) (cell 3 3 b) (control oplayer))"
    )
    found = solve_game(game, state)
    assert values(found) == {"xplayer": 100, "oplayer": 0}
    assert found.method is SolutionMethod.OVER


def test_rock_paper_scissors_is_even_and_mixed() -> None:
    found = solve_game(load_game("rock_paper_scissors", "lifted"))
    assert values(found) == {"left": 50, "right": 50}
    assert found.method is SolutionMethod.MATRICES
    for own in found.mixtures.values():
        assert set(own.values()) == {Fraction(1, 3)}


@pytest.mark.parametrize("engine", [ReferenceGame, CompiledGame])
def test_two_rounds_of_pennies(engine: type[Game]) -> None:
    # The second round is worth 100/3 to the left player, who gets there half the time.
    found = solve_game(engine(parse_kif(PENNIES), "pennies"))  # type: ignore[call-arg]
    assert values(found) == {"left": Fraction(50, 3), "right": 100 - Fraction(50, 3)}


def test_bidding_with_equal_cards_is_even() -> None:
    game = CompiledGame(parse_kif(BIDS), "bids")
    found = solve_game(game)
    assert values(found) == {"left": 50, "right": 50}


def test_nature_is_averaged() -> None:
    found = solve_game(CompiledGame(parse_kif(DRAW), "draw"))
    assert values(found)["player"] == Fraction(50 + 50 + 60 + 100, 4)
    assert found.method is SolutionMethod.INDUCTION


def test_play_without_end_is_called_so() -> None:
    game = Graph({1: "left", 2: "right"}, {1: [2, 3], 2: [1, 4]}, {3: 0, 4: 100}).game()
    found = solve_game(game)
    assert values(found) == {"left": 0, "right": 0}
    assert "for ever" in found.note


TWO_WALKERS = """
; Each walks round a triangle of its own for ever.
(role left) (role right)
(init (at left a)) (init (at right a))
(edge a b) (edge b c) (edge c a) (edge a a)
(<= (legal ?r (go ?y)) (true (at ?r ?x)) (edge ?x ?y))
(<= (next (at ?r ?y)) (does ?r (go ?y)))
(<= terminal (true (at left nowhere)))
(<= (goal ?r 50) (role ?r))
"""
IN_TURN = """
; Two who let a ball go to and fro, in turns; only the right one can end that.
(role left) (role right)
(init (at left))
(<= (legal ?r keep) (true (at ?r))) (<= (legal ?r give) (true (at ?r)))
(<= (legal right stop) (true (at right)))
(<= (legal ?r noop) (role ?r) (not (true (at ?r))))
(other left right) (other right left)
(<= (next (at ?r)) (does ?r keep))
(<= (next (at ?p)) (does ?r give) (other ?r ?p))
(<= (next over) (does right stop))
(<= terminal (true over))
(goal left 50) (goal right 50)
"""


@pytest.mark.parametrize("engine", [ReferenceGame, LiftedGame, CompiledGame])
@pytest.mark.parametrize("text", sample([CIRCLE, TWO_WALKERS, IN_TURN], 2))
def test_what_never_ends_is_not_solved(engine: type[Game], text: str) -> None:
    """Play without end has no goal value, whatever ``goal`` says on the way: nobody gets 0, or 50."""
    found = solve_game(engine(parse_kif(text), "endless"))  # type: ignore[call-arg]
    assert not found.solved
    assert not found.values
    assert not found.is_limited
    assert "for ever" in found.note or "circles" in found.note


def test_who_can_end_its_circle_has_a_value() -> None:
    """The least there is, and still one: an end that gives nothing is an end."""
    game = CompiledGame(
        parse_kif(
            CIRCLE + "(<= (legal walker leave) (true (at a))) (<= (next (at nowhere)) (does walker leave))"
        ),
        "leave",
    )
    found = solve_game(game)
    assert values(found) == {"walker": 0}
    assert found.note == ""


def test_a_state_that_cannot_be_is_refused() -> None:
    game = compiled_game("tictactoe")
    with pytest.raises(GameError):
        game.state([parse_term("(cell 9 9 x)")])


@pytest.mark.long
def test_games_at_once_with_too_many_states_are_told_so_at_once() -> None:
    found = solve_game(compiled_game("racetrack"), budget=Budget(seconds=600))
    assert not found.solved
    assert not found.is_limited  # more seconds would not do
    assert found.note.startswith("it has more than 200000 states, the most that matrices are made for")
    assert found.seconds < 60


def test_states_of_games_at_once_are_counted_where_time_is_short() -> None:
    found = solve_game(load_game("racetrack"), budget=Budget(nodes=50))
    assert (found.solved, found.is_limited, found.nodes) == (False, True, 50)
