"""Results of random games, game by game: those of the bulk, in the order in which the games begin."""

import numpy as np
import pytest

from ludorum._core import Lanes
from ludorum.engine.auto import AutoGame
from ludorum.engine.errors import GameError
from ludorum.engine.game import Game
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.engine.reference import ReferenceGame
from ludorum.rules.kif import parse_kif
from tests.engine.kernel_games import compile_here
from tests.engine.test_turns import AGAIN
from tests.how_much import some
from tests.library_games import compiled_game

ODD = """
(role a) (role b) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(legal a go) (legal a stay) (<= (legal b go) (not (true (at 2)))) (<= (legal b stay) (not (true (at 2))))
(<= (next (at ?y)) (does a go) (true (at ?x)) (succ ?x ?y))
(<= (next (at ?x)) (does a stay) (true (at ?x)))
(<= terminal (true (at 3)))
(goal a 7) (goal a 8) (goal b high)
"""
"""A game in which `b` has no move at 2, `a` has two goal values, and that of `b` is no number."""


PLANS = [
    (name, plan)
    for name in ("tictactoe", "connect_four", "breakthrough", "blocks", "rock_paper_scissors")
    for plan in ("", "cycle")
]


@pytest.mark.parametrize(("name", "plan"), PLANS)
@pytest.mark.parametrize("max_steps", [0, 6])
def test_the_games_are_those_of_the_bulk(name: str, plan: str, max_steps: int) -> None:
    game = compiled_game(name)
    kernel = Lanes(game.network, plan=plan)
    bulk = kernel.playouts(20_000, seed=4, max_steps=max_steps)
    found = kernel.playouts(20_000, seed=4, max_steps=max_steps, each=True)
    goals, lengths = found["goals"], found["lengths"]
    assert lengths.sum() == bulk["steps"]
    assert np.maximum(goals, 0).sum(axis=0).tolist() == bulk["goal_sums"].tolist()
    counted = [
        int((goals[:, role] == value).sum())
        for role, value, _ in game.circuit.goals
        if isinstance(value, int)
    ]
    assert counted == bulk["goal_counts"].tolist()
    assert not max_steps or lengths.max() <= max_steps


@pytest.mark.parametrize("max_steps", [0, 4])
def test_lanes_that_wait_for_their_turn_count_their_own_steps(max_steps: int) -> None:
    kernel = Lanes(compile_here(parse_kif(AGAIN)).network, plan="turns")
    assert kernel.takes_turns
    # One game of 4400 takes all nine stones one by one.
    found = kernel.playouts(200_000, seed=2, max_steps=max_steps, each=True)
    assert found["lengths"].sum() == found["steps"]
    assert found["lengths"].min() == 3
    assert found["lengths"].max() == (max_steps or 9)
    assert (found["capped"] > 0) == (max_steps > 0)


def test_a_length_belongs_to_the_goals_beside_it() -> None:
    found = compiled_game("tictactoe").playouts(100_000, seed=1)
    x_won, draws = found.of("xplayer") == 100, found.of("xplayer") == 50
    assert set(found.lengths[x_won].tolist()) == {5, 7, 9}
    assert set(found.lengths[draws].tolist()) == {9}
    assert set(found.lengths[~x_won & ~draws].tolist()) == {6, 8}
    assert (found.goals.sum(axis=1) == 100).all()


def test_short_games_do_not_come_first() -> None:
    lengths = compiled_game("connect_four").playouts(40_000, seed=1).lengths
    assert abs(lengths[:10_000].mean() - lengths.mean()) < 0.4


def test_threads_change_nothing_and_seeds_do() -> None:
    game = compiled_game("connect_four")
    one, two = game.playouts(30_000, seed=5), game.playouts(30_000, seed=5, threads=2)
    assert np.array_equal(one.goals, two.goals)
    assert np.array_equal(one.lengths, two.lengths)
    assert not np.array_equal(one.lengths, game.playouts(30_000, seed=6).lengths)


def odd_games() -> list[Game]:
    rules = parse_kif(ODD)
    return [ReferenceGame(rules), LiftedGame(rules), compile_here(rules)]


@pytest.mark.parametrize("game", odd_games(), ids=lambda game: type(game).__name__)
def test_ends_without_one_number_have_no_goal(game: Game) -> None:
    found = game.playouts(60, seed=1)
    assert found.goals.tolist() == [[-1, -1]] * 60
    assert found.lengths.min() == 2  # at 2, where b has no move
    assert found.lengths.max() > 2
    assert found.means() == {"a": 0.0, "b": 0.0}
    assert game.playouts(60, seed=1, max_steps=1).lengths.tolist() == [1] * 60


@pytest.mark.long
@pytest.mark.parametrize("engine", ["reference", "lifted", "compiled"])
def test_every_engine_plays_with_the_same_mean(engine: str) -> None:
    count = some(60) if engine == "reference" else 4000
    game = load_game("tictactoe", engine)
    found = game.playouts(count, seed=2)
    assert len(found) == count
    assert found.means()["xplayer"] == pytest.approx(64.8, abs=200 / count**0.5)
    assert found.lengths.mean() == pytest.approx(7.62, abs=5 / count**0.5)
    assert np.array_equal(found.goals, game.playouts(count, seed=2).goals)


def test_what_was_asked_before_does_not_change_the_games() -> None:
    game = load_game("breakthrough", "lifted")
    first = game.playouts(5, seed=3)
    list(game.playout(seed=9))
    assert np.array_equal(first.lengths, game.playouts(5, seed=3).lengths)


def test_a_game_that_is_still_being_compiled_waits_for_its_circuit() -> None:
    with AutoGame(compiled_game("tictactoe").rules, "tictactoe") as game:
        found = game.playouts(1000, seed=1)
    assert np.array_equal(found.goals, compiled_game("tictactoe").playouts(1000, seed=1).goals)


def test_card_games_are_played_card_by_card() -> None:
    found = load_game("kuhn_poker").playouts(20, seed=1)
    assert found.goals[:, :2].sum(axis=1).tolist() == [100] * 20
    assert found.lengths.min() > 2


def test_no_games_are_no_rows() -> None:
    found = compiled_game("tictactoe").playouts(0)
    assert (found.goals.shape, found.lengths.shape) == ((0, 2), (0,))
    assert repr(found) == "<0 playouts of tictactoe: xplayer 0.0, oplayer 0.0; 0 moves each>"


def test_wrong_numbers_and_roles_are_refused() -> None:
    for game in (compiled_game("tictactoe"), load_game("tictactoe")):
        with pytest.raises(ValueError, match="count must not be negative, but is -1"):
            game.playouts(-1)
    with pytest.raises(GameError, match="tictactoe has no role 'white'; its roles are xplayer, oplayer"):
        compiled_game("tictactoe").playouts(1).of("white")
    with pytest.raises(ValueError, match="results of each game need count, and no seconds"):
        compiled_game("tictactoe").simulator().kernel.playouts(seconds=1.0, each=True)
