"""The standard layout: stable, keeps every comment, never changes the rules."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.rules import (
    RulesError,
    Source,
    format_as,
    format_text,
    load_source,
    parse_kif,
    parse_rules,
    read_kif,
)
from ludorum.rules.kif import TOKEN
from ludorum.rules.prolog_tokens import PROLOG_TOKEN
from tests.rules.random_rules import canonical, corpus_sheets, sample

BEFORE = """\ufeff;;; A game
   ;   with an indented comment


(ROLE  a)(role |B c|)   ; two roles

(<= (next ?X) ; head
  (true ?x) (not (does a go))

  ; own line
  (or (p ?x)
      q) ; last
) ; after

(<= terminal (true over) ; reason
  ; dangling
  )
(<= only) p
"""

AFTER = """;;; A game
;   with an indented comment

(role a)
(role |B c|) ; two roles

(<= (next ?x) ; head
    (true ?x)
    (not (does a go))
    ; own line
    (or (p ?x) q)) ; last
; after

(<= terminal
    (true over) ; reason
    ; dangling
)
(<= only)
p
"""

PROLOG = """%%% A game
%   with an indented comment

role(a).
role('B c'). % two roles

% head
% own line
% last
next(X) :-
    true(X),
    not does(a, go),
    (p(X) ; q). % after

% reason
% dangling
terminal :-
    true(over).
only.
p.
"""


def comments_of(text: str, prolog: bool = False) -> list[str]:
    tokens = (PROLOG_TOKEN if prolog else TOKEN).finditer(text)
    return [token.group().rstrip() for token in tokens if token.lastgroup == "comment"]


def kif(text: str) -> str:
    return format_text(Source("sheet.kif", text))


def test_the_house_layout() -> None:
    assert kif(BEFORE) == AFTER


def test_formatting_twice_changes_nothing() -> None:
    assert kif(AFTER) == AFTER
    assert format_text(Source("sheet.pl", PROLOG)) == PROLOG


def test_conversion_takes_the_comments_along() -> None:
    assert format_as(Source("sheet.kif", BEFORE), "prolog") == PROLOG
    back = format_as(Source("sheet.pl", PROLOG), "kif")
    assert parse_rules(back) == parse_kif(BEFORE)
    assert [comment.lstrip("; ") for comment in comments_of(back)] == [
        comment.lstrip("; ") for comment in comments_of(BEFORE)
    ]


def test_block_comments_become_lines() -> None:
    text = "/* one\n * two\n */\np. /* three */\n"
    assert format_as(Source("x.pl", text), "kif") == "; one\n; two\np ; three\n"
    assert format_text(Source("x.pl", text)) == text


def test_long_literals_are_broken_at_their_connectives() -> None:
    long = " ".join(f"(true (cell {number} {number} blank))" for number in range(4))
    text = kif(f"(<= (goal white 100) (or {long}) (not (and {long})))")
    assert text == (
        "(<= (goal white 100)\n"
        "    (or\n" + "".join(f"        (true (cell {n} {n} blank))\n" for n in range(3))
        + "        (true (cell 3 3 blank)))\n"
        "    (not (and\n" + "".join(f"             (true (cell {n} {n} blank))\n" for n in range(3))
        + "             (true (cell 3 3 blank)))))\n"
    )  # fmt: skip
    assert max(map(len, text.splitlines())) <= 100


def test_facts_stand_on_one_line_in_their_paragraphs() -> None:
    assert kif("(succ 0 1)(succ 1 2)\n\n\n\n(succ 2\n 3)") == "(succ 0 1)\n(succ 1 2)\n\n(succ 2 3)\n"


def test_what_cannot_be_read_is_not_formatted() -> None:
    for name, text in (("x.kif", "(role a) (init"), ("x.kif", "(p ())"), ("x.pl", "p :- q")):
        with pytest.raises(RulesError):
            format_text(Source(name, text))


def test_nothing_gives_nothing() -> None:
    assert kif("") == ""
    assert kif("; only\r\n\r\n\r\n; comments") == "; only\n\n; comments\n"


def good_kif() -> st.SearchStrategy[str]:
    """Texts of brackets, words and comments in which the brackets match."""
    gap = st.sampled_from([" ", "\n", "\n\n\n", " ; note\n", "\n; own\n", "\r\n\t"])
    word = st.sampled_from(["a", "B", "|C d|", "?X", "long" * 12])
    term = st.recursive(
        word,
        lambda inner: st.builds(
            lambda head, items: f"({head}" + "".join(space + item for space, item in items) + ")",
            st.sampled_from(["f", "G"]),
            st.lists(st.tuples(gap, inner), max_size=3),
        ),
        max_leaves=8,
    )
    rule = st.builds(
        lambda one, head, items: f"(<={one}(h {head})" + "".join(space + item for space, item in items) + ")",
        gap,
        term,
        st.lists(st.tuples(gap, term.filter(lambda text: text[0] != "?")), max_size=4).map(
            lambda items: [*items, ("\n; end\n", "z")] if len(items) == 3 else items
        ),
    )
    return st.lists(st.tuples(gap, rule), max_size=4).map(lambda parts: "".join(a + b for a, b in parts))


@given(good_kif())
def test_formatting_is_stable_and_keeps_rules_and_comments(text: str) -> None:
    once = kif(text)
    assert kif(once) == once
    assert parse_kif(once) == parse_kif(text)
    assert comments_of(once) == comments_of(text)
    prolog = format_as(Source("x.kif", text), "prolog")
    assert canonical(parse_rules(prolog, "x.pl")) == canonical(parse_kif(text))
    assert len(comments_of(prolog, prolog=True)) == len(comments_of(text))
    assert format_text(Source("x.pl", prolog)) == prolog


def is_kept(path: Path) -> bool:
    source = load_source(path)
    rules, faults = read_kif(source)
    if faults:
        return "invalid" in path.parts
    once = format_text(source)
    twice = format_text(Source("x.kif", once))
    return twice == once and parse_kif(once) == rules and comments_of(once) == comments_of(source.text)


def converts(path: Path) -> bool:
    source = load_source(path)
    rules, faults = read_kif(source)
    if faults:
        return "invalid" in path.parts
    prolog = format_as(source, "prolog")
    same = canonical(parse_rules(prolog)) == canonical(rules)
    return same and len(comments_of(prolog, prolog=True)) == len(comments_of(source.text))


@pytest.mark.long
@pytest.mark.corpus
def test_corpus_sheets_are_kept() -> None:
    assert [path.name for path in sample(corpus_sheets(), 30) if not (is_kept(path) and converts(path))] == []


@pytest.mark.corpus
@pytest.mark.slow
def test_every_corpus_sheet_is_kept() -> None:
    assert [path.name for path in corpus_sheets() if not (is_kept(path) and converts(path))] == []
