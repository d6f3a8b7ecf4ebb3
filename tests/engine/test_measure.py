"""Measuring: every figure of a row is there, and follows from what was counted."""

import math

import numpy as np
import pytest

from ludorum._core import Lanes, Network
from ludorum.engine.circuit_report import report_circuit
from ludorum.engine.load import load_rules
from ludorum.engine.network import make_network
from ludorum.experiments.measure import ENGINES, Speeds, geometric_means, measure_game
from ludorum.experiments.speed_table import format_markdown, format_text, short
from ludorum.rules.library import find_sheet
from ludorum.rules.ruleset import Ruleset


def rules_of(name: str) -> Ruleset:
    return load_rules(find_sheet(name))


@pytest.mark.long
@pytest.mark.alone
def test_a_row_is_filled_stage_by_stage() -> None:
    row = Speeds("tictactoe")
    stages = list(measure_game(rules_of("tictactoe"), row, seconds=0.03))
    assert stages[0] == "building"
    assert stages[-2:] == ["lifted", "reference"]
    assert row.ground_rules
    assert row.gates
    assert row.literals
    assert row.bytes_per_state == math.ceil(report_circuit(rules_of("tictactoe")).circuit.size.fluents / 8)
    assert row.single in row.single_steps_per_s
    assert set(row.single_steps_per_s) == {"full", "incremental"}
    assert row.lanes_steps_per_s
    assert row.playouts_per_s
    assert 7 < row.lanes_steps_per_s / row.playouts_per_s < 9  # a random game has 7.6 moves
    assert row.load_limit
    assert 0.005 < row.load_limit < 1.5
    assert row.load_limit_gates
    assert row.load_limit_gates < row.load_limit  # there is a choice
    assert row.load_limit_gates == row.load_limit_once  # and no loop
    ratios = row.ratios()
    assert ratios["lanes/single"] > 3
    assert ratios["single/lifted"] > 1
    assert ratios["lifted/reference"] > 10


def test_a_row_that_is_given_up_keeps_what_was_measured() -> None:
    row = Speeds("tictactoe")
    stages = measure_game(rules_of("tictactoe"), row, seconds=0.02)
    for stage in stages:
        if stage.startswith("one state"):
            break
    stages.close()  # type: ignore[attr-defined]
    assert row.playouts_per_s
    assert row.lifted_steps_per_s is None
    assert "lanes/single" not in row.ratios()


@pytest.mark.long
def test_only_the_engines_asked_for_are_measured() -> None:
    row = Speeds("buttons")
    assert list(measure_game(rules_of("buttons"), row, seconds=1.0, engines=["lifted"])) == ["lifted"]
    assert row.gates is None
    assert row.lifted_steps_per_s
    assert ENGINES == ("lanes", "single", "lifted", "reference")


def test_literals_are_counted_as_they_are_read() -> None:
    # Buttons always ends after six moves: seven rounds for a block of games, goals once in the last.
    kernel = Lanes(make_network(report_circuit(rules_of("buttons")).circuit), plan="cycle")
    found = kernel.playouts(kernel.lanes)
    assert found["steps"] == 6 * kernel.lanes
    ((legal, goal, following),) = kernel.phase_literals
    assert not kernel.collects_goals
    assert found["literals"] == 7 * (legal + following) + goal
    assert found["loop_literals"] == 0
    assert found["legal_literals"] == 0  # every button can always be pressed


def test_every_round_of_a_loop_is_counted() -> None:
    # A move may be made where something is derived, from what is given or from itself: a first round derives
    # it, and a second finds nothing new. Where nothing is given one round is enough: after a step, when the
    # game is over as well.
    given, over, _, _, true, neither, derived = range(0, 14, 2)
    nothing = np.zeros(0, np.int32)
    network = Network(
        fluents=2,
        moves_of_roles=np.array([2], np.int32),
        gate_offsets=np.array([0, 2, 3], np.int32),
        gate_literals=np.array([given + 1, derived + 1, neither + 1], np.int32),
        legal=np.array([true, derived], np.int32),
        terminal=over,
        goal_roles=nothing,
        goal_values=nothing,
        goals=nothing,
        next=np.array([true + 1, true], np.int32),
        sees=nothing,
        initial=np.array([1, 0], np.uint8),
        loops=np.array([0, 1], np.int32),
    )
    kernel = Lanes(network, plan="cycle")
    found = kernel.playouts(kernel.lanes)
    assert found["steps"] == kernel.lanes
    assert found["literals"] == 2 * 3
    assert found["loop_literals"] == 3
    assert found["legal_literals"] == 2


def test_geometric_means_leave_out_what_is_missing() -> None:
    rows = [
        Speeds("a", lanes_steps_per_s=100.0, single="full", single_steps_per_s={"full": 10.0}),
        Speeds("b", lanes_steps_per_s=400.0, single="full", single_steps_per_s={"full": 10.0}),
        Speeds("c", error="no circuit"),
    ]
    assert geometric_means(rows) == {"lanes/single": pytest.approx(20.0)}


def test_tables_show_rivals_as_ratios() -> None:
    row = Speeds("connect_four", playouts_per_s=8e6, rivals={"other": 5e5})
    assert row.ratios() == {"lanes/other": 16.0}
    assert "| connect_four | 8 M | 500 k | 16 |" in format_markdown([row])
    assert "lanes / other" in format_text([row])


@pytest.mark.parametrize(
    ("value", "shown"),
    [(None, "-"), (0.1234, "0.123"), (99.95, "100"), (1234.0, "1234"), (45_678.0, "45.7 k"), (8e6, "8 M")],
)
def test_short_numbers(value: float | None, shown: str) -> None:
    assert short(value) == shown
