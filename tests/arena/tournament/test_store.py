"""The log: whole lines count, half a line does not, and nothing else is let in."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.arena.match.match import START, ErrorCode
from ludorum.arena.tournament import Ending, LogError, MatchLog, MatchResult, TournamentPlan, read_log
from ludorum.arena.tournament.log import LOG_NAME
from ludorum.arena.tournament.result import SeatFault, result_from_json
from tests.arena.tournament.plans import DUEL, names

PLAN = TournamentPlan((DUEL,), names(2), 4)
WON = MatchResult("duel/r0/p0-p1/0", (100, 0), moves=("((mark 1 1) noop)",), seconds=0.5)
DIED = SeatFault(START, 0, ErrorCode.LOST, "„died“")
LOST = MatchResult("duel/r0/p1-p0/0", (0, 100), Ending.FORFEIT, faults=(DIED,))


def test_what_was_added_is_there_again(tmp_path: Path) -> None:
    with MatchLog.create(tmp_path / "new" / "folder", PLAN) as log:
        log.add([WON])
        log.add([LOST, WON])  # once is enough
        assert len(log.path.read_text().splitlines()) == 3
    with MatchLog.resume(tmp_path / "new" / "folder", PLAN) as log:
        assert log.plan == PLAN
        assert log.results == {WON.match_id: WON, LOST.match_id: LOST}
        assert log.results[WON.match_id].seconds == 0.5
    assert read_log(tmp_path / "new" / "folder") == (PLAN, log.results)


def test_what_was_void_may_be_played_again_and_nothing_else(tmp_path: Path) -> None:
    void = MatchResult(WON.match_id, (0, 0), Ending.VOID, faults=(replace(DIED, seat=None),))
    with MatchLog.create(tmp_path, PLAN) as log:
        log.add([void])
        log.add([replace(void, seconds=3.0)])  # no news
        log.add([WON])
        log.add([replace(WON, goals=(0, 100)), void])
        assert len(log.path.read_text().splitlines()) == 3
        assert log.results == {WON.match_id: WON}
    assert read_log(tmp_path)[1] == {WON.match_id: WON}


def test_a_log_cut_anywhere_keeps_every_whole_line(tmp_path: Path) -> None:
    with MatchLog.create(tmp_path, PLAN) as log:
        log.add([WON])
        log.add([LOST])
    data = log.path.read_bytes()
    ends = [at + 1 for at, byte in enumerate(data) if byte == ord("\n")]
    for cut in sorted({*range(0, len(data), 23), *ends, *(end - 1 for end in ends)}):
        log.path.write_bytes(data[:cut])
        with MatchLog.resume(tmp_path, PLAN) as again:
            whole = sum(end <= cut for end in ends)
            assert len(again.results) == max(0, whole - 1)
            again.add([WON, LOST])
        # What is added after the cut makes the very log that was there before.
        assert log.path.read_bytes() == data


def test_logs_that_do_not_fit_are_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="holds no tournament to resume"):
        MatchLog.resume(tmp_path, PLAN)
    with MatchLog.create(tmp_path, PLAN) as log:
        with pytest.raises(LogError, match="is in use"):
            MatchLog.resume(tmp_path, PLAN)
        log.add([WON])
    with pytest.raises(LogError, match="--resume goes on with it"):
        MatchLog.create(tmp_path, PLAN)
    with pytest.raises(LogError, match=r"other settings: matches \(4 and 6\); seed \(0 and 2\)"):
        MatchLog.resume(tmp_path, replace(PLAN, matches=6, seed=2))
    with pytest.raises(LogError, match="rules or names differ"):
        MatchLog.resume(tmp_path, replace(PLAN, games=(replace(DUEL, text="(role x)"),)))
    log.path.write_bytes(log.path.read_bytes() + b"rubbish\n")
    with pytest.raises(LogError, match=r"matches\.jsonl:3: this line does not belong"):
        MatchLog.resume(tmp_path)
    (tmp_path / LOG_NAME).write_text(json.dumps({"format": "other"}) + "\n")
    with pytest.raises(LogError, match="format 'other'"):
        MatchLog.resume(tmp_path)


FAULTS = st.builds(
    SeatFault,
    st.integers(START, 1000),
    st.none() | st.integers(0, 9),
    st.sampled_from(ErrorCode),
    st.text(),
)


@given(
    st.builds(
        MatchResult,
        st.text(),
        st.lists(st.integers(0, 100)).map(tuple),
        st.sampled_from(Ending),
        st.lists(st.text()).map(tuple),
        st.lists(FAULTS).map(tuple),
    )
)
@settings(max_examples=40)
def test_results_are_written_and_read_alike(result: MatchResult) -> None:
    assert result_from_json(json.loads(json.dumps(result.as_json()))) == result


@pytest.mark.parametrize("key", ["goals", "moves", "faults"])
def test_each_list_of_a_result_must_be_one(key: str) -> None:
    assert result_from_json(WON.as_json()) == WON
    with pytest.raises(ValueError, match="goals, moves and faults are lists"):
        result_from_json(WON.as_json() | {key: "no list"})


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("-1 0 CE the process died", SeatFault(START, 0, ErrorCode.LOST, "the process died")),
        ("-1 - CE no rules", SeatFault(START, None, ErrorCode.LOST, "no rules")),
        ("12 1 TO", SeatFault(12, 1, ErrorCode.LATE)),
    ],
)
def test_faults_of_earlier_logs_are_read(text: str, fault: SeatFault) -> None:
    assert result_from_json(WON.as_json() | {"faults": [text]}) == replace(WON, faults=(fault,))


@pytest.mark.parametrize(
    "fault", ["late", "1 0 XX what", 7, {"step": 1}, {"step": "1", "seat": 0, "code": "TO", "text": ""}]
)
def test_what_is_no_fault_is_refused(fault: object) -> None:
    with pytest.raises((ValueError, KeyError)):
        result_from_json(WON.as_json() | {"faults": [fault]})
