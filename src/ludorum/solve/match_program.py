"""A match as one file that clingo understands: the translated rules, and a fact for every move made since.

One file a match, written once and then only appended to, so any number of matches go on side by side, and a
match whose player was restarted goes on from its file (asp-player, RA7, RG5, RG6).
"""

from __future__ import annotations

from pathlib import Path

import clingo

from ..asp.names import asp_term, read_symbol
from ..asp.temporal import TemporalProgram
from ..engine.errors import GameError
from ..engine.game import JointMove
from ..rules.ruleset import Ruleset
from ..rules.terms import Term
from .horizon import Unrolled
from .planner import Planner

HEADER = "% a match of ludorum, names of the sheet with prefixes\n"
"""The first line: a translation with other names cannot be continued."""
PAST = "#program past.\n"
"""Moves come after this line."""


class MatchProgram:
    """The file of one match."""

    def __init__(self, path: Path, rules: Ruleset) -> None:
        """Open the file; a new one where there is none. GameError where it is no such file."""
        self.path = path
        self.rules = rules
        if not path.exists():
            path.write_text(HEADER + TemporalProgram(rules).text + PAST, encoding="utf-8")
        self.translation, self.moves = self._read()

    def append(self, joint: JointMove) -> None:
        """Note a joint move that was made."""
        if len(joint) != len(self.rules.roles):
            raise GameError(f"{len(joint)} moves for {len(self.rules.roles)} roles")
        step = len(self.moves)
        with self.path.open("a", encoding="utf-8") as file:
            for role, move in zip(self.rules.roles, joint, strict=True):
                file.write(f"p_does_2({asp_term(role)},{asp_term(move)},{step}).\n")
        self.moves += (joint,)

    def planner(self, seed: int = 0) -> Planner:
        """A planner from the current position of the match, with the stored translation."""
        planner = Planner(Unrolled(self.rules, seed=seed, translation=self.translation))
        for joint in self.moves:
            planner.after(joint)
        return planner

    def _read(self) -> tuple[str, tuple[JointMove, ...]]:
        translation, mark, past = self.path.read_text(encoding="utf-8").partition(PAST)
        if not mark:
            raise GameError(f"{self.path} is no file of a match: the line {PAST.strip()!r} is missing")
        if not translation.startswith(HEADER):
            raise GameError(
                f"{self.path} was written by another version, which has other names: its first line is "
                f"not {HEADER.strip()!r}; remove the file, and the match begins a new one"
            )
        made: dict[int, dict[Term, Term]] = {}
        for line in past.splitlines():
            try:
                role, move, step = clingo.parse_term(line.rstrip(".")).arguments
                made.setdefault(step.number, {})[read_symbol(role)] = read_symbol(move)
            except (RuntimeError, ValueError) as error:
                raise GameError(f"{self.path}: {line!r} is no move") from error
        moves: list[JointMove] = []
        for number in range(len(made)):
            by_role = made.get(number, {})
            if set(by_role) != set(self.rules.roles):
                break  # the writer was killed in the middle of a joint move: it did not happen
            moves.append(tuple(by_role[role] for role in self.rules.roles))
        return translation, tuple(moves)
