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

_SLOW_TO_COMPILE = """
    SmallDominion2__unsw alexChess amazons amazonsSuicide amazonsTorus amazons__v0
    argentina-3361209022__aaai2006 asylum asylum__stanford bonaparte__sancho brawl
    brazil-3361208788__aaai2006 checkers-mustjump-torus__v0 chessAlex__disabled
    cotedivoire-3361209557__aaai2006 dominion__uwa emerson-3361210163__aaai2006
    farmers-3357493442__aaai2006 france-3361209275__aaai2006 fred-3361210216__aaai2006
    germany-3361209469__aaai2006 ghana-3361209631__aaai2006 italy-3361209402__aaai2006 laikLee_hex
    locust-3359299013__aaai2006 merrills pancakes88 pancakes88__dresden pit221-3359299094__aaai2006
    portugal-3361209339__aaai2006 racer4 racer4__v0 ruleDepthExponential ruleDepthQuadratic__cs227b
    ruledepthexponential__ggprs skirmish2__dresden skirmish3__dresden skirmish__dresden
    skirmish__stanford slaughter small_dominion__uwa snakeAssemblit snakeAssemblit__v0 sudoku
    towerworld__iggp twogenerals__unsw
"""
SLOW_TO_COMPILE = frozenset(_SLOW_TO_COMPILE.split())
"""Sheets that took more than six seconds of the processor: these alone may be left without a circuit."""
