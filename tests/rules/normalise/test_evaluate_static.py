"""Static relations as facts: rules before, rules after."""

import pytest

from ludorum.rules.kif import parse_kif
from ludorum.rules.normalise.evaluate_static import evaluate_static

SUCC = "(succ 1 2) (succ 2 3)"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            SUCC + "(<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?z) (succ ?x ?y) (less ?y ?z))",
            SUCC + "(less 1 2) (less 2 3) (less 1 3)",
            id="recursion ends",
        ),
        pytest.param(
            SUCC + "(n 1) (n 2) (<= (last ?x) (n ?x) (not (succ ?x 2)))"
            "(<= (two ?x ?y) (n ?x) (n ?y) (distinct ?x ?y))",
            SUCC + "(n 1) (n 2) (last 2) (two 1 2) (two 2 1)",
            id="negation and comparison",
        ),
        pytest.param(
            SUCC + "(<= (h ?x) (succ ?x ?y) (true ?y)) (<= (k (f ?x)) (succ ?x 3))",
            SUCC + "(<= (h ?x) (succ ?x ?y) (true ?y)) (k (f 2))",
            id="what looks at the state stays",
        ),
        pytest.param(
            "(n 1) (<= (n (s ?x)) (n ?x)) (<= (k ?x) (n ?x) (m ?x))",
            "(n 1) (<= (n (s ?x)) (n ?x)) (<= (k ?x) (n ?x) (m ?x))",
            id="what never ends stays, and what uses it",
        ),
        pytest.param(
            "(m a) (<= (init ?x) (m ?x)) (<= (legal r ?x) (m ?x))",
            "(m a) (<= (init ?x) (m ?x)) (<= (legal r ?x) (m ?x))",
            id="keywords stay",
        ),
    ],
)  # fmt: skip
def test_static_relations_become_facts(before: str, after: str) -> None:
    assert str(evaluate_static(parse_kif(before), max_rows=50)) == str(parse_kif(after))
