"""The searcher that plans by several methods: who is asked when, and that what was known is kept."""

from __future__ import annotations

import threading

import pytest

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.errors import GameError
from ludorum.engine.lifted import LiftedGame
from ludorum.search.budget import Budget
from ludorum.search.mixed import Mixed, SearchPart
from ludorum.search.single_player import SinglePlayer
from ludorum.solve import portfolio_searcher
from ludorum.solve.portfolio import PlanTask, WayResult, best_plan
from ludorum.solve.portfolio_searcher import PortfolioConfig, PortfolioSearcher
from tests.alone_games import corridor, placement

A_MINUTE = Budget(seconds=60)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_plan_of_another_method_is_followed(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Search alone has no time here; the moves of the square can be made in any order."""
    monkeypatch.setattr(portfolio_searcher, "SEARCH_SHARE", 0.0)
    monkeypatch.setattr(portfolio_searcher, "SIDE_BY_SIDE", ("any-order",))
    game = CompiledGame(placement(4), "placement")
    (role,) = game.roles
    searcher, state = PortfolioSearcher(game, PortfolioConfig(threads=threads)), game.initial()
    while not state.is_terminal:
        found = searcher.search(state, role, A_MINUTE)
        assert (found.proven, found.value) == (True, 100)
        state = state.play((found.move,))
    assert state.goals() == (100,)


def test_counted_work_is_for_search_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("it has a clock only")

    monkeypatch.setattr(portfolio_searcher, "best_plan", refuse)
    game = CompiledGame(placement(3), "placement")
    found = PortfolioSearcher(game).search(game.initial(), game.roles[0], Budget(seconds=60, nodes=50_000))
    assert (found.proven, found.value) == (True, 100)


def test_methods_that_find_nothing_rest_for_longer_and_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    searches: list[int] = []

    def find_nothing(*_: object) -> list[WayResult]:
        asked.append(len(searches))
        return [WayResult("logic", None)]

    monkeypatch.setattr(portfolio_searcher, "best_plan", find_nothing)
    monkeypatch.setattr(portfolio_searcher, "LEAST_SECONDS", 0.0)
    game = LiftedGame(placement(6), "placement")
    searcher = PortfolioSearcher(game, PortfolioConfig(threads=2))
    for number in range(1, 16):
        searches.append(number)
        searcher.search(game.initial(), game.roles[0], Budget(seconds=0.01))
    assert asked == [1, 3, 7, 15]


def test_search_goes_on_where_the_methods_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise GameError("too large")

    monkeypatch.setattr(portfolio_searcher, "best_plan", fail)
    game = CompiledGame(placement(3), "placement")
    found = PortfolioSearcher(game).search(game.initial(), game.roles[0], A_MINUTE)
    assert (found.proven, found.value) == (True, 100)


def test_the_event_of_the_caller_is_left_alone() -> None:
    stop = threading.Event()
    game = CompiledGame(corridor(5, 0), "walk")
    found = best_plan(PlanTask(game, game.roles[0]), Budget(seconds=60, stop=stop), ["search"])
    assert found[0].answer is not None
    assert not stop.is_set()


def test_no_threads_are_refused() -> None:
    with pytest.raises(ValueError, match="threads: 0"):
        PortfolioConfig(threads=0)


def test_a_plan_outlives_the_change_to_the_compiled_engine() -> None:
    """What the lifted engine found is followed on the circuit without another search."""
    rules = corridor(30, 0)
    slow, fast = LiftedGame(rules, "walk"), CompiledGame(rules, "walk")
    (role,) = slow.roles
    before = Mixed([SearchPart(PortfolioSearcher(slow))])
    state = slow.initial()
    for _ in range(3):
        state = state.play((before.search(state, role, Budget(nodes=1000, playouts=5)).move,))
    after = Mixed([SearchPart(PortfolioSearcher(fast))])
    after.take_over(before)
    found = after.search(fast.state(state.facts()), role, Budget(nodes=0, playouts=0))
    assert (found.proven, found.value, found.depth) == (True, 100, 27)


def test_a_plan_of_another_game_is_not_taken_over() -> None:
    before = SinglePlayer(LiftedGame(corridor(30, 0), "walk"))
    before.search(before.game.initial(), before.role, Budget(nodes=1000, playouts=5))
    game = CompiledGame(placement(3), "placement")
    after = SinglePlayer(game)
    after.take_over(before)
    assert not after.is_settled(game.initial())
