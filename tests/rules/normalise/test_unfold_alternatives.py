"""Unfolding relations of several rules: rules before, rules after."""

from hypothesis import given, settings

from ludorum.rules.kif import parse_kif
from ludorum.rules.normalise import unfold_alternatives
from ludorum.rules.ruleset import Ruleset
from tests.how_much import some
from tests.random_games import random_games
from tests.rules.normalise.same_answers import assert_same_answers

NUMBERS = "".join(f"(n {i})" for i in range(20))
DIFFER = """
    (<= (differ ?a ?b ?c ?d) (distinct ?a ?c) (n ?a) (n ?b) (n ?c) (n ?d))
    (<= (differ ?a ?b ?c ?d) (distinct ?b ?d) (n ?a) (n ?b) (n ?c) (n ?d))
    (<= (hits ?u ?v ?x) (n ?u) (n ?v) (n ?x) (true (at ?u ?v)))
    (<= (next (at ?x ?y)) (true (at ?x ?y)))
"""


def rewritten(text: str, **options: float) -> list[str]:
    made = unfold_alternatives(parse_kif(NUMBERS + DIFFER + text), **options)
    return [" ".join(str(rule).split()) for rule in made.rules if rule.head.name == "h"]


def test_a_relation_that_ties_too_much_together_is_unfolded() -> None:
    at = "".join(f"(init (at {x} {y}))" for x in range(20) for y in range(20))
    assert rewritten(at + "(<= (h ?a ?b ?x) (hits ?u ?v ?x) (differ ?a ?b ?u ?v))") == [
        "(<= (h ?a ?b ?x) (hits ?u ?v ?x) (distinct ?a ?u) (n ?a) (n ?b) (n ?u) (n ?v))",
        "(<= (h ?a ?b ?x) (hits ?u ?v ?x) (distinct ?b ?v) (n ?a) (n ?b) (n ?u) (n ?v))",
    ]


def test_rules_that_are_small_enough_stay() -> None:
    text = "(<= (h ?a) (true (at ?a ?b)) (differ ?a ?b 1 1))"
    assert rewritten("(init (at 1 2))" + text) == [text]


def test_recursion_stays() -> None:
    text = "(<= (h ?x) (n ?x)) (<= (h ?y) (h ?y) (n ?y))"
    assert len(rewritten(text, hopeless=0.0, gain=1e9)) == 2


@settings(max_examples=some(40, 8))
@given(random_games())
def test_even_useless_unfolding_keeps_the_answers(sheet: Ruleset) -> None:
    assert_same_answers(sheet, unfold_alternatives(sheet, hopeless=1e-9, gain=1.0))
