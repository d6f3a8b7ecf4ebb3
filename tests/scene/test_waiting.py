"""Who is asked for a move, and whose only move passes by itself."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from ludorum.engine.game import Game, State
from ludorum.engine.load import load_game, make_game
from ludorum.rules.library import Sheet, read_header
from ludorum.rules.source import Source
from ludorum.scene import Asking
from tests.scene.same_to_a_role import random_course

MESSENGER = """
    (role sender) (role receiver) (role random)
    (init (turn 1)) (succ 1 2) (succ 2 3)
    (<= (legal random pass) (true (turn 1)))
    (<= (legal random catch) (true (turn 1)))
    (<= (legal random still) (not (true (turn 1))))
    (<= (legal sender write) (true (turn 1)))
    (<= (legal sender wait) (not (true (turn 1))))
    (<= (legal receiver wait) (not (true arrived)))
    (<= (legal receiver answer) (true arrived))
    (<= (next arrived) (does sender write) (does random pass))
    (<= (sees receiver letter) (does sender write) (does random pass))
    (<= (next (turn ?n)) (true (turn ?m)) (succ ?m ?n))
    (<= terminal (true (turn 3)))
    (goal sender 0) (goal receiver 0)
"""
"""A message may be caught on its way, and the sender does not hear of it."""


def game_of(text: str) -> Game:
    return make_game(Sheet("tiny", "gdl2", Source("tiny", text), read_header(text)))


def after(game: Game, *joints: str) -> list[State]:
    states = [game.initial()]
    for joint in joints:
        moves = joint.split()
        legal = [{str(move): move for move in states[-1].legal(role)} for role in game.roles]
        states.append(states[-1].play([own[move] for own, move in zip(legal, moves, strict=True)]))
    return states


def asked(game: Game, states: Sequence[State]) -> list[str]:
    return list(map(str, Asking(game).roles(states)))


def test_who_waits_for_a_message_is_asked_whether_it_came_or_not() -> None:
    game = game_of(MESSENGER)
    assert asked(game, after(game)) == []  # all know what everybody does at first
    arrived, caught = after(game, "write wait pass"), after(game, "write wait catch")
    receiver = game.role("receiver")
    assert [list(map(str, one[-1].legal(receiver))) for one in (arrived, caught)] == [["answer"], ["wait"]]
    assert asked(game, arrived) == asked(game, caught) == ["receiver"]


def test_the_only_move_passes_where_all_were_told_of_the_message() -> None:
    told = MESSENGER + "(<= (sees sender letter) (does sender write) (does random pass))"
    game = game_of(told)
    assert asked(game, after(game, "write wait pass")) == []
    assert asked(game, after(game, "write wait catch")) == []


@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["kuhn_poker", "liars_dice", "hidden_connect", "small_dominion", "blind_breakthrough", "bazaar"]
)
def test_nobody_has_to_wait_by_hand_in_games_of_the_library(name: str) -> None:
    game = load_game(name)
    asking, alone = Asking(game), 0
    course = random_course(game, Random(2), 16)
    for step in range(len(course)):
        states = course[: step + 1]
        idle = [one for one in game.info.players if len(states[-1].legal(one)) == 1]
        alone += len(idle)
        assert not [one for one in idle if asking.is_asked(states, one)]
    assert alone > 5


def test_a_door_is_opened_by_hand_whether_there_is_a_choice_or_not() -> None:
    game = load_game("monty_hall")
    asking, monty = Asking(game), game.role("monty")
    courses = [random_course(game, Random(seed), 1) for seed in range(8)]
    assert {len(course[1].legal(monty)) for course in courses} == {1, 2}
    assert all(list(asking.roles(course)) == [monty] for course in courses)
