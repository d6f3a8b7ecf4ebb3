"""How far symbols are from where they would make a goal hold, in small sheets."""

from __future__ import annotations

from math import sqrt

import pytest

from ludorum.engine.game import State
from ludorum.engine.lifted import LiftedGame
from ludorum.evaluate.goals.detection import Detect
from ludorum.evaluate.goals.evaluation import GoalEvaluation
from ludorum.evaluate.goals.expansion import Expansion
from ludorum.evaluate.goals.positions import Avoided
from ludorum.rules.kif import parse_kif
from tests.evaluate.goals.expanded import VALUES, expanded, facts, features, kind, told, value


def numbers(first: int, last: int) -> str:
    return " ".join(f"(succ {n} {n + 1})" for n in range(first, last))


COUNTER = f"""
(role r) (init (step 1)) (init (cell 1 2 pawn)) (init (cell 3 4 pawn)) (legal r wait) {numbers(1, 60)}
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (next (cell ?x ?z ?p)) (true (cell ?x ?y ?p)) (does r (push ?x)) (succ ?y ?z))
(<= (next (flag on)) (does r (raise flag)))
(<= terminal (true (step 50)))
(<= (goal r 100) (true (cell ?x 8 pawn)))
(<= (goal r 50) (true (flag on)))
"""


@pytest.mark.spec("evaluation-functions", 31)
def test_a_counter_is_as_far_from_the_end_as_it_has_steps_to_go() -> None:
    found = expanded(COUNTER)
    for step in (1, 20, 49):
        share = (50 - step) / 59
        state = facts(f"(step {step})")
        assert value(found, "(step 50)", state) == pytest.approx(0.5 - share)
    assert value(found, "(step 50)", facts("(step 50)")) == VALUES.true
    assert value(found, "(step 50)", facts("(step 51)")) == VALUES.never, "it never comes back"
    assert value(found, "(step 50)", facts()) == VALUES.never


@pytest.mark.spec("evaluation-functions", 31)
def test_variables_of_a_fluent_are_as_near_as_can_be() -> None:
    found = expanded(COUNTER)
    assert features(found) == {
        "(step 50)": (None, "fixed distance"),
        "(true (cell ?v1 8 pawn))": ("solutions", "fixed distance"),
    }, "a flag is no number: its distance is not confirmed"
    end = "(true (cell ?v1 8 pawn))"
    near, far = 2 / 59 / 3, 4 / 59 / 3  # of three arguments one has steps
    assert value(found, end, facts("(cell 3 6 pawn)")) == pytest.approx(0.5 - near)
    both = 1 / sqrt(near**-2 + far**-2)
    assert value(found, end, facts("(cell 3 6 pawn)", "(cell 1 4 pawn)")) == pytest.approx(0.5 - both)
    assert value(found, end, facts("(cell 3 9 pawn)")) == VALUES.never, "a pawn goes one way"
    assert value(found, end, facts("(cell 3 6 rook)")) == VALUES.never


@pytest.mark.spec("evaluation-functions", 31)
def test_fluents_with_variables_and_without_can_be_chosen() -> None:
    ground = features(expanded(COUNTER, Detect.FIXED_DISTANCE))
    assert set(ground) == {"(step 50)"} | {f"(cell {x} 8 pawn)" for x in (1, 3)}
    assert set(features(expanded(COUNTER, Detect.FIXED_DISTANCE_OF_QUERIES))) == {"(true (cell ?v1 8 pawn))"}


HUNT = f"""
(role pacman) (role inky) (init (location pacman 1 1)) (init (location inky 5 4)) {numbers(1, 5)}
(<= (legal ?who ?way) (role ?who) (way ?way)) (way up) (way right) (way left)
(<= (next (location ?who ?x ?z)) (does ?who up) (true (location ?who ?x ?y)) (succ ?y ?z))
(<= (next (location ?who ?z ?y)) (does ?who right) (true (location ?who ?x ?y)) (succ ?x ?z))
(<= caught (true (location inky ?x ?y)) (true (location pacman ?x ?y)))
(<= terminal caught) (<= (goal inky 100) caught) (<= (goal pacman 100) (not caught))
(<= (goal inky 0) (not caught)) (<= (goal pacman 0) caught)
"""
MEETING = "(true (location inky ?v1 ?v2)) (true (location pacman ?v1 ?v2))"


@pytest.mark.spec("evaluation-functions", 29)
def test_two_that_are_to_meet_are_as_far_apart_as_their_way_is_long() -> None:
    found = expanded(HUNT)
    assert features(found) == {MEETING: ("solutions", "variable distance")}
    apart = ((5 - 1) / 4 + (4 - 1) / 4) / 2
    assert value(found, MEETING, found.positions.game.initial().facts()) == pytest.approx(0.5 - apart)
    here, there = "(location {} 2 3)", "(location {} 3 3)"
    for one, other in (("inky", "pacman"), ("pacman", "inky")):
        state = facts(here.format(one), there.format(other))
        assert value(found, MEETING, state) == pytest.approx(0.5 - 1 / 8), (
            "steps lead one way, either may go it"
        )
    crossed = facts("(location inky 2 3)", "(location pacman 3 2)")
    assert value(found, MEETING, crossed) == VALUES.never, "neither can come to the other by itself"
    twice = facts("(location inky 1 1)", "(location pacman 1 2)", "(location pacman 2 2)")
    assert value(found, MEETING, twice) == pytest.approx(0.5 - 1 / sqrt(8**2 + 4**2))
    same = facts("(location inky 1 1)", "(location pacman 1 1)")
    assert value(found, MEETING, same) == VALUES.true


COUNT = f"""
(role b) (role w) (legal b pass) (legal w pass) {numbers(0, 4)} (init (cell 1 b)) (init (cell 2 w))
(<= (next (cell ?c ?p)) (true (cell ?c ?p))) (<= (next (cell 3 ?p)) (does ?p (put 3)))
(after 1 2) (after 2 3) (after 3 4)
(<= (count 4 0 0) (not (true (cell 4 b))) (not (true (cell 4 w))))
(<= (count ?x ?m ?w) (after ?x ?y) (true (cell ?x b)) (count ?y ?n ?w) (succ ?n ?m))
(<= (count ?x ?b ?m) (after ?x ?y) (true (cell ?x w)) (count ?y ?b ?n) (succ ?n ?m))
(<= (count ?x ?b ?w) (after ?x ?y) (not (true (cell ?x b))) (not (true (cell ?x w))) (count ?y ?b ?w))
(<= terminal (true (cell 3 b))) (<= (goal b 50) (count 1 ?n ?n)) (<= (goal b 0) (not (count 1 ?n ?n)))
"""


@pytest.mark.spec("evaluation-functions", 30)
def test_two_counts_that_are_to_be_equal_are_as_far_apart_as_they_differ() -> None:
    found = expanded(COUNT)
    even = "(count 1 ?v1 ?v1)"
    assert features(found) == {even: (None, "variable distance")}
    assert value(found, even, facts("(cell 1 b)", "(cell 2 w)")) == VALUES.true
    for black, share in (("1", 1 / 4), ("12", 2 / 4), ("123", 3 / 4)):
        state = facts(*(f"(cell {cell} b)" for cell in black))
        assert value(found, even, state) == pytest.approx(0.5 - share)
        assert value(found, even, facts(*(f"(cell {cell} w)" for cell in black))) == pytest.approx(
            0.5 - share
        )


FALLING = f"""
(role x) (role o) {numbers(1, 7)} (init (control x))
(<= (legal ?p (drop ?c)) (true (control ?p)) (succ ?c ?d)) (<= (next (control ?p)) (true (control ?p)))
(<= (next (cell ?c 6 ?p)) (does ?p (drop ?c)))
(<= (next (cell ?c ?y2 ?p)) (true (cell ?c ?y1 ?p)) (succ ?y2 ?y1) (not (true (filled ?c ?y2))))
(<= (line ?p) (true (cell ?c1 ?y ?p)) (succ ?c1 ?c2) (true (cell ?c2 ?y ?p)) (succ ?c2 ?c3)
    (true (cell ?c3 ?y ?p)))
(<= (line ?p) (true (cell ?c ?y1 ?p)) (succ ?y1 ?y2) (true (cell ?c ?y2 ?p)))
(<= (goal ?p 100) (line ?p)) (<= terminal (line ?p))
"""


@pytest.mark.spec("evaluation-functions", 45)
def test_discs_that_fall_through_cells_of_lines_have_no_distance() -> None:
    distances = Detect.FIXED_DISTANCE | Detect.VARIABLE_DISTANCE | Detect.FIXED_DISTANCE_OF_QUERIES
    found = expanded(FALLING, distances)
    assert len(found.theory.leaves) > 60
    assert features(found) == {}
    one_row = FALLING.replace(
        "(true (cell ?c ?y1 ?p)) (succ ?y1 ?y2) (true (cell ?c ?y2 ?p))", "(true (cell 1 3 ?p))"
    )
    one_row = one_row.replace("(true (cell ?c1 ?y ?p))", "(true (cell ?c1 2 ?p))").replace("?y ?p", "2 ?p")
    found = expanded(one_row, distances)
    assert len(features(found)) == len(found.theory.leaves) == 17, "not all cells of a column are in a goal"


@pytest.mark.spec("evaluation-functions", 45)
def test_counters_that_are_in_different_goals_keep_their_distances() -> None:
    rounds = " ".join(f"(<= (goal r {10 * n}) (true (step {n})))" for n in range(1, 7))
    text = f"""
    (role r) (init (step 1)) (legal r wait) {numbers(1, 6)} {rounds} (<= terminal (true (step 6)))
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
    """
    one_goal = "".join(f"(<= (goal r 0) (true (step {n})))" for n in range(1, 7))
    distant = {f"(step {n})": (None, "fixed distance") for n in range(2, 7)}  # nothing leads to the first
    assert features(expanded(text)) == distant
    assert features(expanded(text.replace(rounds, one_goal))) == {"(step 6)": (None, "fixed distance")}


RUNNERS = """
(role runner) (init (at 5)) (init (step 1)) (legal runner run) (legal runner wait)
(below 5 4) (below 4 3) (below 3 2) (below 2 1) (below 1 0) (below 0 minus1) (below minus1 minus2)
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10)
(<= (next (at ?y)) (does runner run) (true (at ?x)) (below ?x ?y))
(<= (next (at ?x)) (does runner wait) (true (at ?x)))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= terminal (true (step 10)))
(<= lost (true (at minus1))) (<= lost (true (at minus2)))
(<= (goal runner 100) (true (at 0)) (not (true (at minus1))) (not (true (at minus2))))
(<= (goal runner 50) (not (true (at 0))) (not lost))
(<= (goal runner 0) lost)
"""


def ends_at(detect: Detect) -> tuple[str, Expansion]:
    """Where a runner is at the end who takes the move whose next state is worth most."""
    game = LiftedGame(parse_kif(RUNNERS), "runners")
    found = expanded(RUNNERS, detect)
    evaluation = GoalEvaluation(found, found.features)
    (runner,) = game.roles
    state: State = game.initial()
    while not state.is_terminal:
        successors = [state.play([move]) for move in state.legal(runner)]
        state = max(successors, key=lambda after: evaluation(after, runner))
    (cell,) = (fact.args[0] for fact in state.facts() if fact.name == "at")
    return str(cell), found


@pytest.mark.spec("evaluation-functions", 46)
def test_a_runner_stops_beside_what_loses() -> None:
    cell, found = ends_at(Detect.ALL)
    avoided = {told(leaf.leaf): own for leaf, own in found.features.items() if isinstance(leaf, Avoided)}
    assert set(avoided) == {"(at minus1)", "(at minus2)"}
    assert {kind(own.when_false) for own in avoided.values()} == {"mobility"}
    assert cell == "0"
    shy, plain = ends_at(Detect.ALL & ~Detect.MOBILITY)
    assert not any(isinstance(leaf, Avoided) for leaf in plain.theory.leaves.values())
    assert shy != "0", "by distances alone it keeps away"


def test_what_never_comes_needs_no_choice() -> None:
    found = expanded(RUNNERS)
    (leaf,) = [
        each for each in found.features if isinstance(each, Avoided) and told(each.leaf) == "(at minus1)"
    ]
    own = found.features[leaf]
    beside, beyond, at_it = (found.position(facts(f"(at {cell})")) for cell in ("0", "minus2", "minus1"))
    assert own.value(beside, leaf, VALUES) == VALUES.never, "both moves of the first state"
    assert own.value(beyond, leaf, VALUES) == VALUES.never, "nothing leads back"
    assert own.value(at_it, leaf, VALUES) == VALUES.true
    plain = expanded(RUNNERS, Detect.FIXED_DISTANCE)
    assert value(plain, "(at minus1)", facts("(at 0)")) == pytest.approx(0.5 - 1 / 7)
    assert value(plain, "(at minus1)", facts("(at minus2)")) == VALUES.never
