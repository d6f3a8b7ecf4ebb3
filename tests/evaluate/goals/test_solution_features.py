"""How many solutions a query has, and how far the search for one gets."""

from __future__ import annotations

from itertools import product

import pytest

from ludorum.engine.load import load_game
from ludorum.evaluate.goals.conjunctions import Conjunction
from ludorum.evaluate.goals.detection import Detect
from ludorum.evaluate.goals.expansion import expand_goals
from ludorum.evaluate.goals.positions import Positions
from ludorum.evaluate.goals.solution_features import SolutionCount, prefixes_of, query_of
from ludorum.rules.kif import parse_kif, parse_term
from tests.evaluate.goals.expanded import VALUES, expanded, facts, features, told, value

BLANKS = "(true (cell ?v1 ?v2 b))"

SEVEN = """
(role r) (legal r wait) (thing a) (thing b) (thing c) (thing d)
(<= (next (has ?n ?x)) (true (has ?n ?x)))
(init (has 1 a)) (init (has 1 b)) (init (has 1 c)) (init (has 1 d)) (init (has 7 d))
(init (has 2 a)) (init (has 2 b)) (init (has 2 c)) (init (has 3 a)) (init (has 3 b)) (init (has 3 c))
(init (has 4 a)) (init (has 4 b)) (init (has 4 c))
(<= full (true (has 1 ?x)) (true (has 2 ?x)) (true (has 3 ?x)) (true (has 4 ?x)) (true (has 5 ?x))
    (true (has 6 ?x)) (true (has 7 ?x)))
(<= terminal full) (<= (goal r 100) full)
"""


def literals(text: str) -> Conjunction:
    """The body of a rule."""
    (rule,) = parse_kif(f"(<= asked {text})").rules
    return rule.body  # type: ignore[return-value]


@pytest.mark.spec("evaluation-functions", 3)
def test_all_solutions_are_told_and_counted() -> None:
    game = load_game("tictactoe", "lifted")
    assert game.rules is not None
    blanks, again, lines = (
        query_of(literals(text))
        for text in (
            "(true (cell ?x ?y b))",
            "(true (cell ?x ?y ?c)) (distinct ?c b)",
            "(true (cell 1 ?x b)) (true (cell 2 ?y b)) (distinct ?x ?y)",
        )
    )
    positions = Positions(game.rules, [blanks, again, lines])
    start = positions.initial()
    assert (start.count(blanks), start.count(again), start.count(lines)) == (9, 0, 6)
    assert {tuple(map(str, row)) for row in start.rows(blanks)} == set(product("123", "123"))
    assert not start.holds(again)
    state = game.initial().play(["(mark 2 2)", "noop"])
    later = positions.at(state.facts())
    assert (later.count(blanks), later.rows(again)) == (8, [tuple(map(parse_term, ("2", "2", "x")))])
    assert len(later.rows(lines)) == later.count(lines) == 4


@pytest.mark.spec("evaluation-functions", 3)
def test_counting_ends_at_a_cap() -> None:
    """Six numbers of a hundred each can be chosen in 10^12 ways: that is given up after a million joins."""
    many = " ".join(f"(init (p {n}))" for n in range(100))
    rules = parse_kif(f"(role r) (legal r wait) {many}")
    one, six = (query_of(literals(" ".join(f"(true (p ?x{at}))" for at in range(size)))) for size in (1, 6))
    start = Positions(rules, [one, six]).initial()
    assert not start.is_cheap(six)
    assert start.is_cheap(one), "the position answers other questions all the same"
    assert start.count(one) == 100


@pytest.mark.spec("evaluation-functions", 24)
def test_blanks_are_counted_by_those_of_the_first_state() -> None:
    game = load_game("tictactoe", "lifted")
    assert game.rules is not None
    found = expand_goals(game.rules, Detect.SOLUTIONS)
    (feature,) = (own.when_true for own in found.features.values())
    assert isinstance(feature, SolutionCount)
    assert feature.at_start == 9
    cells = [f"(cell {x} {y} b)" for x in (1, 2, 3) for y in (1, 2, 3)]
    shares = {9: 0.459970, 5: 0.265133, 1: 0.0}
    for count, share in shares.items():
        assert value(found, BLANKS, facts(*cells[:count])) == pytest.approx(0.6 + 0.4 * share, abs=1e-6)
    assert value(found, BLANKS, facts()) == VALUES.false, "nothing is counted where there is nothing"


@pytest.mark.spec("evaluation-functions", 25)
def test_a_search_from_left_to_right_tells_how_far_it_came() -> None:
    found = expanded(SEVEN, most_instances=0)
    ((leaf, kinds),) = features(found).items()
    assert kinds == ("solutions", "partial solutions")
    start = found.positions.game.initial().facts()
    assert value(found, leaf, start) == pytest.approx(
        0.5 - 0.424286, abs=1e-6
    )  # four of seven, by three things
    nothing = facts("(has 2 a)", "(has 7 a)")
    assert value(found, leaf, nothing) == -0.5, "what comes later does not count"
    more = start | facts("(has 5 a)", "(has 5 d)")
    assert value(found, leaf, more) == pytest.approx(0.5 - (1 - 5 / 7 - 1 / 700))
    whole = start | facts(*(f"(has {n} a)" for n in range(1, 8)))
    assert value(found, leaf, whole) == 0.6


@pytest.mark.spec("evaluation-functions", 25)
def test_a_hundred_solutions_weigh_less_than_one_more_literal() -> None:
    many = " ".join(f"(init (p {n}))" for n in range(150))
    found = expanded(
        f"(role r) (legal r wait) {many} (<= (next (p ?x)) (true (p ?x))) (<= (next (q ?x)) (true (q ?x)))"
        "(<= (next (q 1)) (does r go)) (<= (next (s 1)) (does r go)) (<= (goal r 100) terminal)"
        "(<= terminal (true (p ?x)) (true (q ?x)) (true (s ?x)))",
        most_instances=0,
    )
    (leaf,) = features(found)
    start = found.positions.game.initial().facts()
    assert value(found, leaf, start) == pytest.approx(0.5 - (1 - 1 / 3 - 99 / 300))
    assert value(found, leaf, facts("(p 1)", "(q 1)")) > value(found, leaf, start)


def test_a_test_of_what_is_not_bound_yet_waits() -> None:
    rules = parse_kif("(<= terminal (distinct ?x ?y) (true (p ?x)) (not (true (q ?y))) (true (p ?y)))").rules
    body: Conjunction = rules[0].body  # type: ignore[assignment]
    assert [told(prefix) for prefix in prefixes_of(body)] == [
        "(true (p ?x))",
        "(true (p ?x)) (true (p ?y))",
        "(true (p ?x)) (true (p ?y)) (distinct ?x ?y)",
    ]


def test_what_costs_too_much_in_the_first_state_is_no_feature() -> None:
    def kinds(count: int) -> set[tuple[str | None, str | None]]:
        many = " ".join(f"(init (p {n}))" for n in range(count))
        text = (
            f"(role r) (legal r wait) {many} (<= (next (p ?x)) (true (p ?x))) (<= (goal r 100) terminal)"
            "(<= (next (s ?x ?x ?y)) (true (p ?x)) (true (p ?y)) (does r go))"
            "(<= terminal (true (p ?x)) (true (p ?y)) (true (p ?z)) (true (s ?x ?y ?z)))"
        )
        return set(features(expanded(text, most_instances=0)).values())

    assert kinds(10) == {("solutions", "partial solutions")}
    assert kinds(150) == {("solutions", None)}, "150 to the power of three, before the last literal"
