"""One state at a time: full and incremental evaluation against the plain oracle and against each other."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum._core import Single
from ludorum.engine.circuit import Circuit, evaluate
from ludorum.engine.network import make_network
from tests.engine.random_networks import circuits, pack, random_moves, random_states, unpack
from tests.engine.test_lanes import indices, urn

MODES = ("full", "incremental")


def legal_of(kernel: Single, circuit: Circuit, state: bytes) -> list[int]:
    return [move for role in range(len(circuit.roles)) for move in kernel.legal(state, role)]


@pytest.mark.long
@given(circuits(), st.sampled_from(MODES), st.integers(0, 2**32))
@settings(max_examples=80)
def test_answers_agree_with_the_oracle(circuit: Circuit, mode: str, seed: int) -> None:
    kernel = Single(make_network(circuit), mode)
    rows, moves = random_states(circuit, 8, seed), random_moves(circuit, 8, seed)
    for row, packed, joint in zip(rows, pack(rows), moves.tolist(), strict=True):
        state = packed.tobytes()
        expected = evaluate(circuit, indices(row))
        assert legal_of(kernel, circuit, state) == sorted(expected.legal)
        assert kernel.terminal(state) == expected.terminal
        goals = [(role, value) for role, value, _ in (circuit.goals[at] for at in kernel.goals(state))]
        assert tuple(goals) == expected.goals
        illegal = [role for role, move in enumerate(joint) if move not in expected.legal]
        assert kernel.first_illegal(state, joint) == (illegal[0] if illegal else -1)
        if illegal:
            continue  # modes may rely on moves being legal
        following = evaluate(circuit, indices(row), joint)
        after = np.frombuffer(kernel.successor(state, joint), np.uint8)[None]
        assert indices(unpack(after, len(circuit.fluents))[0]) == sorted(following.next)
        seen = [circuit.sees[at][:2] for at in kernel.percepts(state, joint)]
        assert tuple(seen) == following.sees


@given(circuits(), st.sampled_from(MODES), st.integers(0, 2**32))
@settings(max_examples=40)
def test_names_goal_values_and_hashes(circuit: Circuit, mode: str, seed: int) -> None:
    kernel = Single(make_network(circuit), mode)
    hashes = np.random.default_rng(seed).integers(-(2**62), 2**62, len(circuit.fluents))
    kernel.set_names(lambda at: f"move {at}", hashes)
    for row, packed, joint in zip(
        rows := random_states(circuit, 4, seed),
        pack(rows),
        random_moves(circuit, 4, seed).tolist(),
        strict=True,
    ):
        state = packed.tobytes()
        expected = evaluate(circuit, indices(row))
        names = [name for role in range(len(circuit.roles)) for name in kernel.legal_names(state, role)]
        assert names == [f"move {at}" for at in sorted(expected.legal)]
        own: list[list[int]] = [[] for _ in circuit.roles]
        for role, value in expected.goals:
            assert isinstance(value, int)
            own[role].append(value)
        assert kernel.goal_values(state) == tuple(some[0] if len(some) == 1 else None for some in own)
        assert kernel.hash(state) == np.bitwise_xor.reduce(hashes[row], initial=0)
        after = kernel.play(state, joint)
        assert after == (kernel.successor(state, joint) if set(joint) <= set(expected.legal) else None)
        assert kernel.terminal(state) == expected.terminal  # looking ahead has not moved anything


@given(circuits(), st.sampled_from(MODES), st.integers(0, 2**32))
@settings(max_examples=30)
def test_playouts_from_a_state_begin_there(circuit: Circuit, mode: str, seed: int) -> None:
    kernel = Single(make_network(circuit), mode)
    for row, packed in zip(rows := random_states(circuit, 3, seed), pack(rows), strict=True):
        found = kernel.playouts(2, seed=seed, max_steps=1, state=packed.tobytes())
        expected = evaluate(circuit, indices(row))
        stuck = any(not set(own) & set(expected.legal) for own in circuit.role_moves)
        assert found["playouts"] == 2
        assert found["steps"] == (0 if expected.terminal or stuck else 2)


@given(circuits(), st.integers(0, 2**32))
@settings(max_examples=40)
def test_both_ways_play_the_same_games(circuit: Circuit, seed: int) -> None:
    found = [Single(make_network(circuit), mode).playouts(5, seed=seed, max_steps=20) for mode in MODES]
    for counts in found:
        counts["seconds"] = 0.0
    assert found[0] == found[1]
    assert found[0]["playouts"] == 5


@pytest.mark.parametrize("mode", MODES)
def test_choice_is_unbiased(mode: str) -> None:
    counts = np.array(Single(urn(9), mode).playouts(90_000, seed=1)["goal_counts"])
    assert counts.sum() == 90_000
    assert np.abs(counts - 10_000).max() < 450  # 4.7 standard deviations


def test_a_way_is_chosen_by_measurement() -> None:
    assert Single(urn(3)).mode in MODES


def test_bad_input_is_refused_with_a_reason() -> None:
    kernel = Single(urn(3))
    with pytest.raises(ValueError, match="a state has 1 bytes"):
        kernel.legal(b"ab", 0)
    with pytest.raises(ValueError, match="no such role"):
        kernel.legal(b"a", 1)
    with pytest.raises(ValueError, match="one move a role"):
        kernel.successor(b"a", [0, 1])
    with pytest.raises(ValueError, match="auto, full or incremental"):
        Single(urn(3), "slow")
