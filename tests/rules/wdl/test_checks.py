"""Every code of a fault has a sheet that shows it, and good sheets have no errors."""

from __future__ import annotations

import pytest

from ludorum.rules.source import Severity, Source
from ludorum.rules.wdl.check import check_wdl
from ludorum.rules.wdl.modules import ModulePath
from ludorum.rules.wdl.to_gdl2 import to_gdl2
from tests.rules.wdl.sheets import COIN, DECK, DICE, MYCIN, sheet_of

FRAME = """
(role ann) (role bob)
(init start)
(random dice 1 low) (random dice 1 high)
(<= (legal ?p (roll dice)) (role ?p))
(<= (next (rolled ?p ?n)) (does ?p (roll ?n)))
(<= terminal (true (rolled ?p ?n)))
(goal ann 100) (goal bob 0)
"""

BAD = {
    "a head with a free variable": ("W01", "(<= (next (at ?x)) (true start))", "?x"),
    "a negation in a circle": ("W02", "(<= p (not q)) (<= q (not p))", "q"),
    "terms that grow": ("W03", "(<= (n (s ?x)) (n ?x)) (n 0)", "?x"),
    "an include of two": ("W04", "(include a b)", "(include a b)"),
    "random of two": ("W04", "(random dice 1)", "(random dice 1)"),
    "role by state": ("W04", "(<= (role ?p) (true (joined ?p)))", "(true (joined ?p))"),
    "true in a head": ("W05", "(true start)", "(true start)"),
    "legal after does": ("W05", "(<= (legal ann stop) (does bob (roll ?n)))", "(does bob (roll ?n))"),
    "odds after does": ("W05", "(<= (random coin 1 up) (does bob (roll ?n)))", "(does bob (roll ?n))"),
    "a name in a body": ("W06", "(<= (next dice2) (does ann (roll dice)))", "dice"),
    "a name in a fluent": ("W06", "(init (kept dice))", "dice"),
    "a name in an event": ("W06", "(random coin 1 dice)", "dice"),
    "a name that is a variable": ("W06", "(<= (random ?p 1 x) (role ?p))", "?p"),
    "a name with arguments": ("W06", "(random (die 2) 1 x)", "(die 2)"),
    "random as a condition": ("W06", "(<= (next x) (random dice ?w ?e))", "(random dice ?w ?e)"),
    "visible in a body": ("W07", "(<= (next x) (does ann (roll (visible ann ?n))))", "(visible ann ?n)"),
    "visible in visible": ("W07", "(<= (legal ann (tell (visible bob (visible ann x)))))", "(visible ann x)"),
    "visible for nobody": ("W07", "(visible eve (fact 1))", "(fact 1)"),
    "visible for a variable": ("W07", "(visible ?p (fact 1))", "?p"),
    "a visible role": ("W07", "(visible ann (role cat))", "(role cat)"),
    "visible odds": ("W07", "(visible ann (random coin 1 up))", "(random coin 1 up)"),
    "a move that is visible as a whole": ("W07", "(legal ann (visible bob x))", "(visible bob x)"),
    "visible of one": ("W07", "(visible (fact 1))", "(visible (fact 1))"),
    "an unknown setting": ("W08", "(set turbo)", "(set turbo)"),
    "a setting for one": ("W08", "(visible ann (set realtime))", "(set realtime)"),
    "a setting in a head": ("W08", "(<= (set realtime) (true start))", "(set realtime)"),
    "a tick of nothing": ("W08", "(set tick 0)", "(set tick 0)"),
    "forced at once": ("W08", "(set force 0)", "(set force 0)"),
    "a clock in rounds": ("W08", "(<= (next x) (clock ?now) (later ?now)) (later 5)", "(clock ?now)"),
    "a module that is not there": ("W09", "(include nowhere)", "(include nowhere)"),
    "a module above": ("W09", "(include ../../etc/passwd)", "../../etc/passwd"),
    "a module of the root": ("W09", "(include /etc/passwd)", "/etc/passwd"),
    "a module with its ending": ("W09", "(include dicing.kif)", "dicing.kif"),
    "a weight that is no number": ("W12", "(random coin many up)", "many"),
    "a negative weight": ("W12", "(random coin -1 up)", "-1"),
    "two weights of an event": ("W12", "(random coin 1 up) (random coin 2 up)", "2"),
}


@pytest.mark.parametrize(("code", "text", "place"), BAD.values(), ids=BAD)
@pytest.mark.spec("wdl", 4, 7, 16)
def test_a_fault_has_its_code_and_its_place(code: str, text: str, place: str) -> None:
    source = Source("bad", FRAME + text)
    errors = [fault for fault in check_wdl(source) if fault.severity is Severity.ERROR]
    assert [fault.code for fault in errors] == [code] * len(errors)
    first = errors[0]
    assert source.text[first.span.start : first.span.end] == place
    assert first.hint


@pytest.mark.parametrize("text", [FRAME, COIN, DECK, DICE, MYCIN])
def test_good_sheets_have_no_errors(text: str) -> None:
    assert [str(fault) for fault in check_wdl(Source("good", text)) if fault.severity is Severity.ERROR] == []


def test_what_a_sheet_lacks_is_told() -> None:
    lacking = (
        "(role ann) (random coin 1 up) (init start) (legal ann (flip coin)) (<= (next start) (true start))"
    )
    errors = [fault for fault in check_wdl(Source("lacks", lacking)) if fault.severity is Severity.ERROR]
    assert sorted(fault.code for fault in errors) == ["missing-goal", "missing-terminal"]
    in_time = [fault.code for fault in check_wdl(Source("lacks", "(set realtime)" + lacking))]
    assert "missing-goal" in in_time
    assert "missing-terminal" not in in_time


REALTIME = """
(set realtime) (role ann) (init (cell 1)) (init (lamp on))
(legal ann go)
(<= (next (cell ?n)) (true (cell ?n)) (does ann go))
(<= (next (cell ?n)) (true (cell ?n)) (moved))
(<= moved (does ?p ?m))
(<= (next (lamp ?s)) (true (lamp ?s)))
(<= terminal (clock 200)) (goal ann 100)
"""


@pytest.mark.spec("wdl", 31)
def test_a_fluent_that_needs_moves_is_reported_in_realtime_only() -> None:
    found = [fault for fault in check_wdl(Source("ticks", REALTIME)) if fault.code == "W10"]
    assert [REALTIME[fault.span.start : fault.span.end] for fault in found] == ["(next (cell ?n))"]
    kept = REALTIME + "(set tick-inertia)"
    assert not [fault for fault in check_wdl(Source("ticks", kept)) if fault.code == "W10"]


def test_what_is_hidden_is_not_to_be_negated() -> None:
    found = [fault for fault in check_wdl(Source("coin", COIN)) if fault.code == "W11"]
    assert [COIN[fault.span.start : fault.span.end] for fault in found] == ["(true (told heads))"]
    shown = COIN.replace("(visible ?p coin)", "coin")
    assert not [fault for fault in check_wdl(Source("coin", shown)) if fault.code == "W11"]


def test_a_move_may_be_shorter_for_some_players_but_not_by_another_rule() -> None:
    whisper = "(<= (legal ?p (tell ?q (visible ?q (likes tea)))) (role ?p) (role ?q) (distinct ?p ?q))"
    assert "function-arities" not in {fault.code for fault in check_wdl(Source("test", FRAME + whisper))}
    rolls = "(<= (legal ?p (roll dice twice)) (role ?p))"
    assert "function-arities" in {fault.code for fault in check_wdl(Source("test", FRAME + rolls))}


def test_a_realtime_sheet_is_warned_of_in_the_sheet_itself() -> None:
    text = "(include boardgames:grid) (set realtime) (role ann)"
    (warning,) = to_gdl2(sheet_of(text, ModulePath.of_library())).warnings
    assert (warning.code, str(warning.source and warning.source.name)) == ("T03", "test")
