"""Every public sheet can be played leniently; what is wrong with it by the letter is known and counted."""

import time
from pathlib import Path

import pytest

from ludorum.rules.check import check_source
from ludorum.rules.source import Severity
from ludorum.rules.syntax import load_source

FOLDERS = ("gdl1", "gdl2")

NOT_STRATIFIED_BY_NAME = {
    "ConnectThreeDecompositionII__unsw", "hexPie", "nineBoardTicTacToePie", "nineBoardTicTacToePie__v0",
    "queens06ug", "queens08lg", "queens08ug", "queens12ug", "queens16ug", "queens31lg",
}  # fmt: skip


def sheets(corpus: Path) -> list[Path]:
    return [path for folder in FOLDERS for path in sorted((corpus / folder).glob("*.kif"))]


@pytest.mark.slow
def test_every_public_sheet_is_accepted_in_lenient_mode(corpus: Path) -> None:
    refused = {
        path.stem: str(fault)
        for path in sheets(corpus)
        for fault in check_source(load_source(path), lenient=True)
        if fault.severity is Severity.ERROR
    }
    assert not refused


@pytest.mark.parametrize(
    "name", ["tron__iggp", "kono__libgdl", "tiny2__iggp", "untwistycomplex__sancho", "chess", "hexPie"]
)
def test_odd_public_sheets_are_accepted_in_lenient_mode(corpus: Path, name: str) -> None:
    faults = check_source(load_source(corpus / "gdl1" / f"{name}.kif"), lenient=True)
    assert not [fault for fault in faults if fault.severity is Severity.ERROR]


@pytest.mark.parametrize(
    "name", ["BattleshipsFog__unsw", "dominion__uwa", "oneCardGame__uwa", "sushi_go__uwa"]
)
def test_unsafe_gdl_ii_sheets_are_accepted_in_lenient_mode_only(corpus: Path, name: str) -> None:
    source = load_source(corpus / "gdl2" / f"{name}.kif")
    assert any(fault.severity is Severity.ERROR for fault in check_source(source))
    assert not any(fault.severity is Severity.ERROR for fault in check_source(source, lenient=True))


@pytest.mark.slow
def test_sheets_not_stratified_by_name_are_told_with_their_circle(corpus: Path) -> None:
    found = set()
    for path in sheets(corpus):
        cycles = [fault for fault in check_source(load_source(path)) if fault.code == "negation-cycle"]
        assert all(fault.severity is Severity.ERROR and "(line " in fault.message for fault in cycles)
        found |= {path.stem} if cycles else set()
    assert found == NOT_STRATIFIED_BY_NAME


def test_a_circle_only_warns_in_lenient_mode(corpus: Path) -> None:
    faults = check_source(load_source(corpus / "gdl1" / "hexPie.kif"), lenient=True)
    assert {fault.severity for fault in faults if fault.code == "negation-cycle"} == {Severity.WARNING}


@pytest.mark.long
@pytest.mark.alone
def test_chess_is_checked_well_within_a_second(corpus: Path) -> None:
    source = load_source(corpus / "gdl1" / "chess.kif")
    spent = []
    for _ in range(3):
        # This thread's time, and the best of three: other tests leave threads and a full heap behind.
        start = time.thread_time()
        check_source(source)
        spent.append(time.thread_time() - start)
    assert min(spent) < 0.4
