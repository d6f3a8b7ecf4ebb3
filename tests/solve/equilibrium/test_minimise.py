"""The compiled regret minimisation does what its plain twins do, and its samples approach equilibria."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from ludorum._core import RegretKernel
from ludorum.engine.lifted import LiftedGame
from ludorum.rules.kif import parse_kif
from ludorum.solve.equilibrium.evaluate import Passes
from ludorum.solve.equilibrium.game_tree import GameTree
from ludorum.solve.equilibrium.make_tree import make_tree
from ludorum.solve.equilibrium.method import RegretMethod
from ludorum.solve.equilibrium.minimise import EXPLORATION, RegretMinimiser
from ludorum.solve.equilibrium.plain_cfr import CfrConfig, PlainCfr
from ludorum.solve.equilibrium.plain_sampling import PlainSampling
from tests.library_games import compiled_game
from tests.solve.equilibrium.variants import descending_goofspiel

ODD_ONE = """
(role a) (role b) (role c) (role random) (init begin)
(<= (legal random heads) (true begin)) (<= (legal random tails) (true begin))
(<= (legal ?r wait) (person ?r) (true begin))
(person a) (person b) (person c)
(<= (next (coin ?m)) (does random ?m) (true begin)) (<= (next (coin ?m)) (true (coin ?m)))
(<= (legal ?r heads) (person ?r) (not (true begin))) (<= (legal ?r tails) (person ?r) (not (true begin)))
(<= (legal random wait) (not (true begin)))
(<= (next over) (true (coin ?_m)))
(<= (next (chose ?r ?m)) (person ?r) (does ?r ?m) (not (true begin)))
(<= terminal (true over))
(<= (sees a ?m) (does random ?m) (true begin))
(<= (hit ?r) (true (coin ?m)) (true (chose ?r ?m)))
(<= (same ?r) (true (chose ?r ?m)) (true (chose ?s ?m)) (distinct ?r ?s))
(<= (goal ?r 100) (person ?r) (hit ?r) (not (same ?r)))
(<= (goal ?r 40) (person ?r) (hit ?r) (same ?r))
(<= (goal ?r 0) (person ?r) (not (hit ?r)))
"""
"""Three guess a coin at the same time, one has seen it, and who guesses it alone gets most."""
ALONE = """
(role a) (role random) (init begin)
(coin 1) (coin 2) (coin 3)
(<= (legal random (put ?m)) (coin ?m) (true begin)) (<= (legal a wait) (true begin))
(<= (next (at ?m)) (does random (put ?m))) (<= (next (at ?m)) (true (at ?m)))
(<= (legal a (guess ?m)) (coin ?m) (not (true begin))) (<= (legal random wait) (not (true begin)))
(<= (next (told ?m)) (does a (guess ?m)))
(<= terminal (true (told ?_m)))
(<= (sees a low) (does random (put 1))) (<= right (true (at ?m)) (true (told ?m)))
(<= (goal a 100) right) (<= (goal a 0) (not right))
"""


@cache
def tree_of(name: str) -> GameTree:
    if name == "odd_one":
        return make_tree(LiftedGame(parse_kif(ODD_ONE), name))
    if name == "alone":
        return make_tree(LiftedGame(parse_kif(ALONE), name))
    if name == "descending":
        return make_tree(descending_goofspiel())
    return make_tree(compiled_game(name))


@pytest.mark.parametrize("simultaneous", [False, True])
@pytest.mark.parametrize("plus", [False, True])
@pytest.mark.parametrize(
    ("name", "iterations"),
    [
        ("kuhn_poker", 300),
        ("leduc_poker", 20),
        ("monty_hall", 300),
        ("descending", 30),
        ("odd_one", 300),
        ("alone", 50),
    ],
)
def test_the_kernel_minimises_as_its_plain_twin_does(
    name: str, iterations: int, plus: bool, simultaneous: bool
) -> None:
    tree = tree_of(name)
    plain = PlainCfr(tree, CfrConfig(plus=plus, simultaneous=simultaneous))
    plain.run(iterations)
    method = RegretMethod.CFR_PLUS if plus else RegretMethod.CFR
    found = RegretMinimiser(tree, method, simultaneous=simultaneous)
    found.run(iterations)
    assert found.iterations == plain.iterations == iterations
    scale = max(1.0, float(np.abs(plain.regrets).max()))
    assert np.abs(found.regrets - plain.regrets).max() / scale <= 1e-12
    assert np.abs(found.average() - plain.average()).max() <= 1e-12


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "descending", "odd_one", "alone"])
def test_the_kernel_values_profiles_as_plain_passes_do(name: str) -> None:
    tree = tree_of(name)
    passes, found = Passes(tree), RegretMinimiser(tree)
    chance = np.random.RandomState(3)
    for _ in range(5):
        weights = chance.rand(tree.slots) * (chance.rand(tree.slots) < 0.7)
        profile = passes.normalised(weights)
        values, gains = found.worth(profile)
        assert values == pytest.approx(passes.values(profile)[0].tolist(), abs=1e-10)
        assert gains == pytest.approx(passes.gains(profile), abs=1e-10)


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "descending", "odd_one", "alone"])
def test_samples_are_those_of_the_plain_twin_bit_for_bit(name: str) -> None:
    tree = tree_of(name)
    external, outcome = (
        RegretMinimiser(tree, method, seed=7) for method in (RegretMethod.EXTERNAL, RegretMethod.OUTCOME)
    )
    plain = PlainSampling(tree, 7)
    plain.run_external(50)
    external.run(50)
    assert external.regrets.tolist() == plain.regrets
    assert external.average().tolist() == plain.average().tolist()
    plain = PlainSampling(tree, 7)
    plain.run_outcome(200, EXPLORATION)
    outcome.run(200)
    assert outcome.regrets.tolist() == plain.regrets
    assert outcome.average().tolist() == plain.average().tolist()


@pytest.mark.parametrize("method", list(RegretMethod))
def test_work_that_is_split_is_the_same_work(method: RegretMethod) -> None:
    one, two = (RegretMinimiser(tree_of("leduc_poker"), method, seed=5) for _ in range(2))
    one.run(60)
    for part in (1, 0, 20, 39):
        two.run(part)
    assert one.iterations == two.iterations == 60
    assert one.regrets.tolist() == two.regrets.tolist()
    assert one.average().tolist() == two.average().tolist()


@pytest.mark.parametrize("method", [RegretMethod.EXTERNAL, RegretMethod.OUTCOME])
def test_another_seed_takes_other_samples(method: RegretMethod) -> None:
    one, two = (RegretMinimiser(tree_of("kuhn_poker"), method, seed=seed) for seed in (1, 2))
    one.run(100)
    two.run(100)
    assert one.regrets.tolist() != two.regrets.tolist()


def nash_convs(name: str, method: RegretMethod, counts: list[int]) -> list[float]:
    found = RegretMinimiser(tree_of(name), method, seed=1)
    measured = []
    for count in counts:
        found.run(count - found.iterations)
        measured.append(sum(found.worth(found.average())[1]))
    return measured


@pytest.mark.parametrize(
    ("name", "method", "expected"),
    [
        ("kuhn_poker", RegretMethod.EXTERNAL, [6.373556, 1.534593, 0.348652, 0.154017]),
        ("leduc_poker", RegretMethod.EXTERNAL, [15.684158, 8.179065, 1.863558, 0.451553]),
        ("descending", RegretMethod.EXTERNAL, [9.016355, 2.539972, 0.479274, 0.190171]),
        ("kuhn_poker", RegretMethod.OUTCOME, [5.985266, 4.349792, 0.972452, 0.227526]),
        ("leduc_poker", RegretMethod.OUTCOME, [15.143248, 14.149658, 7.394055, 3.291234]),
        ("descending", RegretMethod.OUTCOME, [34.855064, 20.034351, 9.628717, 4.284946]),
    ],
)
def test_more_samples_leave_less_to_gain(name: str, method: RegretMethod, expected: list[float]) -> None:
    found = nash_convs(name, method, [100, 1000, 10_000, 100_000])
    assert found == sorted(found, reverse=True)
    assert found == pytest.approx(expected, abs=1e-6)


def test_who_chooses_alone_learns_the_best() -> None:
    tree = tree_of("alone")
    for method in RegretMethod:
        found = RegretMinimiser(tree, method)
        found.run(20_000)
        values, gains = found.worth(found.average())
        assert values[0] == pytest.approx(200 / 3, abs=0.2)
        assert gains[0] <= 0.2


def test_three_players_learn_as_well() -> None:
    """Who has seen the coin names it, and the others can only guess: it gets 100, 40, 40 or 40 points."""
    found = RegretMinimiser(tree_of("odd_one"))
    found.run(5000)
    values, gains = found.worth(found.average())
    assert max(gains) <= 1e-4
    assert values == pytest.approx([55, 20, 20], abs=1e-4)


def test_time_that_is_up_ends_a_run_after_one_iteration_at_least() -> None:
    for method in RegretMethod:
        found = RegretMinimiser(tree_of("leduc_poker"), method)
        found.run(10**9, lambda: True)
        assert 1 <= found.iterations < 10**8
        assert found.average().sum() == pytest.approx(len(tree_of("leduc_poker").sets))


def test_samples_have_no_simultaneous_updates() -> None:
    with pytest.raises(ValueError, match="external-sampling MCCFR has no simultaneous updates"):
        RegretMinimiser(tree_of("kuhn_poker"), RegretMethod.EXTERNAL, simultaneous=True)


COIN: dict[str, object] = {
    "player": np.array([-1, 0, 0, -2, -2, -2, -2], np.int32),
    "first_edge": np.array([0, 2, 4, 6, 6, 6, 6, 6], np.int32),
    "child": np.array([1, 2, 3, 4, 5, 6], np.int32),
    "weight": np.ones(6, np.int64),
    "information_set": np.array([-1, 0, 0, -1, -1, -1, -1], np.int32),
    "set_offsets": np.array([0, 2], np.int32),
    "values": np.array([[0.0], [0.0], [0.0], [3.0], [0.0], [1.0], [2.0]]),
}
"""Nature draws one of two worlds, and the player chooses without knowing which."""


def test_a_tree_may_come_from_anywhere() -> None:
    kernel = RegretKernel(**COIN)  # type: ignore[arg-type]
    own, best = kernel.worth(np.array([0.5, 0.5]))
    assert (own.tolist(), best.tolist()) == ([1.5], [2.0])
    assert kernel.run_full(10) == 10
    assert kernel.weights.tolist() == [9.5, 0.5]


def test_nature_draws_by_weights() -> None:
    heavy = COIN | {"weight": np.array([3, 1, 1, 1, 1, 1], np.int64)}
    own, best = RegretKernel(**heavy).worth(np.array([0.5, 0.5]))  # type: ignore[arg-type]
    # In the first world the moves are worth 3 and 0, in the second 1 and 2.
    assert (own.tolist(), best.tolist()) == ([1.5], [2.5])


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"player": np.array([-1, 0, 1, -2, -2, -2, -2], np.int32)}, "there is no such player"),
        ({"player": np.array([-1, 0, -3, -2, -2, -2, -2], np.int32)}, "there is no such player"),
        ({"player": np.array([-2, 0, 0, -2, -2, -2, -2], np.int32)}, "ends have no moves"),
        ({"player": np.array([-1, 0, 0, -2, -2, -2, -1], np.int32)}, "ends have no moves"),
        ({"player": np.array([], np.int32)}, "it has no node"),
        ({"player": np.array([-1, 0, 0, -2, -2, -2], np.int32)}, "different lengths"),
        ({"first_edge": np.array([0, 2, 4, 6, 6, 6, 6, 7], np.int32)}, "first_edge"),
        ({"first_edge": np.array([0, 4, 2, 6, 6, 6, 6, 6], np.int32)}, "first_edge"),
        ({"first_edge": np.array([-1, 2, 4, 6, 6, 6, 6, 6], np.int32)}, "first_edge"),
        ({"child": np.array([1, 2, 3, 4, 5, 5], np.int32)}, "one parent"),
        ({"weight": np.array([1, 1, 0, 1, 1, 1], np.int64)}, "weights must be from 1"),
        ({"weight": np.ones(5, np.int64)}, "arrays of different lengths"),
        ({"child": np.array([1, 2, 3, 4, 5, 7], np.int32)}, "children come after"),
        ({"child": np.array([1, 2, 3, 4, 5, -1], np.int32)}, "children come after"),
        ({"child": np.array([1, 2, 3, 4, 5, 2], np.int32)}, "children come after"),
        ({"information_set": np.array([-1, 0, 1, -1, -1, -1, -1], np.int32)}, "no such information set"),
        ({"information_set": np.array([-1, 0, -1, -1, -1, -1, -1], np.int32)}, "no such information set"),
        ({"information_set": np.array([0, 0, 0, -1, -1, -1, -1], np.int32)}, "no information set"),
        ({"set_offsets": np.array([0, 3], np.int32)}, "with other moves"),
        ({"set_offsets": np.array([0, 2, 4], np.int32)}, "without a node"),
        ({"set_offsets": np.array([], np.int32)}, "set_offsets"),
        ({"set_offsets": np.array([0, -2], np.int32)}, "set_offsets"),
        ({"values": np.zeros((6, 1))}, "a row for each node"),
        ({"values": np.full((7, 1), np.nan)}, "values must be numbers"),
        ({"values": np.zeros((7, 0))}, "there is no such player"),
        (
            {
                "player": np.array([0, 0, 0, -2, -2, -2, -2], np.int32),
                "information_set": np.array([1, 0, 0, -1, -1, -1, -1], np.int32),
                "set_offsets": np.array([0, 2, 4], np.int32),
            },
            "forgets its own moves|in another order than play",
        ),
        (
            {
                "player": np.array([0, 0, 0, -2, -2, -2, -2], np.int32),
                "information_set": np.array([0, 1, 1, -1, -1, -1, -1], np.int32),
                "set_offsets": np.array([0, 2, 4], np.int32),
            },
            "forgets its own moves",
        ),
        (
            {
                "player": np.array([-1, 0, 1, -2, -2, -2, -2], np.int32),
                "values": np.zeros((7, 2)),
            },
            "an information set of two players",
        ),
    ],
)
def test_what_is_no_game_tree_is_refused(changed: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        RegretKernel(**(COIN | changed))  # type: ignore[arg-type]


@pytest.mark.parametrize("profile", [[0.5], [0.5, 0.5, 0.5], [0.5, np.nan], [2.0, 0.5], [-1.0, 0.5]])
def test_what_is_no_profile_is_refused(profile: list[float]) -> None:
    with pytest.raises(ValueError, match="profile"):
        RegretKernel(**COIN).worth(np.array(profile))  # type: ignore[arg-type]
