"""Strategies: written, read, and tried against every answer by engines that know nothing of the search."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from ludorum.rules.kif import parse_term
from ludorum.search.budget import Budget
from ludorum.solve.values.check_strategy import check_strategy
from ludorum.solve.values.solution import Solution
from ludorum.solve.values.solve_game import SolveConfig, solve_game
from ludorum.solve.values.strategy import Strategy, StrategyError, load_strategy
from tests.search.small_boards import breakthrough


@cache
def game(engine: str = "compiled") -> Game:
    return load_game("tictactoe", engine)


@cache
def solved() -> Solution:
    return solve_game(game(), budget=Budget(seconds=60), config=SolveConfig(strategies=True))


def draw(seat: int) -> Strategy:
    return solved().strategies[game().roles[seat]]


@pytest.mark.parametrize(
    ("engine", "seat"), [("compiled", 0), ("compiled", 1), ("lifted", 0), ("lifted", 1), ("reference", 0)]
)
def test_nobody_loses_tictactoe_who_follows_the_strategy(engine: str, seat: int) -> None:
    found = check_strategy(game(engine), draw(seat))
    assert found.holds
    assert found.complete
    assert found.worst == 50
    assert found.states > len(draw(seat))


def test_all_engines_try_the_same_states() -> None:
    counts = {check_strategy(game(engine), draw(0)) for engine in ("compiled", "lifted")}
    assert len(counts) == 1


def test_the_loser_of_breakthrough_cannot_break_the_strategy() -> None:
    board = breakthrough(4, 4)
    found = solve_game(board, config=SolveConfig(strategies=True))
    assert {str(role): int(value) for role, value in found.values.items()} == {"white": 0, "black": 100}
    assert set(found.strategies) == {board.roles[1]}
    check = check_strategy(board, found.strategies[board.roles[1]])
    assert check.holds
    assert check.worst == 100


@pytest.mark.parametrize("engine", ["compiled", "lifted"])
def test_a_promise_too_great_is_not_kept(engine: str) -> None:
    found = check_strategy(game(engine), replace(draw(0), value=100))
    assert not found.holds
    assert "xplayer gets" in found.fault


@pytest.mark.parametrize("engine", ["compiled", "lifted"])
def test_every_choice_is_needed(engine: str) -> None:
    whole = draw(1)
    for at in range(0, len(whole), 25):
        size = whole.row_bytes
        less = replace(
            whole,
            states=whole.states[: at * size] + whole.states[(at + 1) * size :],
            choices=whole.choices[:at] + whole.choices[at + 1 :],
        )
        found = check_strategy(game(engine), less)
        assert not found.holds
        assert "no choice" in found.fault


@pytest.mark.parametrize("engine", ["compiled", "lifted"])
def test_illegal_choices_are_found(engine: str) -> None:
    whole = draw(0)
    wrong = replace(whole, moves=(parse_term("(mark 4 4)"),) * len(whole.moves))
    found = check_strategy(game(engine), wrong)
    assert not found.holds
    assert "not legal" in found.fault


@pytest.mark.parametrize("name", ["draw.txt", "draw.txt.gz"])
def test_files_give_back_what_was_written(name: str, tmp_path: Path) -> None:
    draw(0).save(tmp_path / name)
    assert load_strategy(tmp_path / name) == draw(0)


def test_faults_of_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "draw.txt"
    draw(0).save(path)
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:-1]) + "\n")
    with pytest.raises(StrategyError, match="cut short"):
        load_strategy(path)
    path.write_text("\n".join([lines[0], "zz 1"]))
    with pytest.raises(StrategyError, match=r"draw\.txt:2"):
        load_strategy(path)
    path.write_text("{}\n")
    with pytest.raises(StrategyError, match="no strategy"):
        load_strategy(path)
    head = json.loads(lines[0])
    path.write_text(json.dumps({**head, "rules": "0" * 32}) + "\n" + "\n".join(lines[1:]))
    with pytest.raises(StrategyError, match="other rules"):
        check_strategy(game(), load_strategy(path))


def test_a_check_ends_with_its_budget() -> None:
    found = check_strategy(game("lifted"), draw(0), Budget(nodes=10))
    assert found.holds
    assert not found.complete
