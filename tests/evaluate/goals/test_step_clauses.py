"""Steps of symbols that are written in relations of their own."""

from __future__ import annotations

import pytest

from ludorum.engine.load import load_game
from ludorum.evaluate.goals.argument_graphs import ArgumentGraphs
from ludorum.evaluate.goals.relations import Relations
from ludorum.evaluate.goals.step_clauses import MOST_CLAUSES, step_clauses
from ludorum.rules.kif import parse_kif
from ludorum.rules.ruleset import Atom
from tests.evaluate.goals.expanded import expanded, facts, features, value

MAZE = """
(role a) (role b) (init (location a 1 1)) (init (location b 3 2)) (init (blocked 2 2))
(plusplus 1 2) (plusplus 2 3) (plusplus 3 4)
(way north) (way south) (way east)
(<= (legal ?who (move ?way)) (role ?who) (way ?way))
(<= (next_cell north ?x ?y ?x ?z) (index ?x) (plusplus ?y ?z))
(<= (next_cell south ?x ?y ?x ?z) (index ?x) (plusplus ?z ?y))
(<= (next_cell east ?x ?y ?z ?y) (index ?y) (plusplus ?x ?z))
(index 1) (index 2) (index 3) (index 4)
(<= (free ?x ?y) (index ?x) (index ?y) (not (true (blocked ?x ?y))))
(<= (next (location ?who ?v ?w)) (does ?who (move ?way)) (true (location ?who ?x ?y))
    (next_cell ?way ?x ?y ?v ?w) (free ?v ?w))
(<= (next (blocked ?x ?y)) (true (blocked ?x ?y)))
(<= met (true (location a ?x ?y)) (true (location b ?x ?y)))
(<= terminal met) (<= (goal a 100) met) (<= (goal b 100) (not met))
"""
MET = "(true (location a ?v1 ?v2)) (true (location b ?v1 ?v2))"


def steps_of(text: str) -> dict[str, set[str]]:
    graphs = ArgumentGraphs(step_clauses(Relations(parse_kif(text)))).graphs
    return {
        f"{fluent[0]} {at + 1}": {f"{one}{other}" for one, other in graph.steps}
        for (fluent, at), graph in graphs.items()
    }


@pytest.mark.spec("evaluation-functions", 26)
def test_steps_inside_a_relation_of_cells_are_found() -> None:
    forth, back = {"12", "23", "34"}, {"21", "32", "43"}
    assert steps_of(MAZE) == {"location 2": forth, "location 3": forth | back}
    assert ArgumentGraphs(parse_kif(MAZE)).graphs == {}, "the relation of cells is of five symbols"


@pytest.mark.spec("evaluation-functions", 29)
def test_two_in_a_maze_are_as_far_apart_as_cells_are() -> None:
    found = expanded(MAZE)
    assert features(found) == {MET: ("solutions", "variable distance")}
    apart = (2 / 3 + 1 / 3) / 2
    assert value(found, MET, facts("(location a 1 1)", "(location b 3 2)")) == pytest.approx(0.5 - apart)


def test_a_relation_that_would_make_many_clauses_stays() -> None:
    many = " ".join(f"(<= (near ?x ?y) (plusplus ?x ?y) (true (mark {n})))" for n in range(MOST_CLAUSES + 1))
    text = MAZE.replace("(free ?v ?w))\n", f"(near ?x ?v))\n{many}", 1)
    clauses = step_clauses(Relations(parse_kif(text)))
    moved = [clause for clause in clauses.by_signature["next", 1] if clause.head.args[0].name == "location"]
    assert len(moved) == 3, "one for each way"
    for clause in moved:
        used = [literal.term.name for literal in clause.body if isinstance(literal, Atom)]
        assert "near" in used
        assert "next_cell" not in used


@pytest.mark.parametrize("name", ["chess", "racetrack", "othello"])
def test_there_are_never_many_more_clauses_than_rules(name: str) -> None:
    rules = load_game(name, "lifted").rules
    assert rules is not None
    before = rules.by_signature["next", 1]
    after = step_clauses(Relations(rules)).by_signature["next", 1]
    assert {clause.head.signature for clause in after} == {("next", 1)}
    assert 0 < len(after) <= MOST_CLAUSES * max(len(before), 1)
