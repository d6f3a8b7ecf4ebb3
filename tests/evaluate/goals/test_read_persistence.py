"""Persistence read off ground rules: exact on small sheets, and never wrong, whatever the state."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.asp.ground import ground_rules
from ludorum.engine.game import Game, State
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.evaluate.goals.persistence import LastingFluents
from ludorum.evaluate.goals.read_persistence import read_persistence
from ludorum.evaluate.goals.step_rules import StepRules
from ludorum.rules.kif import parse_kif
from ludorum.rules.ruleset import Ruleset
from tests.how_much import some
from tests.random_games import random_games

MOST_JOINTS = 40


def read(rules: Ruleset) -> tuple[StepRules, LastingFluents]:
    """What is read of all fluents of a sheet."""
    step = StepRules(ground_rules(rules, in_process=True))
    return step, read_persistence(
        step, [(fluent, value) for fluent in step.fluents.values() for value in (True, False)]
    )


def read_text(text: str) -> tuple[set[str], set[str]]:
    _, found = read(parse_kif(text))
    return set(map(str, found.once_true)), set(map(str, found.once_false))


@pytest.mark.spec("evaluation-functions", 33)
def test_marks_of_tictactoe_stay_and_blanks_never_come_back() -> None:
    rules = load_game("tictactoe").rules
    assert rules is not None
    _, found = read(rules)
    cells = {mark: {f"(cell {m} {n} {mark})" for m, n in product("123", "123")} for mark in "xob"}
    assert set(map(str, found.once_true)) == cells["x"] | cells["o"]
    assert set(map(str, found.once_false)) == cells["b"]


SWITCHES = """
(role r) (role s) (init (light off)) (init (lock open))
(legal r push) (legal r wait) (legal s wait)
(<= (legal s turn) (true (lock open)))
(<= (next (light on)) (does r push))
(<= (next (light on)) (true (light on)) (does r wait))
(<= (next (light off)) (true (light off)) (not (does r push)))
(<= (next (lock open)) (true (lock open)) (not (does s turn)))
(<= (next (seen ?m)) (does s ?m) (true (lock open)))
(<= (next (pulled)) (does s turn))
(<= (next (done)) (true (done)))
(<= (next (done)) (does r push) (does s turn))
(<= terminal (true (done)))
(goal r 0)
"""


def test_each_move_of_a_role_is_looked_at_by_itself() -> None:
    # Whatever r does the light stays on; no rule alone says so.
    assert read_text(SWITCHES) == ({"(light on)", "done"}, {"(light off)", "(lock open)"})


NEEDS = """
(role r) (init (key)) (init (safe)) (init (door shut)) (init (hook)) (init (lid))
(legal r wait)
(<= (legal r use) (true (key)) (not (true (rusty))))
(<= (next (key)) (true (key)))
(<= (next (rusty)) (true (rusty)))
(<= (next (rusty)) (does r use))
(<= (next (door open)) (does r use) (true (key)))
(<= (next (safe)) (true (safe)) (does r wait))
(<= (next (safe)) (true (safe)) (does r use) (true (key)))
(<= (next (safe)) (true (safe)) (does r lift))
(<= (legal r lift) (true (key)))
(<= (legal r lift) (true (hook)))
(<= (next (hook)) (true (hook)) (not (does r lift)))
(<= (next (lid)) (true (lid)) (does r lift) (true (key)))
(<= (next (lid)) (true (lid)) (not (does r lift)))
(<= terminal (true (door open)))
(goal r 0)
"""


def test_what_makes_a_move_legal_holds_when_it_is_made() -> None:
    # Who lifts may have the hook alone, so the lid may fall.
    assert read_text(NEEDS) == ({"key", "rusty", "safe"}, {"key", "safe", "hook", "lid", "(door shut)"})


CHANCE = """
(role r) (role random) (init (coin heads)) (init (bet 1)) (side heads) (side tails)
(legal r wait) (<= (legal random (toss ?s)) (side ?s))
(<= (next (coin ?s)) (does random (toss ?s)))
(<= (next (bet 1)) (true (bet 1)) (does random (toss heads)))
(<= (next (bet 1)) (true (bet 1)) (does random (toss tails)))
(<= (next (lucky)) (does random (toss heads)))
(<= (next (lucky)) (true (lucky)))
(<= terminal (not (true (bet 1))))
(goal r 0)
"""


def test_every_move_of_nature_counts() -> None:
    assert read_text(CHANCE) == ({"(bet 1)", "lucky"}, {"(bet 1)"})


CIRCLE = """
(role r) (init (at 1)) (init (wall 1 2)) (edge 1 2) (edge 2 1)
(legal r stay) (legal r go)
(<= (reach ?x) (true (at ?x)))
(<= (reach ?y) (reach ?x) (edge ?x ?y) (not (true (wall ?x ?y))))
(<= (next (wall ?x ?y)) (true (wall ?x ?y)) (not (does r go)))
(<= (next (at ?x)) (reach ?x))
(<= terminal (true (at 2)))
(goal r 0)
"""


def test_recursion_is_followed() -> None:
    assert read_text(CIRCLE) == ({"(at 1)", "(at 2)"}, {"(wall 1 2)"})


def test_where_negation_runs_in_a_circle_nothing_is_concluded() -> None:
    circle = """
    (role r) (init (p)) (init (q)) (legal r a)
    (<= (one) (true (p)) (not (other)))
    (<= (other) (true (p)) (not (one)))
    (<= (next (p)) (one)) (<= (next (p)) (other))
    (<= (next (q)) (true (q)) (not (one)))
    terminal (goal r 0)
    """
    assert read_text(circle) == (set(), {"q"})


@settings(max_examples=some(100, 12), deadline=None)
@given(random_games(), st.integers(0, 2**32))
def test_what_is_read_holds_in_every_state_of_random_sheets(rules: Ruleset, seed: int) -> None:
    step, found = read(rules)
    game = LiftedGame(rules, "random")
    fluents = list(step.fluents.values())
    chance = Random(seed)
    for _ in range(8):
        dense = chance.random()
        state = game.state([fluent for fluent in fluents if chance.random() < dense])
        for after in successors(game, state):
            assert not broken(found, state, after)


def successors(game: Game, state: State) -> Iterator[State]:
    joints = product(*(state.legal(role) for role in game.roles))
    for _, joint in zip(range(MOST_JOINTS), joints, strict=False):
        yield state.play(joint)


def broken(found: LastingFluents, before: State, after: State) -> bool:
    """Whether a step shows that something is wrong."""
    old, new = before.facts(), after.facts()
    return bool(found.once_true & old - new or found.once_false & new - old)
