"""The planner of 2009: at every turn one call from scratch, at most 100 plans, the shortest line of text.

Every role works for our goal, ends of the game are ignored, and nothing limits its time but whoever calls it
(asp-player, section 7).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import clingo

from ...rules.ruleset import Ruleset
from .translation import NO_MOVE, LegacyProgram, extract_move, legacy_program, shortest_line
from .translation.reading import asp_text

MOST_PLANS = 100


@dataclass(frozen=True)
class LegacyAnswer:
    """What one turn brought."""

    move: str
    line: str | None
    """The chosen answer set as text; None where there was none."""
    plans: int
    atoms: int
    rules: int
    """Sizes of the ground program."""
    ground_s: float
    seconds: float
    """Processor time of the turn, grounding among it."""


class LegacyPlanner:
    """One match from the side of one role."""

    def __init__(self, text: str, role: str) -> None:
        self.program: LegacyProgram = legacy_program(text, role)
        self.turn = 1
        self.remarks: list[str] = []
        """What the grounder had to say; nobody read it."""
        self._past = ""

    def after(self, moves: Sequence[str]) -> None:
        """A joint move was made, in the order of roles."""
        for role, move in zip(self.program.roles, moves, strict=True):
            self._past += f"occurs({asp_text(move)},{self.turn},{role}).\n"
        self.turn += 1

    def answer(self, most: int = MOST_PLANS) -> LegacyAnswer:
        """The move for this turn, or the text that was sent where there was none."""
        started = time.process_time()
        control = self._ground()
        grounded = time.process_time()
        lines: list[str] = []
        control.configuration.solve.models = most  # type: ignore[union-attr]
        control.solve(on_model=lambda model: lines.append(_line(model.symbols(shown=True))))
        line = shortest_line(lines)
        move = extract_move(line, self.turn, self.program.role) if lines else NO_MOVE
        seconds = time.process_time() - started
        sizes = control.statistics["problem"]["lp"]
        return LegacyAnswer(
            move,
            line,
            len(lines),
            int(sizes["atoms"]),
            int(sizes["rules"]),
            grounded - started,
            seconds,
        )

    def lengths(self) -> Counter[int]:
        """How many answer sets there are of each number of turns with a move; counts all of them."""
        control = self._ground()
        found: Counter[int] = Counter()
        control.configuration.solve.models = 0  # type: ignore[union-attr]
        control.solve(on_model=lambda model: found.update([_turns(model.symbols(shown=True))]))
        return found

    def _ground(self) -> clingo.Control:
        """RuntimeError where the translation made no program at all."""
        control = clingo.Control(
            ["--stats"],
            logger=lambda _code, message: self.remarks.append(message),
        )
        control.add("base", [], self.program.text + self._past)
        control.ground([("base", [])])
        return control


def sent_text(rules: Ruleset) -> str:
    """A description as game servers send it: one statement after the other, no comments."""
    return "\n".join(" ".join(str(rule).split()) for rule in rules.rules)


def _line(atoms: Iterable[clingo.Symbol]) -> str:
    return " ".join(map(str, atoms))


def _turns(atoms: Iterable[clingo.Symbol]) -> int:
    return max((atom.arguments[1].number for atom in atoms), default=0)
