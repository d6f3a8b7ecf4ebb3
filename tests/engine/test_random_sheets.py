"""Random rule sheets: every engine and every kernel says what the reference says, in random play.

Beyond the answers, states of all engines are equal to each other and hash alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ludorum._core import SplitMix64
from ludorum.arena.records.verify import random_joint_move
from ludorum.engine import LiftedGame
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import Game, JointMove, State
from ludorum.engine.perft import joint_move_count
from ludorum.engine.reference import ReferenceGame
from ludorum.rules.ruleset import Ruleset
from tests.engine.kernel_games import KERNELS, compile_here, with_kernel
from tests.how_much import some
from tests.random_games import random_games

NO_HURRY = [HealthCheck.too_slow]
MOST_JOINT_MOVES = 60
"""States with more have all their legal moves compared, but not every way on from them."""


@dataclass(frozen=True)
class Visit:
    """A state of random play and the joint move made there; None where play begins anew."""

    state: State
    joint: JointMove | None


def random_visits(game: Game, count: int, seed: int) -> list[Visit]:
    chooser = SplitMix64(seed)
    state, visits = game.initial(), []
    for _ in range(count):
        joint = random_joint_move(state, chooser)
        visits.append(Visit(state, joint))
        state = game.initial() if joint is None else state.play(joint)
    return visits


def answers(state: State) -> Iterator[object]:
    roles = state.game.roles
    yield state.facts()
    yield state.joint
    yield state.is_terminal
    yield [state.legal(role) for role in roles]
    yield [state.goal_terms(role) for role in roles]
    yield [state.percepts(role) for role in roles]


def assert_follows(game: Game, visits: list[Visit]) -> None:
    """The game goes the same way and gives the same answers in every state on it."""
    assert game.roles == visits[0].state.game.roles
    state = game.initial()
    for visit in visits:
        assert list(answers(state)) == list(answers(visit.state))
        assert state == visit.state
        assert hash(state) == hash(visit.state)
        assert game.state(visit.state.facts()) == state
        state = game.initial() if visit.joint is None else state.play(visit.joint)


def assert_walks_by_the_rules(game: CompiledGame, steps: int, seed: int) -> None:
    """Random play in lanes takes short cuts of its own; whatever they are, it makes legal moves till the end.

    Successors are asked for a state at a time: those were compared with the reference.
    """
    simulator = game.simulator()
    states, status = simulator.kernel.walk(steps, seed)
    following: dict[bytes, set[bytes]] = {}
    for step, lane in np.ndindex(steps, simulator.lanes):
        if status[step, lane] == 2:
            continue  # this lane waits for the others
        row = states[step, lane].tobytes()
        if row not in following:
            state = game.state(game.unpack(row))
            following[row] = {
                game.pack(state.play(joint).facts())
                for joint in islice(state.joint_moves(), MOST_JOINT_MOVES)
            }
        assert (status[step, lane] == 1) == (not following[row])
        if (
            status[step, lane] == 0
            and step + 1 < steps
            and states[step + 1, lane].tobytes() not in following[row]
        ):
            assert joint_move_count(game.state(game.unpack(row))) > MOST_JOINT_MOVES


def assert_all_engines_agree(rules: Ruleset, count: int, seed: int) -> None:
    visits = random_visits(ReferenceGame(rules, "game"), count, seed)
    assert_follows(LiftedGame(rules, "game"), visits)
    compiled = compile_here(rules)
    for kernel in KERNELS:
        assert_follows(with_kernel(compiled, kernel), visits)
    assert_walks_by_the_rules(compiled, min(count, 6), seed % 2**32)


@settings(max_examples=some(28, 4), suppress_health_check=NO_HURRY)
@given(random_games(), st.integers(0, 2**32))
def test_all_engines_agree_on_random_sheets(rules: Ruleset, seed: int) -> None:
    assert_all_engines_agree(rules, 8, seed)


@pytest.mark.slow
@settings(max_examples=2000, suppress_health_check=NO_HURRY)
@given(random_games(), st.integers(0, 2**32))
def test_all_engines_agree_on_many_random_sheets(rules: Ruleset, seed: int) -> None:
    assert_all_engines_agree(rules, 12, seed)
