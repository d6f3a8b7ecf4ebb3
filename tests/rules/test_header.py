"""The comment lines at the top of a sheet: title, rules in words, and numbers."""

from __future__ import annotations

import pytest

from ludorum.rules.library import SheetInfo, read_header


def test_a_value_goes_on_in_lines_that_are_farther_in_whatever_they_begin_with() -> None:
    found = read_header(
        "; title: Tides\n"
        "; rules: The water rises.\n"
        ";   players: both lose a field.\n"
        ";   note: what is lost stays lost.\n"
        ";   Who is last wins.\n"
        "; players: 2\n"
        "; source: old\n"
        "; length: 9\n"
        "(role ann)\n"
    )
    rules = "The water rises. players: both lose a field. note: what is lost stays lost. Who is last wins."
    assert found == SheetInfo("Tides", rules, 2, 9)


@pytest.mark.parametrize(
    ("lines", "rules"),
    [
        ("; rules: one\n; two", "one two"),
        (";rules: one\n; players: 2", "one"),  # a blank more is no indentation
        ("; rules: one\n\n;   two", "one"),
        ("%% rules: one\n%%    all: two\n", "one all: two"),
        ("; rules: one\n(role ann)\n;   two", "one"),
    ],
)
def test_where_a_value_ends(lines: str, rules: str) -> None:
    assert read_header(lines).rules == rules
