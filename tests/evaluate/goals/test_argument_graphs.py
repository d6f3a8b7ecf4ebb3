"""Graphs of arguments and orders, by hand on small sheets and by their laws on sheets of the library."""

from __future__ import annotations

from itertools import permutations
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.engine.load import load_game
from ludorum.evaluate.goals.argument_graphs import (
    ArgumentGraphs,
    OrderGraph,
    StepGraph,
    is_antisymmetric,
    is_transitive,
)
from ludorum.rules.kif import parse_kif, parse_pattern, parse_term
from ludorum.rules.terms import Term

WALK = """
(role r) (init (at 1 a red)) (init (step 1))
(succ 1 2) (succ 2 3) (succ 3 4) (left c b) (left b a) (both a b) (both b a)
(<= (legal r go) (true (at ?x ?y ?c)))
(<= (next (at ?v ?y ?c)) (true (at ?x ?y ?c)) (does r go) (succ ?x ?v))
(<= (next (at ?x ?w ?c)) (true (at ?x ?y ?c)) (does r turn) (left ?w ?y))
(<= (next (at ?x ?w ?c)) (true (at ?x ?y ?c)) (does r flip) (both ?y ?w))
(<= (next (at ?x ?y ?d)) (true (at ?x ?y ?c)) (does r paint) (true (next_colour ?c ?d)))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= terminal (true (step 4)))
(<= (goal r 100) (true (at 4 c ?any)))
(<= (goal r 0) (not (true (at 4 c red))))
"""


def names(graph: StepGraph) -> set[tuple[str, str]]:
    return {(str(one), str(other)) for one, other in graph.steps}


@pytest.mark.spec("evaluation-functions", 26)
def test_steps_are_found_in_both_directions_and_only_along_what_never_changes() -> None:
    graphs = ArgumentGraphs(parse_kif(WALK)).graphs
    at, step = ("at", 3), ("step", 1)
    assert set(graphs) == {(at, 0), (at, 1), (step, 0)}
    assert names(graphs[at, 0]) == names(graphs[step, 0]) == {("1", "2"), ("2", "3"), ("3", "4")}
    assert names(graphs[at, 1]) == {("b", "c"), ("a", "b")}, "`left` is read backwards, `both` is no order"


@pytest.mark.long
@pytest.mark.spec("evaluation-functions", 26)
@pytest.mark.parametrize(
    ("name", "longest"),
    [
        ("eight_puzzle", {"step 1": 31}),  # tiles move by rules of their own, not along a relation
        ("hodgepodge", {"cell 1": 3, "step 1": 9}),  # cells in a circle of four
        ("rock_paper_scissors", {"won 2": 6, "round 1": 6}),
        ("chess", {"quiet 1": 201, "ply 1": 201}),
        ("nim", {}),  # heaps lose any number at once
    ],
)
def test_steps_of_games_of_the_library(name: str, longest: dict[str, int]) -> None:
    rules = load_game(name, "lifted").rules
    assert rules is not None
    graphs = ArgumentGraphs(rules).graphs
    assert {f"{fluent[0]} {at + 1}": graph.longest for (fluent, at), graph in graphs.items()} == longest


@pytest.mark.spec("evaluation-functions", 27)
def test_distances_of_fluents() -> None:
    graphs = ArgumentGraphs(parse_kif(WALK))
    start = parse_term("(at 1 a red)")
    for end, steps, share in [
        ("(at 1 a red)", 0, 0.0),
        ("(at 3 a red)", 2, 2 / 9),
        ("(at 4 c red)", 5, 2 / 3),
        ("(at 4 c ?any)", 5, 2 / 3),
        ("(at 4 c blue)", inf, inf),
        ("(step 1)", inf, inf),
    ]:
        assert graphs.distance(start, parse_pattern(end)) == steps
        assert graphs.share(start, parse_pattern(end)) == pytest.approx(share)
    assert graphs.distance(parse_term("(at 3 a red)"), start) == inf, "nothing goes back"


@pytest.mark.spec("evaluation-functions", 31)
def test_the_nearest_fact_and_the_confirmation() -> None:
    graphs = ArgumentGraphs(parse_kif(WALK))
    end = parse_term("(step 4)")
    assert graphs.has_any(end.signature)
    assert not graphs.has_any(("next_colour", 2))
    values = [
        graphs.nearness({parse_term(f"(step {now})"), parse_term("(at 4 c red)")}, end)
        for now in (1, 2, 3, 4)
    ]
    assert values == pytest.approx([1, 2 / 3, 1 / 3, 0])
    assert graphs.nearness([parse_term("(at 1 a red)")], end) == inf
    both = [parse_term("(step 1)"), parse_term("(step 2)")]
    assert 0 < graphs.nearness(both, end) < 2 / 3


def order(*pairs: tuple[int, int]) -> frozenset[tuple[Term, Term]]:
    return frozenset((Term(str(one)), Term(str(other))) for one, other in pairs)


@pytest.mark.spec("evaluation-functions", 32)
def test_margins_along_an_order() -> None:
    greater = OrderGraph(order(*((one, other) for one in range(5) for other in range(one))))
    margins = [greater.margin(Term("2"), Term(str(other))) for other in range(5)]
    assert margins == [0.5, 0.25, 0, -0.25, -0.5]
    assert greater.margin(Term("4"), Term("0")) == 1
    assert greater.margin(Term("4"), Term("elsewhere")) is None


@pytest.mark.spec("evaluation-functions", 32)
@pytest.mark.parametrize("rows", [order((1, 2), (2, 1)), order((1, 2), (2, 3)), frozenset()])
def test_other_relations_are_no_orders(rows: frozenset[tuple[Term, Term]]) -> None:
    with pytest.raises(ValueError, match="no order"):
        OrderGraph(rows)


@pytest.mark.spec("evaluation-functions", 32)
@given(st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(lambda pair: pair[0] < pair[1])))
def test_the_margin_grows_with_every_step_between(pairs: set[tuple[int, int]]) -> None:
    closed = set(pairs)
    for middle in range(7):
        closed |= {(a, d) for a, b in closed for c, d in closed if b == c == middle}
    rows = order(*closed)
    assert is_transitive(rows)
    if not is_antisymmetric(rows):
        return
    graph = OrderGraph(rows)
    for one, middle, other in permutations(range(7), 3):
        if {(one, middle), (middle, other)} <= closed:
            far = graph.margin(Term(str(one)), Term(str(other)))
            near = graph.margin(Term(str(one)), Term(str(middle)))
            assert far is not None
            assert near is not None
            assert 0 < near <= 1
            assert 0 < far <= 1
