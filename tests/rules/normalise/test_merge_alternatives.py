"""Alternatives under one name: rules before, rules after."""

import pytest
from hypothesis import given, settings

from ludorum.rules.kif import parse_kif
from ludorum.rules.normalise import merge_alternatives
from ludorum.rules.ruleset import Ruleset
from tests.how_much import some
from tests.random_games import random_games
from tests.rules.normalise.same_answers import assert_same_answers

CELLS = "".join(f"(cell {x} {y}) (far {y} {x} {x})" for x in range(9) for y in range(9))


def rewritten(text: str) -> list[str]:
    made = merge_alternatives(parse_kif(CELLS + text), large=0.0)
    return [" ".join(str(rule).split()) for rule in made.rules if rule.body]


def test_what_differs_gets_a_name() -> None:
    assert rewritten("""
        (<= (h ?x ?y) (bishop ?x ?z) (far ?z ?y ?w))
        (<= (h ?x ?y) (rook ?x ?z) (far ?z ?y ?w))
        (<= (bishop ?x ?y) (cell ?x ?y)) (<= (rook ?x ?y) (cell ?y ?x))
    """) == [
        "(<= (any_1 ?x ?z) (bishop ?x ?z))",
        "(<= (any_1 ?x ?z) (rook ?x ?z))",
        "(<= (h ?x ?y) (any_1 ?x ?z) (far ?z ?y ?w))",
        "(<= (bishop ?x ?y) (cell ?x ?y))",
        "(<= (rook ?x ?y) (cell ?y ?x))",
    ]


def test_rules_that_look_at_other_variables_stay_apart() -> None:
    text = ["(<= (h ?x ?y) (cell ?x ?z) (far ?z ?y ?w))", "(<= (h ?x ?y) (cell ?x ?y) (far ?z ?y ?w))"]
    assert rewritten("".join(text)) == text


def test_small_rules_stay_as_they_are() -> None:
    rules = parse_kif("(<= (h ?x) (p ?x) (q ?x)) (<= (h ?x) (r ?x) (q ?x)) (p 1) (q 1) (r 1)")
    assert merge_alternatives(rules) == rules


@pytest.mark.long
@settings(max_examples=some(40))
@given(random_games())
def test_even_useless_names_keep_the_answers(sheet: Ruleset) -> None:
    assert_same_answers(sheet, merge_alternatives(sheet, large=0.0, gain=0.99))
