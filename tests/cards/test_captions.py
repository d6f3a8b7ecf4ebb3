"""Captions: what every printed one means, what signs bind; of the rest nothing but ChartError comes."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.cards.language.captions import (
    format_condition,
    format_statement,
    parse_condition,
    parse_statement,
)
from ludorum.cards.language.faults import ChartError, ChartFault
from ludorum.cards.language.terms import Term, format_term, number, operation
from tests.cards.printed import CONDITIONS, STATEMENTS

PRINTED = [(text, parse_statement) for text in STATEMENTS] + [(text, parse_condition) for text in CONDITIONS]


@pytest.mark.spec("card-games-fcdl", 5)
@pytest.mark.parametrize(("text", "term"), STATEMENTS.items())
def test_every_printed_statement_means_its_term(text: str, term: str) -> None:
    assert format_term(parse_statement(text)) == term
    assert format_term(parse_statement(text.replace(",", " , ").replace("=", " = "))) == term


@pytest.mark.spec("card-games-fcdl", 5)
@pytest.mark.parametrize(("text", "term"), CONDITIONS.items())
def test_every_printed_condition_means_its_term(text: str, term: str) -> None:
    assert format_term(parse_condition(text)) == term


@pytest.mark.spec("card-games-fcdl", 5)
@pytest.mark.parametrize(
    ("text", "term"),
    [
        # and binds looser than comparison, or looser still
        ("a==b&c<d", "operation(and,equal(a,b),lessThan(c,d))"),
        ("a|b&c", "operation(or,a,operation(and,b,c))"),
        ("(a|b)&c", "operation(and,operation(or,a,b),c)"),
        ("a|b|c", "operation(or,operation(or,a,b),c)"),
        ("a+1<b", "lessThan(operation(add,a,1),b)"),
        ("a-b-c", "operation(subtract,operation(subtract,a,b),c)"),
        ("a-(b-c)", "operation(subtract,a,operation(subtract,b,c))"),
        ("a+b%c", "operation(add,a,operation(modulo,b,c))"),
        ("a%b%c", "operation(modulo,operation(modulo,a,b),c)"),
        ("a&&b||c", "operation(or,operation(and,a,b),c)"),
    ],
)
def test_what_signs_bind(text: str, term: str) -> None:
    assert format_term(parse_condition(text)) == term


def test_comparisons_do_not_chain() -> None:
    with pytest.raises(ChartError) as found:
        parse_condition("a<b<c", 12)
    fault = found.value.diagnostics[0]
    assert isinstance(fault, ChartFault)
    assert (fault.code, fault.node, fault.column) == ("caption-syntax", 12, 4)


@pytest.mark.spec("card-games-fcdl", 9)
@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("a!=b", "neg(equal(a,b))"),
        ("a<=b", "neg(greaterThan(a,b))"),
        ("a>=b", "neg(lessThan(a,b))"),
        ("!passed(p)", "neg(passed(p))"),
        ("!!a", "neg(neg(a))"),
        ("!(a&b)", "neg(operation(and,a,b))"),
        ("abs(a-b)", "abs(operation(subtract,a,b))"),
        ("a*b/c", "operation(divide,operation(multiply,a,b),c)"),
        ("-a", "operation(subtract,0,a)"),
        ("-3", "-3"),
    ],
)
def test_extension_signs_become_functions(text: str, term: str) -> None:
    assert format_term(parse_condition(text)) == term
    assert parse_condition(format_condition(parse_condition(text))) is parse_condition(text)


ATOMS = st.sampled_from(["leader", "i", "trumps", "any", "hearts", "lastSuit", "queen", "true"]).map(Term)
NUMBERS = st.integers(-99, 99).map(number)


def functions(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    one, two = st.tuples(inner), st.tuples(inner, inner)
    return st.one_of(
        st.builds(Term, st.sampled_from(["score", "player", "suit", "middle", "neg", "own"]), one),
        st.builds(
            Term, st.sampled_from(["card", "equal", "lessThan", "greaterThan", "union", "playerHas"]), two
        ),
        st.builds(
            operation,
            st.sampled_from(["and", "or", "add", "subtract", "modulo", "multiply", "divide"]),
            inner,
            inner,
        ),
    )


TERMS = st.recursive(ATOMS | NUMBERS, functions, max_leaves=12)
NAMES = ATOMS | st.builds(Term, st.sampled_from(["score", "own"]), st.tuples(TERMS))


@pytest.mark.spec("card-games-fcdl", 6)
@given(TERMS)
def test_a_condition_is_read_back_as_it_was_written(term: Term) -> None:
    assert parse_condition(format_condition(term)) is term


@pytest.mark.spec("card-games-fcdl", 6)
@given(NAMES, TERMS)
def test_an_assignment_is_read_back_as_it_was_written(name: Term, value: Term) -> None:
    term = Term("assign", (name, value))
    assert parse_statement(format_statement(term)) is term


@pytest.mark.spec("card-games-fcdl", 6)
@pytest.mark.parametrize(("text", "parse"), PRINTED)
def test_a_printed_caption_is_printed_the_same(text: str, parse: object) -> None:
    assert callable(parse)
    write = format_statement if parse is parse_statement else format_condition
    assert write(parse(text)) == text


@given(st.sampled_from(PRINTED), st.data())
def test_a_caption_with_one_character_changed_is_told_or_read(
    one: tuple[str, object], data: st.DataObject
) -> None:
    text, parse = one
    at = data.draw(st.integers(0, len(text)))
    character = data.draw(st.characters() | st.sampled_from('()=<>!&|+-%*/,."#{}~ \n\t0aZ_'))
    width = data.draw(st.integers(0, 1))
    assert callable(parse)
    changed = text[:at] + character + text[at + width :]
    try:
        parse(changed, 7)
    except ChartError as error:
        (fault,) = error.diagnostics
        assert isinstance(fault, ChartFault)
        assert fault.node == 7
        assert 1 <= fault.column <= len(changed) + 1
        assert str(fault)


@given(st.text(max_size=200))
def test_any_text_is_a_caption_or_a_fault(text: str) -> None:
    for parse in (parse_statement, parse_condition):
        with contextlib.suppress(ChartError):
            parse(text)


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("", 1, "empty"),
        ("score(p)=", 10, "ends too early"),
        ("score(p)=)", 10, "not expected"),
        ("a=#", 3, "no meaning"),
        ('publish("half)', 9, "no meaning"),
        ("playCard(player(0),card(any,any)", 33, "ends too early"),
        ("a b", 3, "not expected"),
    ],
)
def test_a_syntax_error_says_where(text: str, column: int, words: str) -> None:
    with pytest.raises(ChartError) as found:
        parse_statement(text, 3)
    (fault,) = found.value.diagnostics
    assert (fault.code, fault.column) == ("caption-syntax", column)
    assert words in fault.message
    assert fault.hint


def test_a_caption_that_never_ends_is_refused() -> None:
    with pytest.raises(ChartError, match="too long"):
        parse_condition("(" * 100_000)
    with pytest.raises(ChartError, match="inside each other"):
        parse_condition("!" * 1900 + "a")
