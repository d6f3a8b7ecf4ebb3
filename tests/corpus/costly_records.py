"""Records that are not simply replayed whole: those that cost too much, and those that are wrong.

Costs were measured with the reference engine on one core. It grounds every rule of a question anew for every
state, which is what makes it obviously right.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Cost:
    seconds_per_state: float
    reason: str


@dataclass(frozen=True)
class Wrong:
    """What every disagreement with a wrong record looks like, and why the record is wrong."""

    question: str
    expected: tuple[str, ...]
    got: tuple[str, ...]
    reason: str


COSTLY: dict[str, Cost] = {}

WRONG: dict[str, Wrong] = {
    "clingo/kono__libgdl": Wrong(
        question="state",
        expected=("1", "2", "3"),
        got=(),
        reason="the sheet has a relation next/2 of its own, for numbers in order; the evaluator that wrote "
        "the record took its first arguments for facts of the next state",
    ),
}
