"""What a message tells of the last step: the joint move, or the own move and the percepts."""

from __future__ import annotations

import pytest

from ludorum.arena.protocol.messages import Play, PlayPercepts
from ludorum.arena.protocol.told_turn import ToldTurn, told_turn
from ludorum.engine.game import Game
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.terms import Term

MARK, NOOP = parse_term("(mark 1 1)"), Term("noop")
DIE = """
(role thrower) (role random) (init start)
(<= (legal thrower noop) (true start))
(legal random (throw 1)) (legal random (throw 2))
(<= (next (shown ?n)) (does random (throw ?n)))
(<= terminal (true (shown ?n)))
(goal thrower 100)
"""


@pytest.fixture(scope="module")
def open_game() -> Game:
    return load_game("tictactoe")


@pytest.fixture(scope="module")
def hidden_game() -> Game:
    return load_game("monty_hall")


@pytest.fixture(scope="module")
def chance_game() -> Game:
    """Nothing is hidden but what chance will do: hosts of GDL-I tell its joint moves."""
    return LiftedGame(parse_kif(DIE))


def test_an_open_game_is_told_joint_moves(open_game: Game) -> None:
    assert told_turn(open_game, Play("m", None), None, None) == ToldTurn(True, None)
    assert told_turn(open_game, Play("m", (MARK, NOOP)), 1, MARK) == ToldTurn(False, 1, joint=(MARK, NOOP))


def test_joint_moves_of_an_open_game_are_found_among_percepts(open_game: Game) -> None:
    did = tuple(Term("did", (role, move)) for role, move in zip(open_game.roles, (MARK, NOOP), strict=True))
    assert told_turn(open_game, PlayPercepts("m", 1, MARK, did), None, None).joint == (MARK, NOOP)
    assert told_turn(open_game, PlayPercepts("m", 0, None, ()), None, None).is_first


def test_a_game_with_secrets_is_told_percepts(hidden_game: Game) -> None:
    seen = (Term("seen"),)
    turn = told_turn(hidden_game, PlayPercepts("m", 2, NOOP, seen), None, None)
    assert turn == ToldTurn(False, 2, NOOP, seen)
    assert told_turn(hidden_game, Play("m", seen), None, NOOP) == ToldTurn(False, None, NOOP, seen)


def test_nil_is_an_empty_list_of_percepts_once_a_move_was_sent(hidden_game: Game) -> None:
    assert told_turn(hidden_game, Play("m", None), None, None).is_first
    assert told_turn(hidden_game, Play("m", None), None, NOOP) == ToldTurn(False, None, NOOP, ())
    assert told_turn(hidden_game, Play("m", None), 0, NOOP).is_first


def test_joint_moves_are_told_where_there_is_only_chance(chance_game: Game) -> None:
    assert not chance_game.info.is_open
    turn = told_turn(chance_game, Play("m", (NOOP, NOOP)), None, NOOP)
    assert (turn.joint, turn.percepts) == ((NOOP, NOOP), (NOOP, NOOP))
