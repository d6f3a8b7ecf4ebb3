"""``ludorum player`` and ``ludorum host`` as people use them: processes, ports, exit codes, kill -9."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.arena import MatchRecord, load_record, verify_record
from ludorum.arena.record_checks import record_faults
from ludorum.arena.store import MatchStore
from ludorum.arena.testing import ScriptedPlayer, ScriptedServer, Silence
from ludorum.cli.app import app
from ludorum.engine.load import load_game, load_rules
from ludorum.rules.kif import format_kif
from ludorum.rules.library import find_sheet
from tests.arena.protocol.player_process import COMMAND, player_process
from tests.small_games import DOOR


@contextmanager
def a_player(*options: str, seats: int = 2) -> Iterator[list[int]]:
    """``ludorum player`` on free ports."""
    with player_process(*options, seats=seats) as player:
        yield player.ports


def host(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, "host", *words], capture_output=True, text=True, timeout=60, check=False)


def test_a_match_from_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    with a_player("--as", "random", "--name", "Rolf") as (first, second):
        players = f"http://127.0.0.1:{first},127.0.0.1:{second}"
        words = ["--players", players, "--clock", "2,1", "--scramble", "--record", str(file), "--seed", "3"]
        done = host("tictactoe", *words, "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["completed"], told["faults"], told["roles"]) == (True, [], ["xplayer", "oplayer"])
    data = json.loads(file.read_text())
    assert record_faults(data) == []
    assert data["playerNamesFromHost"] == ["Rolf", "Rolf"]
    assert data["scrambled"] is True
    assert data["moves"] == told["moves"]
    record = load_record(file)
    assert isinstance(record, MatchRecord)
    assert not verify_record(load_game("tictactoe"), record).disagreements


def test_our_own_players_need_no_address() -> None:
    words = ["host", "kuhn_poker", "--players", "random,legal", "--clock", "1,1", "--seed", "2"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("  1. ")
    assert "over after" in done.stdout


@pytest.mark.parametrize("verb", ["host", "match"])
def test_players_of_one_name_do_not_make_the_same_choices(verb: str) -> None:
    """With one seed for both, every throw of rock, paper, scissors would be a tie."""
    words = [verb, "rock_paper_scissors", "--players", "random,random", "--clock", "1,1", "--json", "--seed"]
    goals = [json.loads(CliRunner().invoke(app, [*words, str(seed)]).stdout)["goals"] for seed in range(8)]
    assert max(goals, key=lambda found: found["left"]) != {"left": 50, "right": 50}
    assert len({found["left"] for found in goals}) > 1


def test_two_ports_of_one_player_do_not_make_the_same_choices() -> None:
    with a_player("--as", "random") as (first, second):
        words = ["--players", f"127.0.0.1:{first},127.0.0.1:{second}", "--clock", "2,1", "--json", "--id"]
        games = [json.loads(host("rock_paper_scissors", *words, f"m{at}").stdout)["moves"] for at in range(3)]
        again = json.loads(host("rock_paper_scissors", *words, "m0", "--scramble").stdout)["moves"]
    assert any(left != right for moves in games for left, right in moves)
    assert len({str(moves) for moves in games}) == 3  # nor the same ones in every match
    assert again == games[0]  # but the same ones in the same match, whatever things are called there


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tictactoe", "--players", "random"], "tictactoe is for 2 (xplayer, oplayer), 1 players are given"),
        (["tictactoe", "--players", "random,nobody"], "no player 'nobody'"),
        (["tictactoe", "--players", "random,ftp://a:1"], "players are reached by http, not ftp"),
        (["tictactoe", "--players", "random,gdl9+http://a:1"], "not gdl9+"),
        (["tictactoe", "--players", "localhost:1,http://localhost:1"], "is named for two players"),
        (["kuhn_poker", "--players", "random,gdl1+http://a:1"], "kuhn_poker hides something, and a:1 speaks"),
        (["tictactoe", "--players", "random,random", "--clock", "soon"], "such as 30,15"),
        (["tictactoe", "--players", "random,random", "--clock", "1,nan"], "positive numbers"),
        (["tictactoe", "--players", "random,random", "--dialect", "welsh"], "no dialect 'welsh'"),
        (["tictactoe", "--players", "random,random", "--from", "no.json"], "no.json"),
        (["tictactoe", "--players", "random,random", "--id", "7 up"], "a match id is a letter"),
        (["no_such_game", "--players", "random,random"], "no_such_game"),
    ],
)
def test_misuse_is_explained(words: list[str], said: str) -> None:
    done = CliRunner().invoke(app, ["host", *words])
    assert done.exit_code == 2
    assert said in done.stderr


def test_a_player_that_does_not_exist_is_told_at_once() -> None:
    done = CliRunner().invoke(app, ["player", "--as", "nobody"])
    assert done.exit_code == 2
    assert "no player 'nobody'" in done.stderr


def test_a_port_that_is_taken_is_told() -> None:
    with a_player("--as", "legal", seats=1) as (port,):
        again = [*COMMAND, "player", "--as", "legal", "--port", str(port)]
        done = subprocess.run(again, capture_output=True, text=True, check=False, timeout=30)
    assert done.returncode == 2
    assert "address already in use" in done.stderr


def test_a_host_that_is_killed_goes_on_from_its_record(tmp_path: Path) -> None:
    """Kill -9 in the middle: the record is whole, and the match goes on where it was, with nothing lost."""
    sheet = tmp_path / "door.kif"
    more = " ".join(f"(succ {step} {step + 1})" for step in range(2, 80))
    longer = DOOR.replace("(true (step 2))", "(true (step 80))").replace("(succ 0 1)", f"(succ 0 1) {more}")
    # A door that does not open: the match takes all its steps.
    sheet.write_text(longer.replace("(does right push)", "(does right push) (does right wait)"))
    file = tmp_path / "match.json"
    with a_player("--as", "random") as (first, second):
        words = [str(sheet), "--players", f"127.0.0.1:{first},127.0.0.1:{second}"]
        words += ["--record", str(file), "--json"]
        begun = [*words, "--clock", "5,5", "--scramble", "--seed", "9"]
        process = subprocess.Popen([*COMMAND, "host", *begun], stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 30
        while len(_moves(file)) < 10:
            assert time.monotonic() < deadline
            time.sleep(0.005)
        process.kill()
        process.wait()
        before = _moves(file)
        done = host(*words, "--from", str(file))
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert 10 <= len(before) < 80
    assert told["moves"][: len(before)] == before
    assert len(told["moves"]) == 80
    assert told["faults"] == []
    data = json.loads(file.read_text())
    assert record_faults(data) == []
    assert (data["startClock"], data["scrambled"]) == (5, True)


def _moves(file: Path) -> list[list[str]]:
    moves: list[list[str]] = json.loads(file.read_text())["moves"] if file.exists() else []
    return moves


def test_a_player_can_be_ended_while_it_thinks() -> None:
    async def begin(port: int) -> None:
        host = ScriptedServer(f"http://127.0.0.1:{port}")
        sheet = format_kif(load_rules(find_sheet("connect_four")))
        assert await host.say(f"(START m1 red ({' '.join(sheet.split())}) 1 60)") == "ready"
        asked = asyncio.ensure_future(host.say("(PLAY m1 NIL)"))
        await asyncio.sleep(0.5)  # it thinks by now
        asked.cancel()

    start = time.monotonic()
    with a_player("--as", "mcts", seats=1) as (port,):
        asyncio.run(begin(port))
    assert time.monotonic() - start < 30


def test_an_interrupted_host_tells_everybody() -> None:
    async def run() -> tuple[int, list[str]]:
        async with ScriptedPlayer([Silence()]) as first, ScriptedPlayer(["noop"]) as second:
            words = ["tictactoe", "--players", f"{first.url},{second.url}", "--id", "m1", "--clock", "5,60"]
            process = await asyncio.create_subprocess_exec(
                *COMMAND, "host", *words, stderr=subprocess.DEVNULL
            )
            async with asyncio.timeout(30):
                while not all("( PLAY m1 NIL )" in player.texts for player in (first, second)):
                    await asyncio.sleep(0.01)
            process.send_signal(signal.SIGINT)
            async with asyncio.timeout(10):
                return await process.wait(), [first.texts[-1], second.texts[-1]]

    assert asyncio.run(run()) == (130, ["( ABORT m1 )", "( ABORT m1 )"])


def test_matches_go_into_a_store_and_on_from_it(tmp_path: Path) -> None:
    store = str(tmp_path / "matches.sqlite")
    words = ["tictactoe", "--players", "random,random", "--clock", "1,1", "--store", store, "--json"]
    assert CliRunner().invoke(app, ["host", *words, "--id", "first"]).exit_code == 0
    with MatchStore(store) as opened:
        assert opened.load("first").completed
    again = CliRunner().invoke(app, ["host", *words, "--from", "first"])
    assert again.exit_code == 2
    assert "the match first is over" in again.stdout
