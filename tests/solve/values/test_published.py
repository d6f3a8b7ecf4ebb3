"""The games that others have solved, as our own sheets: known values, by two methods, strategies checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.load import load_game
from ludorum.search.alphabeta import AlphaBeta
from ludorum.search.alphabeta_config import AlphaBetaConfig
from ludorum.search.budget import Budget
from ludorum.solve.values import ProverConfig, SolveConfig, check_strategy, solve_game
from tests.how_much import sample

SHEETS = Path(__file__).parents[3] / "bench" / "solving"

# What the first player gets. Breakthrough and connect three: found by three searches here; dots and boxes: a
# table of all sets of lines, below; connect four: J. Tromp's table of board sizes (a draw on 5x5, won by the
# second player on 6x6).
VALUES = {
    "breakthrough_2x6": 100,
    "breakthrough_4x4": 0,
    "connect_3_6x6": 100,
    "breakthrough_3x5": 0,
    "dots_and_boxes_2x3": 0,
    "connect_4_5x5": 50,
    "connect_4_6x6": 0,
}
QUICK = [name for name in VALUES if not name.startswith(("connect_4", "dots"))]
LONG = [name for name in VALUES if name not in QUICK]


def load(name: str) -> CompiledGame:
    game = load_game(str(SHEETS / f"{name}.kif"), "compiled")
    assert isinstance(game, CompiledGame)
    return game


def solves_and_keeps(name: str, methods: tuple[str, ...], megabytes: int) -> None:
    game = load(name)
    config = SolveConfig(
        prover=ProverConfig(table_bytes=megabytes << 20, methods=methods), strategies=True, nodes_a_move=0
    )
    found = solve_game(game, budget=Budget(seconds=3000), config=config)
    assert found.solved
    first, second = game.roles
    assert found.values[first] == VALUES[name]
    assert found.values[second] == 100 - VALUES[name]
    # Induction has a strategy for a role that gets nothing as well.
    assert {role for role in game.roles if found.values[role] > 0} <= set(found.strategies)
    for role, strategy in found.strategies.items():
        assert strategy.value == found.values[role]
        check = check_strategy(game, strategy)
        assert check.holds
        assert check.complete


def test_all_sheets_are_here() -> None:
    assert {path.stem for path in SHEETS.glob("*.kif")} == set(VALUES)


@pytest.mark.long
@pytest.mark.parametrize("methods", [("depth-first",), ("proof-number",)], ids="-".join)
@pytest.mark.parametrize("name", sample(QUICK, 4))
def test_quick_ones_are_solved_by_both_methods(name: str, methods: tuple[str, ...]) -> None:
    solves_and_keeps(name, methods, 64)


@pytest.mark.parametrize("name", ["breakthrough_2x6", "breakthrough_4x4"])
def test_alphabeta_says_the_same(name: str) -> None:
    game = load(name)
    searcher = AlphaBeta(game, config=AlphaBetaConfig(first_depth=40, any_win=True, table_bytes=1 << 26))
    found = searcher.search(game.initial(), game.roles[0], Budget(seconds=120))
    assert found.proven
    assert found.value == VALUES[name]


@pytest.mark.slow
def test_the_second_player_wins_dots_and_boxes_by_two() -> None:
    """Without rules or engine: the best margin of the mover for every set of lines drawn."""
    lines = [("-", x, y) for x in range(2) for y in range(4)] + [
        ("|", x, y) for x in range(3) for y in range(3)
    ]
    bit = {line: 1 << at for at, line in enumerate(lines)}
    boxes = [
        bit["-", x, y] | bit["-", x, y + 1] | bit["|", x, y] | bit["|", x + 1, y]
        for x in range(2)
        for y in range(3)
    ]
    margin = [0] * (1 << len(lines))
    for drawn in range(len(margin) - 2, -1, -1):
        best = -len(boxes)
        for own in bit.values():
            if not drawn & own:
                gain = sum(box & own != 0 and (drawn | own) & box == box for box in boxes)
                best = max(best, gain + margin[drawn | own] if gain else -margin[drawn | own])
        margin[drawn] = best
    assert margin[0] == -2


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_long_ones_are_solved(name: str) -> None:
    """Connect four on 6x6 takes six minutes of a core and two gigabytes, strategy and check included."""
    solves_and_keeps(name, ("depth-first", "proof-number"), 2048)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["connect_3_6x6", "breakthrough_3x5", "dots_and_boxes_2x3", "connect_4_5x5"])
def test_alphabeta_says_the_same_of_long_ones(name: str) -> None:
    game = load(name)
    searcher = AlphaBeta(game, config=AlphaBetaConfig(first_depth=40, any_win=True))
    found = searcher.search(game.initial(), game.roles[0], Budget(seconds=3000))
    assert found.proven
    assert found.value == VALUES[name]
