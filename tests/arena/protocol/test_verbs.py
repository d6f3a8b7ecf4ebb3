"""``ludorum player`` and ``ludorum host`` as people use them: processes, ports, exit codes, kill -9."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ludorum.arena import MatchRecord, load_record, verify_record
from ludorum.arena.records.record_checks import record_faults
from ludorum.arena.records.signatures import SigningKey, save_key
from ludorum.arena.records.store import MatchStore
from ludorum.arena.testing import Heard, ScriptedPlayer, ScriptedServer, Silence
from ludorum.cli.app import app
from ludorum.engine.load import load_game, load_rules
from ludorum.rules.library import find_sheet
from ludorum.rules.ruleset import format_kif
from tests.arena.protocol.player_process import COMMAND, player_process
from tests.arena.test_posting import spectators
from tests.how_much import FULL
from tests.small_games import DOOR


@contextmanager
def a_player(*options: str, seats: int = 2) -> Iterator[list[int]]:
    """``ludorum player`` on free ports."""
    with player_process(*options, seats=seats) as player:
        yield player.ports


@pytest.fixture(scope="module")
def two_random() -> Iterator[tuple[str, str]]:
    """The addresses of one ``ludorum player`` that plays at random for two."""
    with a_player("--as", "random", "--name", "Rolf") as (first, second):
        yield f"127.0.0.1:{first}", f"127.0.0.1:{second}"


def host(*words: str) -> Result:
    """``ludorum host`` in this process, where nobody kills or interrupts it."""
    return CliRunner().invoke(app, ["host", *words])


@pytest.mark.long
def test_a_match_from_the_command_line(tmp_path: Path, two_random: tuple[str, str]) -> None:
    file = tmp_path / "match.json"
    words = ["host", "tictactoe", "--players", "http://" + ",".join(two_random), "--clock", "2,1"]
    words += ["--scramble", "--record", str(file), "--seed", "3", "--json"]
    done = subprocess.run([*COMMAND, *words], capture_output=True, text=True, timeout=60, check=False)
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
    assert done.stdout.startswith("  1-2. (by chance: deal alice king, deal bob jack)\n  3. alice bet\n")
    assert "over after" in done.stdout


@pytest.mark.long
@pytest.mark.parametrize("verb", ["host", "match"])
def test_players_of_one_name_do_not_make_the_same_choices(verb: str) -> None:
    """With one seed for both, every throw of rock, paper, scissors would be a tie."""
    words = [verb, "rock_paper_scissors", "--players", "random,random", "--clock", "1,1", "--json", "--seed"]
    goals = [json.loads(CliRunner().invoke(app, [*words, str(seed)]).stdout)["goals"] for seed in range(8)]
    assert max(goals, key=lambda found: found["left"]) != {"left": 50, "right": 50}
    assert len({found["left"] for found in goals}) > 1


@pytest.mark.long
def test_two_ports_of_one_player_do_not_make_the_same_choices(two_random: tuple[str, str]) -> None:
    words = ["--players", ",".join(two_random), "--clock", "2,1", "--json", "--id"]
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
    with socket.create_server(("127.0.0.1", 0)) as taken:
        again = ["player", "--as", "legal", "--port", str(taken.getsockname()[1])]
        done = CliRunner().invoke(app, again)
    assert done.exit_code == 2
    assert "address already in use" in done.stderr


def long_door(steps: int) -> str:
    """A door that does not open: the match takes all its steps."""
    more = " ".join(f"(succ {step} {step + 1})" for step in range(2, steps))
    longer = DOOR.replace("(true (step 2))", f"(true (step {steps}))")
    longer = longer.replace("(succ 0 1)", f"(succ 0 1) {more}")
    return longer.replace("(does right push)", "(does right push) (does right wait)")


@pytest.mark.long
def test_a_host_that_is_killed_goes_on_from_its_record(tmp_path: Path, two_random: tuple[str, str]) -> None:
    """Kill -9 in the middle: the record is whole, and the match goes on where it was, with nothing lost."""
    sheet = tmp_path / "door.kif"
    sheet.write_text(long_door(80))
    file = tmp_path / "match.json"
    words = [str(sheet), "--players", ",".join(two_random), "--record", str(file), "--json"]
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
    assert done.exit_code == 0, done.stderr
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


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.long
def test_what_players_are_told_of_an_interrupted_match_is_in_its_record(tmp_path: Path) -> None:
    file, store = tmp_path / "match.json", str(tmp_path / "matches.db")
    save_key(SigningKey.generate(), tmp_path / "key.pem")

    async def run(publish: str) -> list[str]:
        async with ScriptedPlayer(["(mark 1 1)", Silence()]) as first:
            words = ["tictactoe", "--players", f"{first.url},legal", "--id", "m1", "--clock", "5,60"]
            words += ["--publish", publish, "--key", str(tmp_path / "key.pem")]
            process = await asyncio.create_subprocess_exec(
                *[*COMMAND, "host", *words, "--record", str(file), "--store", store],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            async with asyncio.timeout(30):
                while "( PLAY m1 ((mark 1 1) noop) )" not in first.texts:
                    await asyncio.sleep(0.01)
            process.send_signal(signal.SIGINT)
            async with asyncio.timeout(10):
                await process.wait()
            return first.texts

    with spectators() as server:
        assert asyncio.run(run(server.url))[-1] == "( ABORT m1 )"
    assert [match["isAborted"] for _, match in server.forms][-1] is True
    assert all("x-seed" not in match for _, match in server.forms if not match["isAborted"])
    data = json.loads(file.read_text())
    assert record_faults(data) == []
    assert (data["isAborted"], data["isCompleted"]) == (True, False)
    with MatchStore(store) as opened:
        assert opened.load("m1").aborted
    # There is nobody to go on with: they have left.
    again = CliRunner().invoke(app, ["host", "tictactoe", "--players", "random,legal", "--from", str(file)])
    assert again.exit_code == 2
    assert "the match m1 was aborted" in again.stderr


@pytest.mark.long
def test_a_match_that_takes_too_long_is_aborted_for_its_players_and_in_its_record(tmp_path: Path) -> None:
    file, store = tmp_path / "match.json", str(tmp_path / "matches.db")
    told_when: list[bool] = []

    def script(heard: Heard) -> str:
        if heard.keyword == "abort":
            told_when.append(json.loads(file.read_text())["isAborted"])
        return {"play": "(mark 1 1)", "start": "ready"}.get(heard.keyword, "aborted")

    async def run() -> tuple[int, str, list[str]]:
        async with ScriptedPlayer(script=script) as first:
            words = ["tictactoe", "--players", f"{first.url},legal", "--id", "m1", "--limit", "2"]
            process = await asyncio.create_subprocess_exec(
                *[*COMMAND, "host", *words, "--record", str(file), "--store", store],
                stdout=subprocess.PIPE,
            )
            async with asyncio.timeout(30):
                said, _ = await process.communicate()
            return process.returncode or 0, said.decode(), first.texts

    code, said, texts = asyncio.run(run())
    assert code == 1
    assert said.splitlines()[2] == "given up after 2 decisions in 2 steps"
    assert [text.split()[1] for text in texts] == ["INFO", "START", "PLAY", "PLAY", "ABORT"]
    assert told_when == [True]  # the record said so before anybody was told
    data = json.loads(file.read_text())
    assert (data["isAborted"], data["isCompleted"], len(data["moves"])) == (True, False, 2)
    with MatchStore(store) as opened:
        assert opened.load("m1").aborted


@pytest.mark.long
def test_nobody_can_foresee_what_a_host_draws_unless_it_says_so(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    words = ["host", "kuhn_poker", "--players", "random,legal", "--clock", "1,1", "--json"]
    words += ["--record", str(file)]
    first, second = (json.loads(CliRunner().invoke(app, words).stdout)["seed"] for _ in range(2))
    assert first != second
    assert min(first, second) > 2**30  # nobody tries them all
    assert json.loads(file.read_text())["x-seed"] == second
    again = CliRunner().invoke(app, [*words, "--seed", "7"])
    assert json.loads(again.stdout)["seed"] == 7


@pytest.mark.long
def test_a_player_that_names_no_seed_plays_differently_every_time(two_random: tuple[str, str]) -> None:
    with a_player("--as", "random") as (first, second):
        other = f"127.0.0.1:{first}", f"127.0.0.1:{second}"
        games = [
            json.loads(host("connect_four", *words, "--clock", "2,1", "--json", "--id", "m0").stdout)["moves"]
            for words in (["--players", ",".join(players)] for players in (two_random, other))
        ]
    assert games[0] != games[1]


@pytest.mark.long
def test_a_host_can_let_every_step_take_its_time() -> None:
    words = ["host", "rock_paper_scissors", "--players", "random,legal", "--clock", "1,0.4", "--json"]
    begin = time.monotonic()
    done = CliRunner().invoke(app, [*words, "--whole-clock"])
    steps = json.loads(done.stdout)["steps"]
    assert time.monotonic() - begin >= 0.4 * steps


@pytest.mark.slow
def test_a_scrambled_match_goes_on_from_the_store_with_the_same_words(tmp_path: Path) -> None:
    """Kill -9 in the middle, once or twice: what players hear and what comes out are as if nothing was."""
    sheet, stores = tmp_path / "door.kif", [str(tmp_path / name) for name in ("whole.db", "torn.db")]
    sheet.write_text(long_door(40))

    async def run(store: str, kills: int) -> tuple[list[str], dict[str, object]]:
        async with ScriptedPlayer(script=parrot()) as first, ScriptedPlayer(script=parrot()) as second:
            words = [str(sheet), "--players", f"{first.url},{second.url}", "--store", store, "--json"]
            begun = [*words, "--clock", "5,5", "--scramble", "--seed", "9", "--id", "m1"]
            for _ in range(kills):
                process = await asyncio.create_subprocess_exec(
                    *COMMAND, "host", *begun, stdout=subprocess.DEVNULL
                )
                heard = len(first.heard)
                async with asyncio.timeout(60):
                    while len(first.heard) < heard + 8:
                        await asyncio.sleep(0.002)
                process.kill()
                await process.wait()
                begun = [*words, "--from", "m1"]
            process = await asyncio.create_subprocess_exec(*COMMAND, "host", *begun, stdout=subprocess.PIPE)
            async with asyncio.timeout(120):
                said, _ = await process.communicate()
            # A question that nobody could answer comes again: heard twice, counted once.
            return list(dict.fromkeys(first.texts)), json.loads(said)

    whole, expected = asyncio.run(run(stores[0], 0))
    torn, told = asyncio.run(run(stores[1], 2 if FULL else 1))
    assert "push" not in " ".join(whole)
    # A host that is killed may leave a connection on which it has said nothing.
    assert [text for text in torn if text and "INFO" not in text] == [
        text for text in whole if "INFO" not in text
    ]
    assert sum("START" in text for text in torn) == 1
    for key in ("moves", "goals", "steps", "completed", "faults"):
        assert told[key] == expected[key]
    assert (told["steps"], told["faults"]) == (40, [])
    with MatchStore(stores[1]) as opened:
        stored = opened.load("m1")
    assert (stored.completed, stored.scrambled, stored.record.seed) == (True, True, 9)


def parrot() -> Callable[[Heard], str]:
    """Plays the first move that the rules it was sent name, whatever that is called there."""
    known: list[str] = []

    def script(heard: Heard) -> str:
        if heard.keyword == "start":
            known[:] = re.findall(r"\(<= \(legal \?\w+ (\w+)\)", heard.text)
        return known[0] if heard.keyword == "play" else "ready"

    return script


@pytest.mark.long
def test_matches_go_into_a_store_and_on_from_it(tmp_path: Path) -> None:
    store = str(tmp_path / "matches.sqlite")
    words = ["tictactoe", "--players", "random,random", "--clock", "1,1", "--store", store, "--json"]
    assert CliRunner().invoke(app, ["host", *words, "--id", "first"]).exit_code == 0
    with MatchStore(store) as opened:
        assert opened.load("first").completed
    again = CliRunner().invoke(app, ["host", *words, "--from", "first"])
    assert again.exit_code == 2
    assert "the match first is over" in again.stdout
