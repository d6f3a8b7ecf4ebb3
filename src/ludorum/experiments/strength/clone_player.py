"""A player of another clone: an earlier version plays in its own interpreter, with its own code."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from ...arena.match.match import Match
from ...arena.tournament.plan import PlannedGame
from ...engine.game import Game
from ...engine.sight import Position
from ...players.isolated import read_decision
from ...players.player import Player, PlayerError
from ...rules.kif import parse_term
from ...rules.terms import Term, format_term

SERVER = Path(__file__).with_name("clone_server.py")
PARTING_SECONDS = 5.0


def python_of(clone: Path) -> Path:
    """The interpreter of a clone; FileNotFoundError where it has not been set up."""
    for place in (clone / ".venv" / "bin" / "python", clone / ".venv" / "Scripts" / "python.exe"):
        if place.is_file():
            return place
    raise FileNotFoundError(f"{clone} has no .venv with Python: run `make setup` there")


class ClonePlayer(Player):
    """Asks a process of the other clone. It is trusted: it is told all joint moves, and shows its player only
    what the role may see."""

    quick = False

    def __init__(
        self, clone: Path, name: str, seed: int, match: Match, seat: int, game: PlannedGame, engine: str
    ) -> None:
        """PlayerError where the player cannot be made there."""
        self.name = f"{name}@{clone.name}"
        self._match = match
        self._sent = 0
        """How many joint moves the process has been told."""
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        self._process = subprocess.Popen(
            [str(python_of(clone)), "-P", str(SERVER)],
            cwd=clone,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            start_new_session=True,  # Ctrl-C is for the program that runs the bench
        )
        sheet = {"name": game.name, "language": game.language, "text": game.text}
        try:
            self._ask("make", name=name, seed=seed, seat=seat, game=sheet, engine=engine, lenient=True)
        except PlayerError:
            self.close()
            raise

    def start(self, game: Game, role: Term, seconds: float) -> None:
        self._ask("start", seconds=seconds)

    def choose(self, position: Position, seconds: float) -> Term:
        moves = [[format_term(move) for move in joint] for joint in self._match.moves]
        answer = self._ask("choose", moves=moves[self._sent :], seconds=seconds)
        self._sent = len(moves)
        self.decision = read_decision(answer["decision"])
        self.fallback = answer["fallback"]
        return parse_term(answer["move"])

    def stop(self) -> None:
        self._ask("stop")

    def close(self) -> None:
        self._process.kill()
        self._process.wait(PARTING_SECONDS)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _ask(self, what: str, **details: object) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps({"ask": what, **details}) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except (OSError, ValueError):
            line = ""
        if not line:
            raise PlayerError("its process has ended")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise PlayerError(answer["error"])
        return answer
