"""Unification: equal afterwards, most general, and no term inside itself."""

from hypothesis import given
from hypothesis import strategies as st

from ludorum.rules.kif import parse_kif
from ludorum.rules.terms import Pattern, Term, Variable
from ludorum.rules.unify import resolve, unify

_patterns: st.SearchStrategy[Pattern] = st.recursive(
    st.sampled_from([Term("a"), Term("b"), Variable("x"), Variable("y"), Variable("z")]),
    lambda inner: st.builds(Term, st.sampled_from("fg"), st.lists(inner, min_size=1, max_size=2).map(tuple)),
    max_leaves=6,
)


@given(_patterns, _patterns)
def test_unified_patterns_are_equal(left: Pattern, right: Pattern) -> None:
    values = unify(left, right)
    if values is not None:
        assert resolve(left, values) is resolve(right, values)
    else:
        assert left is not right


def head(text: str) -> Term:
    return parse_kif(text).rules[0].head


def test_values_of_values_are_put_in() -> None:
    values = unify(Term("p", (Variable("x"), Variable("x"))), Term("p", (Variable("y"), Term("a"))))
    assert values is not None
    assert resolve(Variable("x"), values) is resolve(Variable("y"), values) is Term("a")


def test_no_term_contains_itself() -> None:
    assert unify(Variable("x"), Term("f", (Variable("x"),))) is None
    left = Term("p", (Variable("x"), Variable("y")))
    assert unify(left, Term("p", (Term("f", (Variable("y"),)), Term("f", (Variable("x"),))))) is None


def test_different_symbols_do_not_unify() -> None:
    assert unify(head("(p a)"), head("(p b)")) is None
    assert unify(head("(p a)"), head("(p a b)")) is None
