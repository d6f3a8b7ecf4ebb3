"""KIF: the reader keeps exact spans and finds bracket faults where they are; the writer is its twin."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.rules import (
    And,
    Atom,
    Diagnostic,
    Distinct,
    Not,
    Or,
    RulesError,
    Source,
    Term,
    Variable,
    format_kif,
    format_term,
    parse_kif,
    parse_pattern,
    parse_term,
    read_kif,
)
from ludorum.rules.kif import TOKEN, read_nodes
from ludorum.rules.syntax import MAX_DEPTH, MAX_READ_ERRORS, NodeKind, decode_source
from tests.corpus_location import ROOT
from tests.how_much import FULL, some
from tests.rules.random_rules import (
    FIVE_GAMES,
    corpus_sheets,
    game_text,
    ground_terms,
    patterns,
    rulesets,
    sample,
)


def faults_of(text: str) -> list[Diagnostic]:
    return read_kif(Source("sheet", text))[1]


def places(text: str) -> list[tuple[str, int, int]]:
    return [(fault.code, fault.line, fault.column) for fault in faults_of(text)]


# -- reading ----------------------------------------------------------------------------------------------


def in_capitals_on_one_line(text: str) -> str:
    tokens = [token.group() for token in TOKEN.finditer(text) if token.lastgroup != "comment"]
    return " ".join(token.upper() for token in tokens)


def one_token_a_line(text: str) -> str:
    tokens = [token.group() for token in TOKEN.finditer(text) if token.lastgroup != "comment"]
    return "".join(f"\t{token} ; ) ({token}\r\n" for token in tokens)


@pytest.mark.spec("asp-player", 1)
@pytest.mark.parametrize("game", FIVE_GAMES)
def test_a_game_is_the_same_in_three_layouts(game: str) -> None:
    text = game_text(game)
    rules = parse_kif(text)
    assert len(rules.rules) > 10
    assert parse_kif(in_capitals_on_one_line(text)) == rules
    assert parse_kif(one_token_a_line(text)) == rules
    assert parse_kif("\ufeff" + text.replace("\n", "\r\n").replace(" ", "\t")) == rules


@pytest.mark.parametrize("game", FIVE_GAMES)
def test_spans_are_exact(game: str) -> None:
    source = Source(game, game_text(game))
    nodes, faults = read_nodes(source)
    assert not faults
    for top in nodes:
        for node in top.walk():
            text = source.text[node.span.start : node.span.end]
            if node.kind is NodeKind.LIST:
                assert text[0] == "("
                assert text[-1] == ")"
            else:
                assert text.lower() == ("?" if node.kind is NodeKind.VARIABLE else "") + node.name


def test_formulas_and_heads_know_their_text() -> None:
    source = Source("sheet", "(<= (next  ?F)\n   (or (true ?f) (not (p))))")
    (rule,) = read_kif(source)[0].rules
    cut = [
        source.text[node.span.start : node.span.end]
        for node in (rule.head_node, rule.body[0].node, rule.node)
    ]
    assert cut == ["(next  ?F)", "(or (true ?f) (not (p)))", source.text]


@pytest.mark.parametrize("text", ["(p)", "p", "( p )", "(\tP\r\n)", "\ufeffp", "|p|", "; (q\np ; )"])
def test_a_proposition_with_and_without_brackets_is_the_same(text: str) -> None:
    assert [rule.head for rule in parse_kif(text).rules] == [Term("p")]


def test_case_counts_only_between_bars() -> None:
    rules = parse_kif("(ROLE Alice) (role |Alice|) (role |two words|) (role |a\\|b|)").rules
    assert [rule.head.args[0] for rule in rules] == [
        Term("alice"),
        Term("Alice"),
        Term("two words"),
        Term("a|b"),
    ]


def test_variables_fold_too() -> None:
    (rule,) = parse_kif("(<= (p ?X) (q ?x))").rules
    assert rule.head.args == (Variable("x"),)


@pytest.mark.parametrize(
    "symbol", ["+", "++", "-1", "x-y", "<", "1,2", "a.b", "'", '"', "%", "?", "==>", "名", "a|b"]
)
def test_odd_symbols_are_symbols(symbol: str) -> None:
    assert parse_term(f"(f {symbol})") == Term("f", (Term(symbol),))


def test_comments_end_with_the_line_whatever_ends_it() -> None:
    for end in ("\n", "\r\n", "\r"):
        assert len(parse_kif(f"; one{end}(p a) ; two ({end}(q b)").rules) == 2


def test_nesting_is_bounded_and_reading_never_recurses() -> None:
    deep = "(f " * (MAX_DEPTH - 1) + "x" + ")" * (MAX_DEPTH - 1)
    assert parse_term(deep) is parse_term(str(parse_term(deep)))
    assert [fault.code for fault in faults_of("(" * 100_000)] == ["nesting"]
    assert faults_of(f"(f {deep})") == []
    assert [fault.code for fault in faults_of(f"(f (f {deep}))")] == ["nesting"]


def test_rubbish_gives_a_bounded_number_of_faults() -> None:
    assert 1 <= len(faults_of(")" * 10_000)) <= MAX_READ_ERRORS


@given(st.text(alphabet="()<=|?;ab \n\\", max_size=60))
def test_any_text_is_read_or_faulted(text: str) -> None:
    rules, faults = read_kif(Source("any", text))
    assert all(0 <= fault.span.start <= fault.span.end <= len(text) for fault in faults)
    if not faults:
        assert parse_kif(format_kif(rules)) == rules


# -- bracket faults are reported where they are -----------------------------------------------------------


@pytest.mark.long
@pytest.mark.spec("asp-player", 2)
@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=[pytest.mark.slow] * (game not in ("buttons", "tictactoe")))
        for game in FIVE_GAMES
    ],
)
def test_any_one_bracket_removed_is_one_fault_inside_its_rule(game: str) -> None:
    text = game_text(game)
    nodes, _ = read_nodes(Source(game, text))
    for node in nodes:
        for found in re.finditer(r"[()]", text[node.span.start : node.span.end]):
            at = node.span.start + found.start()
            _, faults = read_nodes(Source(game, text[:at] + text[at + 1 :]))
            assert [fault.code for fault in faults] == ["bracket"]
            assert node.span.start <= faults[0].span.start < node.span.end
            assert faults[0].line >= 1
            assert faults[0].column >= 1


def test_missing_inside_a_body_is_reported_at_the_literal() -> None:
    text = "(role a)\n(<= (next p)\n    (true (q 1)\n    (does a go))\n(role b)\n"
    assert places(text) == [("bracket", 3, 5)]
    assert [str(rule) for rule in read_kif(Source("sheet", text))[0].rules] == ["(role a)", "(role b)"]


def test_missing_at_the_end_of_the_text() -> None:
    assert places("(role a)\n(<= (next p)\n    (true q)\n") == [("bracket", 2, 1)]


def test_missing_at_the_end_of_a_rule_does_not_swallow_the_next() -> None:
    text = "(<= (next p)\n    (true q)\n(<= (next r)\n    (true s))\n(init p)"
    assert places(text) == [("bracket", 1, 1)]
    assert len(read_kif(Source("sheet", text))[0].rules) == 2


def test_one_too_many_is_reported_at_itself() -> None:
    assert places("(role a)\n(init (p 1)))\n(init (p 2))") == [("bracket", 2, 13)]


def test_a_missing_opening_bracket_before_the_arrow() -> None:
    text = "(role a)\n<= (next p) (true q))\n(init q)"
    assert places(text) == [("bracket", 2, 1)]
    assert len(read_kif(Source("sheet", text))[0].rules) == 3


def test_brackets_in_comments_do_not_count() -> None:
    assert places("(role a) ; )))\n; (((\n(init p)") == []
    assert places("(role a ; )\n(init p)") == [("bracket", 1, 1)]


def test_all_faults_come_in_one_run() -> None:
    text = "(role a))\n(<= (next p)\n    (true (q 1)\n    (r))\n(init ())\n(<=)\n(<= ?x)\n"
    text += "(p (distinct))\n(<= q (not))\n"
    codes = [("bracket", 1, 9), ("bracket", 3, 5), ("empty-list", 5, 7), ("empty-rule", 6, 1)]
    codes += [("variable-sentence", 7, 5), ("connective-arity", 9, 7)]
    assert places(text) == codes
    with pytest.raises(RulesError) as caught:
        parse_kif(text, "sheet")
    assert len(caught.value.diagnostics) == len(codes)
    assert "sheet:3:5: error[bracket]" in str(caught.value)
    assert caught.value.diagnostics[0].as_json()["line"] == 1


def test_an_unclosed_bar_is_a_fault() -> None:
    assert places("(role |a)\n(role b)") == [("quote", 1, 7)]


@pytest.mark.parametrize("data", [b"(role \xff)", b"(role \x00)", b"\x89PNG\r\n\x1a\n"])
def test_what_is_no_text_is_refused(data: bytes) -> None:
    with pytest.raises(RulesError) as caught:
        decode_source(data, "sheet")
    assert caught.value.diagnostics[0].code == "not-text"


def test_a_byte_order_mark_is_no_symbol() -> None:
    assert len(parse_kif(decode_source(b"\xef\xbb\xbf(role a)", "sheet").text).rules) == 1


# -- writing ----------------------------------------------------------------------------------------------


@pytest.mark.spec("asp-player", 3)
@given(ground_terms)
def test_moves_of_any_depth_print_and_parse(term: Term) -> None:
    assert parse_term(format_term(term)) is term
    assert parse_term(str(term)) is term


@given(patterns)
def test_patterns_print_and_parse(pattern: Term | Variable) -> None:
    assert parse_pattern(format_term(pattern)) is pattern


@pytest.mark.long
@settings(max_examples=some(100, 4))
@given(rulesets)
def test_rules_print_and_parse(ruleset) -> None:  # type: ignore[no-untyped-def]
    assert parse_kif(format_kif(ruleset)) == ruleset
    assert parse_kif(str(ruleset)) == ruleset


@pytest.mark.parametrize("text", ["", "(a) (b)", "?x", "(f ?x)", "(f", "f)", "()", "((f) x)"])
def test_what_is_not_one_ground_term_is_refused(text: str) -> None:
    with pytest.raises(RulesError):
        parse_term(text)


CONNECTED = """
(<= (h ?x ?y)
    (p ?x ?y)
    (or (q ?x) (not (and (q ?y) (not (or (p ?y ?x) (distinct ?x ?y))))))
    (not (distinct ?y a)))
"""


@pytest.mark.spec("evaluation-functions", 1)
def test_nested_connectives_are_read_as_they_are_written() -> None:
    (rule,) = parse_kif(CONNECTED).rules
    x, y = Variable("x"), Variable("y")
    first, either, last = rule.body
    assert first == Atom(Term("p", (x, y)))
    inner = Or((Atom(Term("p", (y, x))), Distinct(x, y)))
    assert either == Or((Atom(Term("q", (x,))), Not(And((Atom(Term("q", (y,))), Not(inner))))))
    assert last == Not(Distinct(y, Term("a")))
    assert parse_kif(format_kif(parse_kif(CONNECTED))) == parse_kif(CONNECTED)


@pytest.mark.spec("evaluation-functions", 1)
def test_library_sheets_print_and_parse() -> None:
    sheets = sorted([*(ROOT / "games" / "gdl").glob("*.kif"), *(ROOT / "games" / "gdl2").glob("*.kif")])
    assert len(sheets) > 40
    text = ""
    for path in sheets:
        rules = parse_kif(path.read_text())
        written = format_kif(rules)
        assert len(rules.rules) > 10, path.name
        assert parse_kif(written) == rules, path.name
        text += written
    assert all(f"({word} " in text for word in ("or", "not", "distinct"))


@pytest.mark.long
@pytest.mark.corpus
@pytest.mark.spec("evaluation-functions", 1)
def test_corpus_sheets_print_and_parse() -> None:
    """All of them in the full tests."""
    for path in corpus_sheets() if FULL else sample(corpus_sheets(), 27):
        rules, faults = read_kif(decode_source(path.read_bytes(), path.name))
        assert faults == [] or "invalid" in path.parts
        assert parse_kif(format_kif(rules)) == rules
