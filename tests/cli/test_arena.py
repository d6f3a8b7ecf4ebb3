"""``ludorum arena`` as people and programs use it: files, exit codes, a terminal, Ctrl-C and kill -9."""

from __future__ import annotations

import html
import json
import os
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ludorum.cli.app import app
from ludorum.cli.arena import _anchor
from ludorum.rules.library import find_sheet
from tests.arena.tournament.in_this_process import play_here

COUNTED = ("--players", "mcts:playouts=10,random,greedy", "--clock", "0,30", "--engine", "lifted")
MANY = ("--matches", "12")
COMMAND = [str(Path(sys.executable).with_name("ludorum"))]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    play_here(monkeypatch)


def ludorum(*args: str) -> Result:
    return CliRunner().invoke(app, ["arena", *args])


@pytest.mark.long
def test_a_tournament_is_written_down_and_told_the_same_again(tmp_path: Path) -> None:
    out, page = tmp_path / "out", tmp_path / "page.html"
    result = ludorum("tictactoe", *COUNTED, "--matches", "4", "--out", str(out), "--report", str(page))
    assert result.exit_code == 0, result.stderr
    assert "tictactoe: round-robin, 12 matches, seed 0" in result.stdout
    assert result.stdout.splitlines()[3].split()[1] == "mcts:playouts=10"
    kept = (out / "result.json").read_bytes()
    assert page.read_bytes() == (out / "report.html").read_bytes()
    again = ludorum("--resume", "--out", str(out), "--json")
    assert again.exit_code == 0, again.stderr
    assert json.loads(again.stdout) == json.loads(kept)
    assert (out / "result.json").read_bytes() == kept
    assert len((out / "matches.jsonl").read_text().splitlines()) == 13
    anchored = ludorum("--resume", "--out", str(out), "--json", "--anchor", "random=1000")
    ratings = {row["player"]: row["rating"] for row in json.loads(anchored.stdout)["players"]}
    assert ratings["random"]["elo"] == 1000
    assert ratings["random"]["error"] == 0


@pytest.mark.usefixtures("here")
def test_searches_have_one_thread_and_do_not_ponder_unless_that_is_asked_for(tmp_path: Path) -> None:
    asked = ("tictactoe", "--players", "greedy,random", "--engine", "lifted", "--clock", "0,30")
    for name, more, expected in (
        ("usual", (), (1, False)),
        ("more", ("--threads", "2", "--ponder"), (2, True)),
    ):
        done = ludorum(*asked, *more, "--out", str(tmp_path / name))
        assert done.exit_code == 0, done.stderr
        first = json.loads((tmp_path / name / "matches.jsonl").read_text().splitlines()[0])
        assert (first["plan"]["threads"], first["plan"]["ponder"]) == expected


@pytest.mark.long
@pytest.mark.usefixtures("here")
def test_a_test_that_is_passed_exits_with_0_and_others_with_1() -> None:
    asked = ("tictactoe", "--matches", "60", "--sprt", "0,200", "--clock", "0,30", "--engine", "lifted")
    passed = ludorum(*asked, "--players", "mcts:playouts=30,random")
    assert passed.exit_code == 0, passed.stderr
    assert "mcts:playouts=30 is stronger than random" in passed.stdout
    failed = ludorum(*asked, "--players", "random,mcts:playouts=30", "--json")
    assert failed.exit_code == 1
    assert json.loads(failed.stdout)["sprt"]["result"] is False


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["tictactoe"], "at least two players"),
        (["tictactoe", "--players", "random,nobody"], "no player 'nobody'"),
        (["no_such_game", "--players", "random,legal"], "no_such_game"),
        (
            ["tictactoe", "--players", "random,legal", "--clock", "5"],
            "write two numbers of seconds, START,PLAY",
        ),
        (["tictactoe", "--players", "random,legal", "--schedule", "cup"], "round-robin, gauntlet, swiss"),
        (["tictactoe", "--players", "random,legal", "--engine", "magic"], "no engine 'magic'"),
        (["tictactoe", "--players", "random,legal", "--anchor", "x"], "anchor 'x' is no player"),
        (["--resume"], "--out FOLDER"),
    ],
)
def test_misuse_is_explained_with_exit_2(args: list[str], message: str) -> None:
    result = ludorum(*args)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.long
@pytest.mark.usefixtures("here")
def test_records_of_a_tournament_are_checked_and_replayed_like_any_other(tmp_path: Path) -> None:
    folder = tmp_path / "records"
    result = ludorum(
        "tictactoe",
        "kuhn_poker",
        "--players",
        "random,legal",
        "--engine",
        "lifted",
        "--records",
        str(folder),
    )
    assert result.exit_code == 0, result.stderr
    files = sorted(folder.iterdir())
    assert [path.name for path in files][:2] == [
        "00001-tictactoe_r0_random-legal_0.json",
        "00002-tictactoe_r0_legal-random_0.json",
    ]
    assert len(files) == 4
    for path in files:
        game = json.loads(path.read_text())["gameName"]
        checked = CliRunner().invoke(app, ["replay", str(path), "--check", "--game", game])
        assert checked.exit_code == 0, checked.stdout + checked.stderr


@pytest.mark.usefixtures("here")
def test_a_folder_in_use_is_not_written_over(tmp_path: Path) -> None:
    first = ("tictactoe", "--players", "legal,random", "--engine", "lifted", "--out", str(tmp_path))
    assert ludorum(*first).exit_code == 0
    assert "--resume goes on" in ludorum(*first).stderr
    other = ludorum(*first, "--resume", "--seed", "3")
    assert other.exit_code == 2
    assert "seed (0 and 3)" in other.stderr


def test_an_anchor_may_have_settings() -> None:
    assert _anchor("mcts:playouts=20", ("mcts:playouts=20",)) == ("mcts:playouts=20", 0.0)
    assert _anchor("mcts:playouts=20=1500", ("mcts:playouts=20",)) == ("mcts:playouts=20", 1500.0)
    assert _anchor("", ()) == (None, 0.0)


def start(out: Path, *args: str, **streams: object) -> subprocess.Popen[bytes]:
    command = [*COMMAND, "arena", "tictactoe", *COUNTED, *MANY, "--out", str(out)]
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "100"}
    return subprocess.Popen([*command, *args], env=environment, **streams)  # type: ignore[call-overload, no-any-return]


def lines_in(out: Path) -> int:
    log = out / "matches.jsonl"
    return log.read_bytes().count(b"\n") if log.exists() else 0


def wait_for_lines(process: subprocess.Popen[bytes], out: Path, count: int) -> None:
    end = time.monotonic() + 60
    while lines_in(out) < count:
        assert process.poll() is None, "ended too early"
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.slow
def test_killed_and_interrupted_it_resumes_to_the_same_bytes(tmp_path: Path) -> None:
    out, whole = tmp_path / "out", tmp_path / "whole"
    killed = start(out, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for_lines(killed, out, 6)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    stopped = start(out, "--resume", "--processes", "2", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    wait_for_lines(stopped, out, lines_in(out) + 6)
    stopped.send_signal(signal.SIGINT)
    _, said = stopped.communicate(timeout=60)
    assert stopped.returncode == 130
    assert b"--resume --out" in said
    assert b"Traceback" not in said
    assert lines_in(out) < 37
    for folder, resume in ((out, ["--resume"]), (whole, [])):
        assert ludorum("tictactoe", *COUNTED, *MANY, "--out", str(folder), *resume).exit_code == 0
    assert lines_in(out) == lines_in(whole) == 37
    for name in ("result.json", "report.html"):
        assert (out / name).read_bytes() == (whole / name).read_bytes()


@pytest.mark.long
def test_a_terminal_shows_a_live_table(tmp_path: Path) -> None:
    master, slave = pty.openpty()
    process = start(tmp_path, stdout=subprocess.DEVNULL, stderr=slave)
    os.close(slave)
    shown = b""
    end = time.monotonic() + 60
    while b"of 36 matches" not in shown or b"mcts:playouts=10" not in shown:
        assert time.monotonic() < end, shown
        if select.select([master], [], [], 1)[0]:
            shown += os.read(master, 65536)
    process.send_signal(signal.SIGKILL)
    process.wait()
    os.close(master)
    assert b"won-drawn-lost" in shown


@pytest.mark.usefixtures("here")
def test_the_command_of_the_report_plays_a_game_named_by_a_path_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my sheets").mkdir()
    sheet = tmp_path / "my sheets" / "tictactoe.kif"  # named like the library's, and not the same
    sheet.write_text(find_sheet("tictactoe").source.text.replace("xplayer", "cross"))
    asked = ["--players", "random,legal", "--clock", "0.125,2.0000001", "--engine", "lifted", "--seed", "4"]
    first = ludorum("my sheets/tictactoe.kif", *asked, "--out", "first")
    assert first.exit_code == 0, first.stderr
    page = (tmp_path / "first" / "report.html").read_text()
    command = html.unescape(re.sub(r"<[^>]*>", "", re.findall("<pre>(.*?)</pre>", page)[0]))
    assert "'my sheets/tictactoe.kif'" in command
    assert "--clock 0.125,2.0000001" in command
    assert "(role cross)" in html.unescape(page), "what the file said is in the page"
    words = shlex.split(command)
    again = ludorum(*words[words.index("arena") + 1 :], "--out", "again")
    assert again.exit_code == 0, again.stderr
    for name in ("result.json", "report.html"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "first" / name).read_bytes()
    # A path is how a person found the rules, no setting: the same rules from elsewhere go on.
    moved = tmp_path / "moved" / "tictactoe.kif"
    moved.parent.mkdir()
    sheet.rename(moved)
    resumed = ludorum(str(moved), *asked, "--out", "first", "--resume")
    assert resumed.exit_code == 0, resumed.stderr
