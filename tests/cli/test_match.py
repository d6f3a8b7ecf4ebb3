"""``ludorum match`` writes records that replay bit for bit, can be gone on with, and survive a kill."""

import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.arena import verify
from ludorum.arena.match.match import Match
from ludorum.arena.records.record_checks import growth_faults, record_faults
from ludorum.arena.records.signatures import check_signature
from ludorum.arena.records.spectator import load_published
from ludorum.arena.records.store import MatchStore
from ludorum.cli.app import app
from ludorum.engine.load import load_game
from tests.players.hostile_players import install

QUICK = ("--clock", "2,2", "--engine", "lifted")


def match(*options: str, code: int = 0) -> str:
    found = CliRunner().invoke(app, ["match", *options])
    assert found.exit_code == code, found.output
    return found.output


def test_a_match_for_people(tmp_path: Path) -> None:
    said = match(
        "tictactoe", "--players", "random,legal", "--seed", "3", "--record", str(tmp_path / "r.json"), *QUICK
    )
    lines = said.splitlines()
    assert lines[:2] == ["  1. xplayer mark 1 3", "  2. oplayer mark 1 1"]
    assert lines[-2:] == ["over after 8 steps: xplayer 0, oplayer 100", f"record: {tmp_path / 'r.json'}"]


def test_players_may_ponder_with_several_threads() -> None:
    asked = ("tictactoe", "--players", "mcts:playouts=300", "--clock", "0,60")
    said = match(*asked, "--ponder", "--threads", "2")
    assert said.splitlines()[-1].startswith("over after ")  # no fault is told after that


def test_a_deal_is_one_line_and_the_steps_after_it_keep_their_numbers() -> None:
    lines = match("hearts", "--players", "random", "--seed", "1", *QUICK).splitlines()
    assert lines[:2] == ["  1-52. (52 cards dealt)", " 53. player0 6♦"]
    assert (len(lines), lines[-2]) == (66, "116. player2 8♥")


def test_a_line_names_the_moves_of_chance_and_of_all_that_chose() -> None:
    lines = match("goofspiel", "--players", "random", "--seed", "1", *QUICK).splitlines()
    assert lines[:2] == ["  1. (by chance: turn 3)", "  2. alice bid 3, bob bid 2"]
    lines = match("kuhn_poker", "--players", "random", "--seed", "1", *QUICK).splitlines()
    assert lines[:2] == ["  1-2. (by chance: deal alice queen, deal bob jack)", "  3. alice check"]


ENDLESS_CHANCE = """(role ann) (role random) (init (at 0)) (legal random heads) (legal random tails)
(legal ann noop) (<= (next (at 1)) (true (at ?x))) (<= terminal (true never)) (<= (next never) (true never))
(goal ann 50) (goal random 0) (base (at 0)) (base (at 1)) (base never) (input ann noop) (input random heads)
(input random tails)"""


@pytest.mark.long
def test_chance_without_end_is_one_line_of_a_match_that_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "endless.kif"
    path.write_text(ENDLESS_CHANCE)
    lines = match(str(path), "--players", "legal", "--lenient", *QUICK, code=1).splitlines()
    assert lines[0] == "  1-10000. (chance decides 10000 times)"
    assert lines[1].startswith("given up after 0 decisions in 10000 steps")


@pytest.mark.parametrize("asked", ["check {}", "simulate {}", "perft {} 2", "cards check {}"])
def test_a_record_is_no_game(tmp_path: Path, asked: str) -> None:
    path = tmp_path / "r.json"
    match("tictactoe", "--players", "legal", "--record", str(path), *QUICK)
    found = CliRunner().invoke(app, [word.format(path) for word in asked.split()])
    assert found.exit_code == 2
    assert f"error[match-record]: {path} is the record of a match" in found.output
    assert f"hint: `ludorum replay {path}` shows it" in found.output


def test_a_match_for_programs() -> None:
    found = json.loads(match("tictactoe", "--players", "legal", "--json", "--id", "m1", *QUICK))
    assert found.pop("seconds") >= 0
    moves = found.pop("moves")
    assert (len(moves), moves[0]) == (7, ["(mark 1 1)", "noop"])
    assert found == {
        "match": "m1",
        "game": "tictactoe",
        "players": {"xplayer": "legal", "oplayer": "legal"},
        "seed": 0,
        "roles": ["xplayer", "oplayer"],
        "steps": 7,
        "decisions": 7,
        "completed": True,
        "goals": {"xplayer": 100, "oplayer": 0},
        "stands": {"xplayer": 100, "oplayer": 0},
        "faults": [],
        "record": None,
        "published": None,
    }


@pytest.mark.parametrize(
    ("game", "players"),
    [("connect_four", "random"), ("connect_four", "mcts:playouts=30,random"), ("kuhn_poker", "random")],
)
def test_the_same_seed_gives_the_same_record(tmp_path: Path, game: str, players: str) -> None:
    paths = [tmp_path / f"{at}.json" for at in range(3)]
    for path, seed in zip(paths, ("5", "5", "6"), strict=True):
        match(game, "--players", players, "--seed", seed, "--record", str(path), *QUICK)
        assert record_faults(json.loads(path.read_text())) == []
    first, second, other = map(load_published, paths)
    assert first.same_play(second)
    assert not first.same_play(other)
    assert verify(load_game(game), first.record).agrees
    replayed = Match.resumed(load_game(game), first.record)
    assert replace(replayed.record(), source=first.record.source) == first.record


def test_a_broken_off_match_goes_on(tmp_path: Path) -> None:
    path, longer = tmp_path / "r.json", tmp_path / "s.json"
    common = ("connect_four", "--players", "random", *QUICK)
    match(*common, "--limit", "6", "--seed", "8", "--record", str(path), code=1)
    before = json.loads(path.read_text())
    assert before["isAborted"]
    match(*common, "--from", str(path), "--record", str(longer), code=2)
    before["isAborted"] = False  # as a kill would leave it
    path.write_text(json.dumps(before))
    match("connect_four", "--players", "random,legal", "--from", str(path), "--record", str(longer), *QUICK)
    after = json.loads(longer.read_text())
    assert record_faults(after) == []
    assert growth_faults(before, after) == []
    assert after["x-continued"] == {"from": 6, "players": ["random", "legal"]}
    assert after["startClock"] == 2
    assert after["isCompleted"]
    said = match(*common, "--from", str(longer), code=2)
    assert "is over: it cannot be continued" in said


def test_any_record_can_be_gone_on_with(tmp_path: Path) -> None:
    path, longer = tmp_path / "replay.json", tmp_path / "s.json"
    game = load_game("tictactoe")
    states = [[str(fact) for fact in game.initial().facts()]]
    path.write_text(
        json.dumps({"game": "tictactoe", "roles": ["xplayer", "oplayer"], "states": states, "moves": []})
    )
    match("tictactoe", "--players", "legal", "--from", str(path), "--record", str(longer), *QUICK)
    assert record_faults(json.loads(longer.read_text())) == []
    assert verify(game, load_published(longer).record).agrees
    assert "its roles are xplayer, oplayer" in match(
        "connect_four", "--players", "legal", "--from", str(path), code=2
    )


def test_signed_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = tmp_path / "r.json"
    match("tictactoe", "--players", "random", "--sign", "--record", str(path), *QUICK)
    assert check_signature(json.loads(path.read_text())).startswith("1")
    assert (tmp_path / "ludorum" / "host-key.pem").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--players", "random,legal,legal"),
            "names 3, but tictactoe has 2 roles: name one for each of xplayer, oplayer",
        ),
        (("--players", "random,"), "a name is missing between two commas"),
        (("--players", "nobody"), "no player 'nobody'"),
        (("--players", "random", "--clock", "10"), "write two numbers of seconds"),
        (("--players", "random", "--clock", "1,0"), "clocks are positive"),
        (("--players", "random", "--from", "none.json"), "none.json: cannot read the file"),
        (("--players", "random", "--store", "/nowhere/at/all.db"), "cannot be opened"),
        (
            ("--players", "random", "--record", "/nowhere/at/all.json", *QUICK),
            "/nowhere/at/all.json: No such file or directory; check the path",
        ),
    ],
)
def test_misuse_is_explained(options: tuple[str, ...], message: str) -> None:
    assert message in match("tictactoe", *options, code=2)


@pytest.mark.long
def test_a_killed_match_is_taken_up_from_the_store(tmp_path: Path) -> None:
    url, name = str(tmp_path / "matches.db"), "killed"
    command = [
        str(Path(sys.executable).with_name("ludorum")),
        "match",
        "connect_four",
        "--store",
        url,
        "--id",
        name,
    ]
    options = ["--players", "mcts", "--clock", "0,0.3", "--engine", "lifted"]
    process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    seen = [process.stdout.readline() for _ in range(3)]
    process.send_signal(signal.SIGKILL)
    process.wait()
    with MatchStore(url) as store:
        stored = store.load(name)
        assert stored.record.last in (3, 4)
        assert not stored.completed
        for line, joint in zip(seen, stored.record.moves, strict=False):
            assert all(str(move).strip("()") in line for move in joint if str(move) != "noop")
        match("connect_four", "--players", "random", "--store", url, "--from", name, *QUICK)
        after = store.load(name)
        assert after.completed
        assert after.record.moves[: stored.record.last] == stored.record.moves
        assert verify(load_game("connect_four"), after.record).agrees


def test_the_largest_seed_is_a_seed(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    match("monty_hall", "--players", "random", "--seed", str(2**64 - 1), "--record", str(path), *QUICK)
    assert load_published(path).record.seed == 2**64 - 1
    assert "--seed" in match("monty_hall", "--players", "random", "--seed", str(2**64), code=2)


def test_a_killed_match_leaves_the_record_of_what_was_played(tmp_path: Path) -> None:
    path, longer = tmp_path / "r.json", tmp_path / "s.json"
    command = [str(Path(sys.executable).with_name("ludorum")), "match", "connect_four", "--record", str(path)]
    # Players that take their time, so that the match is not over before it is killed.
    options = ["--players", "mcts", "--clock", "0,0.2", "--engine", "lifted"]
    process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    seen = [process.stdout.readline() for _ in range(6)]
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert list(tmp_path.glob("r.json")) == [path]
    kept = load_published(path)
    assert record_faults(json.loads(path.read_text())) == []
    assert kept.record.last in (6, 7)
    assert not kept.completed
    for line, joint in zip(seen, kept.record.moves, strict=False):
        assert all(str(move).strip("()") in line for move in joint if str(move) != "noop")
    match("connect_four", "--players", "random", "--from", str(path), "--record", str(longer), *QUICK)
    assert growth_faults(json.loads(path.read_text()), json.loads(longer.read_text())) == []


@pytest.mark.long
@pytest.mark.parametrize(("name", "code"), [("exit", "CE"), ("unspeakable", "IL"), ("printing", None)])
def test_a_player_of_others_cannot_hurt_the_match(
    name: str, code: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch)
    path = tmp_path / "r.json"
    command = [str(Path(sys.executable).with_name("ludorum")), "match", "tictactoe", "--json", *QUICK]
    options = ["--players", f"{name},legal", "--clock", "60,60", "--record", str(path)]
    found = subprocess.run([*command, *options], capture_output=True, text=True, timeout=300)
    assert found.returncode == 0, found.stderr
    said = json.loads(found.stdout)  # and nothing that a player has printed
    assert said["completed"]
    assert {(fault["role"], fault["code"]) for fault in said["faults"]} == (
        {("xplayer", code)} if code else set()
    )
    assert record_faults(json.loads(path.read_text())) == []
    assert load_published(path).completed
