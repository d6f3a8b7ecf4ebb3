"""Long work shows per cent and time left, on the error stream of a terminal alone."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ludorum.cli.progress import LEAST_SECONDS, duration, time_text

LUDORUM = str(Path(sys.executable).with_name("ludorum"))

LONG = {
    "simulate": ("simulate", "tictactoe", "--seconds", "2"),
    "prove": ("prove", "buttons", "all"),
}


def on_terminal(*words: str, program: tuple[str, ...] = (LUDORUM,)) -> tuple[str, str]:
    """What a command prints to a pipe, and what it draws on a terminal for errors."""
    master, slave = pty.openpty()
    with subprocess.Popen([*program, *words], stderr=slave, stdout=subprocess.PIPE, text=True) as process:
        os.close(slave)
        drawn = b""
        while True:
            try:
                part = os.read(master, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            drawn += part
        assert process.stdout is not None
        printed = process.stdout.read()
    os.close(master)
    return printed, drawn.decode()


@pytest.mark.parametrize(
    ("done", "total", "elapsed", "text"),
    [
        (0, 100, 3.0, "  0 %"),
        (25, 100, 30.0, " 25 %, 1:30 left"),
        (100, 100, 30.0, "100 %, 0:00 left"),
        (130, 100, 30.0, "100 %, 0:00 left"),
        (5, None, 75.0, "1:15 so far"),
    ],
)
def test_time_is_told_as_far_as_it_is_known(
    done: float, total: float | None, elapsed: float, text: str
) -> None:
    assert time_text(done, total, elapsed) == text


def test_hours_are_told_as_hours() -> None:
    assert [duration(seconds) for seconds in (59.6, 3599, 3661)] == ["1:00", "59:59", "1 h 1 min"]


@pytest.mark.long
def test_a_terminal_sees_per_cent_and_time_left() -> None:
    printed, drawn = on_terminal(*LONG["simulate"])
    assert re.search(r"\d+ %, 0:0\d left", drawn)
    assert "steps per s" in printed
    assert "%" not in printed


FEW_STAGES = """
from ludorum.cli import progress
from ludorum.cli.app import app
from ludorum.experiments.planning_2009 import measure_2009
measure_2009.SEVERAL, measure_2009.GROUNDING = (), {}
progress.LEAST_SECONDS = progress.REFRESH_SECONDS = 0
app()
"""


@pytest.mark.long
def test_the_bench_of_planning_shows_its_stages(tmp_path: Path) -> None:
    file = str(tmp_path / "plan.json")
    program = (sys.executable, "-c", FEW_STAGES)
    printed, drawn = on_terminal("bench", "plan", "--output", file, program=program)
    assert re.search(r"match: buttons, \w+ .* 17 %, \d+:\d\d left", drawn)
    assert re.search(r"plans: maze, \w+ .* 83 %, \d+:\d\d left", drawn)
    assert "plans: " not in printed
    drawn = on_terminal("bench", "plan", "--json", "--output", file, program=program)[1]
    assert drawn.splitlines() == [f"written: {file}"]


@pytest.mark.long
def test_programs_and_pipes_see_no_progress() -> None:
    words = ("simulate", "tictactoe", "--seconds", str(2 * LEAST_SECONDS))
    assert on_terminal(*words, "--json")[1] == ""
    done = subprocess.run([LUDORUM, *words], capture_output=True, text=True, check=True)
    assert done.stderr == ""


@pytest.mark.long
def test_verdicts_are_printed_whole_while_the_bar_moves() -> None:
    printed, _ = on_terminal(*LONG["prove"])
    plain = subprocess.run([LUDORUM, *LONG["prove"]], capture_output=True, text=True)
    assert [line.split()[:2] for line in printed.splitlines()] == [
        line.split()[:2] for line in plain.stdout.splitlines()
    ]
