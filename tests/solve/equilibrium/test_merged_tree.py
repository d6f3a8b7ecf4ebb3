"""Trees with joined histories: small where the order of moves is forgotten, and good enough to hide by."""

from __future__ import annotations

import numpy as np
import pytest

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.errors import GameError
from ludorum.engine.game import Game, State
from ludorum.engine.load import load_game
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.library import find_sheet
from ludorum.rules.terms import Term
from ludorum.solve.equilibrium.evaluate import Passes
from ludorum.solve.equilibrium.game_tree import TreeTooLargeError
from ludorum.solve.equilibrium.make_tree import make_tree
from ludorum.solve.equilibrium.merged_regrets import MergedRegrets
from ludorum.solve.equilibrium.merged_tree import MergedTree, make_merged_tree
from tests.library_games import compiled_game

BANKER, THIEF, NOOP = Term("banker"), Term("thief"), Term("noop")
SHORTER = [
    ("(bank 4)\n", ""),
    ("(true (step 11))", "(true (step 5))"),
    ("(true (step 12))", "(true (step 6))"),
    ("(distinct ?n 11)", "(distinct ?n 5)"),
    ("(distinct ?n 12)", "(distinct ?n 6)"),
]
"""Changes of Banker and Thief: three banks and four deposits."""


@pytest.fixture(scope="module")
def bank() -> Game:
    text = find_sheet("banker_and_thief").source.text
    for old, new in SHORTER:
        assert old in text
        text = text.replace(old, new)
    return CompiledGame(parse_kif(text))


@pytest.fixture(scope="module")
def merged_bank(bank: Game) -> MergedTree:
    return make_merged_tree(bank, 10_000)


def test_orders_of_deposits_are_joined(bank: Game, merged_bank: MergedTree) -> None:
    """Before each deposit: the outcomes of those before, in three banks, for each of three safe ones."""
    outcomes = [1, 3, 6, 10]
    banker = [one for role, one in merged_bank.sets if role is BANKER]
    thief = [one for role, one in merged_bank.sets if role is THIEF]
    assert len(banker) == 3 * sum(outcomes)
    assert len(thief) == 15
    assert merged_bank.tree.size < make_tree(bank).size / 4


def test_a_game_that_keeps_its_moves_in_mind_is_the_tree_itself() -> None:
    game = compiled_game("kuhn_poker")
    tree, merged = make_tree(game), make_merged_tree(game, 1000)
    assert merged.tree.size == tree.size
    assert len(merged.sets) == len(tree.sets)
    regrets = MergedRegrets(merged.tree)
    regrets.run(300)
    average = regrets.average()
    assert regrets.values(average)[0] == pytest.approx(50 - 25 / 18, abs=0.1)
    profile = np.zeros(tree.slots)
    for one in tree.sets:
        found = merged.find(one.role, list(one.history))
        assert found is not None
        known = dict(zip(found.moves, average[found.first : found.first + len(found.moves)], strict=True))
        profile[one.first : one.first + len(one.moves)] = [known[move] for move in one.moves]
    assert Passes(tree).exploitability(profile) < 0.2


def told(state: State, role: Term) -> tuple[Term, frozenset[Term]]:
    assert state.joint is not None
    return state.joint[state.game.roles.index(role)], frozenset(state.percepts(role))


def test_the_banker_hides_its_gold_in_two_banks(bank: Game, merged_bank: MergedTree) -> None:
    """The best is as much in a bank that is not safe, chosen by chance: the thief gets half of the half."""
    regrets = MergedRegrets(merged_bank.tree)
    regrets.run(300)
    average = regrets.average()
    banker, thief = regrets.values(average)
    assert 8 < banker < 11
    assert 8 < thief < 11
    # All in the safe bank, which is what a player does who thinks that nobody sees it:
    state = bank.initial().play([parse_term("(pick 1)"), NOOP, NOOP])
    history, likely = [told(state, BANKER)], 1.0
    for _ in range(4):
        found = merged_bank.find(BANKER, history)
        assert found is not None
        likely *= average[found.first + found.moves.index(parse_term("(deposit 1)"))]
        state = state.play([NOOP, parse_term("(deposit 1)"), NOOP])
        history.append(told(state, BANKER))
    assert likely < 0.05


def test_the_thief_goes_where_the_coins_are(bank: Game, merged_bank: MergedTree) -> None:
    regrets = MergedRegrets(merged_bank.tree)
    regrets.run(100)
    state = bank.initial().play([parse_term("(pick 1)"), NOOP, NOOP])
    history = [told(state, THIEF)]
    for _ in range(4):
        state = state.play([NOOP, parse_term("(deposit 2)"), NOOP])
        history.append(told(state, THIEF))
    found = merged_bank.find(THIEF, history)
    assert found is not None
    average = regrets.average()[found.first : found.first + 3]
    assert found.moves[int(average.argmax())] is parse_term("(raid 2)")


def test_what_no_role_can_have_seen_is_not_in_the_tree(merged_bank: MergedTree) -> None:
    assert merged_bank.find(THIEF, [(NOOP, frozenset([Term("nonsense")]))]) is None


def test_a_tree_that_is_too_large_is_given_up(bank: Game) -> None:
    with pytest.raises(TreeTooLargeError):
        make_merged_tree(bank, 50)
    with pytest.raises(TreeTooLargeError):
        make_merged_tree(bank, 10_000, lambda: True)


def test_open_games_have_no_histories_to_join() -> None:
    with pytest.raises(GameError, match="hides nothing"):
        make_merged_tree(load_game("tictactoe"), 1000)
