"""Bodies in parts: rules before, rules after."""

from hypothesis import given, settings

from ludorum.rules.kif import parse_kif
from ludorum.rules.normalise.decompose_bodies import decompose_bodies
from ludorum.rules.ruleset import Ruleset
from tests.random_games import random_games
from tests.rules.normalise.same_answers import assert_same_answers

NUMBERS = "".join(f"(n {i}) (e {i} {i + 1}) (p {i})" for i in range(20))


def rewritten(text: str) -> list[str]:
    """The rules of a text after the pass, without the facts."""
    return [
        " ".join(str(rule).split()) for rule in decompose_bodies(parse_kif(NUMBERS + text)).rules if rule.body
    ]


def test_a_variable_nobody_else_needs_goes_into_a_part() -> None:
    assert rewritten("(<= (h ?x) (n ?x) (n ?y) (p ?y))") == [
        "(<= part_1 (n ?y) (p ?y))",
        "(<= (h ?x) part_1 (n ?x))",
    ]


def test_equal_parts_of_different_rules_are_one_relation() -> None:
    rules = rewritten("""
        (<= (h ?x) (n ?x) (n ?a) (e ?a ?b) (p ?b))
        (<= (k ?u) (p ?u) (e ?v ?w) (p ?w) (n ?v))
    """)
    assert len([rule for rule in rules if rule.startswith(("(<= (h", "(<= (k"))]) == 2
    parts = [rule for rule in rules if rule.startswith(("(<= part_", "(<= (part_"))]
    assert len(parts) == len(set(parts)) <= 2


def test_short_rules_stay_as_they_are() -> None:
    text = "(<= (h ?x) (e ?x ?y) (p ?y))"
    assert rewritten(text) == [text]


def test_a_comparison_takes_along_what_binds_it() -> None:
    rules = rewritten("(<= (h ?x ?y) (n ?x) (n ?y) (n ?z) (distinct ?z ?x))")
    assert rules == [
        "(<= (part_1 ?x) (n ?z) (distinct ?z ?x) (n ?x))",
        "(<= (h ?x ?y) (part_1 ?x) (n ?x) (n ?y))",
    ]


@settings(max_examples=40)
@given(random_games())
def test_even_useless_parts_keep_the_answers(sheet: Ruleset) -> None:
    assert_same_answers(sheet, decompose_bodies(sheet, worthwhile=0.0, gain=1e9))
