"""Players: always legal, seeded, blind to what is hidden, and not stupid."""

import time
from collections import Counter

import pytest

from ludorum.engine.game import State
from ludorum.engine.load import load_game
from ludorum.players import LookaheadPlayer, RandomPlayer, make_player, player_names, position_of
from ludorum.rules.kif import parse_term
from tests.small_games import coin, door


def position(cells: str, turn: str) -> State:
    """A tic-tac-toe position from nine letters, row by row."""
    facts = [f"(cell {at // 3 + 1} {at % 3 + 1} {mark})" for at, mark in enumerate(cells)]
    return load_game("tictactoe").parse_state(f"({' '.join(facts)} (control {turn}))")


def test_unknown_players_are_named_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="no player 'deep'; there are legal, random, lookahead"):
        make_player("deep")


@pytest.mark.parametrize("name", player_names())
def test_every_player_chooses_a_legal_move(name: str) -> None:
    state = door().initial()
    for role in state.game.roles:
        assert make_player(name, 3).choose(position_of(state, role), 0.2) in state.legal(role)


def test_random_player_repeats_itself_by_seed_and_is_uniform() -> None:
    at = position_of(door().initial(), parse_term("left"))
    first, again = RandomPlayer(5), RandomPlayer(5)
    moves = [first.choose(at, 1) for _ in range(400)]
    assert moves == [again.choose(at, 1) for _ in range(400)]
    counts = Counter(map(str, moves))
    # Four standard deviations of a fair coin thrown 400 times are 40.
    assert abs(counts["push"] - 200) < 40


def test_positions_hide_what_the_rules_hide() -> None:
    game = coin()
    after = game.initial().play([parse_term("(toss heads)"), parse_term("noop")])
    seen = position_of(after, parse_term("guesser"))
    assert seen.state is None
    assert seen.view.facts is None
    assert [str(percept) for percept in seen.view.percepts] == ["tossed"]
    other = game.initial().play([parse_term("(toss tails)"), parse_term("noop")])
    assert position_of(other, parse_term("guesser")) == seen


def test_lookahead_takes_a_win() -> None:
    state = position("xxboobbbb", "xplayer")
    player = LookaheadPlayer(seed=1)
    assert str(player.choose(position_of(state, parse_term("xplayer")), 5)) == "(mark 1 3)"


def test_lookahead_prevents_a_loss() -> None:
    state = position("xxbobbbbb", "oplayer")
    assert str(LookaheadPlayer(seed=1).choose(position_of(state, parse_term("oplayer")), 5)) == "(mark 1 3)"


def test_lookahead_is_on_time_and_holds_a_move_at_once() -> None:
    state = load_game("tictactoe").initial()
    start = time.monotonic()
    move = LookaheadPlayer(seed=1).choose(position_of(state, parse_term("xplayer")), 0.3)
    assert time.monotonic() - start < 0.6
    assert move in state.legal(parse_term("xplayer"))


def test_lookahead_without_time_still_answers() -> None:
    state = load_game("tictactoe").initial()
    assert LookaheadPlayer().choose(position_of(state, parse_term("xplayer")), 0.0) in state.legal(
        parse_term("xplayer")
    )
