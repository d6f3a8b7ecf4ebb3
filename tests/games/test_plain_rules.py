"""Our rule sheets and the same games in plain Python agree on every answer along random matches."""

import pytest

from ludorum._core import SplitMix64
from ludorum.engine.load import load_game
from tests.games.board_play import moves, play
from tests.games.plain_rules import STARTS


def compare(name: str, seed: int) -> None:
    game = load_game(name)
    chooser = SplitMix64(seed)
    state, position = game.initial(), STARTS[name]
    while True:
        assert {str(fact) for fact in state.facts()} == position.facts()
        winner = position.winner()
        assert state.is_terminal is (winner is not None)
        if winner is not None:
            shares = [50 if winner == "draw" else 100 if str(role) == winner else 0 for role in game.roles]
            assert list(state.goals()) == shares
            return
        choice = moves(state)
        assert set(choice) == position.moves()
        move = choice[chooser.below(len(choice))]
        state, position = play(state, move), position.play(move)


@pytest.mark.long
@pytest.mark.parametrize("name", STARTS)
def test_sheet_agrees_with_plain_python(name: str) -> None:
    compare(name, 1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 22))
@pytest.mark.parametrize("name", STARTS)
def test_sheet_agrees_with_plain_python_at_length(name: str, seed: int) -> None:
    compare(name, seed)
