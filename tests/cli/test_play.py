"""A person at a real (pseudo) terminal: typing moves, asking for hints, taking back, resigning."""

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path


class Terminal:
    """``ludorum play`` on a pseudo-terminal."""

    def __init__(self, *args: str) -> None:
        self.master, slave = pty.openpty()
        command = [str(Path(sys.executable).with_name("ludorum")), "play", *args]
        self.process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, close_fds=True)
        os.close(slave)
        self.text = ""

    def expect(self, words: str, seconds: float = 30) -> str:
        """Read until the words appear; the text since the last call."""
        deadline = time.monotonic() + seconds
        while words not in self.text:
            ready, _, _ = select.select([self.master], [], [], max(0, deadline - time.monotonic()))
            assert ready, f"waited for {words!r} in vain, got: {self.text}"
            try:
                self.text += os.read(self.master, 4096).decode()
            except OSError:  # the program has ended
                break
        assert words in self.text, f"ended without {words!r}: {self.text}"
        before, _, self.text = self.text.partition(words)
        return before + words

    def type(self, line: str) -> None:
        os.write(self.master, f"{line}\n".encode())

    def close(self) -> int:
        code = self.process.wait(timeout=20)
        os.close(self.master)
        return code


def test_a_person_plays_tictactoe_in_the_terminal() -> None:
    terminal = Terminal("tictactoe", "--seconds", "0.3", "--seed", "2")
    terminal.expect("you are xplayer")
    terminal.expect("xplayer> ")
    terminal.type("?")
    terminal.expect("take back your last move")
    terminal.type("(mark 9 9)")
    terminal.expect("(mark 9 9) is not legal here; `moves` lists the 9 legal moves")
    terminal.type("undo")
    terminal.expect("nothing to take back")
    terminal.type("hint")
    terminal.expect("hint: (mark ")
    terminal.type("mark 1 1")
    terminal.expect("oplayer plays (mark ")
    terminal.expect("xplayer> ")
    terminal.type("undo")
    terminal.expect("9 (mark 3 3)")
    terminal.expect("xplayer> ")
    terminal.type("resign")
    terminal.expect("You resigned.")
    assert terminal.close() == 0


def test_hidden_facts_are_not_shown_to_a_person(tmp_path: Path) -> None:
    from tests.small_games import COIN

    path = tmp_path / "coin.kif"
    path.write_text(COIN)
    terminal = Terminal(str(path), "--seed", "3")
    shown = terminal.expect("guesser> ")
    assert "you were told: tossed" in shown
    assert "(coin" not in shown
    terminal.type("1")
    terminal.expect("Game over after 2 moves")
    assert terminal.close() == 0
