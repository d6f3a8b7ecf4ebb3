"""Fluent graphs: ways of fluents, edges, and distances that depend on how pieces move."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum._core import SplitMix64
from ludorum.asp.ground import ground_rules
from ludorum.engine.game import State, random_states
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.evaluate.goals.fluent_graph import FluentGraph, Ways, similarity
from ludorum.evaluate.goals.reach_levels import ReachLevels
from ludorum.evaluate.goals.step_rules import StepRules
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.ruleset import Ruleset
from ludorum.rules.terms import Term
from tests.how_much import some
from tests.random_games import random_games


def step_rules(rules: Ruleset | str) -> StepRules:
    if isinstance(rules, str):
        rules = parse_kif(rules)
    return StepRules(ground_rules(rules, in_process=True))


def of_library(name: str) -> StepRules:
    rules = load_game(name).rules
    assert rules is not None
    return step_rules(rules)


def ways(rules: StepRules, fluent: str, most_ways: int = 256) -> set[frozenset[str]]:
    found = Ways(rules, most_ways).of_next(parse_term(fluent))
    return {frozenset(map(str, way)) for way in found}


def before(rules: StepRules, fluent: str) -> set[str]:
    return set(map(str, FluentGraph(Ways(rules)).before(parse_term(fluent))))


@pytest.mark.spec("evaluation-functions", 47)
def test_rules_of_tictactoe_are_unfolded_to_the_state() -> None:
    rules = of_library("tictactoe")
    assert ways(rules, "(cell 1 1 x)") == {
        frozenset({"(cell 1 1 x)"}),
        frozenset({"(cell 1 1 b)", "(control xplayer)"}),
    }
    others = [f"(cell {m} {n} b)" for m in "123" for n in "123" if m + n != "11"]
    assert ways(rules, "(cell 1 1 b)") == {
        frozenset({"(cell 1 1 b)", other, f"(control {player})"})
        for other in others
        for player in ("xplayer", "oplayer")
    }
    assert ways(rules, "(control oplayer)") == {frozenset({"(control xplayer)"})}


CHAIN = """
(role r) (init (at 1)) (init (key)) (link 1 2) (link 2 3) (link 3 1)
(legal r wait)
(<= (legal r (open ?x)) (true (at ?x)) (true (key)))
(<= (near ?x) (true (at ?x)))
(<= (near ?y) (near ?x) (link ?x ?y))
(<= (blocked) (true (closed)))
(<= (next (closed)) (does r wait))
(<= (next (closed)) (true (closed)) (true (key)))
(<= (next (at ?y)) (true (at ?x)) (link ?x ?y) (not (blocked)))
(<= (next (seen ?x)) (near ?x) (true (key)))
(<= (next (key)) (true (key)) (not (does r (open 1))))
(<= (next (found ?x)) (does r (open ?x)))
(<= terminal (true (found 3)))
(goal r 0)
"""


@pytest.mark.spec("evaluation-functions", 47)
def test_recursion_and_negation_are_left_alone() -> None:
    rules = step_rules(CHAIN)
    assert ways(rules, "(seen 2)") == {frozenset({"key"})}  # (near 2) depends on itself
    assert ways(rules, "(at 2)") == {frozenset({"(at 1)"})}  # not blocked
    assert ways(rules, "key") == {frozenset({"key"})}
    assert ways(rules, "(found 2)") == {frozenset({"(at 2)", "key"})}  # does becomes legal
    assert ways(rules, "closed") == {frozenset()}  # the other way needs more


def test_of_too_many_ways_only_what_they_share_is_kept() -> None:
    rules = of_library("tictactoe")
    assert ways(rules, "(cell 1 1 b)", 8) == {frozenset({"(cell 1 1 b)"})}


@settings(max_examples=some(100, 12), deadline=None)
@given(random_games(), st.integers(0, 2**32))
def test_what_comes_about_in_random_sheets_has_one_of_its_ways(rules: Ruleset, seed: int) -> None:
    step = step_rules(rules)
    found, coarse = Ways(step), Ways(step, 2)
    graph = FluentGraph(found)
    levels = ReachLevels(step, step.fluents.values())
    states = [state.facts() for _, state in zip(range(8), plays(rules, seed), strict=False)]
    for old, new in pairwise(states):
        for fluent in new:
            assert any(way <= old for way in found.of_next(fluent))
            assert any(way <= old for way in coarse.of_next(fluent))
            assert any(source is None or source in old for source in graph.before(fluent))
            assert levels.distance(old, fluent) <= 1


def plays(rules: Ruleset, seed: int) -> Iterator[State]:
    return random_states(LiftedGame(rules, "random").initial(), SplitMix64(seed))


@pytest.mark.spec("evaluation-functions", 48)
def test_similarity_counts_symbols_at_the_same_places() -> None:
    def of(one: str, other: str) -> int:
        return similarity(parse_term(one), parse_term(other))

    assert of("(cell 3 1 x)", "(cell 3 1 b)") == 2
    assert of("(cell 3 1 x)", "(cell 2 3 x)") == 1
    assert of("done", "done") == 1
    assert of("done", "over") == of("(control x)", "(cell 3 1 x)") == 0
    assert of("(on (disc 1 red) 2)", "(on (disc 1 blue) 2)") == 2


@pytest.mark.spec("evaluation-functions", 48)
def test_the_graph_of_a_cell_of_tictactoe() -> None:
    rules = of_library("tictactoe")
    cells = {mark: parse_term(f"(cell 3 1 {mark})") for mark in "xob"}
    assert before(rules, "(cell 3 1 b)") == {"(cell 3 1 b)"}
    assert before(rules, "(cell 3 1 x)") == {"(cell 3 1 b)", "(cell 3 1 x)"}
    assert before(rules, "(cell 3 1 o)") == {"(cell 3 1 b)", "(cell 3 1 o)"}
    table = FluentGraph(Ways(rules)).table(cells["x"])
    assert table.steps == {cells["x"]: 0, cells["b"]: 1}
    assert [table.distance([cells[mark]]) for mark in "xbo"] == [0, 1, inf]


REUSE = """
(role r) (init (p)) (init (mark 1 1 a)) (init (mark 1 1 b)) (legal r wait)
(<= (next (mark 1 1 c)) (true (p)))
(<= (next (mark 1 1 c)) (true (p)) (true (mark 1 1 a)) (does r wait))
(<= (next (mark 1 2 c)) (true (p)) (true (mark 1 1 b)))
(<= (next (mark 2 2 c)) (true (p)) (true (q)))
(<= (next (mark 2 2 c)) (true (q)) (true (mark 1 1 c)))
(<= (next (q)) (true (q))) (init (q))
(<= (next (free)) (distinct a b))
(<= terminal (true (free)))
(goal r 0)
"""


@pytest.mark.spec("evaluation-functions", 48)
def test_an_edge_that_is_there_is_used_again_before_similarity_counts() -> None:
    rules = step_rules(REUSE)
    assert before(rules, "(mark 1 1 c)") == {"p"}
    assert before(rules, "(mark 1 2 c)") == {"(mark 1 1 b)"}  # more similar than p
    assert len(before(rules, "(mark 2 2 c)")) <= 2
    assert FluentGraph(Ways(rules)).before(parse_term("free")) == (None,)
    assert FluentGraph(Ways(rules)).before(parse_term("(mark 1 1 a)")) == ()


FILES = "abcdefgh"


def moves_of(piece: str) -> list[tuple[str, int, str, int]]:
    """On an empty board, without what stands between."""
    squares = [(file, rank) for file in range(8) for rank in range(1, 9)]
    found = []
    for f1, r1 in squares:
        for f2, r2 in squares:
            aside, ahead = abs(f2 - f1), r2 - r1
            can = {
                "rook": (aside == 0) != (ahead == 0),
                "king": max(aside, abs(ahead)) == 1,
                "pawn": aside == 0 and ahead == 1,
            }[piece]
            if can:
                found.append((FILES[f1], r1, FILES[f2], r2))
    return found


def board(piece: str, *, blanks: bool) -> str:
    """Pieces of one kind on a board; emptiness is a fluent, or that no piece stands there."""
    lines = [f"(init (cell {square} {piece}))" for square in ("a 2", "c 1")]
    lines += ["(role r)", "(legal r wait)", "terminal", "(goal r 0)"]
    lines += ["(can " + " ".join(map(str, move)) + ")" for move in moves_of(piece)]
    lines += [f"(square {file} {rank})" for file in FILES for rank in range(1, 9)]
    if blanks:
        lines += ["(<= (init (cell ?x ?y blank)) (square ?x ?y))"]  # may ever hold: all that matters here
        lines += ["(<= (empty ?x ?y) (true (cell ?x ?y blank)))"]
        lines += ["(<= (next (cell ?x ?y blank)) (does r (move ?x ?y ?u ?v)))"]
    else:
        lines += [f"(<= (empty ?x ?y) (square ?x ?y) (not (true (cell ?x ?y {piece}))))"]
    lines += [
        f"(<= (legal r (move ?x ?y ?u ?v)) (true (cell ?x ?y {piece})) (can ?x ?y ?u ?v) (empty ?u ?v))",
        f"(<= (next (cell ?u ?v {piece})) (does r (move ?x ?y ?u ?v)))",
        "(<= (touched ?x ?y) (does r (move ?x ?y ?u ?v)))",
        "(<= (touched ?u ?v) (does r (move ?x ?y ?u ?v)))",
        "(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (not (touched ?x ?y)))",
    ]
    return "\n".join(lines)


@cache
def of_board(piece: str, *, blanks: bool) -> StepRules:
    return step_rules(board(piece, blanks=blanks))


def both_distances(piece: str, square: str, *, blanks: bool) -> tuple[float, float]:
    """From a2 on a board that is empty otherwise, by the fluent graph and by levels."""
    rules = of_board(piece, blanks=blanks)
    target = parse_term(f"(cell {square} {piece})")
    squares = [f"{file} {rank}" for file in FILES for rank in range(1, 9)]
    empty = [f"(cell {other} blank)" for other in squares if blanks and other != "a 2"]
    facts = frozenset(map(parse_term, [f"(cell a 2 {piece})", *empty]))
    table = FluentGraph(Ways(rules)).table(target)
    return table.distance(facts), ReachLevels(rules, [target]).distance(facts, target)


@pytest.mark.spec("evaluation-functions", 50)
def test_distances_know_how_pieces_move() -> None:
    assert both_distances("rook", "c 2", blanks=False) == (1, 1)
    assert both_distances("king", "c 2", blanks=False) == (2, 2)
    assert both_distances("pawn", "c 2", blanks=False) == (inf, inf)
    assert both_distances("king", "h 8", blanks=False) == (7, 7)


@pytest.mark.spec("evaluation-functions", 50)
def test_where_blanks_are_fluents_only_levels_know_how_pieces_move() -> None:
    # The blank that a king comes to is more similar than the square he comes from.
    assert both_distances("king", "c 2", blanks=True) == (1, 2)
    assert both_distances("king", "h 8", blanks=True) == (1, 7)
    assert both_distances("rook", "c 2", blanks=True) == (1, 1)
    assert both_distances("pawn", "c 2", blanks=True)[1] == inf


def test_tables_list_all_that_leads_to_a_fluent() -> None:
    rules = of_board("pawn", blanks=False)
    table = FluentGraph(Ways(rules)).table(parse_term("(cell a 5 pawn)"))
    assert {str(source): steps for source, steps in table.steps.items()} == {
        "(cell a 5 pawn)": 0, "(cell a 4 pawn)": 1, "(cell a 3 pawn)": 2, "(cell a 2 pawn)": 3,
    }  # fmt: skip
    assert table.longest == 3
    assert table.distance([Term("nothing")]) == inf
