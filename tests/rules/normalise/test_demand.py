"""Demand: guards cut relations down, and nobody notices."""

import pytest
from hypothesis import given, settings

from ludorum.asp.ground import ground_rules
from ludorum.rules.kif import parse_kif
from ludorum.rules.library import find_sheet
from ludorum.rules.normalise import decompose_bodies, demand, expand_connectives
from ludorum.rules.reader import read_rules
from ludorum.rules.ruleset import Ruleset
from tests.how_much import some
from tests.random_games import random_games
from tests.rules.normalise.same_answers import assert_same_answers

WALK = """
(role walker) (init (at 0))
""" + "\n".join(f"(number {i}) (succ {i} {i + 1})" for i in range(40)) + """
(<= (legal walker go) (true (at ?x)))
(<= (sum ?x ?y ?z ?w) (number ?x) (number ?y) (number ?z) (number ?w) (true (at ?v)) (distinct ?v ?w))
(<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (not (sum ?x ?y 3 3)))
(<= terminal (true (at 39)))
(goal walker 50)
"""  # fmt: skip


def test_a_huge_relation_shrinks_to_what_is_asked() -> None:
    program = ground_rules(parse_kif(WALK), in_process=True, passes=["demand"])
    assert len(program.heads) < 2000  # 40 ** 4 rows for 40 ways to ask


def test_guards_are_written_for_what_comes_before() -> None:
    rules = parse_kif("""
        (role r) (init (at 0)) (<= (legal r go) (true (at ?x)) (far ?x ?y))
        (<= (far ?x ?y) (link ?x ?z) (far ?z ?y) (true (at ?w))) (<= (far ?x ?x) (true (at ?x)) (link ?x ?x))
        (link 0 1) (link 1 2) (link 2 2)
    """)
    made = {" ".join(str(rule).split()) for rule in demand(rules, large=0.0).rules}
    assert "(<= (far ?x ?x) (asked_far_1 ?x) (true (at ?x)) (link ?x ?x))" in made
    assert "(<= (asked_far_1 ?x) (may_true_1 (at ?x)))" in made
    assert "(<= (asked_far_1 ?z) (asked_far_1 ?x) (link ?x ?z))" in made
    assert "(<= (may_true_1 ?fact) (init ?fact))" in made


def test_small_relations_have_no_guards() -> None:
    rules, _ = read_rules(find_sheet("tictactoe").source)
    assert demand(rules) == expand_connectives(rules)


@pytest.mark.long
@settings(max_examples=some(60, 6))
@given(random_games())
def test_guards_keep_the_answers_of_random_sheets(sheet: Ruleset) -> None:
    assert_same_answers(sheet, demand(sheet, large=0.0))


@pytest.mark.long
@settings(max_examples=some(30, 6))
@given(random_games())
def test_guards_over_parts_keep_the_answers(sheet: Ruleset) -> None:
    assert_same_answers(sheet, demand(decompose_bodies(sheet, worthwhile=0.0, gain=1e9), large=0.0))


@pytest.mark.parametrize("name", ["tictactoe", "breakthrough", "english_draughts"])
def test_guards_keep_the_answers_of_library_games(name: str) -> None:
    rules, _ = read_rules(find_sheet(name).source)
    assert_same_answers(rules, demand(rules, large=0.0), steps=3)
