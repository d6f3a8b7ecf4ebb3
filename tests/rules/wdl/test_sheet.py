"""What a sheet says to the one who knows everything, and to each player."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.ruleset import Rule
from ludorum.rules.source import Source
from ludorum.rules.terms import Pattern, Term
from ludorum.rules.wdl.sheet import read_wdl
from ludorum.rules.wdl.views import seen_move, whole_move
from tests.rules.wdl.sheets import COIN, sheet_of

ANN, BOB, CAT = map(Term, ("ann", "bob", "cat"))
ROLES = "(role ann) (role bob) (role cat) "


def told(text: str) -> dict[str, list[str]]:
    sheet = sheet_of(ROLES + text)
    return {role.name: [str(rule) for rule in sheet.description(role).rules[3:]] for role in sheet.roles}


@pytest.mark.spec("wdl", 13)
def test_a_statement_for_one_player_is_in_that_description_alone() -> None:
    found = told("(visible bob (key 7)) (visible ann (<= (open ?n) (key ?n))) (door 1)")
    assert found == {
        "ann": ["(<= (open ?n)\n    (key ?n))", "(door 1)"],
        "bob": ["(key 7)", "(door 1)"],
        "cat": ["(door 1)"],
    }
    assert len(sheet_of(ROLES + "(visible bob (key 7))").master.rules) == 4


@pytest.mark.spec("wdl", 15)
def test_a_head_for_one_player_is_cut_to_the_player_who_reads_it() -> None:
    text = "(<= (next (visible ?p (hand ?p ?c))) (does ?p (get ?c)))"
    found = told(text)
    assert found["bob"] == ["(<= (next (hand bob ?c))\n    (does bob (get ?c)))"]
    assert found["ann"] == ["(<= (next (hand ann ?c))\n    (does ann (get ?c)))"]
    assert [str(rule.head) for rule in sheet_of(ROLES + text).master.rules[3:]] == ["(next (hand ?p ?c))"]
    assert told("(<= (visible bob (seen ?x)) (thing ?x))") == {
        "ann": [], "bob": ["(<= (seen ?x)\n    (thing ?x))"], "cat": [],
    }  # fmt: skip


def test_moves_and_odds_are_told_to_all_as_they_are_written() -> None:
    sheet = sheet_of(COIN)
    ruleset = parse_kif(COIN)
    assert all(sheet.description(role).rules == ruleset.rules for role in sheet.roles)


@pytest.mark.spec("wdl", 14)
def test_a_move_with_private_parts_is_another_one_for_each_player() -> None:
    move = parse_term("(move (visible ann (information one)) (visible bob (information two)))")
    assert [str(seen_move(move, role)) for role in (ANN, BOB, CAT)] == [
        "(move (information one))",
        "(move (information two))",
        "move",
    ]
    assert str(whole_move(move)) == "(move (information one) (information two))"


@pytest.mark.spec("wdl", 22)
def test_a_message_reaches_one_player_or_a_group() -> None:
    one = parse_term("(tell (visible bob hello))")
    group = parse_term("(tell (visible bob hello) (visible cat hello))")
    assert [str(seen_move(one, role)) for role in (ANN, BOB, CAT)] == ["tell", "(tell hello)", "tell"]
    assert [str(seen_move(group, role)) for role in (ANN, BOB, CAT)] == [
        "tell",
        "(tell hello)",
        "(tell hello)",
    ]


def test_two_parts_for_one_player_are_kept_in_order() -> None:
    assert str(seen_move(parse_term("(deal (visible ann a) x (visible ann b))"), ANN)) == "(deal a x b)"


names = st.sampled_from(["a", "b", "c"]).map(Term)
hidden = st.integers(0, 9).map(lambda number: Term(f"secret{number}"))
moves: st.SearchStrategy[Pattern] = st.recursive(
    names | st.builds(lambda who, what: Term("visible", (who, what)), st.sampled_from([ANN, BOB]), hidden),
    lambda inner: st.lists(inner, min_size=1, max_size=3).map(lambda args: Term("f", tuple(args))),
)


@given(moves.map(lambda inner: Term("move", (inner,))))
@pytest.mark.spec("wdl", 19)
def test_nothing_hidden_is_in_the_view_of_others(move: Term) -> None:
    for viewer, other in ((ANN, BOB), (BOB, ANN)):
        view = str(seen_move(move, viewer))
        secrets = set(_secrets(move, other)) - set(_secrets(move, viewer))
        assert not [secret for secret in secrets if secret in view]
    changed = _with_other_secrets(move)
    assert seen_move(changed, CAT) is seen_move(move, CAT)


def _secrets(pattern: Pattern, owner: Term) -> list[str]:
    if not isinstance(pattern, Term):
        return []
    if pattern.name == "visible":
        return [f"{pattern.args[1]}"] if pattern.args[0] is owner else []
    return [secret for arg in pattern.args for secret in _secrets(arg, owner)]


def _with_other_secrets(pattern: Pattern) -> Term:
    assert isinstance(pattern, Term)
    if pattern.name == "visible":
        return Term("visible", (pattern.args[0], Term("another")))
    return Term(pattern.name, tuple(map(_with_other_secrets, pattern.args)))


@pytest.mark.spec("wdl", 2)
def test_a_name_in_brackets_is_the_name() -> None:
    assert sheet_of("(role ann) (<= (legal ann (wait)) (true (on)))").master.rules[1] == Rule(
        parse_term("(legal ann wait)"), sheet_of("(<= x (true on))").master.rules[0].body
    )


def test_settings_are_read_and_leave_no_rule() -> None:
    sheet = sheet_of("(set realtime) (set tick 5) (role ann)")
    assert (sheet.settings.realtime, sheet.settings.tick, sheet.settings.tick_inertia) == (True, 5, False)
    assert [str(rule) for rule in sheet.master.rules] == ["(role ann)"]


def test_extensions_are_off_by_default() -> None:
    sheet = sheet_of("(role ann)")
    assert (sheet.settings.realtime, sheet.settings.tick_inertia, sheet.settings.tick) == (False, False, 1)
    _, faults = read_wdl(Source("odds", ROLES + "(visible ann (random coin 1 up))"))
    assert [fault.code for fault in faults] == ["W07"]
    _, faults = read_wdl(Source("odds", ROLES + "(visible ann (random coin 1 up))"), private_random=True)
    assert faults == []
