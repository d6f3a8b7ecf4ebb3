"""Tournaments of realtime games: by a counted clock, the same again, with records and faults."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.api.play import play_tournament
from ludorum.arena.tournament import Here, PlanError, TournamentPlan, planned_game, run_tournament
from ludorum.arena.tournament.by_clock import moves_made, world_record
from ludorum.arena.tournament.plan import plan_from_json
from ludorum.arena.tournament.result import Ending, MatchResult
from ludorum.arena.tournament.run import Played
from ludorum.arena.tournament.summary import summarise
from ludorum.arena.world import RealtimeMatch, read_record
from ludorum.arena.world.counted_match import CountedMatch
from ludorum.arena.world.record import MadeMoves
from ludorum.arena.world.verify_record import verify_world
from ludorum.cli.app import app
from ludorum.engine.load import load_realtime
from ludorum.engine.wdl_master import MasterState, WdlMaster
from ludorum.players.realtime import ReadyActor, RealtimePlayer, make_realtime_player
from ludorum.rules.library import find_sheet
from ludorum.rules.terms import Term
from tests.arena.tournament.in_this_process import play_here

RACE = """
(set realtime) (role ann) (role bob)
(init free)
(<= (legal ?p (take flag)) (role ?p) (true free))
(<= (next free) (true free) (not taken))
(<= taken (does ?_p (take flag)))
(<= (next (has ?p)) (does ?p (take flag)))
(<= (next (has ?p)) (true (has ?p)))
(<= terminal (true (has ?_p)))
(<= (goal ?p 100) (true (has ?p)))
(<= (goal ?p 0) (role ?p) (not (true (has ?p))))
"""
"""Who takes the flag first has won."""
STEPS = """
(set realtime) (role ann) (role bob) (init (at ann 0)) (init (at bob 0))
(then 0 1) (then 1 2) (then 2 3) (then 3 4)
(<= (legal ?p go) (true (at ?p ?n)) (then ?n ?_m))
(<= (next (at ?p ?m)) (does ?p go) (true (at ?p ?n)) (then ?n ?m))
(<= (next (at ?p ?n)) (true (at ?p ?n)) (not (goes ?p)))
(<= (goes ?p) (does ?p go))
(<= terminal (true (at ?_p 4)))
(points 0 0) (points 1 25) (points 2 50) (points 3 75) (points 4 100)
(<= (goal ?p ?v) (true (at ?p ?n)) (points ?n ?v))
"""
"""Both go four steps; the first to arrive ends it."""


def written(text: str, folder: Path) -> str:
    path = folder / "game.wdl"
    path.write_text(text)
    return str(path)


def master_of(game: str) -> WdlMaster:
    master = load_realtime(find_sheet(game))
    assert master is not None
    return master


def plan_of(game: str, players: Sequence[str], **changes: object) -> TournamentPlan:
    settings: dict[str, object] = {"matches": 4, "seed": 5, "play_seconds": 20.0}
    return TournamentPlan((planned_game(game),), tuple(players), **(settings | changes))  # type: ignore[arg-type]


def results_of(played: Played) -> list[MatchResult]:
    return [played.results[fixture.match_id] for fixture in played.fixtures]


def test_the_ready_player_wins_every_race_and_all_is_the_same_again(tmp_path: Path) -> None:
    plan = plan_of(written(RACE, tmp_path), ("legal", "random"))
    assert plan.is_realtime
    assert plan.games[0].roles == ("ann", "bob")
    played = run_tournament(plan, Here())
    assert [fixture.players for fixture in played.fixtures] == [("legal", "random"), ("random", "legal")] * 2
    assert [result.goals for result in results_of(played)] == [(100, 0), (0, 100)] * 2
    assert {result.ending for result in results_of(played)} == {Ending.FINISHED}
    assert results_of(run_tournament(plan, Here())) == results_of(played)
    first, second = summarise(played).scores
    assert (first.player, first.wins, second.wins) == ("legal", 4, 0)


def test_points_of_a_match_that_its_clock_ended_are_those_of_its_last_state(tmp_path: Path) -> None:
    plan = plan_of(written(STEPS, tmp_path), ("legal", "random"), play_seconds=0.02, matches=1)
    result, _ = results_of(run_tournament(plan, Here()))
    # The second signal of the clock is the end: after it nobody moves.
    assert (result.ending, result.goals, moves_made(result)) == (Ending.UNFINISHED, (25, 0), 1)


def test_a_script_plays_them_too(tmp_path: Path) -> None:
    found = play_tournament(written(RACE, tmp_path), ["legal", "random"], seconds=20, seed=5)
    assert [(score.player, score.wins) for score in found.scores] == [("legal", 2), ("random", 0)]


def test_of_two_that_want_the_same_at_once_each_is_first_at_times(tmp_path: Path) -> None:
    master = master_of(written(RACE, tmp_path))
    firsts = set()
    for seed in range(8):
        match = RealtimeMatch(master, "m", seed, 0, 0)
        CountedMatch(match, {role: ReadyActor() for role in master.roles}).play()
        _, move = match.record.events
        assert isinstance(move, MadeMoves)
        firsts.add(move.moves[0].role)
    assert firsts == {"ann", "bob"}


class FlagTaker(RealtimePlayer):
    """Takes the flag at a given signal of the clock, or fails there."""

    name = "taker"

    def __init__(self, at: int, fails: bool = False) -> None:
        self.at, self.fails = at, fails

    def think(self, state: MasterState, legal: Sequence[Term], seconds: float) -> Term | None:
        if state.clock < self.at:
            return None
        if self.fails:
            raise RuntimeError("lost my mind")
        return legal[0]


def test_a_player_with_an_error_plays_no_more_and_the_match_goes_on(tmp_path: Path) -> None:
    master = master_of(written(RACE, tmp_path))
    ann, bob = master.roles
    asked: list[tuple[Term, bool]] = []
    match = RealtimeMatch(master, "m", 1, 0, 0)
    players = {ann: FlagTaker(3, fails=True), bob: FlagTaker(5)}
    counted = CountedMatch(match, players, lambda *one: asked.append(one))
    counted.play()
    assert counted.failed == {ann: (1, "RuntimeError: lost my mind")}
    assert match.clock == 5
    assert match.record.goals == {"ann": ["0"], "bob": ["100"]}
    assert asked.count((ann, True)) == asked.count((ann, False)) == 4  # to start, and at three signals
    assert asked.count((bob, True)) == asked.count((bob, False)) == 6


def test_an_error_of_a_player_is_a_fault_of_its_seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ReadyActor, "think", FlagTaker(2, fails=True).think)
    played = run_tournament(plan_of(written(RACE, tmp_path), ("legal", "random"), matches=1), Here())
    one, other = results_of(played)
    assert (one.goals, other.goals) == ((0, 100), (100, 0))
    (fault,) = other.faults
    assert (fault.seat, fault.step, str(fault.code), fault.text) == (1, 1, "CE", "RuntimeError: lost my mind")


@pytest.mark.long
def test_records_follow_from_the_log_and_agree_with_the_rules() -> None:
    plan = plan_of("tictactoe_clock", ("random", "legal"), matches=1)
    played = run_tournament(plan, Here())
    master = master_of("tictactoe_clock")
    for fixture, result in zip(played.fixtures, results_of(played), strict=True):
        record = world_record(plan, fixture, result)
        assert record.goals is not None
        assert [int(record.goals[role][0]) for role in plan.games[0].roles] == list(result.goals)
        assert verify_world(master, record).agrees
        assert read_record([f"{line}\n" for line in record.lines()]) == record


def test_the_searcher_with_counted_work_is_the_same_again(tmp_path: Path) -> None:
    plan = plan_of(written(RACE, tmp_path), ("champion:playouts=3", "random"), matches=1)
    once, again = (results_of(run_tournament(plan, Here())) for _ in range(2))
    assert once == again
    assert [result.goals for result in once] == [(100, 0), (0, 100)]


def test_settings_of_realtime_players_are_read() -> None:
    assert vars(make_realtime_player("champion:playouts=7"))["_playouts"] == 7
    assert vars(make_realtime_player("champion:playouts=7", playouts=2))["_playouts"] == 7
    assert vars(make_realtime_player("champion", playouts=2))["_playouts"] == 2
    for name in ("champion:", "champion:playouts=0", "champion:nodes=3", "realtime:playouts=x"):
        with pytest.raises(ValueError, match="the one setting in realtime is playouts"):
            make_realtime_player(name)
    with pytest.raises(ValueError, match="random has no settings in realtime"):
        make_realtime_player("random:playouts=3")


def test_plans_that_cannot_be_played_say_why(tmp_path: Path) -> None:
    game = written(RACE, tmp_path)
    cases: list[tuple[tuple[str, str], dict[str, object], str]] = [
        (("mcts", "random"), {}, "no player 'mcts' acts in realtime"),
        (("legal", "random"), {"ponder": True}, "leave ponder and threads out"),
        (("a", "random"), {"outside": ("a=http://h:1",), "start_seconds": 9.0}, "need the clock on the wall"),
    ]
    for players, changes, why in cases:
        with pytest.raises(PlanError, match=why):
            plan_of(game, players, **changes)
    with pytest.raises(PlanError, match="a tournament of their own"):
        TournamentPlan((planned_game(game), planned_game("tictactoe")), ("legal", "random"))
    plan = plan_of(game, ("legal", "random"))
    assert plan_from_json(json.loads(json.dumps(plan.as_json()))) == plan


def test_the_arena_plays_by_the_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play_here(monkeypatch)
    game, records, out = written(RACE, tmp_path), tmp_path / "records", tmp_path / "cup"
    asked = ["arena", game, "--players", "legal,random"]
    found = CliRunner().invoke(app, [*asked, "--out", str(out), "--records", str(records), "--json"])
    assert found.exit_code == 0, found.output
    assert len(list(records.iterdir())) == 2
    assert (out / "report.html").exists()
    record = str(min(records.iterdir()))
    assert CliRunner().invoke(app, ["verify", game, "--record", record]).exit_code == 0
    refused = CliRunner().invoke(app, [*asked, "--publish", "http://localhost:1"])
    assert (refused.exit_code, "--records keeps them" in refused.output) == (2, True)
