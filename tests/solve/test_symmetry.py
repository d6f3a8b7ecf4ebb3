"""Symmetric roles, rules that never fire, goals that never fall."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.rules.kif import parse_kif
from ludorum.search.budget import Budget
from ludorum.solve.prove import ProofLimits, Verdict, VerdictStatus, prove
from ludorum.solve.symmetry import find_symmetry

from ..small_games import DOOR
from .test_planner import rules_of

ENOUGH = Budget(seconds=30)

DEAD = """
; The third lamp would need a second step after the last one, and nobody ever whistles.
(role a)
(init (step 0))
(succ 0 1) (succ 1 2)
(legal a go)
(<= (legal a whistle) (true whistling))
(<= (next whistling) (does a whistle))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 1)))
(<= terminal (true (step 2)))
(goal a 100)
"""


def verdict(text: str, name: str) -> Verdict:
    (found,) = prove(parse_kif(text), [name], ENOUGH, limits=ProofLimits(plays=20))
    return found


@pytest.mark.parametrize(
    ("name", "apart_from_init", "swapped"),
    [
        ("tictactoe", True, {"x", "o", "xplayer", "oplayer"}),
        ("rock_paper_scissors", False, {"left", "right"}),
        ("connect_four", True, {"red", "yellow"}),
    ],
)
def test_roles_that_can_be_exchanged(name: str, apart_from_init: bool, swapped: set[str]) -> None:
    rules = rules_of(name)
    found = find_symmetry(rules, *rules.roles)
    assert found is not None
    assert (found.apart_from_init, set(found.renaming)) == (apart_from_init, swapped)


def test_roles_that_cannot() -> None:
    rules = rules_of("hodgepodge")
    assert find_symmetry(rules, *rules.roles) is None


@given(st.permutations(range(14)))
def test_neither_the_order_of_rules_nor_of_bodies_matters(order: list[int]) -> None:
    rules = parse_kif(DOOR)
    assert len(rules.rules) > 14
    shuffled = rules.with_rules([*(rules.rules[at] for at in order), *rules.rules[14:]])
    left, right = sorted(shuffled.roles, key=str)
    found = find_symmetry(shuffled, left, right)
    assert found is not None
    assert found.renaming == {"left": "right", "right": "left"}


def test_one_rule_more_for_one_role_breaks_it() -> None:
    rules = parse_kif(DOOR + "(<= (legal left sing) (true closed))")
    assert find_symmetry(rules, *rules.roles) is None


def test_rules_that_never_fire_are_named() -> None:
    found = verdict(DEAD, "live-rules")
    assert found.status is VerdictStatus.REFUTED
    assert isinstance(found.value, list)
    assert {each["line"] for each in found.value} == {7, 8, 11}


def test_all_rules_of_the_door_fire() -> None:
    assert verdict(DOOR, "live-rules").status is VerdictStatus.PROVED


def test_goals_that_fall_are_refuted_by_a_play() -> None:
    (falls,) = prove(rules_of("nim"), ["monotone-goals"], ENOUGH, limits=ProofLimits(plays=20))
    assert falls.status is VerdictStatus.REFUTED
    assert falls.witness is not None
    (holds,) = prove(rules_of("blocks"), ["monotone-goals"], ENOUGH, limits=ProofLimits(plays=20))
    assert holds.status is VerdictStatus.PROVED
