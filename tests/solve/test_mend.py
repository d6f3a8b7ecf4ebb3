"""Faulty sheets and the changes that mend them: the right ones, and no more."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from ludorum.cli.app import app
from ludorum.engine.lifted import LiftedGame
from ludorum.rules.check import check_source
from ludorum.rules.kif import parse_kif
from ludorum.rules.library import find_sheet
from ludorum.rules.source import Severity, Source, Span
from ludorum.solve.mend import Mended, mend
from ludorum.solve.mend.choose import choose
from ludorum.solve.mend.proposal import Edit, Fault, Proposal, Survey, apply_edits


def text_of(name: str) -> str:
    return find_sheet(name).source.text


def without(text: str, head: str) -> str:
    """A sheet without the rules that begin so."""
    return re.sub(rf"\(<= {re.escape(head)}[^\n]*\n(    [^\n]*\n)+", "", text)


def mended(text: str) -> Mended:
    found = mend(Source("sheet.kif", text))
    assert found.left == []
    errors = [fault for fault in check_source(found.after) if fault.severity is Severity.ERROR]
    assert errors == []
    return found


def added_lines(found: Mended) -> list[str]:
    return [
        line[1:].strip()
        for line in found.diff.splitlines()
        if re.match(r"\+(?!\+)", line) and line[1:].strip()
    ]


@pytest.mark.parametrize("name", ["tictactoe", "blocks", "buttons", "nim", "connect_four"])
def test_good_sheets_stay_as_they_are(name: str) -> None:
    found = mended(text_of(name))
    assert found.made == []
    assert found.diff == ""


def test_a_fluent_without_true() -> None:
    found = mended(text_of("blocks").replace("(true (on a b))", "(on a b)"))
    assert found.after.text == text_of("blocks")
    assert [change.reason for change in found.made] == [
        "line 95: (on a b) can never hold; (true (on a b)) was meant"
    ]


def test_a_relation_within_true() -> None:
    found = mended(text_of("blocks").replace("(<= terminal\n    tower)", "(<= terminal\n    (true tower))"))
    assert found.after.text == text_of("blocks")


def test_a_variable_that_nothing_binds() -> None:
    bound = "    (true (clear ?x))\n    (true (table ?x))\n    (true (clear ?y))\n"
    text = text_of("blocks")
    assert bound in text
    found = mended(text.replace(bound, "    (true (clear ?x))\n    (true (table ?x))\n"))
    assert added_lines(found) == ["(block ?y)"]


def test_a_slip_in_the_name_of_a_variable() -> None:
    text = text_of("blocks").replace("(<= (next (step ?n))", "(<= (next (step ?nn))")
    found = mended(text)
    assert found.after.text == text_of("blocks")
    assert found.made[0].reason.endswith("?nn looks like a slip for ?n")


def test_a_fact_with_a_variable_for_roles() -> None:
    text = (
        "(role a) (role b) (init (at 0))\n(legal ?p go)\n(next (at 1))\n"
        "(<= terminal (true (at 1)))\n(<= (goal ?p 100) (role ?p))\n"
    )
    found = mended(text)
    assert added_lines(found) == ["(<= (legal ?p go)", "(role ?p))"]


def test_who_is_not_in_control_may_do_nothing() -> None:
    found = mended(without(text_of("tictactoe"), "(legal ?p noop)"))
    assert [change.reason for change in found.made] == [
        "who is not in control has no move; it may do nothing"
    ]
    assert added_lines(found) == ["(<= (legal ?r noop)", "(role ?r)", "(not (true (control ?r))))"]


def test_a_role_that_no_rule_gives_a_move() -> None:
    text = (
        "(role a) (role b) (init (at 0)) (legal a go) (<= (next (at 1)) (does a go))\n"
        "(<= terminal (true (at 1))) (<= (goal ?p 100) (role ?p))\n"
    )
    found = mended(text)
    assert added_lines(found) == ["(legal b noop)"]


def test_a_game_that_nothing_ends() -> None:
    found = mended(without(text_of("tictactoe"), "terminal"))
    assert {change.reason for change in found.made} == {
        "the game is over when somebody has 100",
        "a role has no move in some positions; the game is over there",
    }
    old, new = LiftedGame(parse_kif(text_of("tictactoe")), "t"), LiftedGame(parse_kif(found.after.text), "t")
    for seed in range(20):  # ended where the old one did
        assert [state.facts() for state in old.playout(seed)] == [
            state.facts() for state in new.playout(seed)
        ]


def test_two_faults_at_once() -> None:
    text = without(text_of("tictactoe"), "(legal ?p noop)").replace("(true (cell ?m ?n b))", "(cell ?m ?n b)")
    found = mended(text)
    assert len(found.made) >= 2
    assert "(true (cell ?m ?n b))" in found.after.text


def test_what_cannot_be_mended_is_said() -> None:
    found = mend(Source("sheet.kif", "(role a) (legal a go) (<= terminal (not terminal)) (goal a 100)"))
    assert found.left
    assert found.after.text == found.before.text


def test_unreadable_text_is_left_alone() -> None:
    found = mend(Source("sheet.kif", "(role a"))
    assert found.made == []
    assert found.left


def test_the_cheapest_choice_without_conflicts() -> None:
    one, two = Fault("x", "1", "one"), Fault("x", "2", "two")
    here, there = Span(0, 5), Span(10, 12)
    dear = Proposal("both", (Edit(here, "z"),), frozenset({one, two}), 5)
    first = Proposal("one", (Edit(here, "a"),), frozenset({one}))
    second = Proposal("two", (Edit(there, "b"),), frozenset({two}), 2)
    clash = Proposal("two, in the way", (Edit(Span(4, 6), "c"),), frozenset({two}))
    survey = Survey([one, two], [dear, first, second, clash])
    assert choose(survey, []) == frozenset({first, second})
    assert choose(survey, [frozenset({first, second})]) == frozenset({dear})


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 4), st.sets(st.integers(0, 3), min_size=1)), min_size=1, max_size=6))
def test_choices_cost_least(proposals: list[tuple[int, set[int]]]) -> None:
    """Against counting through all sets."""
    faults = [Fault("x", str(number), "") for number in range(4)]
    made = [
        Proposal(
            str(number),
            (Edit(Span(number * 2, number * 2 + 1), ""),),
            frozenset(faults[each] for each in mends),
            cost,
        )
        for number, (cost, mends) in enumerate(proposals)
    ]
    mendable = frozenset(fault for each in made for fault in each.mends)
    costs = [
        sum(each.cost for number, each in enumerate(made) if chosen >> number & 1)
        for chosen in range(1, 2 ** len(made))
        if frozenset(
            fault for number, each in enumerate(made) if chosen >> number & 1 for fault in each.mends
        )
        >= mendable
    ]
    choice = choose(Survey(faults, made), [])
    assert choice is not None
    assert sum(each.cost for each in choice) == min(costs)


def test_edits_keep_their_places() -> None:
    source = Source("x", "abcdef")
    assert (
        apply_edits(source, [Edit(Span(0, 1), "AAA"), Edit(Span(4, 6), ""), Edit(Span(2, 2), "-")]).text
        == "AAAb-cd"
    )


def test_the_verb_shows_and_writes(tmp_path: Path) -> None:
    sheet = tmp_path / "blocks.kif"
    sheet.write_text(text_of("blocks").replace("(true (on a b))", "(on a b)"))
    shown = CliRunner().invoke(app, ["repair", str(sheet)])
    assert shown.exit_code == 0
    assert "-    (on a b)\n+    (true (on a b))\n" in shown.stdout
    assert "(on a b) can never hold" in shown.stdout
    assert "(true (on a b))" not in sheet.read_text()
    written = CliRunner().invoke(app, ["repair", str(sheet), "--write", "--json"])
    assert json.loads(written.stdout)["written"] is True
    assert sheet.read_text() == text_of("blocks")
    again = CliRunner().invoke(app, ["repair", str(sheet)])
    assert "nothing to mend" in again.stdout


def test_the_verb_tells_what_it_cannot_mend(tmp_path: Path) -> None:
    sheet = tmp_path / "bad.kif"
    sheet.write_text("(role a")
    found = CliRunner().invoke(app, ["repair", str(sheet)])
    assert found.exit_code == 1
    assert "not mended" in found.output
