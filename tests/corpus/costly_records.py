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


# 5.7 s for legal moves, end and goals and 0.9 s for the next state; 10 s in all on a busy machine.
_CHESS = Cost(6.6, "clear_row_ig, clear_col_ig and their like have 150 000 rows in every state")

COSTLY: dict[str, Cost] = {
    "tiltyard/chess-4b438508fd": _CHESS,
    "tiltyard/chess-4ceb9f4602": _CHESS,
    "tiltyard/chess-50136f2395": _CHESS,
    "tiltyard/chess-673948e4b2": _CHESS,
    "tiltyard/chess-8540bce59b": _CHESS,
    "tiltyard/chess-f254d76b49": _CHESS,
}

WRONG: dict[str, Wrong] = {
    "clingo/kono__libgdl": Wrong(
        question="state",
        expected=("1", "2", "3"),
        got=(),
        reason="the sheet has a relation next/2 of its own, for numbers in order; the evaluator that wrote "
        "the record took its first arguments for facts of the next state",
    ),
}

OUTSIDE_PLAY = {
    "iggp/fizzbuzz": "asks for the state after moves that are not legal",
    "iggp/minimal_decay": "asks about states that no play leads to",
    "iggp/minimal_even": "its sheet has no role",
    "iggp/scissors_paper_stone": "asks about states that no play leads to",
    "iggp/sokoban": "asks about states that no play leads to",
}
"""Records with questions beyond what a circuit knows, which refuses them; every other engine answers."""

WITHOUT_CIRCUIT: dict[str, str] = {}
"""Records of sheets that no circuit is built for, and why."""
