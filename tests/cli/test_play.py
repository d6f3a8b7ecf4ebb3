"""A person at a real (pseudo) terminal: on the screen, and line by line where there is none."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

ESCAPES = re.compile(
    r"\x1b(\[[0-9;?<>=]*[A-Za-z@`~]|[()][A-Z0-9]|[=>78]|P[^\x1b]*\x1b\\|\][^\x07\x1b]*(\x07|\x1b\\))"
)
COLOUR = re.compile(r"\x1b\[([0-9;]*;)?(3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]")


class Terminal:
    """``ludorum play`` on a pseudo-terminal of 80 columns and 24 lines."""

    def __init__(self, *args: str, **environment: str) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        command = [str(Path(sys.executable).with_name("ludorum")), "play", *args]
        self.process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            close_fds=True,
            env={**os.environ, "TERM": "xterm-256color", **environment},
        )
        os.close(slave)
        self.raw = ""
        self.text = ""

    def expect(self, words: str, seconds: float = 40) -> str:
        """Read until the words appear; the text since the last call, without control sequences."""
        deadline = time.monotonic() + seconds
        while words not in self.text:
            ready, _, _ = select.select([self.master], [], [], max(0, deadline - time.monotonic()))
            assert ready, f"waited for {words!r} in vain, got: {self.text}"
            if not self._read():
                break
        assert words in self.text, f"ended without {words!r}: {self.text}"
        before, _, self.text = self.text.partition(words)
        return before + words

    def _read(self) -> bool:
        try:
            some = os.read(self.master, 4096).decode(errors="replace")
        except OSError:  # the program has ended
            return False
        self.raw += some
        self.text = ESCAPES.sub("", self.text + some)
        return bool(some)

    def press(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def type(self, line: str) -> None:
        self.press(f"{line}\n")

    def close(self) -> int:
        deadline = time.monotonic() + 20
        while self.process.poll() is None and time.monotonic() < deadline:
            ready, _, _ = select.select([self.master], [], [], 0.1)
            if ready and not self._read():  # a full terminal would hold the program back
                break
        code = self.process.wait(timeout=20)
        os.close(self.master)
        return code


@pytest.mark.long
@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}], ids=["colour", "no colour"])
def test_the_screen_opens_plays_and_closes(environment: dict[str, str]) -> None:
    terminal = Terminal("tictactoe", "--player", "legal", **environment)
    terminal.expect("tictactoe | you are xplayer")
    terminal.expect("> mark 1 1")
    terminal.expect("Your move, xplayer.")
    terminal.press("2 2\r")
    terminal.expect("2. oplayer")
    terminal.press("\x11")  # Ctrl+Q
    assert terminal.close() == 0
    assert "\x1b[?1049l" in terminal.raw  # the former screen comes back
    if environment:
        assert not COLOUR.search(terminal.raw)


@pytest.mark.long
def test_the_screen_closes_while_a_player_thinks() -> None:
    terminal = Terminal("connect_four", "--role", "yellow", "--player", "mcts", "--seconds", "30")
    terminal.expect("red thinks,")
    begun = time.monotonic()
    terminal.press("\x11")
    assert terminal.close() == 0
    assert time.monotonic() - begun < 15
    assert "Traceback" not in terminal.raw


@pytest.mark.long
def test_a_simple_terminal_gets_lines() -> None:
    terminal = Terminal("tictactoe", "--player", "legal", TERM="dumb")
    terminal.expect("Type ? for help.")
    terminal.expect("xplayer> ")
    terminal.type("quit")
    terminal.expect("You left after 0 moves.")
    assert terminal.close() == 0
    assert "\x1b" not in terminal.raw


@pytest.mark.long
def test_a_person_plays_tictactoe_line_by_line() -> None:
    terminal = Terminal("tictactoe", "--plain", "--seconds", "0.3", "--seed", "2")
    terminal.expect("you are xplayer")
    terminal.expect("xplayer> ")
    terminal.type("?")
    terminal.expect("take back your last move")
    terminal.type("(mark 9 9)")
    terminal.expect("(mark 9 9) is not legal here; did you mean")
    terminal.type("undo")
    terminal.expect("nothing to take back")
    terminal.type("hint")
    terminal.expect("hint: mark ")
    terminal.type("mark 1 1")
    terminal.expect("oplayer plays mark ")
    terminal.expect("xplayer> ")
    terminal.type("undo")
    terminal.expect("#9 mark 3 3")
    terminal.expect("xplayer> ")
    terminal.type("resign")
    terminal.expect("You resigned.")
    assert terminal.close() == 0
