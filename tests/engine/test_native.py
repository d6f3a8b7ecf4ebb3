"""Lanes whose gates are machine code against those that go through their runs: the same games."""

import subprocess
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum._core import Lanes, Network
from ludorum.engine.circuit import Circuit
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.load import load_rules
from ludorum.engine.network import make_network
from ludorum.rules.library import find_sheet
from tests.engine.random_networks import circuits, pack, random_circuit, random_moves, random_states
from tests.engine.test_lanes import WIDTHS, urn
from tests.how_much import sample, some
from tests.own_process import PYTHON

PLANS = ("", "cycle", "turns", "timetable")
seeds = st.integers(0, 2**32)
large_circuits = st.builds(random_circuit, seeds, st.just(700))

pytestmark = pytest.mark.skipif(
    not Lanes(urn(2)).native, reason="no machine code is written for this machine"
)


def play(lanes: Lanes, count: int, **how: Any) -> dict[str, Any]:
    found = lanes.playouts(count, **how)
    return {name: np.asarray(value).tolist() for name, value in found.items() if name != "seconds"}


@given(circuits() | large_circuits, st.sampled_from(WIDTHS), st.sampled_from(PLANS), seeds)
@settings(max_examples=some(80))
def test_random_circuits_play_the_same_games(circuit: Circuit, width: int, plan: str, seed: int) -> None:
    network = make_network(circuit)
    native, runs = (Lanes(network, width, plan=plan, native=native) for native in (True, False))
    assert runs.code_bytes == 0
    assert play(native, 700, seed=seed, max_steps=9) == play(runs, 700, seed=seed, max_steps=9)
    weights = np.random.default_rng(seed).random(len(circuit.moves), np.float32)
    how = {"seed": seed, "max_steps": 5, "weights": weights}
    assert play(native, 200, **how) == play(runs, 200, **how)


@pytest.mark.long
@given(
    circuits() | large_circuits,
    st.sampled_from(WIDTHS),
    st.sampled_from(PLANS),
    st.sampled_from([3, 1000]),
    seeds,
)
@settings(max_examples=some(40))
def test_random_circuits_with_odds_play_the_same_games(
    circuit: Circuit, width: int, plan: str, most: int, seed: int
) -> None:
    odds = np.random.default_rng(seed).integers(1, most, len(circuit.moves), np.int32, endpoint=True)
    network = make_network(replace(circuit, weights=odds))
    native, runs = (Lanes(network, width, plan=plan, native=native) for native in (True, False))
    assert play(native, 700, seed=seed, max_steps=9) == play(runs, 700, seed=seed, max_steps=9)


@pytest.mark.parametrize("plan", PLANS)
def test_goals_between_do_not_change_what_is_legal(plan: str) -> None:
    """A circuit with a loop that no phase needs: legal moves have to outlast the goals all the same."""
    network = make_network(random_circuit(173))
    native, runs = (Lanes(network, 512, plan=plan, native=native) for native in (True, False))
    assert native.native_steps
    assert play(native, 700, seed=173, max_steps=9) == play(runs, 700, seed=173, max_steps=9)


@pytest.mark.long
@given(circuits() | large_circuits, st.sampled_from(WIDTHS), seeds)
@settings(max_examples=some(40))
def test_random_circuits_answer_batches_the_same(circuit: Circuit, width: int, seed: int) -> None:
    network = make_network(circuit)
    native, runs = (Lanes(network, width, native=native) for native in (True, False))
    rows, moves = pack(random_states(circuit, 70, seed)), random_moves(circuit, 70, seed)
    expanded, expected = native.expand(rows), runs.expand(rows)
    assert all(np.array_equal(expanded[at], expected[at]) for at in range(3))
    assert np.array_equal(native.step(rows, moves), runs.step(rows, moves))
    assert np.array_equal(native.sees(rows, moves), runs.sees(rows, moves))
    from_rows, as_before = (
        lanes.playouts_from(rows, 3, seed=seed, max_steps=4)["sums"] for lanes in (native, runs)
    )
    assert np.array_equal(from_rows, as_before)


@cache
def network_of(name: str) -> Network:
    return CompiledGame(load_rules(find_sheet(name)), name).network


# Turns, choices of all at once, play that decides who is next; then loops, and moves too many for a step.
WHOLE_STEPS = (
    "tictactoe",
    "connect_four",
    "breakthrough",
    "othello",
    "english_draughts",
    "gomoku",
    "tron",
    "chinese_checkers",
    "iterated_prisoners_dilemma",
)
OTHERS = ("hex", "chess")


@pytest.mark.parametrize("name", sample(WHOLE_STEPS + OTHERS, 3))
def test_our_games_are_the_same(name: str) -> None:
    native, runs = (Lanes(network_of(name), 256, native=native) for native in (True, False))
    assert native.code_bytes > 0
    assert native.native_steps == (name in WHOLE_STEPS)
    for seed in (1, 2):
        assert play(native, 600, seed=seed, max_steps=300) == play(runs, 600, seed=seed, max_steps=300)


def test_random_play_is_told_to_observers_as_it_is_played() -> None:
    """With somebody looking on, moves are chosen in the open; the games are those nobody looks at."""
    lanes = Lanes(network_of("tictactoe"), 256)
    states, status = lanes.walk(10, seed=5)
    assert lanes.native_steps
    ended = [int(np.flatnonzero(status[:, lane] == 1)[0]) for lane in range(256)]
    assert min(ended) >= 5
    assert max(ended) <= 9
    assert states.shape[:2] == (10, 256)


@pytest.mark.parametrize("moves", [2, 3, 5, 8, 9, 16, 17, 63, 64, 65, 100, 512])
def test_any_number_of_moves_is_chosen_from_by_whole_steps(moves: int) -> None:
    native, runs = Lanes(urn(moves), 512), Lanes(urn(moves), 512, native=False)
    assert native.native_steps
    assert play(native, 20_000, seed=moves) == play(runs, 20_000, seed=moves)
    few, slow = Lanes(urn(moves, legal=moves // 2 + 1)), Lanes(urn(moves, legal=moves // 2 + 1), native=False)
    assert play(few, 5000, seed=1) == play(slow, 5000, seed=1)


def test_more_moves_than_whole_steps_choose_among() -> None:
    native, runs = Lanes(urn(513), 512), Lanes(urn(513), 512, native=False)
    assert not native.native_steps
    assert play(native, 5000, seed=1) == play(runs, 5000, seed=1)


# From then on nothing in this process may become code that was not code before.
FORBID = "import ctypes; refused = ctypes.CDLL(None).prctl(65, 1, 0, 0, 0)"
PLAY = """
from tests.engine.test_native import network_of
from ludorum._core import Lanes
lanes = Lanes(network_of("tictactoe"), 256)
print(lanes.code_bytes > 0, lanes.native_steps, lanes.playouts(1000, seed=1)["goal_counts"].tolist())
"""


@pytest.mark.long
def test_where_no_code_may_be_made_runs_are_gone_through() -> None:
    probe = subprocess.run([*PYTHON, "-c", f"{FORBID}; raise SystemExit(refused != 0)"], check=False)
    if probe.returncode:
        pytest.skip("this kernel cannot forbid new code")
    usual, forbidden = (
        subprocess.run([*PYTHON, "-c", text], check=True, capture_output=True, text=True).stdout.split(" ", 2)
        for text in (PLAY, FORBID + PLAY)
    )
    assert usual[:2] == ["True", "True"]
    assert forbidden[:2] == ["False", "False"]
    assert usual[2] == forbidden[2]
