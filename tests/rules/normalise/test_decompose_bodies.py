"""Bodies in parts: rules before, rules after."""

import pytest
from hypothesis import given, settings

from ludorum.rules.kif import parse_kif, parse_pattern
from ludorum.rules.normalise.decompose_bodies import decompose_bodies
from ludorum.rules.normalise.estimate_sizes import Sizes
from ludorum.rules.ruleset import Ruleset
from ludorum.rules.terms import Term
from tests.how_much import some
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


@pytest.mark.long
@settings(max_examples=some(40))
@given(random_games())
def test_even_useless_parts_keep_the_answers(sheet: Ruleset) -> None:
    assert_same_answers(sheet, decompose_bodies(sheet, worthwhile=0.0, gain=1e9))


def test_what_binds_a_comparison_is_looked_at_without_its_other_variables() -> None:
    cells = "".join(f"(c {x} {y})" for x in range(9) for y in range(9))
    rules = rewritten(f"""{cells} (init (at 1 1 a)) (<= (next (at ?x ?y ?p)) (c ?x ?y) (n ?p))
        (<= (frame ?x ?y ?p) (c ?u ?v) (true (at ?x ?y ?p)) (distinct (f ?u ?v) (f ?x ?y)))""")
    assert rules[1:] == [
        "(<= (domain_1 ?x ?y) (true (at ?x ?y ?p)))",
        "(<= (part_1 ?x ?y) (c ?u ?v) (distinct (f ?u ?v) (f ?x ?y)) (domain_1 ?x ?y))",
        "(<= (frame ?x ?y ?p) (part_1 ?x ?y) (true (at ?x ?y ?p)))",
    ]


def test_moves_of_any_function_count_where_one_function_is_asked_for() -> None:
    rules = parse_kif(
        NUMBERS
        + """
        (role r) (<= (can r (go ?x ?y)) (n ?x) (n ?y)) (<= (legal ?r ?move) (can ?r ?move))
        (<= (init (at ?x)) (n ?x)) (<= (next (at ?z)) (does r (go ?x ?y)) (true (at ?z)) (distinct ?x ?y))
    """
    )
    move = parse_pattern("(does r (go ?x ?y))")
    assert isinstance(move, Term)
    assert Sizes(rules).join([move]) == 400
    assert sum(len(rule.body) == 3 for rule in decompose_bodies(rules).rules) == 0
