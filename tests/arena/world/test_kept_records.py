"""Records of realtime matches in a store, signed, and checked by the rules."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from ludorum.arena.records.signatures import SignatureError, SigningKey, save_key
from ludorum.arena.records.store import MatchStore
from ludorum.arena.records.store_address import StoreError
from ludorum.arena.world import RealtimeMatch, read_record
from ludorum.arena.world.record import MOST_DROPPED
from ludorum.arena.world.record_keeper import RecordKeeper, stored_lines
from ludorum.arena.world.signed_record import check_record_signature, signed_record
from ludorum.arena.world.verify_record import verify_world
from ludorum.cli.app import app
from tests.arena.test_spectator import published, rich_match
from tests.arena.world.test_realtime_match import ANN, BOB, GRAB, grab, match_of

KEY = SigningKey.generate()


def play(match: RealtimeMatch, moved: Callable[[], None] = lambda: None) -> RealtimeMatch:
    """Ann grabs the apple and then the pear; Bob is late, more often than a record has room for."""
    match.tick()
    match.act(ANN, grab(ANN, "apple"))
    moved()
    for _ in range(MOST_DROPPED + 3):
        match.act(BOB, grab(BOB, "apple"))
    while match.clock < 25:
        match.tick()
    match.act(ANN, grab(ANN, "pear"))
    moved()
    assert match.is_over
    return match


def test_a_record_comes_back_from_a_store_as_it_was(url: str) -> None:
    match = match_of()
    with MatchStore(url) as store:
        keeper = RecordKeeper(store, match.record)
        play(match, keeper.note_moves)
        final = signed_record(match.record, KEY)
        keeper.close(final)
        with pytest.raises(StoreError, match="there is a match 'm1' already"):
            RecordKeeper(store, match.record)
    with MatchStore(url) as again:
        lines = stored_lines(again, "m1")
        (listed,) = again.matches()
        assert (listed.match_id, listed.steps, listed.ended) == ("m1", 2, "completed")
    assert lines is not None
    assert read_record(lines) == final
    assert list(map(json.loads, lines)) == [json.loads(line) for line in final.lines()]
    assert check_record_signature(lines) == KEY.public_text


def test_a_match_that_is_given_up_is_kept_as_far_as_it_came(tmp_path: Path) -> None:
    match = match_of()
    with MatchStore(str(tmp_path / "m.db")) as store:
        keeper = RecordKeeper(store, match.record)
        match.tick()
        match.act(ANN, grab(ANN, "apple"))
        match.tick()
        keeper.close(match.record)
        assert store.matches()[0].ended == "aborted"
        lines = stored_lines(store, "m1")
    assert lines is not None
    assert read_record(lines) == match.record


def test_moves_are_in_the_store_before_the_match_is_over(tmp_path: Path) -> None:
    match = match_of()
    with MatchStore(str(tmp_path / "m.db")) as store:
        keeper = RecordKeeper(store, match.record)
        assert len(stored_lines(store, "m1") or ()) == 1
        match.tick()
        match.act(ANN, grab(ANN, "apple"))
        keeper.note_moves()
        while len(lines := stored_lines(store, "m1") or []) == 1:
            pass  # the thread writes them: nothing else would
        assert read_record(lines).events == match.record.events
        keeper.close(match.record)


def test_a_changed_row_is_found_and_rounds_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with MatchStore(str(path)) as store:
        match = match_of()
        keeper = RecordKeeper(store, match.record)
        play(match)
        keeper.close(match.record)
        store.begin(published(rich_match()))
        assert stored_lines(store, "kiosk.1") is None
        with pytest.raises(StoreError, match="'m1' does not hold a match of rounds"):
            store.load("m1")
    engine = sa.create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TRIGGER ludorum_steps_no_update")
        connection.exec_driver_sql(
            "UPDATE ludorum_steps SET body = replace(body, 'apple', 'table') WHERE match_id = 'm1'"
        )
    engine.dispose()
    with MatchStore(str(path)) as store, pytest.raises(StoreError, match="'m1' is damaged: state 1 is not"):
        stored_lines(store, "m1")


def test_every_change_of_a_signed_record_is_found() -> None:
    lines = [f"{line}\n" for line in signed_record(play(match_of()).record, KEY).lines()]
    assert check_record_signature(lines) == KEY.public_text
    assert check_record_signature(lines[:-1]) is None
    assert check_record_signature([*lines[:-1], lines[-1][:40]]) is None
    for at in (0, 1, 2, 50, len(lines) - 2):
        with pytest.raises(SignatureError, match="something in it was changed"):
            check_record_signature(lines[:at] + lines[at + 1 :])
    with pytest.raises(SignatureError, match="lines were added after the signature"):
        check_record_signature([*lines, lines[1]])
    other = signed_record(replace(play(match_of()).record, seed=2), KEY)
    with pytest.raises(SignatureError):
        check_record_signature([*lines[:-1], list(other.lines())[-1]])


def test_a_signed_record_is_signed_again_over_the_same() -> None:
    record = signed_record(play(match_of()).record, KEY)
    assert signed_record(record, KEY) == record


def test_a_record_is_verified_by_its_rules() -> None:
    match = play(match_of())
    report = verify_world(match.master, match.record)
    assert (report.agrees, report.states, report.checked, report.steps) == (True, 28, 27, 27)
    wrong = replace(match.record, goals={"ann": ["0"], "bob": ["0"]})
    report = verify_world(match.master, wrong)
    assert not report.agrees
    assert "goal values" in str(report.disagreements[0])
    wrong = replace(match.record, events=match.record.events[1:-1] + match.record.events[-1:] * 2)
    report = verify_world(match.master, wrong)
    assert (report.complete, report.states, report.disagreement_count) == (False, 27, 1)
    assert "is not legal where it was made" in str(report.disagreements[0])


def ludorum(*options: str, code: int = 0) -> str:
    found = CliRunner().invoke(app, options)
    assert found.exit_code == code, found.output
    return found.output


def test_verify_and_replay_take_records_of_the_clock(tmp_path: Path) -> None:
    rules, record = tmp_path / "grab.wdl", tmp_path / "m1.json"
    rules.write_text(GRAB)
    lines = list(signed_record(play(match_of()).record, KEY).lines())
    text = "".join(f"{line}\n" for line in lines)
    record.write_text(text)
    assert ludorum("verify", str(rules), "--record", str(record)) == (
        f"{record}: 28 states, 28 questions, 0 disagreements\n"
    )
    assert f"signed with {KEY.public_text}\n" in ludorum("replay", str(record), "--check")
    record.write_text(text.replace('"seed": 1', '"seed": 2'))
    said = ludorum("replay", str(record), "--check", code=1)
    assert said.startswith("signature: the match is not what was signed")
    record.write_text(text.replace('"count": 24', '"count": 3'))
    assert "is not legal" in ludorum("verify", str(rules), "--record", str(record), code=1)
    assert "is no sheet of WDL" in ludorum("verify", "tictactoe", "--record", str(record), code=2)


@pytest.mark.long
def test_what_makes_no_sense_by_the_clock_is_refused_with_the_reason(tmp_path: Path) -> None:
    rules = tmp_path / "grab.wdl"
    rules.write_text(GRAB)
    asked = (str(rules), "--players", "random,random")
    for verb in ("match", "host"):
        for option, why in (
            ("--from=m1.json", "one stretch of time"),
            ("--publish=http://localhost:1", "take matches as a list of states"),
            ("--limit=3", "as long as its clock says"),
        ):
            assert why in ludorum(verb, *asked, option, code=2)
    store = str(tmp_path / "m.db")
    with MatchStore(store) as opened:
        match = match_of()
        RecordKeeper(opened, match.record).close(match.record)
    refused = ludorum("match", "tictactoe", "--players", "random", "--store", store, "--from", "m1", code=2)
    assert "does not hold a match of rounds" in refused


@pytest.mark.long
def test_a_match_is_played_into_a_store_and_signed(tmp_path: Path) -> None:
    rules, store, record = tmp_path / "brief.wdl", str(tmp_path / "m.db"), tmp_path / "r.json"
    # Nobody can move before the end, so that it does not matter how quick the player's process is.
    late = "(<= (legal ann wait) (clock 9))"
    rules.write_text(f"(set realtime) (role ann) {late} (<= terminal (clock 2)) (goal ann 50)")
    key = tmp_path / "key.pem"
    save_key(KEY, key)
    asked = ("match", str(rules), "--players", "random", "--clock", "1,5", "--record", str(record))
    ludorum(*asked, "--store", store, "--id", "brief", "--key", str(key))
    with MatchStore(store) as opened:
        lines = stored_lines(opened, "brief")
    assert lines is not None
    assert read_record(lines) == read_record(record.read_text().splitlines(keepends=True))
    assert check_record_signature(lines) == KEY.public_text
    assert ludorum("replay", "--store", store) == "brief  brief  0 steps  completed\n"
    shown = ludorum("replay", "brief", "--store", store, "--game", str(rules))
    assert shown.endswith("over after 0.02 seconds, 2 ticks: ann 50\n")
