"""What searches of fixed work grow: a change here means that the search has changed, wanted or not.

One by one, a search is the same on every machine; in lanes, draws depend on how many lanes there are, so that
only repetition is checked.
"""

from __future__ import annotations

import pytest

from ludorum.search import Budget, Decision, Mcts, MctsConfig
from tests.how_much import sample
from tests.library_games import compiled_game

SIGNATURE: dict[str, tuple[int, int, int, str, int]] = {
    "tictactoe": (1000, 906, 8, "(mark 2 2)", 308),
    "connect_four": (1000, 997, 6, "(drop 4)", 379),
    "breakthrough": (1000, 1000, 4, "(move 8 2 8 3)", 95),
    "chinese_checkers": (1000, 1000, 10, "(step 7 2 6 3)", 182),
    "tron": (1000, 1031, 6, "(ride east)", 740),
    "goofspiel": (1000, 1092, 8, "noop", 1092),
    "blackjack": (1000, 1000, 4, "noop", 1000),
    "eight_puzzle": (1000, 1000, 27, "(slide 2 3)", 500),
    "nim": (751, 3292, 10, "(take b 1)", 765),
}
"""Nodes, playouts, depth, the move and its visits."""


def searched(name: str, config: MctsConfig, budget: Budget) -> Decision:
    game = compiled_game(name)
    return Mcts(game, config).search(game.initial(), game.info.players[0], budget)


@pytest.mark.parametrize("name", SIGNATURE)
def test_signature(name: str) -> None:
    found = searched(name, MctsConfig(seed=2024, batch=1), Budget(nodes=1000, playouts=5000))
    best = found.choices[0]
    assert (found.nodes, found.playouts, found.depth, str(found.move), best.visits) == SIGNATURE[name]


@pytest.mark.parametrize("name", sample(["connect_four", "tron"], 2))
def test_lanes_repeat_themselves(name: str) -> None:
    one, other = (searched(name, MctsConfig(seed=5), Budget(playouts=20_000)) for _ in range(2))
    assert one.choices == other.choices
    assert (one.nodes, one.playouts, one.depth, one.line) == (
        other.nodes,
        other.playouts,
        other.depth,
        other.line,
    )
