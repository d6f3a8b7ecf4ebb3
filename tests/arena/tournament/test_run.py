"""Tournaments in this process, in others and on Ray: the same results, whatever is killed on the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from ludorum.arena.match.match import START, ErrorCode
from ludorum.arena.match.opening import open_match
from ludorum.arena.tournament import (
    Ending,
    Fixture,
    Here,
    MatchLog,
    MatchResult,
    OnRay,
    Played,
    Processes,
    ScheduleKind,
    Sequential,
    TournamentPlan,
    planned_game,
    run_tournament,
)
from ludorum.arena.tournament.log import LOG_NAME
from ludorum.arena.tournament.make_schedule import schedule_of
from ludorum.arena.tournament.play import play_fixture
from ludorum.arena.tournament.result import SeatFault, forfeit
from ludorum.arena.tournament.schedule import round_fixtures
from ludorum.arena.tournament.worker import Worker
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from tests.arena.tournament.plans import small_plan
from tests.how_much import FULL
from tests.own_process import in_own_process
from tests.players.hostile_players import install
from tests.small_games import door


def lost(seat: int, text: str) -> SeatFault:
    return SeatFault(START, seat, ErrorCode.LOST, text)


def until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


@pytest.fixture(scope="module")
def alone() -> Played:
    """The small tournament, played in this process: what everything else is compared with."""
    return run_tournament(small_plan(), Here())


@pytest.mark.long
def test_two_processes_play_the_same_matches(alone: Played) -> None:
    with Processes(2) as runner:
        assert run_tournament(small_plan(), runner) == alone
    assert len(alone.results) == 24
    assert all(result.ending is Ending.FINISHED for result in alone.results.values())


@pytest.mark.long
def test_results_can_be_replayed_move_for_move(alone: Played) -> None:
    for fixture in alone.fixtures[:8]:
        result = alone.results[fixture.match_id]
        game = alone.plan.game(fixture.game).load("lifted")
        state = game.initial()
        for text in result.moves:
            moves = parse_term(f"(joint {text[1:]}").args
            state = state.play([move for move in moves if isinstance(move, Term)])
        assert state.is_terminal
        assert tuple(state.goal(role) for role in game.info.players) == result.goals


def test_seatings_of_a_set_begin_with_the_same_opening(alone: Played) -> None:
    openings: dict[str, set[tuple[str, ...]]] = {}
    for fixture in alone.fixtures:
        openings.setdefault(fixture.group, set()).add(alone.results[fixture.match_id].moves[:2])
    assert all(len(found) == 1 for found in openings.values())
    assert len(openings) == 12


@pytest.mark.long
def test_an_opening_never_ends_the_game() -> None:
    game = door()  # lasts two steps at most
    for seed in range(5):
        match = open_match(game, seed, 6)
        assert not match.is_over


def test_players_hear_what_an_opening_told_them() -> None:
    plan = TournamentPlan(
        (planned_game("crazy_eights_simple"),), ("card_greedy:n_worlds=1", "champion:playouts=10"), 2,
        play_seconds=60.0, opening=20, longest=25,
    )  # fmt: skip
    played = run_tournament(plan, Here())
    assert [result.faults for result in played.results.values()] == [(), ()]
    assert all(len(result.moves) > 20 for result in played.results.values())


SCRIPT = """
import sys
from pathlib import Path
from ludorum.arena.tournament import MatchLog, Processes, run_tournament
from tests.arena.tournament.plans import small_plan

def main():
    folder, begin = Path(sys.argv[1]), sys.argv[2] == "begin"
    plan = small_plan(matches=8)
    with (MatchLog.create if begin else MatchLog.resume)(folder, plan) as log, Processes(2) as runner:
        print("started", flush=True)
        run_tournament(plan, runner, log, lambda p: print(len(p.results), flush=True))

if __name__ == "__main__":
    main()
"""


def children_of(pid: int) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            found.append(int(folder.name))
    return found


def gone(pid: int) -> bool:
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for child processes in /proc")
def test_a_tournament_killed_again_and_again_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    script = tmp_path / "killed.py"
    script.write_text(SCRIPT)
    out = tmp_path / "out"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, [str(Path.cwd()), *sys.path]))}
    acknowledged = 0
    for number, matches in enumerate((5, 16, 28) if FULL else (16,)):
        command = [sys.executable, str(script), str(out), "resume" if number else "begin"]
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                acknowledged = int(line) if line.strip().isdigit() else acknowledged
                if acknowledged >= matches:
                    break
            orphans = children_of(process.pid)
            process.send_signal(signal.SIGKILL)
        assert process.returncode == -signal.SIGKILL
        until(lambda orphans=orphans: all(map(gone, orphans)))  # type: ignore[misc]
        with MatchLog.resume(out) as log:  # nothing that was told is lost, and the lock is free
            assert len(log.results) >= acknowledged
    plan = small_plan(matches=8)
    with MatchLog.resume(out, plan) as log:
        resumed = run_tournament(plan, Here(), log)
        lines = log.path.read_text().splitlines()
    assert resumed == run_tournament(plan, Here())
    assert len(lines) == 1 + len({json.loads(line)["match"] for line in lines[1:]}) == 1 + 48


@pytest.fixture
def bad_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch)


def bad_plan(*players: str) -> TournamentPlan:
    return TournamentPlan((planned_game("tictactoe"),), players, 2, play_seconds=0.5, engine="lifted")


@pytest.mark.long
@pytest.mark.usefixtures("bad_players")
def test_a_player_that_kills_its_process_loses_and_the_tournament_goes_on() -> None:
    plan = replace(bad_plan("random", "crash", "legal"), matches=1)
    with Processes(2) as runner:
        played = run_tournament(plan, runner)
    seats = set()
    for fixture in played.fixtures:
        result = played.results[fixture.match_id]
        if "crash" in fixture.players:
            seat = fixture.players.index("crash")
            assert result.ending is Ending.FORFEIT
            assert (result.goals[seat], result.goals[1 - seat]) == (0, 100)
            assert result.faults == (lost(seat, "the player's process died of SIGSEGV"),)
            seats.add(seat)
        else:
            assert result.ending is Ending.FINISHED
            assert not result.faults
    assert seats == {0, 1}


@pytest.mark.long
@pytest.mark.usefixtures("bad_players")
def test_a_player_that_dies_while_its_opponent_thinks_is_the_one_that_loses() -> None:
    # The opponent cannot prove anything yet and thinks for its second; the other process ends meanwhile.
    plan = replace(bad_plan("bomb", "mcts"), games=(planned_game("breakthrough"),), play_seconds=1.0)
    played = run_tournament(plan, Here())
    first, second = (played.results[fixture.match_id] for fixture in played.fixtures)
    assert (first.goals, second.goals) == ((0, 100), (100, 0))
    assert {first.ending, second.ending} == {Ending.FORFEIT}
    assert first.faults == (lost(0, "the player's process exited with 0"),)
    assert second.faults == (lost(1, "the player's process exited with 0"),)


@pytest.mark.long
@pytest.mark.usefixtures("bad_players")
def test_a_player_that_blocks_its_process_is_late_and_the_match_goes_on() -> None:
    plan = replace(bad_plan("legal", "hang"), matches=1, play_seconds=0.2, longest=3)
    with Processes(1) as runner:
        played = run_tournament(plan, runner)
    for fixture in played.fixtures:
        result, seat = played.results[fixture.match_id], fixture.players.index("hang")
        assert result.ending is Ending.UNFINISHED
        assert {(fault.seat, fault.code) for fault in result.faults} == {(seat, ErrorCode.LATE)}


@pytest.mark.usefixtures("bad_players")
def test_nobody_is_blamed_where_code_of_others_may_have_ended_the_process() -> None:
    plan = bad_plan("last", "legal")
    fixture = next(iter(round_fixtures(plan, schedule_of(plan), 0, {}) or ()))
    assert Worker(plan)._forfeit(fixture, [1], "gone") == forfeit(fixture.match_id, 2, [], "gone")
    ours = bad_plan("random", "legal")
    fixture = next(iter(round_fixtures(ours, schedule_of(ours), 0, {}) or ()))
    assert Worker(ours)._forfeit(fixture, [1], "gone") == forfeit(fixture.match_id, 2, [1], "gone")


def gate_plan() -> TournamentPlan:
    """Two players, until it is clear who is stronger."""
    return TournamentPlan(
        (planned_game("tictactoe"),),
        ("mcts:playouts=40", "random"),
        matches=200,
        sprt=Sequential(0, 200),
        play_seconds=30.0,
    )


@pytest.mark.slow
@pytest.mark.usefixtures("bad_players")
def test_a_local_ray_cluster_plays_the_same_matches() -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'ludorum[ray]'")
    in_own_process(play_on_ray)  # where it has been, threads and connections of its own are left


def play_on_ray() -> None:
    import ray

    sequential = gate_plan()
    with OnRay(2) as runner:
        assert ray.get(ray.remote(lambda: os.nice(0)).remote()) == os.nice(0)  # matches have clocks
        assert run_tournament(small_plan(), runner) == run_tournament(small_plan(), Here())
        assert run_tournament(sequential, runner) == run_tournament(sequential, Here())
        crashed = run_tournament(bad_plan("crash", "legal"), runner)
    assert [result.goals for result in crashed.results.values()] == [(0, 100), (100, 0)]
    assert {result.ending for result in crashed.results.values()} == {Ending.FORFEIT}


@pytest.mark.long
@pytest.mark.usefixtures("bad_players")
def test_one_accident_is_not_held_against_a_player() -> None:
    with Processes(1) as runner:
        played = run_tournament(bad_plan("accident", "legal"), runner)
    assert Path(os.environ["ACCIDENT"]).exists()
    assert all(not result.faults for result in played.results.values())


@pytest.mark.usefixtures("bad_players")
@pytest.mark.long
def test_a_player_that_cannot_be_made_loses() -> None:
    played = run_tournament(bad_plan("unborn", "legal"), Here())
    first, second = (played.results[fixture.match_id] for fixture in played.fixtures)
    assert (first.goals, second.goals) == ((0, 100), (100, 0))
    assert "no licence" in first.faults[0].text


@pytest.mark.long
def test_a_sequential_test_ends_at_the_same_match_everywhere(tmp_path: Path) -> None:
    plan = gate_plan()
    alone = run_tournament(plan, Here())
    assert alone.test is not None
    assert alone.test.result is True
    assert len(alone.fixtures) == alone.test.games < 200
    with Processes(2) as runner, MatchLog.create(tmp_path, plan) as log:
        assert run_tournament(plan, runner, log) == alone
    with MatchLog.resume(tmp_path) as log:  # decided already: nobody plays on
        before = log.path.stat().st_size
        assert run_tournament(plan, Here(), log) == alone
        assert log.path.stat().st_size == before
    assert (tmp_path / LOG_NAME).exists()


@pytest.mark.parametrize("schedule", [ScheduleKind.SWISS, ScheduleKind.ELIMINATION])
def test_rounds_are_played_one_after_the_other(schedule: ScheduleKind, tmp_path: Path) -> None:
    plan = TournamentPlan(
        (planned_game("tictactoe"),), ("legal", "random", "greedy"), 2, schedule, play_seconds=30.0,
        engine="lifted",
    )  # fmt: skip
    alone = run_tournament(plan, Here())
    assert alone.placing is not None
    assert {name for name, _ in alone.placing} == set(plan.players)
    assert {fixture.round for fixture in alone.fixtures} >= {0, 1}
    with MatchLog.create(tmp_path, plan) as log:
        assert run_tournament(plan, Here(), log) == alone
    kept = (tmp_path / LOG_NAME).read_text().splitlines(keepends=True)
    (tmp_path / LOG_NAME).write_text("".join(kept[:4]))
    with MatchLog.resume(tmp_path, plan) as log:
        assert run_tournament(plan, Here(), log) == alone


@pytest.mark.long
def test_a_script_without_a_main_guard_is_told_so(tmp_path: Path) -> None:
    script = tmp_path / "naive.py"
    script.write_text(
        "from ludorum.arena.tournament import *\n"
        "plan = TournamentPlan((planned_game('tictactoe'),), ('random', 'legal'))\n"
        "run_tournament(plan, Processes(1))\n"
    )
    found = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120)
    assert found.returncode == 1
    assert "under if __name__ == '__main__'" in found.stderr


class Broken:
    """Plays every third match only: the others are void."""

    def results(
        self, plan: TournamentPlan, fixtures: Sequence[Fixture]
    ) -> Generator[MatchResult, None, None]:
        for number, fixture in enumerate(fixtures):
            yield play_fixture(plan, fixture) if number % 3 == 0 else forfeit(fixture.match_id, 2, [], "gone")


@pytest.mark.long
@pytest.mark.parametrize("schedule", [ScheduleKind.ROUND_ROBIN, ScheduleKind.SWISS])
def test_void_matches_are_played_again_when_a_tournament_goes_on(
    tmp_path: Path, schedule: ScheduleKind
) -> None:
    plan = small_plan(schedule=schedule, matches=2, engine="lifted")
    with MatchLog.create(tmp_path, plan) as log:
        broken = run_tournament(plan, Broken(), log)
        assert Ending.VOID in {result.ending for result in broken.results.values()}
    with MatchLog.resume(tmp_path) as log:
        assert run_tournament(plan, Here(), log) == run_tournament(plan, Here())
    before = log.path.read_bytes()
    with MatchLog.resume(tmp_path) as log:  # nothing is left to play
        run_tournament(plan, Here(), log)
    assert log.path.read_bytes() == before
