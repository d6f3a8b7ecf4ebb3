"""Local matches: the authority is cheap, and everybody hears of a state before the next."""

import time

import pytest

from ludorum.arena.match.local import play_match
from ludorum.arena.match.match import START, ErrorCode, Match
from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from ludorum.engine.sight import Position
from ludorum.players import LegalPlayer, Player, make_player
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from tests.small_games import door

LEFT, RIGHT = map(parse_term, ("left", "right"))
MOST_ADDED = 1e-3
"""Seconds of the processor that a match may add to a move."""


@pytest.mark.alone
def test_the_authority_adds_less_than_a_millisecond_to_a_move() -> None:
    game = load_game("connect_four", "lifted")
    for seed in range(2):  # the first match warms everything
        begin = time.process_time()
        moves = sum(len(play_one(game, seed + at).moves) for at in range(20))
        played = (time.process_time() - begin) / moves
        begin = time.process_time()
        steps = sum(sum(1 for _ in game.playout(at)) - 1 for at in range(20))
        bare = (time.process_time() - begin) / steps
    assert played - bare < MOST_ADDED


def play_one(game: Game, seed: int) -> Match:
    return play_match(Match(game, seed), {role: make_player("random", seed) for role in game.roles}, 1.0)


class _Unready(Player):
    name = "unready"

    def start(self, game: Game, role: Term, seconds: float) -> None:
        raise RuntimeError("no book")

    def choose(self, position: Position, seconds: float) -> Term:
        return position.legal[-1]


def test_every_state_is_told_of_and_the_start_as_well() -> None:
    told: list[tuple[int, int]] = []
    match = play_match(
        Match(door()),
        {LEFT: _Unready(), RIGHT: LegalPlayer()},
        1.0,
        lambda match: told.append((len(match.moves), len(match.faults))),
        start_seconds=0.5,
    )
    assert told == [(0, 1), (1, 1), (2, 1)]
    assert (match.faults[0].step, match.faults[0].code) == (START, ErrorCode.LOST)
    assert match.errors[0] == ("CE unready failed: RuntimeError: no book", "")
    assert [said is not None for said in match.answers[0]] == [True, True]


def test_a_match_ends_after_as_many_steps_as_it_may_take() -> None:
    for most in (0, 1, 2, 9):
        match = play_match(Match(door()), {LEFT: _Unready(), RIGHT: _Unready()}, 1.0, limit=most)
        assert len(match.moves) == min(most, 2)


def test_players_of_a_match_that_goes_on_hear_what_they_missed() -> None:
    game = load_game("trumps")
    match = Match(game, seed=5)
    while len(match.moves) < 19:
        match.play({role: match.state.legal(role)[0] for role in game.info.players})
    players = {role: make_player("card_greedy:n_worlds=2", 1) for role in game.info.players}
    play_match(match, players, 10.0)
    assert match.is_over
    assert match.faults == []
