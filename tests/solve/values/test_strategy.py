"""Strategies: written, read, and tried against every answer by engines that know nothing of the search."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from ludorum.engine.game import Game
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.rules.kif import parse_term
from ludorum.search.budget import Budget, Stopwatch
from ludorum.solve.values.check_strategy import check_strategy
from ludorum.solve.values.prover import ProverConfig, ValueProver
from ludorum.solve.values.solution import Solution
from ludorum.solve.values.solve_game import SolveConfig, solve_game
from ludorum.solve.values.strategy import Image, Strategy, StrategyError, load_strategy, strategy_of
from tests.search.small_boards import breakthrough, connect_four
from tests.solve.values.graph_games import Graph


@cache
def game(engine: str = "compiled") -> Game:
    return load_game("tictactoe", engine)


@cache
def solved() -> Solution:
    return solve_game(game(), budget=Budget(seconds=60), config=SolveConfig(strategies=True))


def draw(seat: int) -> Strategy:
    return solved().strategies[game().roles[seat]]


@pytest.mark.long
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


@cache
def with_images() -> Strategy:
    """The second player's draw of connect four on 4 by 4, with every state or its mirror image."""
    board = connect_four(4, 4)
    asked = ValueProver(board, ProverConfig(table_bytes=1 << 24, long_slice=0))
    watch = Stopwatch(Budget(seconds=60))
    assert asked.prove(board.initial(), board.roles[0], 100, watch) is False
    found = asked.strategy(board.initial(), board.roles[0], 100, False, watch)
    assert found is not None
    return found


@pytest.mark.long
def test_engines_find_the_same_images_and_ends_at_once() -> None:
    board = connect_four(4, 4)
    assert board.rules is not None
    found = {check_strategy(each, with_images()) for each in (board, LiftedGame(board.rules, board.name))}
    assert len(found) == 1
    (check,) = found
    assert check.holds
    assert check.complete
    assert check.states > 3 * len(with_images())  # images, answers, and what ends at once


def test_wrong_images_are_found_out() -> None:
    """Nobody believes that a mirror image is one: what comes of it is checked like any choice."""
    whole = with_images()
    (mirror,) = whole.images
    same = Image(tuple(range(len(whole.fluents))), tuple(range(len(whole.moves))))
    for wrong in (replace(mirror, moves=same.moves), replace(mirror, fluents=same.fluents), same):
        found = check_strategy(connect_four(4, 4), replace(whole, images=(wrong,)))
        assert not found.holds
        assert found.fault


def test_moves_follow_images_and_ends_at_once() -> None:
    board, whole = connect_four(4, 4), with_images()
    noop, drop = parse_term("noop"), "(drop {})".format
    left = board.initial().play((parse_term(drop(1)), noop))
    right = board.initial().play((parse_term(drop(4)), noop))
    answers = [int(str(whole.move(state)).strip("()").split()[1]) for state in (left, right)]
    assert sum(answers) == 5
    assert {whole.listed(left), whole.listed(right)} == {whole.move(left), whole.move(right)}


@pytest.mark.parametrize("few", [0, 1 << 20])
def test_circles_are_found_by_all_engines(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether steps were remembered or have to be made again."""
    monkeypatch.setattr(sys.modules["ludorum.solve.values.check_strategy"], "FEW_EDGES", few)
    graph = Graph({1: "left", 2: "right"}, {1: [2, 3], 2: [1, 4]}, {3: 100, 4: 100})
    board = graph.game()
    assert board.rules is not None
    start = board.initial()
    round_and_round = strategy_of({start: parse_term("(go 2)")}, start, board.roles[0], 100)
    for each in (board, LiftedGame(board.rules, board.name)):
        found = check_strategy(each, round_and_round)
        assert not found.holds
        assert "circles" in found.fault
    nothing = strategy_of({}, start, board.roles[0], 100)
    for each in (board, LiftedGame(board.rules, board.name)):
        assert check_strategy(each, nothing).holds  # left ends the game at once


@pytest.mark.parametrize("few", [0, 1 << 20])
def test_two_ways_to_one_state_are_no_circle(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["ludorum.solve.values.check_strategy"], "FEW_EDGES", few)
    graph = Graph({1: "right", 2: "right", 3: "right"}, {1: [2, 3], 2: [3, 4], 3: [4, 5]}, {4: 100, 5: 100})
    board = graph.game()
    found = check_strategy(board, strategy_of({}, board.initial(), board.roles[0], 100))
    assert found.holds
    assert found.states == 5


@pytest.mark.parametrize("name", ["draw.txt", "draw.txt.gz"])
def test_files_give_back_what_was_written(name: str, tmp_path: Path) -> None:
    for whole in (draw(0), with_images()):
        whole.save(tmp_path / name)
        assert load_strategy(tmp_path / name) == whole


def test_files_of_the_first_format_are_still_read(tmp_path: Path) -> None:
    path = tmp_path / "draw.txt"
    draw(0).save(path)
    head, *lines = path.read_text().splitlines()
    old = {key: value for key, value in json.loads(head).items() if key != "images"}
    path.write_text("\n".join([json.dumps({**old, "format": "ludorum strategy 1"}), *lines]) + "\n")
    assert load_strategy(path) == draw(0)


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
    path.write_text(json.dumps({**head, "images": [[[0], [0]]]}) + "\n")
    with pytest.raises(StrategyError, match="renaming"):
        load_strategy(path)
    path.write_text(json.dumps({**head, "rules": "0" * 32}) + "\n" + "\n".join(lines[1:]))
    with pytest.raises(StrategyError, match="other rules"):
        check_strategy(game(), load_strategy(path))


def test_a_check_ends_with_its_budget() -> None:
    found = check_strategy(game("lifted"), draw(0), Budget(nodes=10))
    assert found.holds
    assert not found.complete
