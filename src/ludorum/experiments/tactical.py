"""Tactical tests: positions with the moves that a good player would make there.

Reads suites as JSON in the form that GGP players use for their regression tests: scripts of moves for each
role, clocks, and the acceptable moves of one role at the end of the scripts (``!:`` before moves that are not
acceptable).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..engine.errors import GameError
from ..engine.game import State
from ..engine.load import load_game
from ..engine.sight import position_of
from ..players import Guard, Player
from ..rules.kif import parse_term
from ..rules.terms import Term


@dataclass(frozen=True)
class TacticalCase:
    """A position, whose move it is, and which moves are right."""

    name: str
    sheet: Path
    scripts: tuple[tuple[Term, ...], ...]
    """The moves of each role, up to the position."""
    seat: int
    moves: frozenset[Term]
    acceptable: bool
    """Whether ``moves`` are the right ones; else they are the wrong ones."""
    start_seconds: float
    play_seconds: float
    skipped: bool

    @property
    def wanted(self) -> str:
        names = ", ".join(sorted(map(str, self.moves)))
        return names if self.acceptable else f"not {names}"

    def is_solved_by(self, move: Term) -> bool:
        return (move in self.moves) == self.acceptable


@dataclass(frozen=True)
class TacticalAnswer:
    """What a player did."""

    move: Term
    fault: str
    solved: bool


def read_cases(corpus: Path) -> Iterator[TacticalCase]:
    """All cases of the suites in ``corpus/tactical``, sheets from ``corpus/gdl1`` and its neighbours."""
    for path in sorted((corpus / "tactical").glob("*.json")):
        suite = json.loads(path.read_text(encoding="utf-8"))
        sheet = next(corpus.glob(f"*/{suite['sheet']}.kif"))
        for data in suite["cases"]:
            yield _case(path.stem, sheet, data)


def _case(name: str, sheet: Path, data: dict[str, object]) -> TacticalCase:
    check, players = data["check"], data["players"]
    assert isinstance(check, dict)
    assert isinstance(players, list)
    limit, listed = int(str(data["limit"])), str(check["acceptable"])
    acceptable = not listed.startswith("!:")
    return TacticalCase(
        name=str(data.get("case", name)),
        sheet=sheet,
        scripts=tuple(_script(player.get("args", []))[: limit - 1] for player in players),
        seat=int(check["player"]),
        moves=frozenset(map(_move, listed.removeprefix("!:").split(","))),
        acceptable=acceptable,
        start_seconds=float(str(data["start"])),
        play_seconds=float(str(data["play"])),
        skipped=bool(data.get("skip", False)),
    )


def _script(args: list[str]) -> tuple[Term, ...]:
    text = next((arg.removeprefix("plan=") for arg in args if not arg.startswith("-")), "")
    return tuple(_move(move) for move in text.split(",") if move.strip())


def _move(text: str) -> Term:
    text = text.strip().lower()
    return parse_term(f"({text})" if " " in text else text)


def replay(case: TacticalCase, state: State) -> State:
    """The position that the scripts lead to; GameError where they do not fit the rules."""
    for step, joint in enumerate(zip(*case.scripts, strict=False), start=1):
        if state.is_terminal:
            raise GameError(f"{case.name}: over before step {step}")
        state = state.play(joint)
    return state


def solve_case(case: TacticalCase, player: Player, scale: float = 1.0) -> TacticalAnswer:
    """Give a player the clocks of the case and look at its move."""
    game = load_game(str(case.sheet), "auto", lenient=True)
    role = game.roles[case.seat]
    guard = Guard(player)
    try:
        guard.start(game, role, case.start_seconds * scale)
        position = position_of(replay(case, game.initial()), role)
        answer = guard.choose(position, case.play_seconds * scale)
    finally:
        guard.stop()
    fault = "; ".join(filter(None, (guard.trouble, answer.fault)))
    return TacticalAnswer(answer.move, fault, case.is_solved_by(answer.move))
