"""The lane kernels against the plain oracle, exact counts and exact probabilities."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ludorum._core import Lanes, Network
from ludorum.engine.circuit import Circuit, evaluate
from ludorum.engine.network import make_network
from tests.engine.random_networks import circuits, pack, random_moves, random_states, unpack

WIDTHS = (512, 256, 128)


def indices(row: NDArray[np.bool_]) -> list[int]:
    return [int(at) for at in np.flatnonzero(row)]


@given(circuits(), st.sampled_from(WIDTHS), st.integers(0, 2**32))
@settings(max_examples=60)
def test_batches_agree_with_the_oracle(circuit: Circuit, width: int, seed: int) -> None:
    lanes = Lanes(make_network(circuit), width)
    rows, moves = random_states(circuit, 70, seed), random_moves(circuit, 70, seed)
    legal, terminal, goals = lanes.expand(pack(rows))
    after = unpack(lanes.step(pack(rows), moves), len(circuit.fluents))
    seen = unpack(lanes.sees(pack(rows), moves), len(circuit.sees))
    for at in range(0, 70, 7):
        expected = evaluate(circuit, indices(rows[at]), moves[at].tolist())
        assert indices(unpack(legal[at : at + 1], len(circuit.moves))[0]) == sorted(expected.legal)
        assert bool(terminal[at]) == expected.terminal
        for role in range(len(circuit.roles)):
            values = [value for who, value in expected.goals if who == role]
            assert goals[at, role] == (values[0] if len(values) == 1 else -1)
        assert indices(after[at]) == sorted(expected.next)
        assert tuple(circuit.sees[one][:2] for one in indices(seen[at])) == expected.sees


@given(circuits(), st.sampled_from(WIDTHS), st.integers(0, 2**32))
@settings(max_examples=40)
def test_random_play_takes_legal_steps(circuit: Circuit, width: int, seed: int) -> None:
    """Whatever short cut the lanes take, each state follows from the one before by some legal joint move."""
    lanes = Lanes(make_network(circuit), width)
    states, status = lanes.walk(5, seed)
    for lane in (0, width // 2, width - 1):
        rows = unpack(states[:, lane], len(circuit.fluents))
        for step in range(5):
            if status[step, lane] == 2:
                continue
            now = evaluate(circuit, indices(rows[step]))
            choices = [[move for move in moves if move in now.legal] for moves in circuit.role_moves]
            assert (status[step, lane] == 1) == (now.terminal or not all(choices))
            if status[step, lane] == 1 or step == 4 or math.prod(map(len, choices)) > 30:
                continue
            following = {
                tuple(sorted(evaluate(circuit, indices(rows[step]), joint).next))
                for joint in product(choices)
            }
            assert tuple(indices(rows[step + 1])) in following


def product(choices: list[list[int]]) -> list[list[int]]:
    joints: list[list[int]] = [[]]
    for own in choices:
        joints = [[*joint, move] for joint in joints for move in own]
    return joints


def urn(moves: int, legal: int | None = None) -> Network:
    """One role takes one of some moves once; its goal says which. Moves beyond ``legal`` never are."""
    numbers = np.arange(moves, dtype=np.int32)
    true = 4 * moves
    allowed = np.where(numbers < (moves if legal is None else legal), true, true + 1)
    nothing = np.zeros(0, np.int32)
    return Network(
        fluents=moves,
        moves_of_roles=np.array([moves], np.int32),
        gate_offsets=np.array([0, moves], np.int32),
        gate_literals=2 * numbers + 1,
        legal=allowed.astype(np.int32),
        terminal=true + 3,
        goal_roles=np.zeros(moves, np.int32),
        goal_values=numbers,
        goals=2 * numbers,
        next=2 * (moves + numbers),
        sees=nothing,
        initial=np.zeros(moves, np.uint8),
        loops=nothing,
    )


def chi_square_is_fine(counts: NDArray[np.float64], expected: NDArray[np.float64]) -> bool:
    """Whether counts fit: seeds are fixed, so this either always holds or never."""
    freedom = len(counts) - 1
    chi = float(((counts - expected) ** 2 / expected).sum())
    return chi < freedom + 4 * math.sqrt(2 * freedom) + 8


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("moves", [1, 2, 3, 7, 8, 9, 64, 65, 1000])
def test_choice_is_unbiased(moves: int, width: int) -> None:
    count = 2_000_000 if moves < 100 else 500_000
    found = Lanes(urn(moves), width).playouts(count, seed=moves)
    assert found["playouts"] == found["steps"] == count
    counts = found["goal_counts"].astype(float)
    assert counts.sum() == count
    assert chi_square_is_fine(counts, np.full(moves, count / moves))


@pytest.mark.slow
@pytest.mark.parametrize("moves", [3, 7, 9, 65, 1000])
def test_choice_is_unbiased_to_one_in_ten_thousand(moves: int) -> None:
    count = 400_000_000 if moves < 100 else 50_000_000
    found = Lanes(urn(moves)).playouts(count, seed=moves, threads=2)
    error = np.abs(found["goal_counts"] / count - 1 / moves)
    assert error.max() < 1e-4
    assert chi_square_is_fine(found["goal_counts"].astype(float), np.full(moves, count / moves))


def test_moves_that_are_not_legal_are_not_chosen() -> None:
    counts = Lanes(urn(100, legal=5)).playouts(100_000, seed=1)["goal_counts"]
    assert counts[5:].sum() == 0
    assert counts[:5].min() > 19_000


def test_weights_choose_in_proportion() -> None:
    weights = np.array([1, 0, 2, 5, 2], np.float32)
    counts = Lanes(urn(5)).playouts(200_000, seed=1, weights=weights)["goal_counts"].astype(float)
    assert counts[1] == 0
    kept = [0, 2, 3, 4]
    assert chi_square_is_fine(counts[kept], 20_000 * weights[kept].astype(float))


def test_where_no_move_has_weight_all_are_as_likely() -> None:
    counts = Lanes(urn(4)).playouts(100_000, seed=1, weights=np.zeros(4, np.float32))["goal_counts"]
    assert chi_square_is_fine(counts.astype(float), np.full(4, 25_000.0))


def test_a_role_without_moves_is_stuck() -> None:
    found = Lanes(urn(3, legal=0)).playouts(1000, seed=1)
    assert (found["playouts"], found["stuck"], found["steps"]) == (1000, 1000, 0)


def test_same_seed_same_games_whatever_the_threads() -> None:
    lanes = Lanes(urn(9))
    one = lanes.playouts(100_000, seed=3)["goal_counts"].tolist()
    assert one == lanes.playouts(100_000, seed=3, threads=3)["goal_counts"].tolist()
    assert one == Lanes(urn(9)).playouts(100_000, seed=3)["goal_counts"].tolist()
    assert one != lanes.playouts(100_000, seed=4)["goal_counts"].tolist()


def test_bad_input_is_refused_with_a_reason() -> None:
    network = urn(3)
    with pytest.raises(ValueError, match="512, 256 or 128"):
        Lanes(network, 100)
    with pytest.raises(ValueError, match="count or seconds"):
        Lanes(network).playouts()
    with pytest.raises(ValueError, match="rows of 1 bytes"):
        Lanes(network).expand(np.zeros((1, 2), np.uint8))
    with pytest.raises(ValueError, match="not one of its role"):
        Lanes(network).step(np.zeros((1, 1), np.uint8), np.array([[3]], np.int32))
    with pytest.raises(ValueError, match="negative"):
        Lanes(network).playouts(1, weights=np.array([1, -1, 1], np.float32))


def test_empty_batches_are_fine() -> None:
    legal, terminal, goals = Lanes(urn(3)).expand(np.zeros((0, 1), np.uint8))
    assert (legal.shape, terminal.shape, goals.shape) == ((0, 1), (0,), (0, 1))
    assert Lanes(urn(3)).playouts(0)["playouts"] == 0


def test_blocks_are_narrow_for_large_games_and_wide_for_small_ones() -> None:
    small, usual, large = Lanes(urn(9)), Lanes(urn(900)), Lanes(urn(30_000))
    assert usual.lanes == 512
    narrow = 128 if large.native else 256  # machine code is content with one vector a slot, runs want two
    of_vectors = small.instruction_set == "baseline"
    assert (small.lanes, large.lanes) == ((1024, narrow) if of_vectors else (512, 512))
    for lanes in (small, large):
        assert lanes.playouts(1000, seed=1)["playouts"] == 1000
