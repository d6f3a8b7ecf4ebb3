"""The result of solving a game: values, moves that keep them, the method, and the cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

from ...rules.terms import Term, format_term
from ...show.markup import markup, report
from .strategy import Strategy


class SolutionMethod(Enum):
    """How a value was found."""

    OVER = "the game is over"
    DEPTH_FIRST = "depth-first proof search"
    PROOF_NUMBER = "depth-first proof-number search"
    INDUCTION = "induction over all states"
    MATRICES = "matrix games, state by state"
    PARTS = "independent parts, each apart"
    NONE = "none"


@dataclass(frozen=True)
class Solution:
    """The value of a state for each role, as far as it was found."""

    game: str
    solved: bool
    values: dict[Term, Fraction]
    """What each role gets if all play their best; where ``note`` says so, what it can force at least."""
    method: SolutionMethod
    nodes: int
    """States visited for the values and the moves."""
    seconds: float
    processor_seconds: float
    """Processor seconds in all, strategies included."""
    mover: Term | None = None
    best: tuple[Term, ...] = ()
    """Moves of the mover that are proved to lose nothing."""
    worse: tuple[Term, ...] = ()
    """Moves that are proved to lose something; of moves in neither list nothing is proved."""
    mixtures: dict[Term, dict[Term, Fraction]] = field(default_factory=dict)
    """Where roles choose at once: how likely each move should be."""
    strategies: dict[Term, Strategy] = field(default_factory=dict)
    bounds: dict[Term, tuple[int, int]] = field(default_factory=dict)
    """Where not solved: the least and the most that a role may get."""
    note: str = ""
    """In what way the values are not simply those of the game; where not solved, why."""
    opened: bool = False
    """Whether the values are those of the game with all information open, although it hides something."""
    is_limited: bool = False
    """Where not solved: whether the budget ran out, so that a larger one may do; else no method applies."""
    strategy_seconds: float = 0.0
    """Processor seconds spent on the strategies of a proof."""

    def as_json(self) -> dict[str, object]:
        return {
            "game": self.game,
            "solved": self.solved,
            "opened": self.opened,
            "is_limited": self.is_limited,
            "values": {format_term(role): _number(value) for role, value in self.values.items()},
            "method": self.method.value,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 4),
            "processor_seconds": round(self.processor_seconds, 4),
            "strategy_seconds": round(self.strategy_seconds, 4),
            "mover": None if self.mover is None else format_term(self.mover),
            "best": [format_term(move) for move in self.best],
            "worse": [format_term(move) for move in self.worse],
            "mixtures": {
                format_term(role): {format_term(move): _number(weight) for move, weight in own.items()}
                for role, own in self.mixtures.items()
            },
            "strategies": {format_term(role): len(own) for role, own in self.strategies.items()},
            "bounds": {format_term(role): list(own) for role, own in self.bounds.items()},
            "note": self.note,
        }

    def _repr_html_(self) -> str:
        """The solution in a notebook: values or bounds by role, the best moves, and how that was proved."""
        rows = [(f"value for {role}", _shown(value)) for role, value in self.values.items()]
        rows += [(f"bounds for {role}", f"{low} to {high}") for role, (low, high) in self.bounds.items()]
        if self.mover is not None and self.best:
            rows.append((f"best for {self.mover}", " ".join(map(format_term, self.best))))
        for role, own in self.mixtures.items():
            mixed = ", ".join(f"{format_term(move)} {_shown(weight)}" for move, weight in own.items())
            rows.append((f"{role} mixes", mixed))
        rows += [("note", self.note)] if self.note else []
        rows.append(("by", f"{self.method.value}, {self.nodes} states"))
        return markup(report(f"{self.game}: {'solved' if self.solved else 'not solved'}", rows))


def _shown(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{value} ({float(value):.4f})"


def _number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)
