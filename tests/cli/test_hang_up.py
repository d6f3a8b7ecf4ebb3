"""Screens end with their terminal."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pexpect
import pytest

from tests.how_much import sample
from tests.terminal_session import PATIENCE

COMMANDS = ["play tictactoe --player legal --record match.json", "play tictactoe --watch --player legal"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "is_told"),  # by a signal, which is ignored else; in the quick tests each with another
    sample([(command, is_told) for command in COMMANDS for is_told in (True, False)], 3),
)
def test_a_screen_ends_with_its_terminal(command: str, is_told: bool, tmp_path: Path) -> None:
    child = pexpect.spawn(
        str(Path(sys.executable).with_name("ludorum")),
        command.split(),
        cwd=str(tmp_path),
        env={**os.environ, "TERM": "xterm-256color"},
        dimensions=(24, 80),
        ignore_sighup=not is_told,
        timeout=PATIENCE,
    )
    child.expect("F10 quit" if "--watch" not in command else "F10")
    os.close(child.child_fd)
    child.closed = True
    end = time.monotonic() + PATIENCE
    while os.waitpid(child.pid, os.WNOHANG) == (0, 0):
        if time.monotonic() > end:
            os.killpg(child.pid, signal.SIGKILL)
            pytest.fail("it goes on without a terminal")
        time.sleep(0.05)
