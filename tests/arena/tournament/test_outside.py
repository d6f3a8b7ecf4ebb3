"""Players at addresses in tournaments: real processes and sockets, such as die, are busy, or come back."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest
from typer.testing import CliRunner

from ludorum.arena.match.match import START, ErrorCode
from ludorum.arena.testing import Act, FaultyProxy, Heard, ScriptedPlayer, Trouble
from ludorum.arena.tournament import (
    Ending,
    Fixture,
    Here,
    MatchLog,
    PlanError,
    Processes,
    TournamentPlan,
    planned_game,
    run_tournament,
)
from ludorum.arena.tournament import outside as outside_module
from ludorum.arena.tournament.make_schedule import schedule_of
from ludorum.arena.tournament.outside import check_outside
from ludorum.arena.tournament.play import play_fixture
from ludorum.arena.tournament.records import publish_matches
from ludorum.arena.tournament.report import command_line, report_page
from ludorum.arena.tournament.result import SeatFault
from ludorum.arena.tournament.schedule import round_fixtures
from ludorum.arena.tournament.summary import summarise
from ludorum.arena.tournament.waiting import Waiting
from ludorum.cli.app import app
from tests.arena.protocol.player_process import COMMAND, RunningPlayer, player_process
from tests.how_much import sample
from tests.players.hostile_players import install

Listens = TypeVar("Listens", ScriptedPlayer, FaultyProxy)


def plan_of(
    *players: str, outside: tuple[str, ...], game: str = "tictactoe", **changes: object
) -> TournamentPlan:
    settings: dict[str, object] = {"start_seconds": 5.0, "play_seconds": 2.0, "seed": 3, "engine": "lifted"}
    return TournamentPlan((planned_game(game),), players, outside=outside, **(settings | changes))  # type: ignore[arg-type]


@contextmanager
def listening(player: Listens) -> Iterator[Listens]:
    """A test double in a loop of its own: tournaments have theirs."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(player.open(), loop).result(10)
        yield player
        asyncio.run_coroutine_threadsafe(player.close(), loop).result(10)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@pytest.fixture(scope="module")
def one() -> Iterator[RunningPlayer]:
    """Somebody who plays at random, for tests that do not end him."""
    with player_process("--as", "random") as player:
        yield player


@pytest.mark.long
def test_two_processes_at_addresses_and_one_of_ours(one: RunningPlayer) -> None:
    with player_process("--as", "legal") as two:
        plan = plan_of("one", "random", "two", outside=(f"one={one.url}", f"two={two.url}"))
        check_outside(plan)
        with Processes(2) as runner:
            played = run_tournament(plan, runner)
    summary = summarise(played)
    assert summary.faults == ()
    assert summary.endings == {"finished": 6}
    assert [score.games for score in summary.scores] == [4, 4, 4]
    openings = {(f.group, played.results[f.match_id].moves[:2]) for f in played.fixtures}
    assert len(openings) == 3
    records = list(publish_matches(played))
    assert [record.player_names for record in records[:2]] == [("one", "random"), ("random", "one")]
    note = f"one (at 127.0.0.1:{one.ports[0]}), two (at 127.0.0.1:{two.ports[0]})"
    assert note in str(summary.as_json()["notes"])
    assert "cannot be repeated" in report_page(summary)
    assert f"--players one=http://127.0.0.1:{one.ports[0]},random,two=http" in command_line(summary)


@pytest.mark.long
def test_one_that_dies_in_the_middle_of_a_match_is_counted_out(one: RunningPlayer) -> None:
    with player_process("--as", "random") as dies:
        matches: list[str] = []

        def watch(heard: Heard) -> Trouble:
            """Kill the other player when the second match has got beyond its opening."""
            matches.extend(heard.text.split()[2:3] if heard.keyword == "start" else ())
            asked = [text for text in seen if len(matches) == 2 and matches[1] in text and "PLAY" in text]
            seen.append(heard.text)
            if len(asked) == 3:
                dies.process.send_signal(signal.SIGKILL)
                dies.process.wait()
            return Trouble.NONE

        seen: list[str] = []
        with listening(FaultyProxy(one.url, watch)) as proxy:
            plan = plan_of("lives", "dies", outside=(f"lives={proxy.url}", f"dies={dies.url}"), matches=4)
            played = run_tournament(plan, Here())
    summary = summarise(played)
    assert summary.endings == {"finished": 4}
    assert {(fault.player, fault.code) for fault in summary.faults} == {("dies", "CE")}
    steps: dict[str, list[int]] = {}
    for fault in summary.faults:
        steps.setdefault(fault.match_id, []).append(fault.step)
    # The first match was over, the second under way; two did not even begin.
    assert list(steps) == [fixture.match_id for fixture in played.fixtures[1:]]
    first, *others = (found[0] for found in steps.values())
    assert first in (3, 4)  # both are asked at once: it may have answered before it died
    assert others == [-1, -1]
    assert "dies" in report_page(summary)


@pytest.mark.long
def test_code_of_others_that_dies_loses_to_a_player_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it does among players of this machine; the player elsewhere is told that the match is given up."""
    install(tmp_path, monkeypatch)
    with listening(ScriptedPlayer()) as player:
        plan = plan_of("other", "crash", outside=(f"other={player.url}",), opening=0)
        fixture = next(iter(round_fixtures(plan, schedule_of(plan), 0, {}) or ()))
        result = play_fixture(plan, fixture)
    assert (fixture.players, result.goals) == (("other", "crash"), (100, 0))
    assert result.ending is Ending.FORFEIT
    assert result.faults == (SeatFault(START, 1, ErrorCode.LOST, "the player's process died of SIGSEGV"),)
    keywords = [text.split()[1] for text in player.texts if text.split()[1] in ("START", "STOP", "ABORT")]
    assert keywords == ["START", "ABORT"] * 2, "it is played again once"


@pytest.mark.long
@pytest.mark.parametrize("how", sample([signal.SIGKILL, signal.SIGINT], 2))
def test_a_tournament_that_is_ended_gets_its_players_back(tmp_path: Path, how: signal.Signals) -> None:
    with player_process("--as", "mcts") as player:
        words = ["arena", "connect_four", "--players", f"other={player.url},random", "--clock", "5,0.5"]
        words += ["--longest", "6", "--engine", "lifted", "--out", str(tmp_path), "--json"]
        process = subprocess.Popen([*COMMAND, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        player.wait_for("start", 2)
        process.send_signal(how)
        process.wait(30)
        if how is signal.SIGINT:
            player.wait_for("abort")  # it was told at once
        resumed = CliRunner().invoke(app, ["arena", "--resume", "--out", str(tmp_path), "--json"])
        assert resumed.exit_code == 0, resumed.output
        if how is signal.SIGKILL:
            player.wait_for("abort")  # by the one who came after
    result = json.loads(resumed.stdout)
    assert result["faults"] == []
    assert result["endings"] == {"unfinished": 2}
    assert len((tmp_path / "matches.jsonl").read_text().splitlines()) == 3


def test_addresses_may_change_and_players_may_not(tmp_path: Path) -> None:
    plan = plan_of("one", "random", outside=("one=http://127.0.0.1:1",))
    MatchLog.create(tmp_path, plan).close()
    moved = replace(plan, outside=("one=http://127.0.0.1:2",))
    with MatchLog.resume(tmp_path, moved) as log:
        assert log.plan == moved
    with MatchLog.resume(tmp_path) as log:
        assert log.plan == plan
    with pytest.raises(ValueError, match=r"players at addresses \(\['one'\] and \['random'\]\)"):
        MatchLog.resume(tmp_path, replace(plan, outside=("random=http://127.0.0.1:2",)))


def test_the_opening_is_told_step_by_step_and_not_judged() -> None:
    with listening(ScriptedPlayer()) as player:  # never names a legal move
        plan = plan_of("other", "legal", outside=(f"other={player.url}",), seed=5)
        played = run_tournament(plan, Here())
    first = played.results[played.fixtures[0].match_id]
    texts = [text for text in player.texts if text.startswith(("( PLAY", "( STOP"))]
    told = [re.sub(r"\( (PLAY|STOP) \S+ (.*) \)", r"\2", text) for text in texts]
    assert told[: len(first.moves) + 1] == ["NIL", *first.moves]
    assert [fault.step for fault in first.faults] == list(range(2, len(first.moves)))
    assert {(fault.code, fault.text) for fault in first.faults} == {(ErrorCode.ILLEGAL, "nil")}


def test_one_that_plays_elsewhere_makes_matches_void_and_they_are_played_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outside_module, "BUSY_SECONDS", -100.0)
    busy = True

    def script(heard: Heard) -> Act:
        if heard.keyword == "info":
            return "((name other) (status busy))" if busy else "available"
        return "ready"

    with listening(ScriptedPlayer(script=script)) as player:
        plan = plan_of("other", "random", outside=(f"other={player.url}",))
        with MatchLog.create(tmp_path, plan) as log:
            away = run_tournament(plan, Here(), log)
        assert {result.ending for result in away.results.values()} == {Ending.VOID}
        assert "other at 127.0.0.1" in away.results[away.fixtures[0].match_id].faults[0].text
        busy = False
        with MatchLog.resume(tmp_path, plan) as log:
            back = run_tournament(plan, Here(), log)
    assert {result.ending for result in back.results.values()} == {Ending.FINISHED}
    with MatchLog.resume(tmp_path) as log:
        assert log.results == back.results


@pytest.mark.parametrize(
    ("outside", "changes", "message"),
    [
        (("one=http://a:1",), {"start_seconds": 0.0}, "give it time to prepare, such as --clock 10,1"),
        (("one=http://a:1", "two=a:1"), {}, "a:1 is named for two players"),
        (("three=http://a:1",), {}, "'three' is invited, but is no player"),
        (("one=gdl1+http://a:1",), {"game": "kuhn_poker"}, "one speaks GDL-I only"),
        (("one=gdl2-2011+http://a:1",), {"game": "kuhn_poker"}, "--opening 0"),
    ],
)
def test_what_cannot_be_played_is_said_before_it_begins(
    outside: tuple[str, ...], changes: dict[str, object], message: str
) -> None:
    with pytest.raises(PlanError, match=message):
        check_outside(plan_of("one", "two", outside=outside, **changes))  # type: ignore[arg-type]


def test_a_player_elsewhere_is_in_one_match_at_a_time() -> None:
    plan = plan_of("one", "two", "random", outside=("one=http://a:1", "two=http://a:2"))
    pairs = [("one", "random"), ("one", "two"), ("two", "random"), ("random", "two")]
    fixtures = [Fixture(str(at), "tictactoe", pair, 0, "") for at, pair in enumerate(pairs)]
    waiting = Waiting(plan, fixtures)
    assert waiting.take() is fixtures[0]
    assert waiting.take_now() is fixtures[2]
    assert waiting.take_now() is None
    waiting.over(fixtures[0])
    assert waiting.take_now() is None
    waiting.over(fixtures[2])
    assert waiting.take() is fixtures[1]
    waiting.give_up()
    assert waiting.take() is None
