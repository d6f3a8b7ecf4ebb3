"""Samplers of worlds with the clock of a caller, and in long matches: something is kept, and not too much."""

from __future__ import annotations

import threading

import pytest

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.load import load_game
from ludorum.knowledge.worlds import NoWorldYetError, PackedWorlds, PlainWorlds
from ludorum.knowledge.worlds.reasoned import ReasonedHistories, reasoned_histories
from ludorum.knowledge.worlds.sampler import CallerClock
from tests.knowledge.brute_force import told_to
from tests.library_games import compiled_game


def is_over() -> CallerClock:
    """A clock that is up from the beginning."""
    event = threading.Event()
    event.set()
    return CallerClock(stop=event)


def test_clocks_end_by_time_or_by_event() -> None:
    assert not CallerClock().is_up()
    assert CallerClock(0.0).is_up()
    assert is_over().is_up()
    assert is_over().part(0.5).is_up()
    long = CallerClock(1000.0)
    assert (long.allows(900.0), long.allows(1001.0), long.part(0.5).allows(501.0)) == (True, False, False)


def test_where_the_time_is_up_the_worlds_found_so_far_are_kept() -> None:
    game = load_game("krieg_tictactoe")
    role = game.roles[0]
    step = told_to(list(game.playout(3)), role)[0]
    worlds = PlainWorlds(game, role)
    worlds.update(step.move, step.percepts, is_over())
    assert (worlds.size, worlds.plays, worlds.is_exact) == (1, 1, False)


def test_a_step_for_which_no_world_was_found_in_time_is_taken_later() -> None:
    game = load_game("mastermind")
    role = game.info.players[0]
    first, second = told_to(list(game.playout(3)), role)[:2]
    worlds = PlainWorlds(game, role, 1, reinvent=reasoned_histories(game, role))
    worlds.update(first.move, first.percepts, is_over())
    before = worlds.sample(10, 0)
    with pytest.raises(NoWorldYetError, match="there was no time to reason over all steps"):
        worlds.update(second.move, second.percepts, is_over())
    assert (worlds.steps, worlds.sample(10, 0)) == ([first], before)
    worlds.update(second.move, second.percepts)
    assert worlds.steps == [first, second]


def test_a_solver_goes_on_where_its_time_was_up() -> None:
    game = load_game("kuhn_poker")
    role = game.info.players[0]
    steps = told_to(list(game.playout(3)), role)
    assert len(steps) > 2
    assert game.rules is not None
    find = ReasonedHistories(game, game.rules, role)
    for _ in steps[1:]:
        with pytest.raises(NoWorldYetError):
            find(steps, 1, is_over())
    (history,) = find(steps, 1, is_over())
    assert len(history) == len(steps)


def test_early_worlds_are_forgotten_in_long_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludorum.knowledge.worlds.packed.MOST_KEPT", 2)
    game = compiled_game("blind_breakthrough")
    assert isinstance(game, CompiledGame)
    role = game.roles[0]
    worlds = PackedWorlds(game, role, 1, most=64)
    for step in told_to(list(game.playout(5)), role)[:-1]:
        worlds.update(step.move, step.percepts)
        assert worlds.kept <= 2 * 64 + 64
    assert worlds.sample(5, 0)


def test_sheets_with_thousands_of_moves_have_fewer_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludorum.knowledge.worlds.packed.MOST_FLAGS", 500)
    game = compiled_game("krieg_tictactoe")
    assert isinstance(game, CompiledGame)
    role = game.roles[0]
    worlds = PackedWorlds(game, role)
    for step in told_to(list(game.playout(3)), role)[:4]:
        worlds.update(step.move, step.percepts)
    assert worlds.size <= 500 // len(game.circuit.moves)
