"""The match keeps order: only legal moves, nature by seed, moves can be taken back."""

import pytest

from ludorum.arena.match import Fault, Match, play_match
from ludorum.engine.game import GameError, IllegalMoveError
from ludorum.players import LegalPlayer, Player, Position, RandomPlayer
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from tests.small_games import coin, door

LEFT, RIGHT, PUSH, WAIT = map(parse_term, ("left", "right", "push", "wait"))
GUESSER, NOOP = map(parse_term, ("guesser", "noop"))


def test_a_match_goes_to_its_end() -> None:
    match = Match(door())
    match.play({LEFT: PUSH, RIGHT: WAIT})
    match.play({LEFT: PUSH, RIGHT: PUSH})
    assert match.is_over
    assert match.state.goals() == (100, 100)
    assert match.moves == [(PUSH, WAIT), (PUSH, PUSH)]
    with pytest.raises(IllegalMoveError, match="the match is over"):
        match.play({LEFT: PUSH, RIGHT: PUSH})


def test_a_refused_joint_move_changes_nothing() -> None:
    match = Match(coin(), seed=4)
    with pytest.raises(IllegalMoveError, match=r"\(call heads\) is not legal for guesser"):
        match.play({GUESSER: parse_term("(call heads)")})
    with pytest.raises(IllegalMoveError, match="None is not legal for guesser"):
        match.play({})
    match.play({GUESSER: NOOP})
    same = Match(coin(), seed=4)
    same.play({GUESSER: NOOP})
    assert match.moves == same.moves


@pytest.mark.spec("filtering-gdl2", 4)
def test_nature_moves_uniformly() -> None:
    heads = 0
    for seed in range(400):
        match = Match(coin(), seed)
        match.play({GUESSER: NOOP})
        heads += str(match.moves[0][0]) == "(toss heads)"
    # Chi-square with one degree of freedom at the 0.1 % level.
    assert (heads - 200) ** 2 / 200 + (200 - heads) ** 2 / 200 < 10.83


def test_moves_can_be_taken_back() -> None:
    match = Match(door())
    match.play({LEFT: WAIT, RIGHT: WAIT})
    assert match.take_back() == (WAIT, WAIT)
    assert match.state == match.game.initial()
    with pytest.raises(GameError, match="nothing has been played yet"):
        match.take_back()


class _Cheat(Player):
    name = "cheat"

    def choose(self, position: Position, seconds: float) -> Term:
        return Term("fly")


def test_an_illegal_answer_becomes_the_first_legal_move() -> None:
    match = play_match(Match(door()), {LEFT: _Cheat(), RIGHT: LegalPlayer()}, 0.1)
    assert match.moves == [(PUSH, PUSH)]
    assert match.faults == [Fault(0, LEFT, "cheat chose fly, which is not legal")]


def test_equal_seeds_play_equal_matches() -> None:
    def moves(seed: int) -> list[tuple[Term, ...]]:
        return play_match(Match(coin(), seed), {GUESSER: RandomPlayer(seed)}, 0.1).moves

    assert moves(7) == moves(7)
    assert len({tuple(moves(seed)) for seed in range(20)}) == 4
