"""The Prolog dress: the same rules as in KIF, exact spans, faults where they are."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.rules import (
    Diagnostic,
    RulesError,
    Ruleset,
    Source,
    format_kif,
    format_prolog,
    load_source,
    parse_kif,
    parse_prolog,
    read_kif,
    read_prolog,
)
from ludorum.rules.prolog_reader import read_prolog_nodes
from ludorum.rules.syntax import MAX_DEPTH, MAX_READ_ERRORS, NodeKind
from tests.how_much import some
from tests.rules.random_rules import FIVE_GAMES, canonical, corpus_sheets, game_text, rulesets, sample


def faults_of(text: str) -> list[Diagnostic]:
    return read_prolog(Source("sheet", text))[1]


def places(text: str) -> list[tuple[str, int, int]]:
    return [(fault.code, fault.line, fault.column) for fault in faults_of(text)]


def heads(text: str) -> list[str]:
    return [str(rule.head) for rule in read_prolog(Source("sheet", text))[0].rules]


@pytest.mark.parametrize(
    ("prolog", "kif"),
    [
        ("role(x).", "(role x)"),
        ("p().", "p"),
        ("terminal :- line(x).", "(<= terminal (line x))"),
        ("p(X) <- q(X).", "(<= (p ?x) (q ?x))"),
        ("legal(P,mark(M,N)) :- role(P), true(cell(M,N,b)), not true(x), distinct(M,N).",
         "(<= (legal ?p (mark ?m ?n)) (role ?p) (true (cell ?m ?n b)) (not (true x)) (distinct ?m ?n))"),
        ("p :- a ; b.", "(<= p (or a b))"),
        ("p :- a, b ; c.", "(<= p (or (and a b) c))"),
        ("p :- a, (b ; c, d).", "(<= p a (or b (and c d)))"),
        ("p :- (a, b), c.", "(<= p (and a b) c)"),
        ("p :- ((a ; b) ; c).", "(<= p (or (or a b) c))"),
        ("p :- (a).", "(<= p a)"),
        ("p :- not(a).", "(<= p (not a))"),
        ("p :- not not a.", "(<= p (not (not a)))"),
        ("p :- \\+ a, ~b.", "(<= p (not a) (not b))"),
        ("p :- not (a, b).", "(<= p (not (and a b)))"),
        ("p :- not((a ; b)).", "(<= p (not (or a b)))"),
        ("p :- or(a, and(b, c)).", "(<= p (or a (and b c)))"),
        ("p(X) :- q(X, Y), X \\= Y.", "(<= (p ?x) (q ?x ?y) (distinct ?x ?y))"),
        ("p(X) :- q(X, Y), not X \\= f(Y).", "(<= (p ?x) (q ?x ?y) (not (distinct ?x (f ?y))))"),
        ("p('like this', '+', 'It''s', 'a\\\\b').", "(p |like this| + |It's| |a\\\\b|)"),
        ("succ(0, 1). p(-1, 007, 2147483648, 0.5).", "(succ 0 1) (p -1 007 2147483648 0.5)"),
        ("moveUp(whitePawn).", "(moveup whitepawn)"),
        ("'x-y'(1). '1'(2).", "(x-y 1) (1 2)"),
        ("p(not). q(not, a).", "(p not) (q not a)"),
        ("% one\np. /* two.\n q(X) :- */ r. % three", "p r"),
        ("\ufeffp.\r\nq.\r\n", "p q"),
        ("p(+).", "(p +)"),
    ],
)  # fmt: skip
def test_both_dresses_say_the_same(prolog: str, kif: str) -> None:
    assert parse_prolog(prolog) == parse_kif(kif)


def test_an_underscore_is_a_new_variable_each_time() -> None:
    assert parse_prolog("p :- q(_, _, _1, _X).") == parse_kif("(<= p (q ?_2 ?_3 ?_1 ?_x))")


def test_variables_that_fold_together_are_kept_apart() -> None:
    rules = parse_prolog("p(Xa, XA, Xa_2) :- q(XA, Xa).")
    assert rules == parse_kif("(<= (p ?xa ?xa_3 ?xa_2) (q ?xa_3 ?xa))")


def test_spans_are_exact() -> None:
    text = "% c\nlegal(P, mark('A b', _)) :-\n  not (a ; b(X)), \\+ c, X \\= 'It''s'.\n"
    (node,), faults = read_prolog_nodes(Source("sheet", text))
    assert not faults
    cuts = [(inner.kind, text[inner.span.start : inner.span.end]) for inner in node.walk()]
    lists = [cut for kind, cut in cuts if kind is NodeKind.LIST]
    assert lists[:2] == [text[4:-2], "legal(P, mark('A b', _))"]
    assert lists[2:] == ["mark('A b', _)", "not (a ; b(X))", "(a ; b(X))", "b(X)", "\\+ c", "X \\= 'It''s'"]
    assert [cut for kind, cut in cuts if kind is NodeKind.VARIABLE] == ["P", "_", "X", "X"]
    signs = [cut for kind, cut in cuts if kind is NodeKind.SYMBOL]
    assert signs == [":-", "legal", "mark", "'A b'", "not", ";", "a", "b", "\\+", "c", "\\=", "'It''s'"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("role(x)\nrole(y).", [("period", 1, 8)]),
        ("role(x) role(y).", [("period", 1, 8)]),
        ("p :- q,\n     r\ns :- t.\n", [("period", 2, 7)]),
        ("p :- q,\n     r,\ns :- t.\n", [("period", 2, 7)]),
        ("a, b :- c.", [("period", 1, 2)]),
        ("p :- q", [("period", 1, 7)]),
        ("legal(P,mark(M,N) :- role(P).\nq.", [("bracket", 1, 6)]),
        ("p :- true(cell(1), q.\nr.", [("bracket", 1, 10)]),
        ("p :- true(cell(1)\nr :- s.", [("bracket", 1, 10), ("period", 1, 18)]),
        ("p :- not (a, b.", [("bracket", 1, 10)]),
        ("p(a)) :- q.", [("bracket", 1, 5)]),
        ("p(a,).", [("syntax", 1, 5)]),
        ("p :- , q.", [("syntax", 1, 6)]),
        ("p :- q,.", [("syntax", 1, 7)]),
        ("p :- .", [("syntax", 1, 3)]),
        (":- dynamic p.", [("syntax", 1, 1)]),
        ("p, q.", [("syntax", 1, 2)]),
        ("p :- q r.", [("syntax", 1, 7)]),
        ("p :- mark (x).", [("syntax", 1, 10)]),
        ("p :- ().", [("syntax", 1, 7)]),
        (". p.", [("syntax", 1, 1)]),
        ("p(X) :- q(X, Y), X = Y.", [("not-gdl", 1, 20)]),
        ("p(X) :- q(X, Y), X < Y.", [("not-gdl", 1, 20)]),
        ("p(X) :- X is 3.", [("not-gdl", 1, 11)]),
        ("p <= q.", [("not-gdl", 1, 3)]),
        ("p([a,b]).", [("not-gdl", 1, 3)]),
        ("p('a).\nq.", [("quote", 1, 3)]),
        ("p.\n/* open", [("comment", 2, 1)]),
        ("p :- not(a, b).", [("connective-arity", 1, 6)]),
        ("X :- p.", [("variable-sentence", 1, 1)]),
    ],
)
def test_faults_are_reported_where_they_are(text: str, expected: list[tuple[str, int, int]]) -> None:
    assert places(text) == expected


def test_reading_goes_on_after_a_fault_and_lists_all() -> None:
    text = "role(a)\nrole(b).\np(x :- q.\nr :- s = t, u.\nv)).\nw :- x y\nz.\n"
    assert [(fault.code, fault.line) for fault in faults_of(text)] == [
        ("period", 1), ("bracket", 3), ("not-gdl", 4), ("bracket", 5), ("syntax", 6),
    ]  # fmt: skip
    assert heads(text) == ["(role a)", "(role b)", "z"]
    with pytest.raises(RulesError) as caught:
        parse_prolog(text, "sheet.pl")
    assert len(caught.value.diagnostics) == 5


def test_a_rule_without_its_period_is_still_read() -> None:
    assert heads("p :- q,\n     r\ns :- t.\nu") == ["p", "s", "u"]


@pytest.mark.long
def test_nesting_is_bounded_and_reading_never_recurses() -> None:
    deep = "f(" * (MAX_DEPTH - 1) + "x" + ")" * (MAX_DEPTH - 1)
    assert faults_of(f"f({deep}).") == []
    for text in (f"f(f({deep})).", "f(" * 50_000, "p :- " + "(" * 50_000, "p :- " + "not " * 50_000 + "q."):
        assert "nesting" in [fault.code for fault in faults_of(text)]
    ladder = "a"
    for _ in range(MAX_DEPTH):
        ladder = f"(b ; c, {ladder})"
    assert [fault.code for fault in faults_of(f"p :- {ladder}.")] == ["nesting"]


def test_long_clauses_are_read_in_one_go() -> None:
    many = ", ".join(f"q(_, X{number})" for number in range(5_000))
    (rule,) = parse_prolog(f"p :- {many}.").rules
    assert len(rule.body) == 5_000


def test_rubbish_gives_a_bounded_number_of_faults() -> None:
    for rubbish in (")" * 5_000, "p. )" * 5_000, "'\n" * 5_000, "a b\n" * 5_000):
        assert 1 <= len(faults_of(rubbish)) <= MAX_READ_ERRORS


@given(st.text(alphabet="().,;:-'_\\+=~ \n%*/paXY", max_size=60))
def test_any_text_is_read_or_faulted(text: str) -> None:
    rules, faults = read_prolog(Source("any", text))
    assert all(0 <= fault.span.start <= fault.span.end <= len(text) for fault in faults)
    if not faults:
        assert canonical(parse_prolog(format_prolog(rules))) == canonical(rules)


@pytest.mark.long
@settings(max_examples=some(100, 4))
@given(rulesets)
def test_rules_survive_both_dresses(ruleset: Ruleset) -> None:
    there = parse_prolog(format_prolog(ruleset))
    assert canonical(parse_kif(format_kif(there))) == canonical(ruleset)


@pytest.mark.parametrize("game", FIVE_GAMES)
def test_our_games_survive_both_dresses(game: str) -> None:
    rules = parse_kif(game_text(game))
    assert parse_prolog(format_prolog(rules)) == rules


def survives_both_dresses(path: Path) -> bool:
    rules, _ = read_kif(load_source(path))
    return canonical(parse_kif(format_kif(parse_prolog(format_prolog(rules))))) == canonical(rules)


@pytest.mark.long
@pytest.mark.corpus
def test_corpus_sheets_survive_both_dresses() -> None:
    assert [path.name for path in sample(corpus_sheets(), 27) if not survives_both_dresses(path)] == []


@pytest.mark.corpus
@pytest.mark.slow
def test_every_corpus_sheet_survives_both_dresses() -> None:
    assert [path.name for path in corpus_sheets() if not survives_both_dresses(path)] == []


def test_printing_quotes_what_needs_it() -> None:
    rules = parse_kif(
        "(<= (p |It's| 007 12 -3 not |Up| x-y ?x ?x-1 ?1) (or (and a b) c) (not (or d e)) (and f))"
    )
    assert format_prolog(rules) == (
        "p('It\\'s', '007', 12, -3, 'not', 'Up', 'x-y', X, X_1, _1_) :-\n"
        "    (a, b ; c),\n    not (d ; e),\n    and(f).\n"
    )
