"""GNU Backgammon as an opponent and an oracle for `backgammon` (Debian: `apt-get install gnubg`).

A position is the men of both, each by the points of its own: index 0 is off, 25 the bar. Our sheet and GNU
Backgammon count alike.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TypeAlias

from ludorum.engine.game import JointMove, State
from ludorum.rules.terms import Term

Men: TypeAlias = tuple[int, ...]
Hops: TypeAlias = list[tuple[int, int]]
SERVER = Path(__file__).with_name("gnubg_server.py")
PLACES = ("gnubg", "/usr/games/gnubg")
BAR, OFF = 25, 0
ACROSS = 25
SECONDS = 30.0


def find_gnubg() -> str | None:
    """The program, where it is installed."""
    return next(filter(None, map(shutil.which, PLACES)), None)


class Gnubg:
    """A process of GNU Backgammon."""

    def __init__(self, program: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(SECONDS)
            self._process = subprocess.Popen(
                [program, "-t", "-q", "-p", str(SERVER)],
                env=os.environ | {"LUDORUM_PORT": str(server.getsockname()[1])},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            line, _ = server.accept()
        self._told = line.makefile("rw", encoding="ascii")
        line.close()

    def best(self, mine: Men, other: Men, dice: Sequence[int]) -> Hops:
        """The move after which its evaluation likes the position best; empty where there is none."""
        return self._ask(mine, other, dice, False)

    def moves(self, mine: Men, other: Men, dice: Sequence[int]) -> list[Hops]:
        """A move for each position that can be reached."""
        return self._ask(mine, other, dice, True)

    def _ask(self, mine: Men, other: Men, dice: Sequence[int], every: bool) -> list:
        self._told.write(json.dumps({"men": [mine, other], "dice": list(dice), "all": every}) + "\n")
        self._told.flush()
        return json.loads(self._told.readline())

    def close(self) -> None:
        self._told.close()
        self._process.kill()
        self._process.wait()

    def __enter__(self) -> Gnubg:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


# --- our sheet ----------------------------------------------------------------------------------------


def men_of(state: State) -> dict[Term, Men]:
    """The men of both players."""
    found = {role: [0] * 26 for role in state.game.info.players}
    for fact in state.facts():
        if fact.name == "men":
            player, place, count = fact.args
            found[player][int(str(place))] = int(str(count))
    return {role: tuple(men) for role, men in found.items()}


def dice_left(state: State) -> list[int]:
    """The dice that are still to be played, as often as each may be."""
    left = (fact.args for fact in state.facts() if fact.name == "left")
    return sorted(int(str(die)) for die, count in left for _ in range(int(str(count))))


def mover_of(state: State) -> Term | None:
    """Who moves men now; None while dice are rolled."""
    for fact in state.facts():
        if fact.name == "phase":
            stage, player = fact.args
            return player if str(stage) == "move" else None
    return None


def after_hops(mine: Men, other: Men, hops: Hops) -> tuple[Men, Men]:
    """The men after a move of GNU Backgammon."""
    own, theirs = list(mine), list(other)
    for start, end in hops:
        own[start] -= 1
        own[max(end, OFF)] += 1
        if end > OFF and theirs[ACROSS - end]:
            theirs[ACROSS - end] -= 1
            theirs[BAR] += 1
    return tuple(own), tuple(theirs)


def ways(state: State, player: Term) -> dict[tuple[Men, Men], list[Term]]:
    """The moves of our sheet until the turn is over, one way to each position of the men."""
    (other,) = (role for role in state.game.info.players if role is not player)
    found: dict[tuple[Men, Men], list[Term]] = {}
    waiting: list[tuple[State, list[Term]]] = [(state, [])]
    met = {state}
    while waiting:
        at, moves = waiting.pop()
        if at.is_terminal or mover_of(at) is not player:
            men = men_of(at)
            found.setdefault((men[player], men[other]), moves)
            continue
        for move in at.legal(player):
            after = at.play(joint_of(at, {player: move}))
            if after not in met:
                met.add(after)
                waiting.append((after, [*moves, move]))
    return found


def joint_of(state: State, moves: dict[Term, Term]) -> JointMove:
    """A joint move; roles that are not named have only one move."""
    return tuple(moves.get(role) or state.legal(role)[0] for role in state.game.roles)


def steps_of(state: State, player: Term, hops: Hops) -> list[Term]:
    """The moves of our sheet that make up a move of GNU Backgammon, in an order in which they are legal."""
    for at, (start, end) in enumerate(hops):
        others = [*hops[:at], *hops[at + 1 :]]
        for move in state.legal(player):
            if move.name != "move" or int(str(move.args[0])) != start:
                continue
            if max(start - int(str(move.args[1])), OFF) != max(end, OFF):
                continue
            after = state.play(joint_of(state, {player: move}))
            if not others:
                return [move]
            rest = steps_of(after, player, others) if mover_of(after) is player else None
            if rest:
                return [move, *rest]
    return []
