"""Values, best responses and equilibria of games whose figures are published."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from ludorum.engine import load_game
from ludorum.solve.equilibrium.evaluate import Passes, Profile
from ludorum.solve.equilibrium.game_tree import GameTree, make_tree
from ludorum.solve.equilibrium.plain_cfr import CfrConfig, PlainCfr

KUHN_UNIT, LEDUC_UNIT = 25, 3
"""What a chip adds to the goal value."""


@pytest.fixture(scope="module")
def kuhn() -> GameTree:
    return make_tree(load_game("kuhn_poker"))


@pytest.fixture(scope="module")
def leduc() -> GameTree:
    return make_tree(load_game("leduc_poker", "compiled"))


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


def value_of(tree: GameTree, profile: Profile, unit: float) -> float:
    return float((Passes(tree).values(profile)[0, 0] - 50) / unit)


def test_kuhn_poker_by_regret_minimisation(kuhn: GameTree) -> None:
    passes = Passes(kuhn)
    plain = PlainCfr(kuhn)
    plain.run(300)
    assert value_of(kuhn, plain.average(), KUHN_UNIT) == pytest.approx(-1 / 18, abs=0.001)
    assert passes.exploitability(plain.average()) / KUHN_UNIT <= 0.05
    plus = PlainCfr(kuhn, CfrConfig(plus=True))
    plus.run(200)
    assert passes.exploitability(plus.average()) / KUHN_UNIT <= 0.001


def test_alice_bluffs_and_bob_calls_as_equilibria_of_kuhn_poker_do(kuhn: GameTree) -> None:
    """A third of a king's bets is a bluff with a jack; a queen never bets first; Bob's are all determined."""
    plus = PlainCfr(kuhn, CfrConfig(plus=True))
    plus.run(2000)
    chance = {
        f"{one}: {move}": plus.average()[one.first + at]
        for one in kuhn.sets
        for at, move in enumerate(one.moves)
    }
    bluff = chance["alice: noop (dealt jack); noop: bet"]
    assert 0 <= bluff <= 1 / 3 + 0.01
    assert chance["alice: noop (dealt king); noop: bet"] == pytest.approx(3 * bluff, abs=0.02)
    assert chance["alice: noop (dealt queen); noop: bet"] == pytest.approx(0, abs=0.01)
    assert chance["bob: noop; noop (dealt jack); noop (says alice check): bet"] == pytest.approx(
        1 / 3, abs=0.01
    )
    assert chance["bob: noop; noop (dealt queen); noop (says alice bet): call"] == pytest.approx(
        1 / 3, abs=0.01
    )


@pytest.mark.slow
def test_leduc_poker_has_its_published_value(leduc: GameTree) -> None:
    plus = PlainCfr(leduc, CfrConfig(plus=True))
    plus.run(1000)
    assert value_of(leduc, plus.average(), LEDUC_UNIT) == pytest.approx(-0.085606424078, abs=1e-3)


def test_the_candidate_switches(kuhn: GameTree) -> None:
    tree = make_tree(load_game("monty_hall"))
    plus = PlainCfr(tree, CfrConfig(plus=True))
    plus.run(500)
    values = dict(zip(map(str, tree.players), Passes(tree).values(plus.average())[0], strict=True))
    assert values == pytest.approx({"monty": 100 / 3, "candidate": 200 / 3}, abs=0.05)
