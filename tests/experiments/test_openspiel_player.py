"""OpenSpiel's tree as an opponent of the ladder, where it is installed."""

from __future__ import annotations

import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install '.[rivals]'")

from ludorum.arena.match.local import play_match
from ludorum.arena.match.opening import open_match
from ludorum.arena.tournament.noted_decision import NotedDecision
from ludorum.engine.load import load_game
from ludorum.engine.sight import position_of
from ludorum.experiments.strength.noting_player import NotingPlayer
from ludorum.experiments.strength.openspiel_player import OpenSpielPlayer
from ludorum.players import make_player


def test_it_plays_by_our_rules_repeats_itself_and_says_what_it_expects() -> None:
    game = load_game("connect_four")
    played = []
    for _ in range(2):
        match = open_match(game, 3, 2)
        notes: list[NotedDecision] = []
        there = NotingPlayer(OpenSpielPlayer(match, 5, 300), match, 0, notes.append)
        roles = game.info.players
        play_match(match, {roles[0]: there, roles[1]: make_player("random", 1)}, 60.0)
        assert match.faults == []
        assert match.state.goal(roles[0]) == 100
        assert notes[-1].value == 100.0
        assert all(one.value is not None and 0 <= one.value <= 100 for one in notes)
        played.append(match.moves)
    assert played[0] == played[1]


def test_without_a_number_of_simulations_it_fits_them_to_its_clock() -> None:
    match = open_match(load_game("connect_four"), 3, 2)
    there = OpenSpielPlayer(match, 5)
    position = position_of(match.state, match.game.info.players[0])
    assert there.choose(position, 0.02) in position.legal
    assert there.decision is not None
    assert there.decision.playouts >= 10
