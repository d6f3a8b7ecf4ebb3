"""Where OpenSpiel is installed (the extra ``rivals``): its iterates on its games are ours on our sheets."""

from __future__ import annotations

import pytest

from ludorum.engine import load_game
from ludorum.engine.game import Game
from ludorum.solve.equilibrium.make_tree import make_tree
from ludorum.solve.equilibrium.method import RegretMethod
from ludorum.solve.equilibrium.minimise import RegretMinimiser
from tests.solve.equilibrium.variants import descending_goofspiel, wild_dice

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install '.[rivals]'")


def goofspiel(order: str) -> str:
    parts = f"imp_info=True,num_cards=4,players=2,points_order={order},returns_type=win_loss"
    return f"turn_based_simultaneous_game(game=goofspiel({parts}))"


def ours(name: str) -> Game:
    variants = {"wild_dice": wild_dice, "descending_goofspiel": descending_goofspiel}
    return variants[name]() if name in variants else load_game(name, "compiled")


@pytest.mark.parametrize("method", [RegretMethod.CFR, RegretMethod.CFR_PLUS])
@pytest.mark.parametrize(
    ("name", "theirs", "unit", "iterations"),
    [
        ("kuhn_poker", "kuhn_poker", 25, 100),
        ("leduc_poker", "leduc_poker", 3, 20),
        ("goofspiel", goofspiel("random"), 50, 5),
        ("descending_goofspiel", goofspiel("descending"), 50, 50),
        ("wild_dice", "liars_dice", 50, 2),
    ],
)
def test_every_iteration_comes_to_the_same_strategies(
    name: str, theirs: str, unit: float, iterations: int, method: RegretMethod
) -> None:
    rival = pyspiel.load_game(theirs)
    solver = (pyspiel.CFRPlusSolver if method is RegretMethod.CFR_PLUS else pyspiel.CFRSolver)(rival)
    found = RegretMinimiser(make_tree(ours(name)), method)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    found.run(iterations)
    average = solver.average_policy()
    values, gains = found.worth(found.average())
    returns = pyspiel.expected_returns(rival.new_initial_state(), average, -1, True)
    assert [(value - 50) / unit for value in values] == pytest.approx(returns, abs=1e-9)
    assert sum(gains) / unit == pytest.approx(pyspiel.nash_conv(rival, average), abs=1e-9)


@pytest.mark.parametrize(
    ("name", "theirs", "unit"),
    [
        ("kuhn_poker", "kuhn_poker", 25),
        ("leduc_poker", "leduc_poker", 3),
        ("goofspiel", goofspiel("random"), 50),
        ("wild_dice", "liars_dice", 50),
    ],
)
def test_uniform_play_leaves_as_much_to_gain(name: str, theirs: str, unit: float) -> None:
    rival = pyspiel.load_game(theirs)
    found = RegretMinimiser(make_tree(ours(name)))
    gains = found.worth(found.average())[1]
    uniform = pyspiel.nash_conv(rival, pyspiel.UniformRandomPolicy(rival))
    assert sum(gains) / unit == pytest.approx(uniform, abs=1e-9)
