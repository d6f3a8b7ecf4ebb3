"""Tree search whose random games are led by what did well before (MAST, RAVE): better than chance by far."""

from __future__ import annotations

import pytest

from ludorum.arena.match.local import play_match
from ludorum.arena.match.match import Match
from ludorum.players.registry import make_player
from tests.library_games import compiled_game

PATIENCE = 3600.0
"""Seconds for a move: playouts are counted, so that the machine's speed plays no part."""


def points(game_name: str, player: str, matches: int) -> list[int]:
    """The goal of a player in matches against random moves, with the seats changed after each."""
    game = compiled_game(game_name)
    found = []
    for seed in range(matches):
        roles = game.info.players if seed % 2 == 0 else game.info.players[::-1]
        players = {roles[0]: make_player(player, seed), roles[1]: make_player("random", seed)}
        match = play_match(Match(game, seed), players, PATIENCE)
        assert match.faults == []
        found.append(match.state.goal(roles[0]) or 0)
    return found


@pytest.mark.spec("evaluation-functions", 59)
@pytest.mark.parametrize(
    ("game", "least"), [("connect_four", 8), pytest.param("breakthrough", 8, marks=pytest.mark.long)]
)
def test_cadia_beats_random_play(game: str, least: int) -> None:
    assert points(game, "cadia:playouts=80", 8).count(100) >= least
