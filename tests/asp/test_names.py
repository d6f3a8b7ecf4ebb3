"""Names for clingo are reversible and never collide, checked through clingo itself."""

import clingo
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.asp import (
    asp_facts,
    asp_program,
    asp_relation,
    asp_symbol,
    asp_term,
    derive,
    gdl_name,
    read_symbol,
)
from ludorum.asp.names import SHEET_PREFIXES
from ludorum.rules import Term, parse_kif
from tests.rules.random_rules import ground_terms, symbols

AWKWARD = ["x-y", "007", "2147483647", "2147483648", "99999999999", "-1", "not", "+", "++", "x_", "x_1",
           "x__2d_1", "x_x_5f_", "_", "__", "_2d_", "p_true", "Upper", "ß", "名", "🂡", "", "two words",
           "a'b", "1a", "0", "00", "#inf", "a:b", "_x", "abc_2d_def", "x_not", "İ"]  # fmt: skip

# Names made of the very pieces that escaping uses.
tricky = st.lists(
    st.sampled_from(["x", "_", "2", "d", "5f", "-", "x_", "A", "not", "0", "7"]), max_size=6
).map("".join)
any_name = st.one_of(tricky, symbols, st.sampled_from(AWKWARD), st.text(max_size=4))


@pytest.mark.spec("asp-player", 9)
@pytest.mark.spec("filtering-gdl2", 35)
@given(any_name)
def test_every_name_comes_back(name: str) -> None:
    assert gdl_name(asp_symbol(name)) == name
    assert gdl_name(asp_symbol(name, functor=True)) == name


@pytest.mark.spec("asp-player", 9)
@given(any_name, any_name)
def test_different_names_stay_different(one: str, other: str) -> None:
    assert (asp_symbol(one) == asp_symbol(other)) == (one == other)
    for arities in ((1, 1), (0, 11), (1, 11)):
        mine, theirs = asp_relation(one, arities[0]), asp_relation(other, arities[1])
        assert (mine == theirs) == (one == other and arities[0] == arities[1])
        assert mine not in (asp_symbol(other), asp_symbol(other, functor=True))


@pytest.mark.spec("asp-player", 9)
@given(any_name)
def test_every_name_has_a_prefix_of_its_own(name: str) -> None:
    written = [asp_symbol(name, functor=True), asp_relation(name, 2)]
    assert all(text.startswith(SHEET_PREFIXES) for text in written)
    assert asp_symbol(name) in (name, written[0])  # a number stays one
    assert (asp_symbol(name) == name) == (name.isascii() and name.isdigit() and str(int(name)) == name
                                          and int(name) < 2**31)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "symbol"),
    [
        ("cell", "c_cell"), ("t", "c_t"), ("a_b", "c_a_b"), ("007", "c_007"), ("2147483648", "c_2147483648"),
        ("not", "c_not"), ("0", "0"), ("12", "12"), ("2147483647", "2147483647"), ("x-y", "x_x_2d_y"),
    ],
)  # fmt: skip
def test_plain_names_stay_readable(name: str, symbol: str) -> None:
    assert asp_symbol(name) == symbol


@pytest.mark.parametrize("symbol", ["t", "root", "e", "over", "p_true_1", "-3"])
def test_a_name_of_our_own_is_never_read_as_a_sheets(symbol: str) -> None:
    with pytest.raises(ValueError, match="no name of a sheet"):
        gdl_name(symbol)


@pytest.mark.spec("asp-player", 9)
@pytest.mark.spec("filtering-gdl2", 35)
def test_awkward_names_survive_clingo() -> None:
    rows = [(Term(name), Term(name, (Term(name), Term("f", (Term(name),))))) for name in AWKWARD]
    for relation in AWKWARD:
        found = derive(asp_facts(relation, rows), [(relation, 2)])
        assert set(found[relation, 2]) == set(rows)


@pytest.mark.long
@given(st.lists(ground_terms, max_size=5))
def test_terms_survive_clingo(terms: list[Term]) -> None:
    assert set(derive(asp_facts("p", [(term,) for term in terms]), [("p", 1)])["p", 1]) == {
        (term,) for term in terms
    }


@given(ground_terms)
def test_terms_survive_clingo_one_by_one(term: Term) -> None:
    assert read_symbol(clingo.parse_term(asp_term(term))) is term


def test_names_survive_the_way_through_rules() -> None:
    sheet = "(a-b +) (a-b 007) (a-b 7) (a-b |Up|) (a-b |up|)"
    sheet += "(<= (not-it ?x ?y) (a-b ?x) (a-b ?y) (distinct ?x ?y))"
    rows = derive(asp_program(parse_kif(sheet).rules), [("not-it", 2)])["not-it", 2]
    names = [Term(name) for name in ("+", "007", "7", "Up", "up")]
    assert set(rows) == {(one, other) for one in names for other in names if one is not other}


def test_a_variable_in_a_ground_term_is_an_error() -> None:
    (rule,) = parse_kif("(<= (p ?x) (q ?x))").rules
    with pytest.raises(ValueError, match="ground"):
        asp_term(rule.head)
