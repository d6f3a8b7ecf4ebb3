"""A real terminal: a shell at a pseudo terminal, its screen as a person sees it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pexpect
import pyte

COLUMNS, LINES = 110, 34
PROMPT = "walk> "
ENTER, F10 = "\r", "\x1b[21~"
PATIENCE = 120.0
"""Seconds that a busy machine may take to show something; nothing is measured by it."""


class Terminal:
    """What is typed goes to the shell; what the shell and its programs write is drawn on the screen."""

    def __init__(self, child: pexpect.spawn) -> None:
        self._child = child
        self._screen = pyte.Screen(COLUMNS, LINES)
        self._stream = pyte.ByteStream(self._screen)

    @property
    def screen(self) -> str:
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip()

    def type(self, text: str) -> None:
        self._child.send(text)

    def see(self, *wanted: str, patience: float = PATIENCE) -> str:
        """Wait until the screen shows all of these texts; returns the screen."""
        end = time.monotonic() + patience
        while not all(text in self.screen for text in wanted):
            if time.monotonic() > end:
                missing = [text for text in wanted if text not in self.screen]
                raise AssertionError(f"the screen never showed {missing}:\n{self.screen}")
            self._draw()
        return self.screen

    def run(self, command: str, patience: float = PATIENCE) -> str:
        """Type a command into an empty screen and wait for the prompt; returns what it has printed."""
        self._screen.reset()
        self.type(command + ENTER)
        return self.see(f"\n{PROMPT.rstrip()}", patience=patience).rpartition("\n")[0]

    def see_prompt(self) -> None:
        """Wait until the shell asks for the next command, wherever a program has left the cursor."""
        self._screen.reset()
        self.see(PROMPT.rstrip())

    def _draw(self) -> None:
        with suppress(pexpect.TIMEOUT):
            self._stream.feed(self._child.read_nonblocking(65536, timeout=0.1))


@contextmanager
def terminal(folder: Path, commands: Path) -> Iterator[Terminal]:
    """A shell in a folder, with a folder of commands that it finds first."""
    environment = {
        **os.environ,
        "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}",
        "PS1": PROMPT,
        "TERM": "xterm-256color",
        "HOME": str(folder),
    }
    child = pexpect.spawn(
        "bash", ["--norc", "--noprofile"], cwd=str(folder), env=environment, dimensions=(LINES, COLUMNS)
    )
    session = Terminal(child)
    try:
        session.see(PROMPT.rstrip())
        yield session
    finally:
        with suppress(OSError):  # a program that a failed test has left in front
            os.killpg(os.tcgetpgrp(child.child_fd), signal.SIGKILL)
        child.close(force=True)
