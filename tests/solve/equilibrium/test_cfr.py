"""Values, best responses and equilibria of games whose figures are published."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from ludorum.engine import load_game
from ludorum.solve.equilibrium.evaluate import Passes
from ludorum.solve.equilibrium.game_tree import GameTree
from ludorum.solve.equilibrium.make_tree import make_tree
from ludorum.solve.equilibrium.method import RegretMethod
from ludorum.solve.equilibrium.minimise import RegretMinimiser
from tests.library_games import compiled_game
from tests.solve.equilibrium.variants import descending_goofspiel, wild_dice

KUHN_UNIT, LEDUC_UNIT, WIN_UNIT = 25, 3, 50
"""What a chip or a win adds to the goal value, which is 50 and as many units as the published figure says."""


@pytest.fixture(scope="module")
def kuhn() -> GameTree:
    return make_tree(load_game("kuhn_poker"))


@pytest.fixture(scope="module")
def leduc() -> GameTree:
    return make_tree(compiled_game("leduc_poker"))


def test_uniform_play_is_as_exploitable_as_published(kuhn: GameTree, leduc: GameTree) -> None:
    passes = Passes(kuhn)
    uniform = passes.uniform
    assert passes.nash_conv(uniform) / KUHN_UNIT == pytest.approx(11 / 12, abs=1e-9)
    responses = [passes.best_response(uniform, player)[0] for player in (0, 1)]
    assert [(value - 50) / KUHN_UNIT for value in responses] == pytest.approx([0.5, 5 / 12], abs=1e-9)
    of_leduc = Passes(leduc)
    assert of_leduc.nash_conv(of_leduc.uniform) / LEDUC_UNIT == pytest.approx(4.747222, abs=1e-6)


def test_who_always_folds_loses_everything(kuhn: GameTree) -> None:
    """Always the first action of OpenSpiel's game: pass, which is to check or to fold."""
    passes = Passes(kuhn)
    moves = [str(move) for one in kuhn.sets for move in one.moves]
    profile = np.array([float(move in ("check", "fold")) for move in moves])
    assert passes.nash_conv(profile) / KUHN_UNIT == pytest.approx(2.0, abs=1e-9)


def test_best_responses_are_the_best_of_all_pure_strategies(kuhn: GameTree) -> None:
    passes = Passes(kuhn)
    chance = np.random.RandomState(1)
    profile = passes.normalised(chance.rand(kuhn.slots))
    for player, role in enumerate(kuhn.players):
        own = [one for one in kuhn.sets if one.role is role]
        found: list[float] = []
        for choice in product(*(range(len(one.moves)) for one in own)):
            pure = profile.copy()
            for one, at in zip(own, choice, strict=True):
                pure[one.first : one.first + len(one.moves)] = 0.0
                pure[one.first + at] = 1.0
            found.append(passes.values(pure)[0, player])
        value, best = passes.best_response(profile, player)
        assert value == pytest.approx(max(found), abs=1e-9)
        assert passes.values(best)[0, player] == pytest.approx(value, abs=1e-9)


def value_of(found: RegretMinimiser, unit: float) -> float:
    """The value for the first player in the units of the published figures."""
    return (found.worth(found.average())[0][0] - 50) / unit


def exploitability_of(found: RegretMinimiser, unit: float) -> float:
    gains = found.worth(found.average())[1]
    return sum(gains) / len(gains) / unit


def minimised(tree: GameTree, method: RegretMethod, iterations: int) -> RegretMinimiser:
    found = RegretMinimiser(tree, method)
    found.run(iterations)
    return found


def test_kuhn_poker_by_regret_minimisation(kuhn: GameTree) -> None:
    plain = minimised(kuhn, RegretMethod.CFR, 300)
    assert value_of(plain, KUHN_UNIT) == pytest.approx(-1 / 18, abs=0.001)
    assert exploitability_of(plain, KUHN_UNIT) <= 0.05
    assert exploitability_of(minimised(kuhn, RegretMethod.CFR_PLUS, 200), KUHN_UNIT) <= 0.001
    close = minimised(kuhn, RegretMethod.CFR_PLUS, 100_000)
    assert value_of(close, KUHN_UNIT) == pytest.approx(-1 / 18, abs=1e-8)


def test_alice_bluffs_and_bob_calls_as_equilibria_of_kuhn_poker_do(kuhn: GameTree) -> None:
    """A third of a king's bets is a bluff with a jack; a queen never bets first; Bob's are all determined."""
    average = minimised(kuhn, RegretMethod.CFR_PLUS, 20_000).average()
    chance = {
        f"{one}: {move}": average[one.first + at] for one in kuhn.sets for at, move in enumerate(one.moves)
    }
    bluff = chance["alice: noop (dealt jack); noop: bet"]
    assert 0 <= bluff <= 1 / 3 + 0.001
    assert chance["alice: noop (dealt king); noop: bet"] == pytest.approx(3 * bluff, abs=0.001)
    assert chance["alice: noop (dealt queen); noop: bet"] == pytest.approx(0, abs=0.001)
    third = pytest.approx(1 / 3, abs=0.001)
    assert chance["bob: noop; noop (dealt jack); noop (says alice check): bet"] == third
    assert chance["bob: noop; noop (dealt queen); noop (says alice bet): call"] == third


def test_leduc_poker_has_its_published_value(leduc: GameTree) -> None:
    found = minimised(leduc, RegretMethod.CFR_PLUS, 3000)
    assert value_of(found, LEDUC_UNIT) == pytest.approx(-0.085606424078, abs=1e-5)
    assert exploitability_of(found, LEDUC_UNIT) <= 2e-4


def test_goofspiel_with_four_cards_is_as_near_to_an_equilibrium_as_published() -> None:
    tree = make_tree(compiled_game("goofspiel"))
    assert exploitability_of(minimised(tree, RegretMethod.CFR, 100), WIN_UNIT) <= 0.1
    # Both players are in the same position, so the game is even.
    assert value_of(minimised(tree, RegretMethod.CFR_PLUS, 300), WIN_UNIT) == pytest.approx(0, abs=1e-4)
    falling = minimised(make_tree(descending_goofspiel()), RegretMethod.CFR, 1000)
    assert exploitability_of(falling, WIN_UNIT) <= 0.01


@pytest.mark.long
def test_liars_dice_with_a_wild_six_is_dudo_with_its_published_value() -> None:
    """-7/258 for one die each: Neller and Lanctot, An Introduction to Counterfactual Regret Minimization."""
    found = RegretMinimiser(make_tree(wild_dice()))
    gains = found.worth(found.average())[1]
    assert sum(gains) / WIN_UNIT == pytest.approx(1.561489, abs=1e-6)  # OpenSpiel, uniform play
    found.run(300)
    assert value_of(found, WIN_UNIT) == pytest.approx(-7 / 258, abs=1e-3)
    assert exploitability_of(found, WIN_UNIT) <= 2e-3


@pytest.mark.long
def test_liars_dice_of_the_library_costs_the_first_player_a_ninth() -> None:
    tree = make_tree(compiled_game("liars_dice"))
    assert (tree.size, len(tree.sets), tree.slots) == (221_155, 12_288, 36_852)
    found = minimised(tree, RegretMethod.CFR_PLUS, 300)
    assert value_of(found, WIN_UNIT) == pytest.approx(-1 / 9, abs=1e-4)
    assert exploitability_of(found, WIN_UNIT) <= 2e-4


def test_the_candidate_switches() -> None:
    tree = make_tree(load_game("monty_hall"))
    found = minimised(tree, RegretMethod.CFR_PLUS, 2000)
    values = dict(zip(map(str, tree.players), found.worth(found.average())[0], strict=True))
    assert values == pytest.approx({"monty": 100 / 3, "candidate": 200 / 3}, abs=0.005)
