"""Loose arguments: what no fact ties down."""

import pytest
from hypothesis import given, settings

from ludorum.rules.kif import parse_kif
from ludorum.rules.normalise import decompose_wide_bodies, loose_demand
from ludorum.rules.normalise.loose_arguments import loose_arguments
from ludorum.rules.ruleset import Ruleset
from tests.how_much import some
from tests.random_games import random_games
from tests.rules.normalise.same_answers import assert_same_answers

CLEAR = """
    (coordinate 1) (coordinate 2) (next_to 1 2)
    (<= (clear ?u ?v ?skip) (next_to ?u ?v) (coordinate ?skip))
    (<= (clear ?u ?w ?skip) (clear ?u ?v ?skip) (next_to ?v ?w) (true (empty ?v)))
    (<= (clear ?u ?v ?v) (next_to ?u ?v))
    (<= (seen ?x ?skip) (clear ?x ?y ?skip))
"""


def test_an_argument_is_loose_if_most_rules_take_it_from_a_domain() -> None:
    found = loose_arguments(parse_kif(CLEAR))
    assert found == {("coordinate", 1): {0}, ("clear", 3): {2}, ("seen", 2): {1}}


def test_only_loose_arguments_are_guarded() -> None:
    text = (
        CLEAR
        + """
        (role r) (init (empty 1)) (<= (next (empty ?x)) (true (empty ?x)))
        (<= (legal r (go ?x)) (true (empty ?x)) (not (seen 1 ?x)))
    """
    )
    made = {" ".join(str(rule).split()) for rule in loose_demand(parse_kif(text), large=0.0).rules}
    assert "(<= (seen ?x ?skip) (asked_seen_1 ?skip) (clear ?x ?y ?skip))" in made
    assert "(<= (asked_seen_1 ?x) (may_true_1 (empty ?x)))" in made


@pytest.mark.long
@settings(max_examples=some(60, 6))
@given(random_games())
def test_guards_of_loose_arguments_keep_the_answers(sheet: Ruleset) -> None:
    assert_same_answers(sheet, loose_demand(sheet, large=0.0))


@pytest.mark.long
@settings(max_examples=some(30))
@given(random_games())
def test_short_parts_keep_the_answers(sheet: Ruleset) -> None:
    assert_same_answers(sheet, decompose_wide_bodies(sheet, worthwhile=0.0, gain=1e9))
