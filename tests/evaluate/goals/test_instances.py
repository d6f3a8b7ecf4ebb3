"""Instances of conjunctions: those that hold somewhere, found by what never changes first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.evaluate.goals.conjunctions import Conjunction, canonical, components, variables_in, with_values
from ludorum.evaluate.goals.instances import Instantiator, TooManyInstancesError, simplified
from ludorum.evaluate.goals.relations import Relations
from ludorum.rules.kif import parse_kif
from ludorum.rules.normalise.expand_connectives import Literal
from ludorum.rules.ruleset import Atom
from ludorum.rules.terms import Term, Variable

BOARD = """
(role x) (column 1) (column 2) (column 3) (column 4) (column 5) (column 6) (column 7)
(row 1) (row 2) (row 3) (row 4) (row 5) (row 6)
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)
(<= (init (cell ?c ?r b)) (column ?c) (row ?r))
(<= (next (cell ?c ?r x)) (does x (drop ?c)) (row ?r) (column ?c))
(<= (legal x (drop ?c)) (true (cell ?c 6 b)))
(<= line (true (cell ?c1 ?r x)) (succ ?c1 ?c2) (true (cell ?c2 ?r x)) (succ ?c2 ?c3) (true (cell ?c3 ?r x))
    (succ ?c3 ?c4) (true (cell ?c4 ?r x)))
(<= terminal line) (<= (goal x 100) line) (<= (goal x 0) (not line))
"""


def body_of(relations: Relations, name: str) -> Conjunction:
    return canonical(relations.by_signature[name, 0][0].body)  # type: ignore[arg-type]


@pytest.mark.spec("evaluation-functions", 14)
def test_relations_that_never_change_come_first() -> None:
    relations = Relations(parse_kif(BOARD))
    line = body_of(relations, "line")
    found = Instantiator(relations)
    instances = found.instances(line)
    assert len(instances) == 4 * 6  # four places along a row, six rows
    assert all(len(components(one)) == len(one) == 4 for one in instances)
    atoms = [one.term for one in line if isinstance(one, Atom)]
    naive = prod(len(relations.values_of(each, atoms) or ()) for each in variables_in(line))
    assert naive == 6 * 5 * 5 * 6 * 6, "columns that have a next one, both, or one before; and rows"
    assert found.tries < naive / 50


def literals(relations: Sequence[str], variables: Sequence[str]) -> st.SearchStrategy[Literal]:
    terms = st.sampled_from([*map(Variable, variables), Term("1"), Term("2"), Term("3")])

    def atom(name: str, args: tuple[Term, Term]) -> Literal:
        inner = Term(name, args)
        return Atom(Term("true", (inner,)) if name in ("p", "q") else inner)

    return st.builds(atom, st.sampled_from(relations), st.tuples(terms, terms))


SMALL = """
(role r) (n 1) (n 2) (n 3) (s 1 2) (s 2 3) (t 1 1) (t 2 1)
(<= (init (p ?x ?y)) (n ?x) (n ?y)) (<= (init (q ?x ?y)) (n ?x) (n ?y))
"""


@settings(max_examples=30)
@given(
    st.lists(literals(("p", "q", "s", "t"), ("x", "y", "z")), min_size=1, max_size=4).map(tuple),
    st.sets(st.tuples(st.sampled_from("pq"), st.integers(1, 3), st.integers(1, 3))),
)
def test_one_of_the_instances_holds_where_the_conjunction_does(
    body: Conjunction, state: set[tuple[str, int, int]]
) -> None:
    relations = Relations(parse_kif(SMALL))
    rows = {(name, str(one), str(other)) for name, one, other in state}
    rows |= {("s", "1", "2"), ("s", "2", "3"), ("t", "1", "1"), ("t", "2", "1")}
    instances = Instantiator(relations).instances(canonical(body))
    assert holds(body, rows) == any(holds(one, rows) for one in instances)
    simple = simplified(body, relations)
    assert holds(body, rows) == (simple if isinstance(simple, bool) else holds(simple, rows))


def holds(body: Conjunction, rows: set[tuple[str, str, str]]) -> bool:
    """By trying all values of all variables."""
    variables = variables_in(body)
    return any(
        all(row_of(one) in rows for one in with_values(body, dict(zip(variables, values, strict=True))))
        for values in product([Term(str(number)) for number in (1, 2, 3)], repeat=len(variables))
    )


def row_of(literal: Literal) -> tuple[str, ...]:
    assert isinstance(literal, Atom)
    inner = literal.term.args[0] if literal.term.name == "true" else literal.term
    assert isinstance(inner, Term)
    return (inner.name, *map(str, inner.args))


def test_counts_are_the_bound() -> None:
    relations = Relations(parse_kif(BOARD))
    line = body_of(relations, "line")
    assert len(Instantiator(relations, most_instances=24).instances(line)) == 24
    with pytest.raises(TooManyInstancesError):
        Instantiator(relations, most_instances=23).instances(line)
    tried = Instantiator(relations)
    tried.instances(line)
    with pytest.raises(TooManyInstancesError):
        Instantiator(relations, most_tries=tried.tries // 2).instances(line)
