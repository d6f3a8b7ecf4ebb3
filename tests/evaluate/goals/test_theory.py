"""Formulas as one graph: constants folded, equal parts shared, the same truth as their clauses."""

from __future__ import annotations

from collections.abc import Hashable

import pytest
from hypothesis import given

from ludorum.evaluate.goals.theory import (
    MOST_TAKEN_APART,
    CircleError,
    ClauseReader,
    Kind,
    Theory,
    TheoryNode,
    TooManyNodesError,
    negated,
)
from tests.evaluate.goals.random_theories import theories, worlds


def test_constants_are_folded_and_single_parts_stand_for_themselves() -> None:
    theory = Theory()
    a, b = theory.leaf("a"), theory.leaf("b")
    assert theory.all_of([]) is True
    assert theory.any_of([]) is False
    assert theory.all_of([a, False]) is False
    assert theory.any_of([a, True]) is True
    assert theory.all_of([a, True]) == a
    assert theory.any_of([b, False, b]) == b
    assert theory.all_of([a, negated(a)]) is False
    assert theory.any_of([b, negated(b)]) is True
    assert negated(True) is False
    assert negated(negated(a)) == a
    assert len(theory) == 2


def test_equal_parts_are_one_node() -> None:
    theory = Theory()
    a, b, c = (theory.leaf(name) for name in "abc")
    both = theory.all_of([a, b])
    assert theory.all_of([a, b, a]) == both
    assert theory.leaf("a") == a
    root = theory.any_of([both, c])
    assert theory.nodes[root >> 1] == TheoryNode(Kind.ANY, (both, c))
    assert [theory.nodes[number].kind for number in theory.below([root])] == [
        *[Kind.LEAF] * 3,
        Kind.ALL,
        Kind.ANY,
    ]


def test_flat_theories_take_parts_of_the_same_kind_apart() -> None:
    theory = Theory(flat=True)
    a, b, c = map(theory.leaf, "abc")
    either = theory.any_of([a, b])
    assert theory.any_of([either, c]) == theory.any_of([a, b, c])
    assert theory.any_of([negated(either), c]) != theory.any_of([a, b, c])
    both = theory.all_of([either, c])
    assert theory.nodes[both >> 1] == TheoryNode(Kind.ALL, (either, c))
    many = theory.any_of([theory.leaf(number) for number in range(MOST_TAKEN_APART + 1)])
    whole = theory.any_of([many, c])
    assert theory.nodes[whole >> 1].parts == (many, c)


@pytest.mark.spec("evaluation-functions", 10)
def test_the_example_of_the_thesis() -> None:
    """a <- b, c, d.   b <- e, not f.   b <- f, not g."""
    theory = Theory()
    clauses: dict[Hashable, list[list[tuple[Hashable, bool]]]] = {
        "a": [[("b", False), ("c", False), ("d", False)]],
        "b": [[("e", False), ("f", True)], [("f", False), ("g", True)]],
    }
    root = ClauseReader(theory, clauses, {}).formula("a")
    assert not isinstance(root, bool)
    e, f, g, c, d = (theory.leaf(name) for name in "efgcd")
    node = theory.nodes[root >> 1]
    assert node.kind is Kind.ALL
    assert node.parts[1:] == (c, d)
    either = theory.nodes[node.parts[0] >> 1]
    assert either.kind is Kind.ANY
    assert [theory.nodes[part >> 1] for part in either.parts] == [
        TheoryNode(Kind.ALL, (e, f ^ 1)),
        TheoryNode(Kind.ALL, (f, g ^ 1)),
    ]
    assert len(theory) == 5 + 4


def test_what_never_changes_is_evaluated() -> None:
    theory = Theory()
    clauses: dict[Hashable, list[list[tuple[Hashable, bool]]]] = {
        "goal": [[("line", False), ("next to", False)], [("line", False), ("far", False)]],
        "line": [[("x", False), ("far", True)]],
    }
    reader = ClauseReader(theory, clauses, {"next to": True, "far": False})
    assert reader.formula("goal") == theory.leaf("x")
    assert reader.formula("far") is False


def test_a_circle_is_refused_and_so_are_too_many_parts() -> None:
    with pytest.raises(CircleError, match="a depends on itself"):
        ClauseReader(Theory(), {"a": [[("b", True), ("c", False)]], "b": [[("a", False)]]}, {}).formula("a")
    theory = Theory(most_nodes=1)
    a, b, c = (theory.leaf(name) for name in "abc")
    theory.all_of([a, b])
    with pytest.raises(TooManyNodesError, match="more than 1 parts"):
        theory.all_of([b, c])


@given(theories())
def test_truth_follows_the_nodes(made: tuple[Theory, int]) -> None:
    theory, root = made
    for world in worlds():
        values: dict[int, bool] = {}
        for number in theory.below([root]):
            node = theory.nodes[number]
            parts = [values[part >> 1] != bool(part & 1) for part in node.parts]
            if node.kind is Kind.LEAF:
                values[number] = world[theory.leaves[number]]
            else:
                values[number] = all(parts) if node.kind is Kind.ALL else any(parts)
        assert theory.truth(root, world.__getitem__) is (values[root >> 1] != bool(root & 1))
