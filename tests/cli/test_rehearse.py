"""``ludorum rehearse``: a scripted session with a player, without host and network."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.cli.app import app
from ludorum.cli.player import _usual_port


def rehearse(*args: str, lines: str, code: int = 0) -> str:
    done = CliRunner().invoke(app, ["rehearse", *args], input=lines)
    assert done.exit_code == code, done.output
    return done.stdout if code == 0 else done.stderr


@pytest.mark.long
@pytest.mark.spec("asp-player", 44)
def test_a_scripted_session() -> None:
    """Clocks of 100 and 60 s and the first role unless said; any number of turns; the game's end is told."""
    lines = rehearse("buttons", lines="help\n" + "play\n" * 9).splitlines()
    assert lines[0].startswith("( START rehearsal white ((")
    assert lines[0].endswith(") 100 60 )")
    assert lines[1] == "ready"
    assert "play MOVES" in "\n".join(lines)
    moves = [line.partition("   ")[0] for line in lines if "proved" in line]
    assert "".join(moves) in {"abacba", "abcaba"}
    assert (
        lines[-1] == "rehearse> over after 6 moves: white 100" or lines[-1] == "over after 6 moves: white 100"
    )


def test_a_card_game_is_rehearsed_as_a_host_would_send_it() -> None:
    said = rehearse("hearts", "--as", "random", "--clock", "60,60", lines="play\nquit\n")
    assert said.startswith("( START rehearsal player0 ((role player0) (role player1)")
    assert "(fcdl (players 4))" in said
    assert "ready" in said
    assert "( PLAY rehearsal 0 NIL NIL )\nnoop" in said


def test_what_the_rules_hide_is_not_shown() -> None:
    """Alice is told her own card and moves; what nature and Bob do is told to nobody."""
    said = rehearse("kuhn_poker", "--as", "legal", "--clock", "2,2", lines="play\n" * 5)
    told = said.partition("ready\n")[2].replace("rehearse> ", "").splitlines()
    assert told == [
        "( PLAY rehearsal 0 NIL NIL )", "noop",
        "( PLAY rehearsal 1 noop ((dealt jack)) )", "noop",
        "( PLAY rehearsal 2 noop () )", "bet",
        "( PLAY rehearsal 3 bet () )", "noop",
        "over after 4 moves: alice 75, bob 25",
    ]  # fmt: skip


@pytest.mark.spec("asp-player", 44)
def test_the_others_moves_can_be_given_and_one_may_leave() -> None:
    said = rehearse(
        "tictactoe", "--as", "legal", "--role", "oplayer", "--clock", "2,2",
        lines="play (mark 2 2)\nplay\nplay nonsense\nplay noop noop\nquit\nplay\n",
    )  # fmt: skip
    assert "( PLAY rehearsal NIL )" in said
    assert "( PLAY rehearsal ((mark 2 2) noop) )" in said
    assert "(mark 1 1)" in said
    assert "nonsense is not legal for xplayer" in said
    assert "xplayer, or none at all" in said
    assert "over" not in said


def test_for_programs() -> None:
    said = rehearse("blocks", "--as", "legal", "--json", "--clock", "2,2", lines="play\nquit\n")
    values, decoder = [], json.JSONDecoder()
    while said.strip():
        value, end = decoder.raw_decode(said.lstrip())
        values.append(value)
        said = said.lstrip()[end:]
    assert [next(iter(value)) for value in values] == ["message", "reply", "message", "reply"]


def test_a_role_that_does_not_exist() -> None:
    assert "its roles are" in rehearse("blocks", "--role", "nobody", lines="", code=1)


@pytest.mark.long
@pytest.mark.spec("asp-player", 45)
def test_the_port_of_the_asp_player() -> None:
    """4001 without options, any other with one."""
    assert (_usual_port("asp"), _usual_port("asp:search=false"), _usual_port("mcts")) == (4001, 4001, 9147)
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", 4001)) == 0:
            pytest.skip("somebody listens at 4001 on this machine")
    command = [str(Path(sys.executable).with_name("ludorum")), "player", "--as", "asp", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as player:
        assert player.stdout is not None
        told = json.loads(player.stdout.readline())
        player.terminate()
    assert told["ports"] == [4001]
