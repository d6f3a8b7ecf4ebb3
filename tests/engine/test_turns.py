"""Games in which play decides who is next: lanes wait for the code of the player on turn."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum._core import Lanes
from ludorum.engine.circuit import Circuit
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.load import load_rules
from ludorum.engine.network import make_network
from ludorum.rules.library import find_sheet
from tests.engine.random_networks import circuits
from tests.engine.test_timetable import assert_walk_is_legal

# Players take one, two or three of nine stones; who takes two goes on. `last` is what was taken last and
# changes with every move: lanes that wait must keep it.
AGAIN = """
(role white) (role black)
(init (stones 9)) (init (control white)) (init (last 0))
(minus 1 1 0) (minus 2 1 1) (minus 3 1 2) (minus 4 1 3) (minus 5 1 4) (minus 6 1 5)
(minus 7 1 6) (minus 8 1 7) (minus 9 1 8) (minus 2 2 0) (minus 3 2 1) (minus 4 2 2)
(minus 5 2 3) (minus 6 2 4) (minus 7 2 5) (minus 8 2 6) (minus 9 2 7) (minus 3 3 0)
(minus 4 3 1) (minus 5 3 2) (minus 6 3 3) (minus 7 3 4) (minus 8 3 5) (minus 9 3 6)
(other white black) (other black white)
(<= (legal ?r (take ?k)) (true (control ?r)) (true (stones ?n)) (minus ?n ?k ?m))
(<= (legal ?r wait) (true (control ?q)) (other ?q ?r))
(<= (next (stones ?m)) (true (stones ?n)) (does ?r (take ?k)) (minus ?n ?k ?m))
(<= (next (last ?k)) (does ?r (take ?k)))
(<= again (does ?r (take 2)))
(<= (next (control ?r)) (true (control ?r)) again)
(<= (next (control ?r)) (true (control ?q)) (other ?q ?r) (not again))
(<= terminal (true (stones 0)))
(<= (goal ?r 100) (true (stones 0)) (true (control ?r)) (true (last 2)))
(<= (goal ?r 0) (true (stones 0)) (true (control ?q)) (other ?q ?r) (true (last 2)))
(<= (goal ?r 80) (true (stones 0)) (true (control ?q)) (other ?q ?r) (not (true (last 2))))
(<= (goal ?r 10) (true (stones 0)) (true (control ?r)) (not (true (last 2))))
"""


@cache
def value(stones: int, white_on_turn: bool, last: int) -> float:
    """What white expects of random play."""
    if not stones:
        if last == 2:
            return 100.0 if white_on_turn else 0.0
        return 10.0 if white_on_turn else 80.0
    takes = range(1, min(stones, 3) + 1)
    return sum(value(stones - k, white_on_turn == (k == 2), k) for k in takes) / len(takes)


@pytest.fixture
def again(tmp_path: Path) -> Circuit:
    sheet = tmp_path / "again.kif"
    sheet.write_text(AGAIN)
    return CompiledGame(load_rules(find_sheet(str(sheet)))).circuit


@pytest.mark.parametrize("width", [512, 128])
def test_waiting_lanes_play_the_same_games(again: Circuit, width: int) -> None:
    lanes = Lanes(make_network(again), width, plan="turns")
    assert lanes.takes_turns
    assert_walk_is_legal(again, lanes, 40, 5)
    count = 200_000
    found = lanes.playouts(count, seed=1)
    usual = Lanes(make_network(again), width, plan="cycle").playouts(count, seed=2)
    white = next(role for role, name in enumerate(again.roles) if str(name) == "white")
    for result in (found, usual):
        assert result["playouts"] == count
        assert abs(result["goal_sums"][white] / count - value(9, True, 0)) < 0.45  # five standard errors
    assert abs(found["steps"] - usual["steps"]) < 0.01 * count * 5
    short = lanes.playouts(1000, seed=1, max_steps=2)
    assert short["steps"] <= 2000
    assert short["capped"] == 1000


def test_waiting_lanes_begin_anywhere(again: Circuit) -> None:
    lanes = Lanes(make_network(again), plan="turns")
    states, status = lanes.walk(12, 3)
    rows = np.unique(states[status == 0], axis=0)
    assert len(rows) > 10
    per_state = 20_000
    here = lanes.playouts_from(rows, per_state, seed=1)["sums"] / per_state
    usual = Lanes(make_network(again), plan="cycle")
    there = usual.playouts_from(rows, per_state, seed=2)["sums"] / per_state
    assert np.abs(here - there).max() < 2.5
    weights = np.ones(len(again.moves), np.float32)
    weighted = lanes.playouts(100_000, seed=4, weights=weights)["goal_sums"] / 100_000
    assert np.abs(weighted - lanes.playouts(100_000, seed=5)["goal_sums"] / 100_000).max() < 1.0


@given(circuits(), st.sampled_from((512, 256, 128)), st.integers(0, 2**32))
@settings(max_examples=20)
def test_random_play_in_turns_takes_legal_steps(circuit: Circuit, width: int, seed: int) -> None:
    assert_walk_is_legal(circuit, Lanes(make_network(circuit), width, plan="turns"), 6, seed)


def test_draughts_take_turns() -> None:
    network = CompiledGame(load_rules(find_sheet("english_draughts"))).network
    lanes = Lanes(network)
    assert lanes.takes_turns
    found, usual = (kernel.playouts(20_000, seed=1) for kernel in (lanes, Lanes(network, plan="cycle")))
    assert abs(found["steps"] - usual["steps"]) / 20_000 < 1.0
    assert np.abs(found["goal_sums"] - usual["goal_sums"]).max() / 20_000 < 2.0
    assert not Lanes(network, plan="cycle").takes_turns
