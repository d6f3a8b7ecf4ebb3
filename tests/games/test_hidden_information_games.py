"""What every game of hidden information in this list promises, checked on seeded matches.

A role always has a move, and `noop` where it has nothing to decide; it knows its moves from what it did and
saw; at the end every role has exactly one goal, and the players know it where the percepts are meant to tell.
"""

from functools import cache

import pytest

from ludorum.engine.game import Game, State
from ludorum.engine.load import load_game
from tests.games.hidden_play import indistinguishable, random_match

# How many seeded matches of each game take about half a second.
MATCHES = {
    "blind_breakthrough": 1,
    "blind_breakthrough_6": 1,
    "goofspiel": 3,
    "goofspiel_5": 2,
    "hidden_connect": 2,
    "kuhn_poker": 8,
    "leduc_poker": 5,
    "liars_dice": 6,
    "meier": 4,
    "small_dominion": 1,
    "transit": 2,
    "vis_pacman": 1,
}

# A ghost that sees nothing does not know of the other's catch; in all other games everybody knows the end.
END_IS_KNOWN = MATCHES.keys() - {"vis_pacman"}
# The other's aim stays hidden; in all other games everybody knows at the end what it scored.
GOAL_IS_KNOWN = MATCHES.keys() - {"hidden_connect"}


@cache
def match_of(name: str, seed: int) -> list[State]:
    return random_match(load_game(name), seed)


def check_knowledge(game: Game, match: list[State], seed: int, width: int) -> int:
    """Compare each state with others that a player cannot tell from it; the number of comparisons."""
    comparisons = 0
    for role in game.info.players:
        for true, *others in indistinguishable(match, role, seed, width):
            for other in others:
                comparisons += 1
                if game.name in END_IS_KNOWN:
                    assert other.is_terminal == true.is_terminal
                if not true.is_terminal and not other.is_terminal:
                    assert other.legal(role) == true.legal(role)
                if true.is_terminal and other.is_terminal and game.name in GOAL_IS_KNOWN:
                    assert other.goal(role) == true.goal(role)
    return comparisons


@pytest.mark.parametrize("name", MATCHES)
def test_seeded_matches_end_with_one_goal_each_and_never_get_stuck(name: str) -> None:
    for seed in range(MATCHES[name]):
        *before, end = match_of(name, seed)
        for state in before:
            for role in state.game.roles:
                moves = [str(move) for move in state.legal(role)]
                assert moves
                assert "noop" not in moves or moves == ["noop"]
        for role in end.game.roles:
            (value,) = end.goal_terms(role)
            assert 0 <= int(str(value)) <= 100


@pytest.mark.parametrize("name", MATCHES)
def test_roles_know_their_moves_from_what_they_did_and_saw(name: str) -> None:
    match = match_of(name, 0)
    assert check_knowledge(match[0].game, match, seed=1, width=2)


@pytest.mark.slow
@pytest.mark.parametrize("name", MATCHES)
def test_roles_know_their_moves_among_many_worlds(name: str) -> None:
    game = load_game(name)
    # A single match may give everything away: in Goofspiel a tie tells the other's bid.
    seeds = range(100, 100 + 3 * MATCHES[name])
    assert sum(check_knowledge(game, random_match(game, seed), seed, width=8) for seed in seeds)


@pytest.mark.parametrize("name", sorted(MATCHES.keys() - {"vis_pacman"}))
def test_one_player_gains_what_the_other_loses(name: str) -> None:
    end = match_of(name, 0)[-1]
    assert sum(end.goal(role) or 0 for role in end.game.info.players) == 100
