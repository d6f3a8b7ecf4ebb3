"""Arithmetic: the modules that are built in say what those of rules say, and ask for few rows."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.reference import ReferenceGame
from ludorum.engine.wdl_master import WdlMaster
from ludorum.rules.source import Severity, Source
from ludorum.rules.terms import Term
from ludorum.rules.wdl import number_rows
from ludorum.rules.wdl.arithmetic import Columns, NumberRange, NumberRelation, narrowed, rows_of
from ludorum.rules.wdl.check import check_wdl
from ludorum.rules.wdl.modules import ModulePath, own_modules
from ludorum.rules.wdl.number_rows import MOST_GROWTH, MOST_ROWS
from ludorum.rules.wdl.sheet import WdlSheet
from ludorum.rules.wdl.to_gdl2 import to_gdl2
from tests.rules.wdl.sheets import sheet_of

NUMBERS = range(-8, 41)
FACTS = "\n".join(f"(number {number})" for number in NUMBERS)
ALL_ROWS = f"""
(role ann) (legal ann wait) (<= terminal (true over)) (goal ann 100) {FACTS}
(include PACKAGEsuccessor) (include PACKAGEgreater) (include PACKAGEplus)
(<= (init (follows ?a ?b)) (number ?a) (number ?b) (PACKAGEsuccessor:++ ?a ?b))
(<= (init (larger ?a ?b)) (number ?a) (number ?b) (PACKAGEgreater:greaterthan ?a ?b))
(<= (init (sum ?a ?b ?c)) (number ?a) (number ?b) (number ?c) (PACKAGEplus:plus ?a ?b ?c))
(<= (init (rest ?a ?b ?c)) (number ?a) (number ?b) (number ?c) (PACKAGEplus:minus ?a ?b ?c))
"""
"""Everything that the modules of a package say of the numbers."""


def facts_at_start(sheet: WdlSheet) -> frozenset[str]:
    return frozenset(map(str, LiftedGame(to_gdl2(sheet).rules, "numbers").initial().facts()))


def all_rows() -> frozenset[str]:
    """The same, counted by Python."""
    pairs = list(product(NUMBERS, repeat=2))
    return frozenset(
        [f"(follows {a} {a + 1})" for a in NUMBERS if a + 1 in NUMBERS]
        + [f"(larger {a} {b})" for a, b in pairs if a > b]
        + [f"(sum {a} {b} {a + b})" for a, b in pairs if a + b in NUMBERS]
        + [f"(rest {a} {b} {a - b})" for a, b in pairs if a - b in NUMBERS]
    )


@pytest.mark.spec("wdl", 39)
@pytest.mark.parametrize("package", ["", "arith:", "pure:"])
def test_modules_of_arithmetic_say_the_same_built_in_and_as_rules(package: str) -> None:
    sheet = sheet_of(ALL_ROWS.replace("PACKAGE", package))
    assert (sheet.numbers == ()) == (package == "pure:")
    assert facts_at_start(sheet) == all_rows()


def counter(step: str, end: str) -> str:
    """A counter that goes on by one rule until another ends the game."""
    return f"""
    (include successor) (include greater) (include plus)
    (role ann) (init (at 0)) (legal ann go)
    (<= (next (at ?m)) (true (at ?n)) {step})
    (<= terminal (true (at ?n)) {end})
    (goal ann 100)
    """


def length(game: LiftedGame | ReferenceGame | CompiledGame) -> int:
    state, steps = game.initial(), 0
    while not state.is_terminal:
        state, steps = state.play([Term("go")]), steps + 1
    return steps


@pytest.mark.parametrize("make", [ReferenceGame, LiftedGame, CompiledGame])
@pytest.mark.parametrize(
    ("step", "end", "steps"),
    [
        ("(successor:++ ?n ?m)", "(greater:greaterthan ?n 9)", 10),
        ("(plus:plus ?n 7 ?m)", "(greater:greaterthan ?n 29)", 5),
        ("(plus:minus ?n 7 ?m)", "(greater:greaterthan -29 ?n)", 5),
        ("(plus:plus ?m 3 ?n)", "(not (greater:greaterthan ?n -9))", 3),
    ],
)
def test_every_engine_counts(make: type, step: str, end: str, steps: int) -> None:
    sheet = sheet_of(counter(step, end) + "(set range -40 40)")
    assert length(make(to_gdl2(sheet).rules, "counter")) == steps


def test_numbers_end_where_the_range_ends() -> None:
    sheet = sheet_of(counter("(successor:++ ?n ?m)", "(not (greater:greaterthan 3 ?n))") + "(set range 0 4)")
    made = {str(rule.head) for rule in sheet.numbers if rule.head.name == "successor:++"}
    assert made == {"(successor:++ 0 1)", "(successor:++ 1 2)", "(successor:++ 2 3)", "(successor:++ 3 4)"}


def test_a_sheet_with_larger_numbers_has_a_larger_range() -> None:
    sheet = sheet_of(counter("(successor:++ ?n ?m)", "(greater:greaterthan ?n 3000)"))
    assert "(successor:++ 3000 3001)" in {str(rule.head) for rule in sheet.numbers}
    assert length(LiftedGame(to_gdl2(sheet).rules, "counter")) == 3001


@pytest.mark.long
def test_a_long_counter_takes_few_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = []

    def counted(kind: NumberRelation, columns: Columns, among: NumberRange) -> Columns:
        looks.append(kind)
        return narrowed(kind, columns, among)

    monkeypatch.setattr(number_rows, "narrowed", counted)
    sheet = sheet_of(counter("(successor:++ ?n ?m)", "(greater:greaterthan ?n 30000)"))
    assert sum(rule.head.name == "successor:++" for rule in sheet.numbers) == 30_001
    assert len(looks) < 5 * MOST_GROWTH


COMPARED = """
(include greater)
(role ann) (init (at NUMBER)) (legal ann go)
(<= (next (at ?n)) (true (at ?n)))
(<= terminal (true (at ?n)) (greater:greaterthan ?n 30000))
(goal ann 100)
"""


@pytest.mark.spec("wdl", 40)
def test_a_comparison_with_a_large_number_is_one_row() -> None:
    sheet = sheet_of(COMPARED.replace("NUMBER", "30001"))
    rows = [str(rule.head) for rule in sheet.numbers]
    assert rows == ["(greater:greaterthan 1 0)", "(greater:greaterthan 30001 30000)"]


@pytest.mark.alone
@pytest.mark.spec("wdl", 40)
@pytest.mark.parametrize("make", [ReferenceGame, LiftedGame, CompiledGame])
def test_a_comparison_with_a_large_number_takes_less_than_a_millisecond(make: type) -> None:
    game = make(to_gdl2(sheet_of(COMPARED.replace("NUMBER", "30001"))).rules, "compared")
    facts = game.initial().facts()
    times = []
    for _ in range(20):
        state = game.state(facts)
        start = time.perf_counter()
        assert state.is_terminal
        times.append(time.perf_counter() - start)
    assert min(times) < 0.001


@pytest.mark.parametrize("kind", NumberRelation)
def test_rows_and_narrowing_agree_with_counting(kind: NumberRelation) -> None:
    among = NumberRange(-3, 5)
    meant: dict[NumberRelation, Callable[..., bool]] = {
        NumberRelation.SUCCESSOR: lambda a, b: a + 1 == b,
        NumberRelation.GREATER: lambda a, b: a > b,
        NumberRelation.PLUS: lambda a, b, c: a + b == c,
        NumberRelation.MINUS: lambda a, b, c: a - b == c,
    }
    sets = [{-3, -2, 0, 5}, {-1, 1, 2, 4}, set(range(-3, 6))]
    for choice in product(sets, repeat=kind.arity):
        columns = tuple(sum(among.bit(number) for number in numbers) for numbers in choice)
        expected = [row for row in product(*map(sorted, choice)) if meant[kind](*row)]
        assert sorted(rows_of(kind, columns, among)) == expected
        kept = narrowed(kind, columns, among)
        for column, known, narrow in zip(zip(*expected, strict=True), columns, kept, strict=False):
            assert set(column) <= set(among.numbers(narrow)) <= set(among.numbers(known))


def faults(text: str) -> list[tuple[str, str]]:
    found = check_wdl(Source("numbers", text))
    return [
        (fault.code, text[fault.span.start : fault.span.end])
        for fault in found
        if fault.severity > Severity.NOTE
    ]


def test_a_condition_that_nothing_binds_is_refused_at_its_place() -> None:
    text = counter("(successor:++ ?n ?m)", "(greater:greaterthan ?a ?b)")
    assert faults(text)[0] == ("too-many-numbers", "(greater:greaterthan ?a ?b)")
    few = sum(
        1 for rule in sheet_of(text + "(set range 0 99)").numbers if rule.head.name.startswith("greater")
    )
    assert few == 100 * 99 // 2 < MOST_ROWS


def test_modules_may_be_included_and_not_used() -> None:
    sheet = sheet_of(
        "(include greater) (include successor) (role ann) (legal ann go) (goal ann high) terminal"
    )
    assert [str(rule.head) for rule in sheet.numbers] == ["(greater:greaterthan 1 0)", "(successor:++ 0 1)"]


def test_a_module_of_the_same_name_elsewhere_is_read_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "greater.kif").write_text("(greaterthan rock scissors)")
    text = "(include greater) (role ann)"
    theirs = sheet_of(text, ModulePath((tmp_path, own_modules())))
    assert (theirs.built_in, theirs.numbers) == ((), ())
    monkeypatch.chdir(own_modules())
    assert sheet_of(text, ModulePath((Path("."),))).built_in == ("greater",)


def test_numbers_that_are_too_far_are_refused() -> None:
    text = counter("(successor:++ ?n ?m)", "(greater:greaterthan ?n 1000000)")
    assert ("far-number", "(greater:greaterthan ?n 1000000)") in faults(text)


@pytest.mark.parametrize("words", ["5", "5 5", "a b", "0 200000", "9 3", "0 1 2"])
def test_a_range_has_two_ends(words: str) -> None:
    assert [
        code for code, _ in faults(counter("(successor:++ ?n ?m)", "(true (at 9))") + f"(set range {words})")
    ] == ["W08"]


def test_built_in_relations_have_their_arguments_and_no_rules() -> None:
    assert ("W04", "(plus:plus ?n ?m)") in faults(
        counter("(plus:plus ?n ?m) (true (at ?m))", "(true (at 9))")
    )
    own = counter("(successor:++ ?n ?m)", "(true (at 9))") + "(successor:++ 9 8)"
    assert ("W05", "(successor:++ 9 8)") in faults(own)


CLOCK = """
(set realtime) (include greater) (role ann) (init on) (legal ann go)
(<= (next on) (true on))
(<= terminal (clock ?now) (greater:greaterthan ?now 200))
(goal ann 100)
"""


def test_a_clock_that_goes_beyond_the_numbers_is_told_of() -> None:
    assert ("clock-range", "(greater:greaterthan ?now 200)") in faults(CLOCK)
    assert faults(CLOCK + "(set range 0 500)") == []
    master = WdlMaster(sheet_of(CLOCK + "(set range 0 500)"))
    state, ticks = master.initial(), 0
    while not master.is_terminal(state):
        state, ticks = master.tick(state), ticks + 1
    assert ticks == 201
