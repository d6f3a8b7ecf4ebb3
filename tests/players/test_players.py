"""Players: always legal, seeded, blind to what is hidden, and not stupid."""

import threading
import time
from collections import Counter

import pytest

from ludorum.engine.game import State
from ludorum.engine.load import load_game
from ludorum.engine.sight import position_of
from ludorum.players import RandomPlayer, make_player, player_names
from ludorum.players.registry import CARD_PLAYERS
from ludorum.rules.kif import parse_term
from tests.library_games import compiled_game
from tests.small_games import coin, door


def position(cells: str, turn: str) -> State:
    """A tic-tac-toe position from nine letters, row by row."""
    facts = [f"(cell {at // 3 + 1} {at % 3 + 1} {mark})" for at, mark in enumerate(cells)]
    return load_game("tictactoe").parse_state(f"({' '.join(facts)} (control {turn}))")


@pytest.mark.parametrize("name", [name for name in player_names() if name not in CARD_PLAYERS])
def test_every_player_chooses_a_legal_move(name: str) -> None:
    state = door().initial()
    for role in state.game.roles:
        assert make_player(name, 3).choose(position_of(state, role), 0.2) in state.legal(role)


@pytest.mark.parametrize("name", CARD_PLAYERS)
def test_a_player_of_cards_says_that_it_plays_nothing_else(name: str) -> None:
    game = door()
    with pytest.raises(ValueError, match=f"{name} plays card games from flow charts; {game.name} is none"):
        make_player(name, 3).start(game, game.roles[0], 0.2)


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


SEARCHERS = ["alphabeta", "mcts", "champion"]


@pytest.mark.parametrize("name", ["greedy", *SEARCHERS])
def test_a_win_is_taken(name: str) -> None:
    state = position("xxboobbbb", "xplayer")
    assert str(make_player(name, 1).choose(position_of(state, parse_term("xplayer")), 1)) == "(mark 1 3)"


@pytest.mark.parametrize("name", SEARCHERS)
def test_a_loss_is_prevented(name: str) -> None:
    state = position("xxbobbbbb", "oplayer")
    assert str(make_player(name, 1).choose(position_of(state, parse_term("oplayer")), 1)) == "(mark 1 3)"


@pytest.mark.alone
@pytest.mark.parametrize("name", SEARCHERS)
def test_searching_players_are_on_time_and_tell_what_they_found(name: str) -> None:
    state = load_game("connect_four").initial()
    player = make_player(name, 1)
    start = time.monotonic()
    move = player.choose(position_of(state, parse_term("red")), 0.5)
    assert time.monotonic() - start < 0.7
    assert player.decision is not None
    assert player.decision.move is move
    assert move in state.legal(parse_term("red"))


@pytest.mark.long
@pytest.mark.parametrize("name", SEARCHERS)
def test_a_player_can_be_hurried(name: str) -> None:
    state = compiled_game("connect_four").initial()
    player = make_player(name, 1)
    threading.Timer(0.3, player.hurry).start()
    start = time.monotonic()
    assert player.choose(position_of(state, parse_term("red")), 60.0) in state.legal(parse_term("red"))
    assert time.monotonic() - start < 10


@pytest.mark.parametrize("name", SEARCHERS)
def test_without_time_there_is_still_an_answer(name: str) -> None:
    state = load_game("tictactoe").initial()
    role = parse_term("xplayer")
    assert make_player(name).choose(position_of(state, role), 0.0) in state.legal(role)
