"""Which rules wrap terms in terms without end."""

from __future__ import annotations

import pytest

from ludorum.rules.growing_terms import growing_rule, told_growth
from ludorum.rules.kif import parse_kif
from ludorum.rules.library import library_sheets
from ludorum.rules.reader import read_rules

GROWING = {
    "a counter": "(init (n z)) (<= (next (n (s ?x))) (true (n ?x)))",
    "by way of another fluent": "(<= (next (n ?x)) (true (m ?x))) (<= (next (m (s ?x))) (true (n ?x)))",
    "by way of a move": "(<= (next (n ?x)) (does r (m ?x))) (<= (legal r (m (s ?x))) (true (n ?x)))",
    "a whole fluent": "(init a) (<= (next (box ?f)) (true ?f))",
    "two bounds that grow": "(<= (next (n (s ?x))) (true (n ?x)) (p ?x)) (<= (p (s ?x)) (true (n ?x)))",
}
BOUNDED = {
    "a counter with its values": "(small z) (<= (next (n (s ?x))) (true (n ?x)) (small ?x))",
    "unwrapped again": "(<= (next (m (s ?x))) (true (n ?x))) (<= (next (n ?x)) (true (m (s ?x))))",
    "wrapped once": "(<= (next (m (s ?x))) (true (n ?x))) (<= (next (n ?x)) (true (n ?x)))",
    "another fluent": "(<= (next (seen (at ?x))) (true (cell ?x))) (init (cell 1))",
}


@pytest.mark.parametrize("text", GROWING.values(), ids=GROWING)
def test_rules_that_wrap_terms_for_ever_are_found(text: str) -> None:
    rule = growing_rule(parse_kif(text))
    assert rule is not None
    assert rule.head.name in ("next", "legal", "p")
    assert any(function in str(rule.head) for function in ("(s ?x)", "(box ?f)"))


@pytest.mark.parametrize("text", BOUNDED.values(), ids=BOUNDED)
def test_terms_that_something_bounds_do_not_grow(text: str) -> None:
    assert growing_rule(parse_kif(text)) is None
    assert told_growth(parse_kif(text)) == ""


def test_growth_is_told_with_its_line() -> None:
    rules = parse_kif("(role r)\n(init (n z))\n(<= (next (n (s ?x))) (true (n ?x)))\n")
    assert told_growth(rules) == (
        "(<= (next (n (s ?x))) (true (n ?x))) in line 3 wraps terms in terms again and again, "
        "and nothing bounds them"
    )


def test_no_sheet_of_the_library_grows() -> None:
    assert [sheet.name for sheet in library_sheets() if growing_rule(read_rules(sheet.source)[0])] == []
