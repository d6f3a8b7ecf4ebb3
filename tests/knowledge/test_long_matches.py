"""Memory in matches of 200 steps: what is kept does not grow with the match, or only by what was told."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import pytest

from ludorum.arena.table.person_knowledge import told_of
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import State
from ludorum.engine.lifted import LiftedGame
from ludorum.knowledge.complete_knower import CompleteKnower
from ludorum.knowledge.worlds import PackedWorlds, PlainWorlds
from ludorum.knowledge.worlds.packed import MOST_KEPT
from ludorum.rules.kif import parse_kif
from ludorum.rules.ruleset import Ruleset
from ludorum.rules.terms import Term

STEPS = 200
PLACES = 4
MEGABYTE = 1 << 20


def circle() -> Ruleset:
    """Two hidden things go round in a circle, one place or none a step; one of them is met at times."""
    numbers = "".join(f"(succ {at} {at + 1})" for at in range(STEPS))
    around = "".join(f"(beside {at} {(at + 1) % PLACES})" for at in range(PLACES))
    return parse_kif(
        f"""(role random) (role seeker) (init (step 0)) (init (at a 1)) (init (at b 1)) {numbers} {around}
        (way 0 0) (way 0 1) (way 1 0) (way 1 1)
        (<= (legal random (go ?x ?y)) (way ?x ?y)) (legal seeker wait)
        (<= (moves a ?x) (does random (go ?x ?y))) (<= (moves b ?y) (does random (go ?x ?y)))
        (<= (next (at ?who ?p)) (true (at ?who ?p)) (moves ?who 0))
        (<= (next (at ?who ?q)) (true (at ?who ?p)) (moves ?who 1) (beside ?p ?q))
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
        (<= (sees seeker met) (true (at a 3)) (moves a 1))
        (<= terminal (true (step {STEPS}))) (goal seeker 50) (goal random 50)"""
    )


GAME = CompiledGame(circle(), "circle")
SEEKER = GAME.role("seeker")
STATES: list[State] = list(GAME.playout(1))


def assert_bounded(take: Callable[[State], None], most: int) -> None:
    """No more than so many bytes are kept, and the second half of the match adds a fraction of it."""
    kept: dict[int, int] = {}
    tracemalloc.start()
    try:
        for at, state in enumerate(STATES[1:], start=1):
            take(state)
            if at in (STEPS // 2, STEPS):
                kept[at] = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert kept[STEPS] < most
    assert kept[STEPS] - kept[STEPS // 2] < most / 4


def test_a_match_is_long_and_much_is_possible() -> None:
    assert len(STATES) == STEPS + 1
    assert sum(bool(state.percepts(SEEKER)) for state in STATES[1:]) > 5


def test_lists_of_possible_states_stay_small() -> None:
    knower = CompleteKnower(GAME, SEEKER)

    def take(state: State) -> None:
        knower.update(*told(state))
        assert knower.is_listed
        assert len(knower.possible_facts()) <= 2 * PLACES + 1

    assert_bounded(take, 16 * MEGABYTE)


@pytest.mark.long
def test_particles_in_lanes_stay_few() -> None:
    most = 32
    worlds = PackedWorlds(GAME, SEEKER, 1, most=most, most_joints=128, keep_views=True)

    def take(state: State) -> None:
        worlds.update(*told(state))
        assert worlds.size <= most
        assert worlds.kept <= (MOST_KEPT + 1) * most

    assert_bounded(take, 8 * MEGABYTE)


@pytest.mark.slow
def test_worlds_one_by_one_stay_few() -> None:
    worlds = PlainWorlds(LiftedGame(circle(), "circle"), SEEKER, 1, most=32, most_plays=128, keep_views=True)

    def take(state: State) -> None:
        worlds.update(*told(state))
        assert worlds.size <= 32
        assert len(worlds._views or ()) <= 2 * worlds._most_tried

    assert_bounded(take, 8 * MEGABYTE)


@pytest.mark.slow
def test_histories_grow_by_what_was_told_alone() -> None:
    knower = CompleteKnower(GAME, SEEKER, most_listed=2, conflicts=50)

    def take(state: State) -> None:
        knower.update(*told(state))
        assert knower.known_legal() == frozenset(state.legal(SEEKER)) or state.is_terminal

    assert_bounded(take, 32 * MEGABYTE)


def told(state: State) -> tuple[Term, tuple[Term, ...]]:
    return told_of(state, SEEKER)
