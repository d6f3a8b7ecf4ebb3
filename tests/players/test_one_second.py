"""A move within a second in every game in which something is hidden, with a circuit and without."""

from __future__ import annotations

import time
from itertools import islice
from pathlib import Path

import pytest

from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from ludorum.engine.sight import position_of
from ludorum.players import Player
from ludorum.players.registry import make_player
from ludorum.rules.terms import Term
from tests.corpus_sheets import hidden_sheets, load_hidden
from tests.how_much import some
from tests.knowledge.role_matches import hidden_games

CLOCK = 1.0
STEPS = some(12, 3)
TRIES = 3
"""A machine that is busy with other things may be late now and then; a player that is too slow always is."""
WORST = ("BattleshipsFog__unsw", "SmallDominion2__unsw", "oneCardGame__uwa")
"""Sheets with the most moves of nature, and the slowest steps without a circuit."""


def assert_in_time(game: Game, role: Term, player: Player) -> None:
    """Every move of the player is legal, and is there in time.

    By the clock on the wall; or by the processor's, for other programs of the machine do not count. On an
    idle one that has more of it: a circuit is made beside the search.
    """
    player.start(game, role, CLOCK)
    for state in islice(game.playout(3), STEPS):
        if state.is_terminal:
            break
        position = position_of(state, role)
        needed: list[float] = []
        while not needed or (min(needed) >= CLOCK and len(needed) < TRIES):
            wall, processor = time.monotonic(), time.process_time()
            move = player.choose(position, CLOCK)
            needed.append(min(time.monotonic() - wall, time.process_time() - processor))
            assert move in state.legal(role)
        assert min(needed) < CLOCK, f"late {len(needed)} times: {needed}"
    player.stop()
    player.close()


@pytest.mark.long
@pytest.mark.corpus
@pytest.mark.parametrize("name", [name for name in hidden_sheets() if name in WORST])
def test_the_slowest_public_sheets_without_a_circuit_have_a_move_in_time(corpus: Path, name: str) -> None:
    game = load_hidden(corpus, name, "lifted")
    assert_in_time(game, game.info.players[-1], make_player("champion", 3))


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["compiled", "lifted"])
@pytest.mark.parametrize("name", hidden_games())
def test_every_sheet_of_the_library_has_a_move_in_time(name: str, engine: str) -> None:
    game = load_game(name, engine)
    for role in game.info.players:
        assert_in_time(game, role, make_player("champion", 3))


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["compiled", "lifted"])
@pytest.mark.parametrize("name", hidden_sheets())
def test_every_public_sheet_has_a_move_in_time(corpus: Path, name: str, engine: str) -> None:
    game = load_hidden(corpus, name, engine)
    for role in game.info.players:
        assert_in_time(game, role, make_player("champion", 3))
