"""Negated relations asked for rule by rule: rules before, rules after."""

import pytest
from hypothesis import given, settings

from ludorum.rules.kif import parse_kif
from ludorum.rules.normalise import split_negations
from ludorum.rules.ruleset import Ruleset
from tests.how_much import some
from tests.random_games import random_games
from tests.rules.normalise.same_answers import assert_same_answers

HIT = """
    (cell 1) (cell 2) (init (king 1)) (init (knight 1 2))
    (<= (next (king ?k)) (true (king ?k))) (<= (next (knight ?k ?c)) (true (knight ?k ?c)))
    (<= (hit ?k ?c) (true (king ?k)) (cell ?c))
    (<= (hit ?k ?c) (true (knight ?k ?c)))
"""


def rewritten(text: str) -> list[str]:
    made = split_negations(parse_kif(HIT + text), hopeless=0.0)
    rules = [" ".join(str(rule).split()) for rule in made.rules if rule.body]
    return [rule for rule in rules if rule.startswith(("(<= (hit_", "(<= (safe"))]


def test_arguments_that_say_nothing_are_left_out() -> None:
    assert rewritten("(<= (safe ?k ?c) (cell ?k) (cell ?c) (not (hit ?k ?c)))") == [
        "(<= (hit_1 ?k) (true (king ?k)))",
        "(<= (hit_2 ?k ?c) (true (knight ?k ?c)))",
        "(<= (safe ?k ?c) (cell ?k) (cell ?c) (not (hit_1 ?k)) (not (hit_2 ?k ?c)))",
    ]


def test_an_argument_that_may_be_outside_its_domain_is_kept() -> None:
    rules = rewritten("(place 2) (place 3) (<= (safe ?c) (place ?c) (not (hit 1 ?c)))")
    assert rules[0] == "(<= (hit_1 ?k ?c) (true (king ?k)) (cell ?c))"
    assert rules[-1] == "(<= (safe ?c) (place ?c) (not (hit_1 1 ?c)) (not (hit_2 1 ?c)))"


def test_small_relations_are_asked_whole() -> None:
    rules = parse_kif(HIT + "(<= (safe ?k ?c) (cell ?k) (cell ?c) (not (hit ?k ?c)))")
    assert split_negations(rules) == rules


@pytest.mark.long
@settings(max_examples=some(60, 6))
@given(random_games())
def test_splitting_keeps_the_answers_of_random_sheets(sheet: Ruleset) -> None:
    assert_same_answers(sheet, split_negations(sheet, hopeless=0.0))
