"""Damaged and hostile texts: always an answer, soon, in bounded memory, and never an exception."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.rules.check import check_source
from ludorum.rules.source import RulesError, Severity, Source
from ludorum.rules.syntax import decode_source, load_source
from tests.how_much import some
from tests.rules.check.sheets import GOOD, check, errors

MANY = 100_000
RELATIONS = 20_000

SECONDS = 60.0
"""Processor seconds one check may take here: generous for slow machines, far below anything quadratic."""


def ring(rule: Callable[[int, int], str]) -> str:
    return "\n".join(rule(number, (number + 1) % RELATIONS) for number in range(RELATIONS))


NASTY = {
    "brackets": ("(" * MANY, "nesting"),
    "closing brackets": (")" * MANY, "bracket"),
    "one huge symbol": ("(role " + "x" * 2_000_000 + ")", "missing-legal"),
    "growing term": ("(p 0)\n(<= (p (s ?x)) (p ?x))", "growing-term"),
    "unclosed bar": ("(role |white)\n(role black)", "quote"),
    "or product": ("(<= (p ?x)" + " (or (q ?x) (r ?x))" * 60 + ")", "too-many-alternatives"),
    "nested or": ("(<= p " + "(or a (and b " * 90 + "c" + "))" * 90 + ")", "missing-role"),
    "deep terms": ("(<= (p ?x) (p " + "(f " * 190 + "?x" + ")" * 190 + "))", "recursion-restriction"),
}

LARGE = {
    "long body": ("(<= (p ?x) " + " ".join(f"(q{n} ?x)" for n in range(MANY)) + ")", "undefined-relation"),
    "long fact": ("(p " + " ".join(f"?a{n}" for n in range(MANY)) + ")", "variable-in-fact"),
    "negated body": (
        "(<= p " + " ".join(f"(not (q ?x{n}))" for n in range(RELATIONS)) + ")",
        "negation-only-variable",
    ),
    "one circle": (ring(lambda one, two: f"(<= (p{one} ?x) (p{two} ?x))"), "unneeded-relation"),
    "negative circle": (
        ring(lambda one, two: f"(<= (p{one} ?x) (q ?x) (not (p{two} ?x)))"),
        "negation-cycle",
    ),
    "chain to does": (
        ring(lambda one, two: f"(<= (p{one} ?x) {f'(p{two} ?x)' if two else '(does ?x a)'})")
        + "".join(f"(<= (legal ?x a) (p{n} ?x))\n" for n in range(0, RELATIONS, 10)),
        "depends-on-does",
    ),
}  # fmt: skip


@pytest.mark.parametrize("lenient", [False, True], ids=["strict", "lenient"])
@pytest.mark.parametrize("name", NASTY)
def test_a_nasty_text_is_answered(name: str, lenient: bool) -> None:
    text, code = NASTY[name]
    faults = check(text, lenient)
    assert code in {fault.code for fault in faults}
    assert all(len(str(fault)) < 2000 for fault in faults)


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_a_large_text_is_answered_in_linear_time(name: str) -> None:
    text, code = LARGE[name]
    start = time.thread_time()
    faults = check(text)
    assert time.thread_time() - start < SECONDS
    assert code in {fault.code for fault in faults}


@pytest.mark.long
@pytest.mark.parametrize("size", [200, 2000])
def test_circles_of_many_relations_are_spelled_short(size: int) -> None:
    text = "\n".join(f"(<= (p{n} ?x) (q ?x) (not (p{(n + 1) % size} ?x)))" for n in range(size))
    cycles = [fault for fault in check(text) if fault.code == "negation-cycle"]
    assert len(cycles) == size
    assert all(len(fault.message) < 1000 for fault in cycles)


def test_a_file_that_is_far_too_large_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "large.kif"
    with path.open("wb") as file:
        file.truncate(50_000_000)
    with pytest.raises(RulesError) as refused:
        load_source(path)
    assert [fault.code for fault in refused.value.diagnostics] == ["too-large"]


def test_binary_rubbish_is_refused_as_no_text(tmp_path: Path) -> None:
    path = tmp_path / "rubbish.kif"
    path.write_bytes(bytes(range(256)) * 40)
    with pytest.raises(RulesError) as refused:
        load_source(path)
    assert [fault.code for fault in refused.value.diagnostics] == ["not-text"]


def test_rules_beside_unreadable_ones_are_still_checked() -> None:
    faults = check("(role white)\n(goal white 500)\n(legal white\n(init (heap 3))\n")
    assert {"bracket", "goal-value"} <= errors(faults)
    assert "missing-legal" not in errors(faults)


edits = st.lists(
    st.tuples(
        st.integers(0, len(GOOD)),
        st.integers(0, 6),
        st.one_of(st.text("()?;|<= notdistincorgl01", max_size=6), st.text(max_size=4)),
    ),
    min_size=1,
    max_size=6,
)


@pytest.mark.long
@settings(max_examples=some(300))
@given(edits, st.booleans())
def test_no_edit_of_a_good_sheet_makes_a_check_raise(
    changes: list[tuple[int, int, str]], lenient: bool
) -> None:
    text = GOOD
    for at, removed, added in changes:
        text = text[:at] + added + text[at + removed :]
    for fault in check_source(Source("sheet.kif", text), lenient):
        assert fault.severity in Severity
        assert fault.line >= 1
        assert fault.column >= 1
        assert fault.as_json()["code"]


@settings(max_examples=100)
@given(st.binary(max_size=60), st.integers(0, len(GOOD)))
def test_no_bytes_in_a_good_sheet_make_reading_raise_anything_but_its_error(rubbish: bytes, at: int) -> None:
    data = GOOD.encode()
    with suppress(RulesError):
        check_source(decode_source(data[:at] + rubbish + data[at:], "sheet.kif"))
