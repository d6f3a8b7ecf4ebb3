"""Terms are interned, immutable, ordered as people expect, and survive copying."""

import copy
import pickle
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.rules import Pattern, Term, Variable, parse_pattern, parse_term
from ludorum.rules.syntax import MAX_DEPTH
from ludorum.rules.terms import as_integer, depth_of, match, sort_key, substitute, variables_of
from tests.how_much import some
from tests.rules.random_rules import ground_terms, patterns


def test_equal_terms_are_one_object() -> None:
    assert Term("f", (Term("a"), Variable("x"))) is Term("f", (Term("a"), Variable("x")))
    assert Term("f") is not Term("F")
    assert len({Term("x"), Variable("x")}) == 2
    assert Term("1") is not Term("01")


def test_terms_made_in_many_threads_are_one_object() -> None:
    made: list[list[Term]] = []

    def work() -> None:
        made.append([Term("g", (Term(str(number)),)) for number in range(500)])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(one is other for others in made for one, other in zip(made[0], others, strict=True))


@given(patterns)
def test_pickle_and_copy_keep_identity(pattern: Pattern) -> None:
    assert pickle.loads(pickle.dumps(pattern)) is pattern
    assert copy.deepcopy(pattern) is pattern


def test_the_deepest_term_survives_everything() -> None:
    deep = Term("x")
    for _ in range(MAX_DEPTH - 1):
        deep = Term("f", (deep,))
    assert pickle.loads(pickle.dumps(deep)) is deep
    assert parse_term(str(deep)) is deep
    assert depth_of(deep) == MAX_DEPTH - 1
    assert sort_key(deep) == sort_key(deep)


def test_terms_are_immutable() -> None:
    with pytest.raises(AttributeError):
        Term("f").name = "g"
    with pytest.raises(AttributeError):
        Variable("x").name = "y"


def test_numbers_come_first_and_by_value() -> None:
    terms = [parse_term(text) for text in ("(f 2)", "b", "10", "(f 10)", "9", "a", "-1", "(e 1 1)", "007")]
    assert list(map(str, sorted(terms))) == ["-1", "9", "10", "007", "a", "b", "(e 1 1)", "(f 2)", "(f 10)"]


@pytest.mark.long
@given(st.lists(ground_terms, max_size=6))
def test_the_order_is_total(terms: list[Term]) -> None:
    in_order = sorted(terms)
    turned = terms[::-1]
    assert in_order == sorted(turned)
    assert sorted(set(terms), key=sort_key) == sorted(set(in_order))


@pytest.mark.parametrize(
    ("text", "value"), [("0", 0), ("100", 100), ("-5", -5), ("007", None), ("a", None), ("-0", None)]
)
def test_only_canonical_numbers_are_integers(text: str, value: int | None) -> None:
    assert as_integer(Term(text)) == value


@pytest.mark.long
@settings(max_examples=some(100, 4))
@given(patterns, st.lists(ground_terms, min_size=12, max_size=12))
def test_matching_finds_what_substitution_put_in(pattern: Pattern, values: list[Term]) -> None:
    wanted = dict(zip(dict.fromkeys(variables_of(pattern)), values, strict=False))
    ground = substitute(pattern, dict(wanted))
    assert ground.is_ground
    assert match(pattern, ground, {}) == wanted


@pytest.mark.parametrize(
    ("pattern", "ground"),
    [("(f ?x ?x)", "(f a b)"), ("(f ?x)", "a"), ("(f ?x)", "(g a)"), ("(f ?x)", "(f a b)")],
)
def test_what_does_not_fit_does_not_match(pattern: str, ground: str) -> None:
    assert match(parse_pattern(pattern), parse_term(ground), {}) is None


def test_a_term_shows_itself_as_kif() -> None:
    assert str(parse_term("(F |A b| 1)")) == "(f |A b| 1)"
    assert eval(repr(parse_term("(f a)"))) is parse_term("(f a)")
    assert eval(repr(Term("a"))) is Term("a")
