"""Invariants: found without help, true in every state, and only those that are proved."""

from __future__ import annotations

import pytest

from ludorum.engine.lifted import LiftedGame
from ludorum.knowledge.boxes.ground_sheet import GroundSheet, ground_sheet
from ludorum.knowledge.boxes.invariants import find_invariants
from ludorum.knowledge.boxes.lane_playouts import LANES, random_states
from ludorum.rules.kif import parse_kif
from tests.how_much import sample, some
from tests.knowledge.boxes.followed import HIDDEN, ready

# The token goes round and may be lost; the lamp is on or off; the clock runs up to nine.
TOKEN = """
(role walker)
(init (token 1)) (init (lamp off)) (init (clock 0))
(succ 1 2) (succ 2 3) (succ 3 1)
(tick 0 1) (tick 1 2) (tick 2 3) (tick 3 4) (tick 4 5) (tick 5 6) (tick 6 7) (tick 7 8) (tick 8 9)
(legal walker pass) (legal walker press) (legal walker drop)
(<= (next (token ?n)) (true (token ?m)) (succ ?m ?n) (does walker pass))
(<= (next (token ?m)) (true (token ?m)) (does walker press))
(<= (next (lamp on)) (true (lamp off)) (does walker press))
(<= (next (lamp off)) (true (lamp on)) (does walker press))
(<= (next (lamp ?x)) (true (lamp ?x)) (not (does walker press)))
(<= (next (clock ?n)) (true (clock ?m)) (tick ?m ?n))
(<= terminal (true (clock 9)))
(goal walker 100)
"""


def named(sheet: GroundSheet) -> set[tuple[bool, frozenset[str]]]:
    """The invariants of a sheet, with their facts as texts."""
    return {
        (group.exactly, frozenset(str(sheet.facts[atom]) for atom in group.atoms))
        for group in find_invariants(sheet)
    }


@pytest.mark.spec("filtering-gdl2", 20)
def test_exactly_one_and_at_most_one_are_told_apart() -> None:
    sheet = ground_sheet(parse_kif(TOKEN), in_process=True)
    assert named(sheet) == {
        (False, frozenset({"(token 1)", "(token 2)", "(token 3)"})),
        (True, frozenset({"(lamp on)", "(lamp off)"})),
        (True, frozenset(f"(clock {number})" for number in range(10))),
    }


@pytest.mark.spec("filtering-gdl2", 20)
def test_each_cell_of_krieg_has_one_content() -> None:
    sheet = ready("krieg_tictactoe")[1].sheet
    contents = ("b", "oplayer", "xplayer")
    assert named(sheet) == {
        (True, frozenset(f"(cell {x} {y} {content})" for content in contents))
        for x in range(1, 6)
        for y in range(1, 6)
    }


def test_what_happens_to_hold_in_play_is_not_enough() -> None:
    # The lamp goes on in step 300, which random play of a hundred steps never sees.
    ticks = "".join(f"(tick {number} {number + 1})" for number in range(301))
    rules = parse_kif(
        f"""
        (role watcher) (init (lamp off)) (init (clock 0)) {ticks}
        (legal watcher wait)
        (<= (next (clock ?n)) (true (clock ?m)) (tick ?m ?n))
        (<= (next (lamp off)) (true (lamp off)) (not (true (clock 300))))
        (<= (next (lamp on)) (true (clock 300)))
        (<= terminal (true (lamp on)))
        (goal watcher 100)
        """
    )
    found = named(ground_sheet(rules, in_process=True))
    assert (True, frozenset({"(lamp off)"})) not in found
    assert (True, frozenset(f"(clock {number})" for number in range(302))) not in found  # it stops at 301
    assert (False, frozenset(f"(clock {number})" for number in range(302))) in found


@pytest.mark.spec("filtering-gdl2", 20)
@pytest.mark.parametrize("name", sample(HIDDEN, 3))
def test_invariants_hold_in_every_state_of_random_matches(name: str) -> None:
    game, box = ready(name)
    groups = [(group.exactly, {box.sheet.facts[atom] for atom in group.atoms}) for group in box.invariants]
    for seed in range(some(30, 10)):
        for state in game.playout(seed=seed):
            facts = state.facts()
            for exactly, group in groups:
                assert len(facts & group) == 1 or (not exactly and not facts & group)


def test_lanes_of_random_play_are_matches() -> None:
    rules = parse_kif(TOKEN)
    sheet = ground_sheet(rules, in_process=True)
    game = LiftedGame(rules)
    before = [game.initial()] * 3
    for lanes in random_states(sheet, 24, seed=3):
        states = [
            game.state(sheet.facts[atom] for atom, holding in lanes.items() if holding >> lane & 1)
            for lane in (0, 7, LANES - 1)
        ]
        for old, new in zip(before, states, strict=True):
            after = [old.play(joint) for joint in old.joint_moves()] or [game.initial()]
            assert new in after or new == game.initial()
        before = states
