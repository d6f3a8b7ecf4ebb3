"""``ludorum plan`` as people and programs see it."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.cli.app import app


def plan(*words: str) -> tuple[int, str]:
    found = CliRunner().invoke(app, ["plan", *words])
    return found.exit_code, found.stdout


@pytest.mark.long
def test_a_plan_for_people() -> None:
    code, text = plan("blocks", "--count")
    assert code == 0
    lines = text.splitlines()
    assert lines[:3] == ["  1  (u c a)", "  2  (s b c)", "  3  (s a b)"]
    assert lines[3].startswith("robot has 100 after 3 moves: the best there is; no plan is shorter")
    assert lines[4] == "1 plan of this length and value"


@pytest.mark.parametrize("way", ["logic", "search"])
def test_a_plan_for_programs_either_way(way: str) -> None:
    code, text = plan("buttons", "--json", "--shortest", "--way", way)
    assert code == 0
    found = json.loads(text)
    assert (found["goal"], found["length"], found["way"]) == (100, 6, way)
    assert found["optimal"]
    assert found["shortest"]
    assert found["proved"]


def test_no_plan_is_said_and_explained() -> None:
    code, text = plan("hodgepodge", "--role", "mazeplayer", "--value", "100", "--explain")
    assert code == 1
    assert text.startswith("There is no such plan.\n- the game ends too early: without the rule in line 158")


def test_plans_go_on_from_moves_that_were_made() -> None:
    code, text = plan("tictactoe", "--after", "(mark 2 2) noop, noop (mark 1 1)", "--json")
    assert code == 0
    assert json.loads(text)["length"] == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("tictactoe", "--after", "(mark 2 2)"), "1 moves for 2 roles"),
        (("tictactoe", "--role", "z"), "no role"),
        (("blocks", "--way", "luck"), "luck"),
        (("coin_toss_that_is_not_there",), "coin_toss"),
    ],
)
def test_misuse_is_told(words: tuple[str, ...], said: str) -> None:
    found = CliRunner().invoke(app, ["plan", *words])
    assert found.exit_code in (1, 2)
    assert said in found.output


def test_hidden_information_is_refused() -> None:
    found = CliRunner().invoke(app, ["plan", "krieg_tictactoe", "--seconds", "5"])
    assert found.exit_code == 1
    assert "error[hidden-information]: this is GDL-II: players are told percepts" in found.output
    assert "this is for games in which all players see every move" in found.output
    assert "--lenient" not in found.output


COMMAND = [str(Path(sys.executable).with_name("ludorum")), "plan"]


@pytest.mark.long
def test_a_terminal_shows_how_far_it_has_come() -> None:
    """On a real terminal: moves ahead, the best value so far and seconds; Ctrl-C stops at once."""
    master, slave = pty.openpty()
    slow = [*COMMAND, "peg_solitaire", "--way", "logic", "--seconds", "300"]
    process = subprocess.Popen(slow, stderr=slave, stdout=subprocess.DEVNULL)
    os.close(slave)
    seen, end = b"", time.monotonic() + 120
    while not re.search(rb"\d+ moves ahead, (no plan yet|best so far \d+), \d+ s.*\d+ %, [\d:]+ left", seen):
        assert time.monotonic() < end, seen
        if select.select([master], [], [], 1)[0]:
            seen += os.read(master, 65536)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    os.close(master)


@pytest.mark.long
def test_pipes_see_no_progress() -> None:
    done = subprocess.run([*COMMAND, "blocks"], capture_output=True, text=True, check=True)
    assert "Ctrl-C" not in done.stderr + done.stdout


ENDLESS = """
{roles} (init on) (<= (legal ?r go) (role ?r)) (<= (next on) (true on))
(<= terminal (true off)) (<= (goal ?r 100) (role ?r))
"""


@pytest.mark.parametrize("roles", ["(role a)", "(role a) (role b)"])
def test_a_game_of_one_state_without_an_end_has_no_plan(roles: str, tmp_path: Path) -> None:
    path = tmp_path / "endless.kif"
    path.write_text(ENDLESS.format(roles=roles))
    found = CliRunner().invoke(app, ["plan", str(path), "--seconds", "600"])
    assert (found.exit_code, found.stdout, found.stderr) == (1, "There is no such plan.\n", "")
