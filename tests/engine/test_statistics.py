"""Random play of every engine has the exact distribution: chi-square against full enumeration.

Seeds are fixed, so each of these tests either always passes or never.
"""

import math
from collections.abc import Callable
from functools import cache
from random import Random

import numpy as np
import pytest

from ludorum._core import Lanes
from ludorum.engine import LiftedGame
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import Game
from ludorum.engine.load import load_rules
from ludorum.rules.kif import parse_kif
from ludorum.rules.library import find_sheet
from ludorum.rules.ruleset import Ruleset
from tests.engine.exact_play import ExactPlay, exact_play
from tests.engine.kernel_games import MODES, compile_here, with_kernel
from tests.engine.test_lanes import chi_square_is_fine, urn

WIDTHS = (512, 256, 128)


def tree(seed: int, depth: int) -> str:
    """A walk down a tree whose nodes have 1 to 20 children; the goal says at which leaf it ended."""
    chance = Random(seed)
    lines = ["(role walker) (init (at 0))",
             "(<= (legal walker (go ?n)) (true (at ?m)) (child ?m ?n))",
             "(<= (next (at ?n)) (does walker (go ?n)))",
             "(<= inner (true (at ?m)) (child ?m ?n))",
             "(<= terminal (not inner))",
             "(<= (goal walker ?v) (true (at ?n)) (leaf ?n ?v))",
             "(<= (goal walker 0) inner)"]  # fmt: skip
    nodes, leaves, layer = 1, 0, [0]
    for level in range(depth + 1):
        following = []
        for node in layer:
            children = 0 if level == depth or (level and chance.random() < 0.2) else _branching(chance, level)
            for _ in range(children):
                lines.append(f"(child {node} {nodes})")
                following.append(nodes)
                nodes += 1
            if not children:
                lines.append(f"(leaf {node} {leaves})")
                leaves += 1
        layer = following
    return "\n".join(lines)


def _branching(chance: Random, level: int) -> int:
    return chance.choice([1, 2, 3, 7, 8, 9, 17] if level < 2 else [1, 2, 5])


BIDS = """
; Two bid at once, twice; the second time they have as many moves as the first bids left them.
(role red) (role blue) (init (round 1))
(num 0) (num 1) (num 2) (num 3) (num 4)
(below 1 0) (below 2 0) (below 2 1) (below 3 0) (below 3 1) (below 3 2)
(below 4 0) (below 4 1) (below 4 2) (below 4 3)
(<= (legal red (bid ?n)) (true (round 1)) (num ?n) (distinct ?n 0) (distinct ?n 4))
(<= (legal blue (bid ?n)) (true (round 1)) (num ?n) (distinct ?n 0))
(<= (legal red (bid ?n)) (true (round 2)) (true (had blue ?m)) (below ?m ?n))
(<= (legal blue (bid ?n)) (true (round 2)) (true (had red ?m)) (below ?m ?n))
(<= (next (had ?r ?n)) (true (round 1)) (does ?r (bid ?n)))
(<= (next (had ?r ?n)) (true (had ?r ?n)))
(<= (next (then ?r ?n)) (true (round 2)) (does ?r (bid ?n)))
(<= (next (round 2)) (true (round 1)))
(<= terminal (true (then red ?n)))
(value 1 0 10) (value 1 1 11) (value 1 2 12) (value 1 3 13)
(value 2 0 20) (value 2 1 21) (value 2 2 22) (value 2 3 23)
(value 3 0 30) (value 3 1 31) (value 3 2 32) (value 3 3 33)
(value 4 0 40) (value 4 1 41) (value 4 2 42)
(<= (goal ?r ?v) (true (had ?r ?n)) (true (then ?r ?m)) (value ?n ?m ?v))
(<= (goal ?r 0) (role ?r) (not terminal))
"""

DICE = """
; Nature throws a die; the player names a number up to what it shows; nature throws a coin for it.
(role random) (role player) (init (phase throw))
(number 1) (number 2) (number 3) (number 4) (number 5) (number 6)
(upto 1 1) (upto 2 1) (upto 2 2) (upto 3 1) (upto 3 2) (upto 3 3)
(upto 6 1) (upto 6 2) (upto 6 3) (upto 6 4) (upto 6 5) (upto 6 6)
(upto 4 4) (upto 5 5)
(<= (legal random (show ?n)) (true (phase throw)) (number ?n))
(<= (legal random (side ?s)) (true (phase toss)) (side ?s))
(<= (legal random noop) (true (phase name)))
(<= (legal player (name ?m)) (true (phase name)) (true (die ?n)) (upto ?n ?m))
(<= (legal player noop) (not (true (phase name))))
(side heads) (side tails)
(<= (next (phase name)) (true (phase throw)))
(<= (next (phase toss)) (true (phase name)))
(<= (next (phase over)) (true (phase toss)))
(<= (next (die ?n)) (does random (show ?n)))
(<= (next (die ?n)) (true (die ?n)))
(<= (next (named ?n)) (does player (name ?n)))
(<= (next (named ?n)) (true (named ?n)) (does random (side heads)))
(<= (next (named 0)) (does random (side tails)))
(<= terminal (true (phase over)))
(<= (goal player ?n) (true (named ?n)))
(<= (goal player 0) (not terminal) (not (true (phase toss))))
(<= (goal random ?n) (true (die ?n)))
(<= (goal random 0) (true (phase throw)))
"""

SHEETS: dict[str, Callable[[], Ruleset]] = {
    "tictactoe": lambda: load_rules(find_sheet("tictactoe")),
    "tree": lambda: parse_kif(tree(3, 3)),
    "deep tree": lambda: parse_kif(tree(8, 6)),
    "bids": lambda: parse_kif(BIDS),
    "dice": lambda: parse_kif(DICE),
}


@cache
def compiled(name: str) -> CompiledGame:
    return compile_here(SHEETS[name](), name)


@cache
def exact(name: str) -> ExactPlay:
    game: Game = compiled(name)
    return exact_play(game if name == "tictactoe" else LiftedGame(SHEETS[name](), name))


def assert_distributed(name: str, histogram: dict[str, dict[int, int]], count: int) -> None:
    for role in compiled(name).roles:
        shares = exact(name).goals(role)
        found = histogram[str(role)]
        assert set(found) <= set(shares)
        counts = np.array([found.get(value, 0) for value in shares], float)
        assert counts.sum() == count
        if len(shares) > 1:
            assert chi_square_is_fine(counts, np.array([float(share) * count for share in shares.values()]))


def assert_mean(found: float, exact_mean: tuple[float, float], count: int) -> None:
    mean, deviation = exact_mean
    assert abs(found - mean) <= 4.5 * deviation / math.sqrt(count) + 1e-9


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", SHEETS)
def test_lanes_play_with_the_exact_distribution(name: str, width: int) -> None:
    count = 600_000
    found = compiled(name).simulator(width).playouts(count, seed=11)
    histogram = {str(role): own for role, own in found.histogram.items()}
    assert_distributed(name, histogram, count)
    assert_mean(found.steps / count, exact(name).length_mean(), count)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", SHEETS)
def test_single_states_play_with_the_exact_distribution(name: str, mode: str) -> None:
    count = 60_000
    game = with_kernel(compiled(name), mode)
    assert isinstance(game, CompiledGame)
    found = game.single.playouts(count, seed=12)
    histogram: dict[str, dict[int, int]] = {str(role): {} for role in game.roles}
    for (role, value, _), number in zip(game.circuit.goals, found["goal_counts"], strict=True):
        own = histogram[str(game.roles[role])]
        assert isinstance(value, int)
        own[value] = own.get(value, 0) + number
    nonzero = {role: {v: n for v, n in own.items() if n} for role, own in histogram.items()}
    assert_distributed(name, nonzero, count)
    assert_mean(found["steps"] / count, exact(name).length_mean(), count)


@pytest.mark.parametrize("name", SHEETS)
def test_the_lifted_engine_plays_with_the_exact_means(name: str) -> None:
    count = 4_000
    game = LiftedGame(SHEETS[name](), name)
    found = game.measure_playouts(count, seed=13)
    assert found.valued == count
    for role, mean in zip(game.roles, found.goals, strict=True):
        assert_mean(mean, exact(name).goal_mean(role), count)
    assert_mean(found.steps / count, exact(name).length_mean(), count)


@pytest.mark.parametrize("name", ["tree", "bids", "dice"])
def test_playouts_of_any_game_have_the_exact_distribution(name: str) -> None:
    count = 2_500
    game = compiled(name)
    histogram: dict[str, dict[int, int]] = {str(role): {} for role in game.roles}
    for seed in range(count):
        *_, end = game.playout(seed)
        for role in game.roles:
            value = end.goal(role)
            assert value is not None
            histogram[str(role)][value] = histogram[str(role)].get(value, 0) + 1
    assert_distributed(name, histogram, count)


# -- one choice, all places of a large group -----------------------------------------------------------------

AROUND = (2, 5, 7, 8, 9, 15, 16, 17, 63, 64, 65, 127, 129, 511, 512, 513, 1000, 4097)
"""Group sizes around those at which the choice is made in another way."""


def share_error(moves: int, legal: int, count: int, threads: int = 1) -> float:
    """The largest error of the share of one move, after a chi-square test of all of them."""
    counts = Lanes(urn(moves, legal)).playouts(count, seed=moves, threads=threads)["goal_counts"]
    assert counts[legal:].sum() == 0
    own = counts[:legal].astype(float)
    assert own.sum() == count
    assert chi_square_is_fine(own, np.full(legal, count / legal))
    return float(np.abs(own / count - 1 / legal).max())


@pytest.mark.parametrize("moves", AROUND)
def test_every_place_of_a_group_is_as_likely(moves: int) -> None:
    assert share_error(moves, moves, 1_000_000 if moves < 200 else 300_000) < 3e-3
    assert share_error(moves, max(1, moves - 1), 200_000) < 6e-3


@pytest.mark.slow
@pytest.mark.parametrize("moves", AROUND)
def test_every_place_of_a_group_is_as_likely_to_one_in_ten_thousand(moves: int) -> None:
    # Five standard deviations of a share p after n draws are below 1e-4 from n = 25e8 p (1 - p) on.
    share = 1 / moves
    count = int(max(2e7, 25e8 * share * (1 - share)))
    assert share_error(moves, moves, count, threads=2) < 1e-4
