"""Unfolding: rules before, rules after."""

import pytest

from ludorum.rules.kif import parse_kif
from ludorum.rules.normalise.unfold_single_use import unfold_single_use


def rewritten(text: str) -> str:
    return str(unfold_single_use(parse_kif(text)))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            "(<= (h ?x) (p ?x) (q ?x)) (<= (p ?y) (r ?y) (not (s ?y)))",
            "(<= (h ?x) (r ?x) (not (s ?x)) (q ?x))",
            id="a helper goes into its user",
        ),
        pytest.param(
            "(<= (h ?x) (p ?x)) (<= (p ?x) (q ?x)) (<= (q ?x) (r ?x))",
            "(<= (h ?x) (r ?x))",
            id="a chain of helpers goes in one step",
        ),
        pytest.param(
            "(<= (h ?x ?y) (p (f ?x) ?y)) (<= (p ?y (g ?x)) (r ?y ?x))",
            "(<= (h ?x (g ?x_)) (r (f ?x) ?x_))",
            id="arguments unify and variables stay apart",
        ),
        pytest.param(
            "(<= (h ?x) (p a ?x)) (<= (p b ?x) (r ?x)) (k 1)",
            "(k 1)",
            id="a rule whose helper never fits can never fire",
        ),
    ],
)
def test_single_uses_are_unfolded(before: str, after: str) -> None:
    assert rewritten(before) == str(parse_kif(after))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("(<= (h ?x) (q ?x) (not (p ?x))) (<= (p ?x) (r ?x) (s ?x))", id="used under not"),
        pytest.param("(<= (h ?x) (p ?x)) (<= (k ?x) (p ?x)) (<= (p ?x) (r ?x))", id="used twice"),
        pytest.param("(<= (h ?x) (p ?x)) (<= (p ?x) (r ?x)) (<= (p ?x) (s ?x))", id="two rules"),
        pytest.param("(<= (h ?x) (p ?x)) (<= (p ?x) (r ?x ?y))", id="hides a variable"),
        pytest.param("(<= (p ?x) (q ?x)) (<= (q ?x) (p ?x))", id="a circle"),
        pytest.param("(<= (h ?x) (p ?x)) (p a)", id="a fact"),
        pytest.param("(<= (h ?x) (true ?x)) (<= (h ?x) (legal r ?x)) (<= (legal r ?x) (q ?x))", id="keyword"),
    ],
)
def test_everything_else_stays(text: str) -> None:
    assert rewritten(text) == str(parse_kif(text))
