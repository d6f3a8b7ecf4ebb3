"""Arguments of kernels are checked before anything is done with them."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from ludorum._core import (
    AlphaBetaKernel,
    Lanes,
    MctsSettings,
    MctsTree,
    Network,
    ProofKernel,
    RegretKernel,
    RowIndex,
    Single,
    SplitMix64,
    Spread,
    StateValues,
    load_nanoseconds,
    nested_rollouts,
)
from ludorum.rules.kif import parse_kif
from tests.core.value_parts import atoms_network, value_parts
from tests.engine.kernel_games import compile_here
from tests.small_games import CIRCLE

GAME = compile_here(parse_kif(CIRCLE))
STATE = GAME.initial().bits
HUGE = 2**70


def tree(settings: MctsSettings | None = None, **given: object) -> MctsTree:
    usual: dict[str, object] = {
        "chance": [],
        "highest": [0],
        "constant_sum": -1,
        "observe": False,
        "seed": 0,
        "memory_bytes": 1 << 20,
        "settings": settings or MctsSettings(),
    }
    return MctsTree(GAME.single.evaluators, **(usual | given))  # type: ignore[arg-type]


def alphabeta(**given: object) -> object:
    return AlphaBetaKernel(GAME.single.evaluators, 1 << 16).search(STATE, 0, **given)  # type: ignore[arg-type]


def prove(role: int, threshold: int, **given: object) -> object:
    return ProofKernel(GAME.single.evaluators, 1 << 16).prove(STATE, role, threshold, **given)  # type: ignore[arg-type]


def nested(**given: object) -> object:
    return nested_rollouts(GAME.single.evaluators, STATE, playouts=1, **given)  # type: ignore[arg-type]


def regrets(**given: object) -> RegretKernel:
    """A player has a choice of two ends."""
    usual: dict[str, object] = {
        "player": np.array([0, -2, -2], np.int32),
        "first_edge": np.array([0, 2, 2, 2], np.int32),
        "child": np.array([1, 2], np.int32),
        "weight": np.ones(2, np.int64),
        "information_set": np.array([0, -1, -1], np.int32),
        "set_offsets": np.array([0, 2], np.int32),
        "values": np.array([[0.0], [1.0], [2.0]]),
    }
    return RegretKernel(**(usual | given))  # type: ignore[arg-type]


def values(**given: object) -> StateValues:
    return StateValues(**(value_parts() | given))


def whole(*numbers: int) -> object:
    return np.array(numbers, np.int32)


def spread(*intervals: tuple[float, float, float, list[float]]) -> Spread:
    return Spread(intervals)


def values_of_nine() -> StateValues:
    return values(network=atoms_network(9))


def batched(batch: int) -> MctsSettings:
    settings = MctsSettings()
    settings.batch = batch
    return settings


def setting(name: str, value: object) -> None:
    setattr(MctsSettings(), name, value)


REFUSED: list[tuple[str, Callable[[], object]]] = [
    ("seed", lambda: SplitMix64(-1)),
    ("n", lambda: SplitMix64(0).below(0)),
    ("bytes", lambda: load_nanoseconds(4095)),
    ("bytes", lambda: load_nanoseconds(HUGE)),
    ("lanes", lambda: Lanes(GAME.network, -1)),
    ("steps", lambda: Lanes(GAME.network).walk(2**60)),
    ("steps", lambda: Lanes(GAME.network).walk(-1)),
    ("seed", lambda: Lanes(GAME.network).walk(1, 2**64)),
    ("threads", lambda: Lanes(GAME.network).playouts(1, threads=10_000)),
    ("count", lambda: Lanes(GAME.network).playouts(HUGE)),
    ("count", lambda: Lanes(GAME.network).playouts(-1)),
    ("seconds", lambda: Lanes(GAME.network).playouts(seconds=math.nan)),
    ("max_steps", lambda: Lanes(GAME.network).playouts(1, max_steps=2**32)),
    ("per_state", lambda: Lanes(GAME.network).playouts_from(np.zeros((2, 1), np.uint8), 2**62)),
    ("per_state", lambda: Lanes(GAME.network).playouts_from(np.zeros((2, 1), np.uint8), 0)),
    ("threads", lambda: Lanes(GAME.network).expand(np.zeros((2, 1), np.uint8), -1)),
    ("seconds", lambda: GAME.single.playouts(seconds=math.nan)),
    ("count", lambda: GAME.single.playouts(-1)),
    ("role", lambda: GAME.single.legal(STATE, 1)),
    ("role", lambda: GAME.single.legal(STATE, -1)),
    ("bytes", lambda: RowIndex(-1)),
    ("bytes", lambda: RowIndex(2**62)),
    ("first", lambda: RowIndex(1).rows(1)),
    ("most", lambda: RowIndex(1).rows(0, -1)),
    ("memory_bytes", lambda: tree(memory_bytes=HUGE)),
    ("chance", lambda: tree(chance=[1])),
    ("chance", lambda: tree(chance=[-1])),
    ("constant_sum", lambda: tree(constant_sum=HUGE)),
    ("highest", lambda: tree(highest=[1, 2])),
    ("threads", lambda: tree().search(STATE, 0, playouts=1, threads=10_000)),
    ("playouts", lambda: tree().search(STATE, 0, playouts=-1)),
    ("nodes", lambda: tree().search(STATE, 0, nodes=HUGE)),
    ("seconds", lambda: tree().search(STATE, 0, seconds=math.nan)),
    ("stopped", lambda: tree().search(STATE, 0, playouts=1, stopped=3)),  # type: ignore[arg-type]
    ("role", lambda: tree().search(STATE, 1, playouts=1)),
    ("values need batch", lambda: tree(batched(2)).search(STATE, 0, values=values(), spreads=[])),
    ("states of this game", lambda: tree(batched(1)).search(STATE, 0, values=values_of_nine())),
    ("batch", lambda: setting("batch", 10**9)),
    ("cutoff", lambda: setting("cutoff", -1)),
    ("playouts_per_leaf", lambda: setting("playouts_per_leaf", 10**9)),
    ("max_depth", lambda: setting("max_depth", 0)),
    ("max_steps", lambda: setting("max_steps", -1)),
    ("rave", lambda: setting("rave", 3)),
    ("policy", lambda: setting("policy", -1)),
    ("exploration", lambda: setting("exploration", math.nan)),
    ("policy_heat", lambda: setting("policy_heat", 0.0)),
    ("first_play", lambda: setting("first_play", math.nan)),
    ("table_bytes", lambda: AlphaBetaKernel(GAME.single.evaluators, HUGE)),
    ("first_depth", lambda: alphabeta(first_depth=0)),
    ("max_depth", lambda: alphabeta(max_depth=1001)),
    ("window", lambda: alphabeta(window=math.nan)),
    ("window", lambda: alphabeta(window=-1.0)),
    ("extensions", lambda: alphabeta(extensions=-1)),
    ("bias", lambda: alphabeta(bias=math.inf)),
    ("seconds", lambda: alphabeta(seconds=math.nan)),
    ("weight", lambda: alphabeta(weights=np.full(3, np.nan))),
    ("evaluate", lambda: alphabeta(evaluate=lambda _: math.nan)),
    ("values", lambda: alphabeta(values=values(network=atoms_network(9)))),
    ("sum_offsets", lambda: values(sum_offsets=whole(0, 3, 2))),
    ("sum_offsets", lambda: values(sum_offsets=whole())),
    ("a sum of what is not there", lambda: values(sum_atoms=whole(0, 1, 4))),
    ("an atom", lambda: values(sum_atoms=whole(0, 1, -1))),
    ("a weight of a sum", lambda: values(sum_weights=np.array([1.0, math.nan, 1.0]))),
    ("a weight of a sum", lambda: values(sum_weights=np.array([1.0, 0.0, 1.0]))),
    ("as many", lambda: values(sum_weights=np.zeros(0))),
    ("no known kind", lambda: values(kinds=whole(0, 1, 2, 3, 4, 5, 6, 8))),
    ("too few places", lambda: values(kinds=whole(1, 1, 2, 3, 4, 5, 6, 7))),
    ("too few numbers", lambda: values(kinds=whole(0, 2, 2, 3, 4, 5, 6, 7))),
    ("a feature of what is not there", lambda: values(places=whole(2, 1, 1, 0, 0, 1, 3, 0, 1, 0, 2))),
    ("a margin", lambda: values(numbers=np.array([1.0, 1.5, -0.5, 2.0]))),
    ("otherwise", lambda: values(otherwise=whole(-1, -1, -1, -1, -1, -1, -1, 7))),
    ("otherwise", lambda: values(otherwise=whole(-1, 0, -1, -1, -1, -1, -1, -1))),
    ("a leaf that is no atom", lambda: values(leaf_atoms=whole(0, 4))),
    ("a leaf with a feature", lambda: values(when_true=whole(8, 0))),
    ("the weight of a neuron", lambda: values(weights=np.array([1.0, math.inf, 1.5]))),
    ("the bias of a neuron", lambda: values(biases=np.array([1.0, math.nan, 1.5]))),
    ("a neuron without parts", lambda: values(part_offsets=whole(0, 0, 4, 6))),
    ("comes later", lambda: values(parts=whole(0, 4, 0, 4, 2, 7))),
    ("a root that is no node", lambda: values(goal_roots=whole(6, 10, -1))),
    ("a root that is no node", lambda: values(end=-3)),
    ("end", lambda: values(end=HUGE)),
    ("expected", lambda: values(expected=math.nan)),
    ("a truth value", lambda: values(truth_values=np.array([-1.0, -0.5, 0.5, 0.5, 1.5]))),
    ("five truth values", lambda: values(truth_values=np.zeros(4))),
    ("terminality_steps", lambda: values(terminality_steps=0)),
    ("quantum", lambda: values(quantum=math.nan)),
    ("quantum", lambda: values(quantum=1e-300)),
    ("goal_share", lambda: values(goal_share=2.0)),
    ("usual_moves", lambda: values(usual_moves=0.0)),
    ("usual_worth", lambda: values(usual_worth=0.0)),
    ("one refinement each", lambda: values(goal_offsets=whole(0, 3))),
    ("a sum that is not there", lambda: values(moves=whole(0, 2))),
    ("a goal that is no atom", lambda: values(held_atoms=whole(4))),
    ("a goal value", lambda: values(held_values=np.array([101.0]))),
    ("bytes", lambda: values().value(b"", 0)),
    ("role", lambda: values().value(b"\0", 2)),
    ("bytes", lambda: values().values(np.zeros((1, 2), np.uint8), 0)),
    ("low end", lambda: spread((math.nan, 1.0, 1.0, []))),
    ("low end", lambda: spread((0.0, 50.0, 1.0, []), (40.0, 100.0, 1.0, []))),
    ("too short", lambda: spread((0.0, 0.0, 1.0, []))),
    ("unit", lambda: spread((0.0, 50.0, 0.0, []))),
    ("sample", lambda: spread((0.0, 50.0, 1.0, [2.0, 2.0]))),
    ("sample", lambda: spread((0.0, 50.0, 1.0, [math.nan]))),
    ("value", lambda: spread((0.0, 50.0, 1.0, [])).place(math.nan)),
    ("table_bytes", lambda: ProofKernel(GAME.single.evaluators, 99999999999999 << 20)),
    ("threshold", lambda: prove(0, HUGE)),
    ("role", lambda: prove(1, 0)),
    ("seconds", lambda: prove(0, 0, seconds=math.nan)),
    ("played_depth", lambda: prove(0, 0, played_depth=-1)),
    ("seed", lambda: regrets(seed=-1)),
    ("values", lambda: regrets(values=np.zeros((3, 1001)))),
    ("iterations", lambda: regrets().run_full(-1)),
    ("iterations", lambda: regrets().run_external(HUGE)),
    ("iterations", lambda: regrets().run_outcome(2**60)),
    ("exploration", lambda: regrets().run_outcome(1, exploration=0.0)),
    ("exploration", lambda: regrets().run_outcome(1, exploration=math.nan)),
    ("profile", lambda: regrets().worth(np.array([0.5]))),
    ("profile", lambda: regrets().worth(np.array([0.5, math.nan]))),
    ("learning", lambda: nested(learning=math.nan)),
    ("longest", lambda: nested(longest=2**32)),
    ("last_level", lambda: nested(last_level=65)),
    ("seconds", lambda: nested(seconds=math.nan)),
]


@pytest.mark.parametrize(
    ("name", "call"), REFUSED, ids=[f"{at} {name}" for at, (name, _) in enumerate(REFUSED)]
)
def test_what_is_out_of_range_is_refused_by_name(name: str, call: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=rf"\b{name}\b"):
        call()


@pytest.mark.parametrize("number", [np.int64(3), np.uint8(3), True + 2])
def test_whatever_can_be_an_index_is_a_whole_number(number: int) -> None:
    assert SplitMix64(number).state == SplitMix64(3).state


def test_what_is_no_whole_number_is_of_the_wrong_type() -> None:
    with pytest.raises(TypeError):
        SplitMix64(3.0)  # type: ignore[arg-type]


def test_less_than_no_time_is_no_time() -> None:
    assert tree().search(STATE, 0, seconds=-1.0)[1] == 0
    assert GAME.single.playouts(seconds=-1.0)["steps"] <= 64


def network(**changed: object) -> Network:
    """One role with one move, one fluent, and two gates in a loop: each is the other."""
    empty = np.zeros(0, np.int32)
    parts: dict[str, object] = {
        "fluents": 1,
        "moves_of_roles": np.array([1], np.int32),
        "gate_offsets": np.array([0, 1, 2], np.int32),
        "gate_literals": np.array([8, 6], np.int32),
        "legal": np.array([4], np.int32),
        "terminal": 6,
        "goal_roles": empty,
        "goal_values": empty,
        "goals": empty,
        "next": np.array([0], np.int32),
        "sees": empty,
        "initial": np.zeros(1, np.uint8),
        "loops": np.array([0, 1], np.int32),
    }
    return Network(**(parts | changed))  # type: ignore[arg-type]


def test_goal_values_that_trees_cannot_keep_are_refused_by_them() -> None:
    goals = {"goal_roles": np.zeros(1, np.int32), "goals": np.zeros(1, np.int32)}
    single = Single(network(**goals, goal_values=np.full(1, 10**9, np.int32)))
    assert single.goal_values(b"\x01") == (10**9,)
    with pytest.raises(ValueError, match="goal values up to 32767"):
        MctsTree(
            single.evaluators,
            chance=[],
            highest=[100],
            constant_sum=-1,
            observe=False,
            seed=0,
            memory_bytes=1 << 20,
            settings=MctsSettings(),
        )


def test_loops_come_to_rest() -> None:
    single = Single(network())
    assert not single.terminal(b"\0")


@pytest.mark.parametrize("literals", [[9, 6], [8, 7]])
def test_loops_that_never_come_to_rest_are_refused(literals: list[int]) -> None:
    with pytest.raises(ValueError, match="never come to rest"):
        network(gate_literals=np.array(literals, np.int32))


@pytest.mark.parametrize(
    "changed",
    [
        {"fluents": 2**40},
        {"fluents": -1},
        {"moves_of_roles": np.array([2**31 - 1, 2**31 - 1, 3], np.int32)},
        {"moves_of_roles": np.array([-1], np.int32)},
        {"gate_literals": np.array([8, -6], np.int32)},
        {"gate_literals": np.array([8, 10], np.int32)},
        {"gate_offsets": np.array([0, 2, 1], np.int32)},
        {"gate_offsets": np.array([], np.int32)},
        {"loops": np.array([1, 0], np.int32)},
        {"loops": np.array([0], np.int32)},
        {"loops": np.array([0, 2], np.int32)},
        {"terminal": 2**31},
        {"initial": np.full(1, 7, np.uint8)},
        {
            "goal_roles": np.array([1], np.int32),
            "goal_values": np.array([1], np.int32),
            "goals": np.array([0], np.int32),
        },
    ],
)
def test_what_is_no_circuit_is_refused(changed: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"not a circuit|fluents|terminal"):
        network(**changed)


def test_rave_in_lanes_is_refused() -> None:
    """Lanes do not tell which moves they play: there would be nothing to learn from, and a crash."""
    settings = MctsSettings()
    settings.rave, settings.batch = 1, 8
    with pytest.raises(ValueError, match="rave needs batch=1"):
        tree(settings)
