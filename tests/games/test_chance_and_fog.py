"""What the papers' games of hidden information promise, on seeded matches and on worlds that look alike.

A player always knows its moves from what it did and saw. The end and the own goal are known too, but for
Krieg Tic-Tac-Toe, where the other's line may be out of sight.
"""

import pytest

from ludorum.engine.check_game import check_game
from ludorum.engine.load import load_game
from tests.games.hidden_play import indistinguishable, random_match

# How many seeded matches of each game are tried; a few short ones, or one long one.
MATCHES = {
    "banker_and_thief": 2,
    "battleships_in_fog": 1,
    "battleships_in_fog_split": 1,
    "blackjack": 2,
    "krieg_tictactoe": 1,
    "mastermind": 1,
    "minesweeper": 3,
    "monty_hall": 6,
    "monty_hall_random": 6,
    "number_guessing": 3,
}
# How many worlds are kept side by side; an answer in Mastermind leaves few of those it began with.
WORLDS = {"mastermind": 12}
OUTCOME_IS_KNOWN = MATCHES.keys() - {"krieg_tictactoe"}


@pytest.mark.parametrize("name", MATCHES)
def test_random_play_keeps_every_promise(name: str) -> None:
    assert check_game(load_game(name), plays=1, seed=7) == []


@pytest.mark.parametrize("name", MATCHES)
def test_idle_roles_have_exactly_noop(name: str) -> None:
    for seed in range(MATCHES[name]):
        for state in random_match(load_game(name), seed)[:-1]:
            for role in state.game.roles:
                moves = [str(move) for move in state.legal(role)]
                alone = moves == ["noop"]
                # The candidate may keep the chosen door: there alone `noop` is a choice.
                assert alone or "noop" not in moves or moves == ["noop", "switch"]


@pytest.mark.parametrize("name", MATCHES)
def test_players_know_their_moves_and_what_they_scored(name: str) -> None:
    game = load_game(name)
    comparisons = 0
    for seed in range(MATCHES[name]):
        match = random_match(game, seed)
        for role in game.info.players:
            for true, *others in indistinguishable(match, role, seed, WORLDS.get(name, 4)):
                for other in others:
                    comparisons += 1
                    if name in OUTCOME_IS_KNOWN:
                        assert other.is_terminal == true.is_terminal
                    if true.is_terminal and name in OUTCOME_IS_KNOWN:
                        assert other.goal(role) == true.goal(role)
                    if not true.is_terminal and not other.is_terminal:
                        assert other.legal(role) == true.legal(role)
    assert comparisons >= 5
