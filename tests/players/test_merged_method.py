"""Play by regrets over joined histories: by probabilities, for two players, and never by what is hidden."""

from __future__ import annotations

from collections import Counter

import pytest

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import Game
from ludorum.knowledge.worlds import WorldSampler, worlds_for
from ludorum.players.merged_method import MergedConfig, MergedMethod
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.library import find_sheet
from ludorum.rules.terms import Term, format_term
from ludorum.search.budget import Budget
from ludorum.search.mixed import NoAdviceError
from tests.library_games import compiled_game
from tests.solve.equilibrium.test_merged_tree import SHORTER

BANKER, THIEF, NOOP = Term("banker"), Term("thief"), Term("noop")
COUNTED = Budget(playouts=1)


@pytest.fixture(scope="module")
def bank() -> Game:
    text = find_sheet("banker_and_thief").source.text
    for old, new in SHORTER:
        text = text.replace(old, new)
    return CompiledGame(parse_kif(text))


def thief_after(game: Game, deposits: list[int]) -> WorldSampler:
    """The worlds of the thief when it has seen these deposits."""
    worlds = worlds_for(game, THIEF)
    worlds.update(NOOP, [])
    for bank in deposits:
        worlds.update(NOOP, [parse_term(f"(deposit {bank})")])
    return worlds


@pytest.mark.long
def test_the_order_of_deposits_does_not_matter(bank: Game) -> None:
    method = MergedMethod(bank, THIEF)
    first, again = (
        method.decide(thief_after(bank, order), COUNTED, 1) for order in ([1, 1, 2, 2], [2, 1, 2, 1])
    )
    assert first.choices == again.choices
    assert not first.claims_something


def test_moves_come_as_often_as_their_probability_says(bank: Game) -> None:
    method = MergedMethod(bank, THIEF, MergedConfig(iterations=200))
    worlds = thief_after(bank, [1, 1, 2, 2])
    drawn = Counter(format_term(method.decide(worlds, COUNTED, seed).move) for seed in range(400))
    assert 120 < drawn["(raid 1)"] < 280
    assert 120 < drawn["(raid 2)"] < 280


def test_strategies_of_counted_work_are_kept_for_the_next_match(bank: Game) -> None:
    first, again = (MergedMethod(bank, BANKER) for _ in range(2))
    for method in (first, again):
        method.prepare(None)
    assert first.learned is again.learned is not None
    assert first.is_ready


def test_a_tree_that_is_too_large_leaves_the_move_to_others(bank: Game) -> None:
    method = MergedMethod(bank, THIEF, MergedConfig(most_nodes=20))
    with pytest.raises(NoAdviceError, match="too large"):
        method.decide(thief_after(bank, []), COUNTED, 1)
    assert not method.is_ready


def test_a_step_that_was_not_told_leaves_the_move_to_others(bank: Game) -> None:
    worlds = thief_after(bank, [1, 1, 2])
    worlds.update(None, None)
    with pytest.raises(NoAdviceError, match="not all steps"):
        MergedMethod(bank, THIEF).decide(worlds, COUNTED, 1)


def test_games_of_more_or_fewer_players_are_left_to_others() -> None:
    game = compiled_game("monty_hall_random")
    method = MergedMethod(game, game.role("candidate"))
    method.prepare(None)
    assert not method.is_ready
