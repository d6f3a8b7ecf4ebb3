"""Commands of the arena's guides that need other machines, or hours, are run with stand-ins.

What stands in a ```sh block is not run as it stands (see test_readme). Here it is, page by page, one command
after the other in an empty folder: other people's players and servers are ours, nobody thinks for long.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.arena.match.clocks import Clocks
from ludorum.arena.match.match import Match
from ludorum.arena.records.publisher import Publisher, write_record
from ludorum.cli.app import app
from ludorum.engine.load import load_game
from tests.arena.protocol.player_process import COMMAND, player_process
from tests.arena.test_posting import spectators
from tests.arena.tournament.in_this_process import play_here
from tests.corpus_location import ROOT
from tests.how_much import FULL

BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RECIPE = 'name = "mine"\n[[part]]\nuse = "mcts"\nsettings = { exploration = 0.9 }\n'


@dataclass(frozen=True)
class StandIns:
    players: list[int]
    """Ports at which somebody plays."""
    spectators: str

    def put_in(self, command: str) -> list[str]:
        """The words of a command, with what there is here for what there may be elsewhere."""
        addresses = iter(self.players)
        command = re.sub(r"http://[\w.]+:9147", lambda _: f"http://127.0.0.1:{next(addresses)}", command)
        command = command.replace("http://spectators.example/publish", self.spectators)
        command = re.sub(r"\bmcts\b", "random", command)
        command = re.sub(r"\bchampion\b", "legal", command)
        command = re.sub(r"--matches \d+", "--matches 2", command)
        command = re.sub(r"--clock [\d.]+,[\d.]+", "--clock 3,1", command)
        return shlex.split(command, comments=True)[1:]


@pytest.fixture(scope="module")
def stand_ins() -> Iterator[StandIns]:
    with player_process("--as", "random", seats=2) as players, spectators() as server:
        yield StandIns(players.ports, server.url)


def commands_of(page: str) -> list[str]:
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    lines = [line for block in BLOCK.findall(text) for line in block.splitlines()]
    assert all(line.startswith("ludorum ") for line in lines)
    return lines


def run(words: list[str], answers: tuple[int, ...] = (0,)) -> str:
    done = CliRunner().invoke(app, words)
    assert done.exit_code in answers, f"ludorum {shlex.join(words)}\n{done.output}"
    return done.output


def begun(game: str, file: Path, steps: int) -> None:
    """A record of a match that has not come to its end."""
    match = Match(load_game(game), seed=1, match_id="begun")
    for _ in range(steps):
        match.play({role: match.state.legal(role)[0] for role in match.game.info.players})
    write_record(Publisher(Clocks(3, 1), ("random",) * len(match.game.roles)).version(match), file)


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path


@pytest.mark.long
def test_protocol(stand_ins: StandIns) -> None:
    begun("connect_four", Path("match.json"), 2)
    served = set()
    for command in commands_of("protocol"):
        if command.startswith("ludorum player"):
            options = frozenset(re.findall(r"--\w+", command))
            if FULL or options not in served:  # which player it is makes no difference
                serves_until_ended(re.sub(r"--port \d+", "--port 0", command))
            served.add(options)
        else:
            assert "over after" in run(stand_ins.put_in(command))


def serves_until_ended(command: str) -> None:
    words = [word for word in shlex.split(command, comments=True)[1:] if word != "&"]
    if "--port" not in words:
        words += ["--port", "0"]
    with subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert "listening" in process.stdout.readline()
        process.send_signal(signal.SIGTERM)
    assert process.returncode == 0


@pytest.mark.long
def test_records(stand_ins: StandIns) -> None:
    begun("hex", Path("record.json"), 3)
    run(["match", "tictactoe", "--players", "random", "--clock", "1,1", "--record", "match.json"])
    said = {}
    for command in commands_of("records"):
        if "killed in the middle" in command:
            kill_in_the_middle(shlex.split(command, comments=True)[1:])
        else:
            said[command] = run(stand_ins.put_in(command))
    went_on = next(text for command, text in said.items() if "continues where it was" in command)
    assert not went_on.startswith("  1. ")
    assert next(text for command, text in said.items() if "replay --store" in command).startswith("final")
    assert sum("published: " in text for text in said.values()) == 2
    assert Path("longer.json").exists()


def kill_in_the_middle(words: list[str]) -> None:
    with subprocess.Popen(
        [*COMMAND, *words, "--clock", "0.5,0.5"], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        lines = iter(process.stdout)  # on a busy machine the start may have been late, which is told first
        assert any(line.startswith("  1. ") for line in lines)
        process.kill()


@pytest.mark.long
def test_tournaments(stand_ins: StandIns, monkeypatch: pytest.MonkeyPatch) -> None:
    play_here(monkeypatch)  # but for the command that asks for processes
    Path("mine.toml").write_text(RECIPE)
    for command in commands_of("tournaments"):
        if "--sprt" in command:
            words = [word.replace("3,1", "1,0.02") for word in stand_ins.put_in(command)]
            run([*words, "--json"], (0, 1))  # no, where it is not decided
        elif not command.startswith("ludorum player"):
            run([*stand_ins.put_in(command), "--json"])
    assert {"cup", "open"} <= set(os.listdir())


@pytest.mark.long
def test_play() -> None:
    for command in commands_of("play"):
        words = shlex.split(command, comments=True)[1:]
        run([*words, "--player", "random"])  # without a terminal it is a demonstration
