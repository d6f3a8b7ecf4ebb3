"""Games that count their steps, played in step: the same games as without a timetable."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum._core import Lanes
from ludorum.engine.circuit import Circuit, evaluate
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.load import load_rules
from ludorum.engine.network import make_network
from ludorum.rules.kif import parse_kif
from ludorum.rules.library import find_sheet
from tests.engine.random_networks import circuits, unpack
from tests.engine.test_lanes import indices, product

# Each stone is numbered by its step; the one who makes the sum of two neighbours' steps even wins.
STONES = """
(role white) (role black)
(init (step 1)) (init (control white))
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
(place a) (place b) (place c) (place d) (place e)
(neighbour a b) (neighbour b c) (neighbour c d) (neighbour d e)
(even 1 3) (even 2 4) (even 3 5) (even 1 5) (even 3 1) (even 4 2) (even 5 3) (even 5 1)
(<= (input ?r (put ?p)) (role ?r) (place ?p))
(<= (taken ?p) (true (stone ?k ?p)))
(<= (legal ?r (put ?p)) (true (control ?r)) (place ?p) (not (taken ?p)))
(<= (legal white wait) (true (control black)))
(<= (legal black wait) (true (control white)))
(<= (next (stone ?k ?p)) (true (step ?k)) (does ?r (put ?p)))
(<= (next (stone ?k ?p)) (true (stone ?k ?p)))
(<= (next (step ?l)) (true (step ?k)) (succ ?k ?l))
(<= (next (control white)) (true (control black)))
(<= (next (control black)) (true (control white)))
(<= pair (true (stone ?k ?p)) (true (stone ?l ?q)) (neighbour ?p ?q) (even ?k ?l))
(<= terminal pair)
(<= terminal (true (step 6)))
(<= (goal white 100) pair (true (control black)))
(<= (goal white 0) (not pair))
(<= (goal white 30) pair (true (control white)))
(<= (goal black 50) terminal)
"""


def stones(plan: str, tmp_path: Path, width: int = 0) -> tuple[Circuit, Lanes]:
    sheet = tmp_path / "stones.kif"
    sheet.write_text(STONES)
    circuit = CompiledGame(load_rules(find_sheet(str(sheet)))).circuit
    return circuit, Lanes(make_network(circuit), width, plan=plan)


@given(circuits(), st.sampled_from((512, 256, 128)), st.integers(0, 2**32))
@settings(max_examples=40)
def test_random_play_by_a_timetable_takes_legal_steps(circuit: Circuit, width: int, seed: int) -> None:
    lanes = Lanes(make_network(circuit), width, plan="timetable")
    assert_walk_is_legal(circuit, lanes, 6, seed)


@pytest.mark.parametrize("width", [512, 256, 128])
def test_stones_are_played_by_the_rules(width: int, tmp_path: Path) -> None:
    circuit, lanes = stones("timetable", tmp_path, width)
    assert lanes.timetable >= 6
    assert_walk_is_legal(circuit, lanes, 13, 1)


def assert_walk_is_legal(circuit: Circuit, lanes: Lanes, steps: int, seed: int) -> None:
    """Each state follows from the one before by a legal joint move, and the first is the initial one."""
    states, status = lanes.walk(steps, seed)
    for lane in (0, lanes.lanes // 2, lanes.lanes - 1):
        rows = unpack(states[:, lane], len(circuit.fluents))
        assert rows[0].tolist() == [bool(bit) for bit in circuit.initial]
        for step in range(steps):
            if status[step, lane] == 2:
                continue
            now = evaluate(circuit, indices(rows[step]))
            choices = [[move for move in moves if move in now.legal] for moves in circuit.role_moves]
            assert (status[step, lane] == 1) == (now.terminal or not all(choices))
            if status[step, lane] == 1 or step == steps - 1 or math.prod(map(len, choices)) > 30:
                continue
            following = {
                tuple(sorted(evaluate(circuit, indices(rows[step]), joint).next))
                for joint in product(choices)
            }
            assert tuple(indices(rows[step + 1])) in following


def test_a_timetable_changes_no_statistics(tmp_path: Path) -> None:
    _, timed = stones("timetable", tmp_path)
    _, usual = stones("cycle", tmp_path)
    assert usual.timetable == 0
    count = 400_000
    one, other = timed.playouts(count, seed=1), usual.playouts(count, seed=2)
    assert one["playouts"] == other["playouts"] == count
    assert abs(one["steps"] - other["steps"]) < 5 * math.sqrt(2 * count)
    spread = np.sqrt(one["goal_counts"] + other["goal_counts"] + 1.0)
    assert (np.abs(one["goal_counts"].astype(float) - other["goal_counts"]) / spread).max() < 4.5


def test_a_timetable_keeps_seeds_caps_and_weights(tmp_path: Path) -> None:
    circuit, timed = stones("timetable", tmp_path)
    first = timed.playouts(20_000, seed=5)
    again = timed.playouts(20_000, seed=5, threads=2)
    assert first["goal_counts"].tolist() == again["goal_counts"].tolist()
    capped = timed.playouts(1000, seed=1, max_steps=2)
    assert (capped["capped"], capped["steps"]) == (1000, 2000)
    # Whoever puts only on a and b first, wins nothing by the third step: 1 and 2 are no even pair.
    weights = np.array([1 if str(move) in ("(put a)", "(put b)", "wait") else 0 for _, move in circuit.moves])
    found = timed.playouts(1000, seed=1, max_steps=2, weights=weights.astype(np.float32))
    assert found["capped"] == 1000


def test_playouts_from_states_of_several_steps(tmp_path: Path) -> None:
    """Exact: the third stone decides, so each successor of a state has its own mean."""
    _, timed = stones("timetable", tmp_path)
    _, usual = stones("cycle", tmp_path)
    states, status = usual.walk(4, 3)
    rows = np.concatenate([states[step][status[step] == 0][:3] for step in range(4)])
    per_state = 40_000
    one = timed.playouts_from(rows, per_state, seed=1)["sums"] / per_state
    few = timed.playouts_from(rows, 1, seed=1)["sums"]
    other = usual.playouts_from(rows, per_state, seed=2)["sums"] / per_state
    assert few.shape == other.shape
    assert np.abs(one - other).max() < 1.5


@pytest.mark.slow
def test_hex_of_the_corpus_has_a_timetable(corpus: Path) -> None:
    rules = load_rules(find_sheet(str(corpus / "gdl1" / "hex.kif")), lenient=True)
    game = CompiledGame(rules)
    lanes = game.simulator().kernel
    assert lanes.timetable > 80
    assert max(sum(phases) for phases in lanes.phase_literals[2:80]) < len(game.circuit.gate_literals) / 3
    found = lanes.playouts(2000, seed=1)
    assert found["goal_sums"].sum() == 200_000  # somebody wins every game of hex
    usual = Lanes(game.network, plan="cycle").playouts(2000, seed=2)
    assert abs(found["steps"] - usual["steps"]) / 2000 < 1.0
    assert abs(found["goal_sums"][0] - usual["goal_sums"][0]) / 200_000 < 0.06


@pytest.mark.long
@pytest.mark.parametrize("width", [512, 128])
def test_chains_go_on_from_the_step_before_and_end_with_the_game(width: int) -> None:
    """Lanes are refilled at different times: no chain of an old game may be left in a new one."""
    circuit = CompiledGame(load_rules(find_sheet("hex"))).circuit
    assert circuit.loops
    states, status = Lanes(make_network(circuit), width).walk(170, 7)
    for lane in (1, width - 1):
        rows = unpack(states[:, lane], len(circuit.fluents))
        assert (status[:, lane] == 1).sum() >= 2
        for step in range(170):
            if status[step, lane] != 2:
                now = evaluate(circuit, indices(rows[step]))
                assert (status[step, lane] == 1) == now.terminal


def test_chains_of_given_states_are_seen_by_both_players() -> None:
    """In a cycle each player's chains are derived after their own moves only, but for given states."""
    network = CompiledGame(load_rules(find_sheet("hex"))).network
    lanes = Lanes(network)
    states, status = lanes.walk(150, 3)
    ended, begun = states[status == 1], states[status == 0]
    rows = np.concatenate([ended[:200], begun[::100]])
    terminal = lanes.expand(rows)[1].astype(bool)
    assert terminal[:200].all()
    assert not terminal[200:].any()
    found = lanes.playouts_from(ended[:200], 3, seed=1)
    assert (found["playouts"], found["steps"]) == (600, 0)
    played = lanes.playouts_from(begun[::100], 2, seed=1)
    assert (played["sums"].sum(1) == 200).all()


ONE_STEP = """
(role a) (init (s 0)) (legal a go)
(<= (next (s 1)) (true (s 0)))
(<= terminal (true (s 1)))
(goal a 100)
"""


def test_a_timetable_without_a_cycle_is_played() -> None:
    """Its cycle has length 0: dividing by it ended the process on x86."""
    lanes = Lanes(CompiledGame(parse_kif(ONE_STEP), "one step").network, plan="timetable")
    assert lanes.timetable == 3
    found = lanes.playouts(2000, seed=1)
    assert (found["playouts"], found["steps"], found["stuck"]) == (2000, 2000, 0)
