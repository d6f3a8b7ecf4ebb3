"""``ludorum replay`` of records of WDL matches: by the clock, with what was dropped and what is hidden."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.arena.world import RealtimeMatch, RoundMatch, WorldRecord
from ludorum.arena.world.record import MOST_DROPPED
from ludorum.cli.app import app
from ludorum.engine.load import load_realtime
from ludorum.engine.wdl_master import WdlMaster
from ludorum.rules.kif import parse_term
from ludorum.rules.library import find_sheet
from ludorum.rules.logic_sheets import read_wdl_sheet

GIFTS = """
(set realtime) (role ann) (role bob)
(random prize 1 gold)
(init (lies apple))
(<= (legal ?p (grab ?x (visible ?p prize))) (role ?p) (true (lies ?x)))
(<= (next (has ?p ?x)) (does ?p (grab ?x ?_prize)))
(<= (next (has ?p ?x)) (true (has ?p ?x)))
(<= (next (lies ?x)) (true (lies ?x)) (not taken))
(<= taken (does ?_p (grab ?_x ?_prize)))
(<= terminal taken_one)
(<= taken_one (true (has ?_p apple)))
(<= (goal ?p 100) (true (has ?p apple)))
(<= (goal ?p 0) (role ?p) (not (true (has ?p apple))))
"""
"""Who grabs the apple first sees a prize."""


def run(*options: str, code: int = 0) -> str:
    found = CliRunner().invoke(app, ["replay", *options])
    assert found.exit_code == code, found.output
    return found.output


def written(record: WorldRecord, folder: Path) -> str:
    path = folder / "record.json"
    path.write_text("".join(f"{line}\n" for line in record.lines()))
    return str(path)


def clock_match() -> RealtimeMatch:
    """The beginning of tic-tac-toe by the clock, with a move that comes out of turn."""
    master = load_realtime(find_sheet("tictactoe_clock"))
    assert master is not None
    match = RealtimeMatch(master, "m1", 1, 0, 0)
    for _ in range(50):
        match.tick()
    match.act(master.roles[1], parse_term("(mark 1 1)"))
    match.act(master.roles[0], parse_term("(mark 2 2)"))
    return match


@pytest.fixture
def gift(tmp_path: Path) -> tuple[str, str]:
    """The record of a match in which something is hidden, and its rules."""
    sheet = tmp_path / "gifts.wdl"
    sheet.write_text(GIFTS)
    master = load_realtime(find_sheet(str(sheet)))
    assert master is not None
    match = RealtimeMatch(master, "m2", 1, 0, 0)
    ann, bob = master.roles
    for _ in range(MOST_DROPPED + 2):
        match.act(bob, parse_term("steal"))
    match.tick()
    match.act(ann, parse_term("(grab apple (visible ann prize))"))
    assert match.is_over
    return written(match.record, tmp_path), str(sheet)


def test_moves_ticks_and_positions_of_a_realtime_match(tmp_path: Path) -> None:
    said = run(written(clock_match().record, tmp_path))
    assert said.startswith("tictactoe_clock: xplayer, oplayer, realtime\n\n0.00 s, tick 0: start\n3  . . .\n")
    assert said.endswith(
        "\n0.50 s, tick 50: oplayer (mark 1 1) was not legal when it came, and nobody was told\n"
        "\n0.50 s, tick 50: xplayer mark 2 2\n3  . . .\n2  .[x].\n1  . . .\n   1 2 3\n"
        "chessclock  oplayer 0, xplayer 50\ncontrol     *oplayer\n"
        "\nnot over after 0.50 seconds, 50 ticks\n"
    )


def test_a_realtime_match_for_programs(tmp_path: Path) -> None:
    found = json.loads(run(written(clock_match().record, tmp_path), "--json"))
    assert {key: found[key] for key in ("match", "game", "realtime", "ticks", "seconds", "goals")} == {
        "match": "m1",
        "game": "tictactoe_clock",
        "realtime": True,
        "ticks": 50,
        "seconds": 0.5,
        "goals": None,
    }
    dropped, moved = found["events"]
    assert dropped == {"tick": 50, "seconds": 0.5, "dropped": {"oplayer": "(mark 1 1)"}}
    assert moved["moves"] == {"xplayer": "(mark 2 2)"}
    assert "(cell 2 2 x)" in moved["state"]
    assert "(cell 2 2 b)" in found["start"]


def test_what_was_hidden_is_told_by_itself_and_not_to_another_role(gift: tuple[str, str]) -> None:
    record, game = gift
    said = run(record, "--game", game)
    assert "0.01 s, tick 1: ann grab apple gold\n     bob is told: ann grab apple\n" in said
    assert "\n2 more moves of bob were not legal when they came\n" in said
    assert said.endswith("over after 0.01 seconds, 1 ticks: ann 100, bob 0\n")
    assert run(record, "--game", game, "--role", "ann") == (
        "gifts: ann, bob, realtime (as ann may see it)\n\n0.01 s, tick 1: ann grab apple gold\n\n"
        "over after 0.01 seconds, 1 ticks: ann 100, bob 0\n"
    )
    seen = json.loads(run(record, "--game", game, "--role", "bob", "--json"))
    assert "gold" not in json.dumps(seen)
    assert seen["events"][-1]["told"] == {"bob": {"ann": "(grab apple)"}}
    assert seen["more_dropped"] == {"bob": 2}


def test_moves_are_shown_without_the_rules_as_well(gift: tuple[str, str]) -> None:
    said = run(gift[0])
    assert "  1. ann grab apple gold\n" in said
    assert said.endswith("name them with --game.\nover after 1 ticks: ann 100, bob 0\n")


def test_a_record_is_checked_by_the_rules(gift: tuple[str, str], tmp_path: Path) -> None:
    record, game = gift
    assert run(record, "--game", game, "--check") == "not signed\nnothing wrong\n"
    assert run(record, "--check") == (
        "not signed\nnothing wrong\nthe rules are not at hand: --game checks every state by them\n"
    )
    text = Path(record).read_text()
    for right, wrong, why in (
        ('{"goals": {"ann": ["100"]', '{"goals": {"ann": ["0"]', "goal values"),
        ('"move": "(grab apple', '"move": "(grab pear', "not legal"),
    ):
        assert right in text
        (tmp_path / "wrong.json").write_text(text.replace(right, wrong))
        assert why in run(str(tmp_path / "wrong.json"), "--game", game, "--check", code=2)
    assert "other rules" in run(record, "--game", "pursuit", code=2)


def test_records_of_the_web_application_are_read(gift: tuple[str, str], tmp_path: Path) -> None:
    lines = [json.loads(line) for line in Path(gift[0]).read_text().splitlines()]
    path = tmp_path / "web.json"
    path.write_text(json.dumps({"match": "m2", "names": {}, "end": None, "world": lines}))
    assert run(str(path)) == run(gift[0])


def test_what_needs_steps_is_refused_with_what_there_is_instead(gift: tuple[str, str]) -> None:
    assert "with --json for programs" in run(gift[0], "--html", "page.html", code=2)
    assert "there are ann, bob" in run(gift[0], "--role", "cat", code=2)
    assert "no sheet of WDL" in run(gift[0], "--game", "tictactoe", code=2)


def test_a_tick_is_as_long_as_the_rules_say(tmp_path: Path) -> None:
    master = load_realtime(find_sheet("pursuit"))
    assert master is not None
    match = RealtimeMatch(master, "m3", 1, 0, 0)
    match.tick()
    assert run(written(match.record, tmp_path)).endswith("\nnot over after 0.05 seconds, 1 ticks\n")


def test_a_match_of_rounds_is_told_round_by_round(tmp_path: Path) -> None:
    master = WdlMaster(read_wdl_sheet(find_sheet("black_jack"))[0])
    match = RoundMatch(master, "m4", 1, (0, 0))
    for _ in range(2):
        match.play({role: master.legal(match.state, role)[0] for role in master.roles})
    said = run(written(match.record, tmp_path))
    assert said.startswith("black_jack: bank, player, rounds\n\n  0. start\n")
    assert "\n  1. bank get carddeck" in said.replace("cards:", "")
    assert "     player is told: bank get\n" in said
    assert said.endswith("\nnot over after 2 rounds\n")
