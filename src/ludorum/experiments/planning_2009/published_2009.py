"""Figures of 2009 as they were published: matches turn by turn, seconds of reasoning, times of grounding.

The machine is not known, nor are versions of grounder and solver (asp-player, section 17).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PublishedTurn:
    joint: tuple[str, ...]
    """The moves of all roles in order."""
    seconds: float


@dataclass(frozen=True)
class PublishedMatch2009:
    """A match that the player of 2009 played in one role."""

    game: str
    role: str
    seat: int
    goal: int
    """What it got."""
    turns: tuple[PublishedTurn, ...]

    @property
    def seconds(self) -> float:
        return sum(turn.seconds for turn in self.turns)


def _match(game: str, role: str, seat: int, goal: int, turns: str) -> PublishedMatch2009:
    """A match from lines ``move | move | seconds``."""
    lines = [[part.strip() for part in line.split("|")] for line in turns.strip().splitlines()]
    return PublishedMatch2009(
        game, role, seat, goal, tuple(PublishedTurn(tuple(joint), float(time)) for *joint, time in lines)
    )


SINGLE = (
    _match("blocks", "robot", 0, 100, "(u c a) | 0.321\n(s b c) | 0.318\n(s a b) | 0.286"),
    _match("buttons", "white", 0, 100, "a|0.114\nb|0.098\na|0.095\nc|0.096\nb|0.094\na|0.092"),
    _match(
        "maze", "robot", 0, 100,
        "move|0.736\nmove|0.702\ngrab|0.755\nmove|0.705\nmove|0.753\ndrop|0.735",
    ),
)  # fmt: skip

SEVERAL = (
    _match(
        "tictactoe", "xplayer", 0, 0,
        """
        (mark 2 2) | noop | 2.169
        noop | (mark 1 1) | 1.997
        (mark 1 2) | noop | 1.955
        noop | (mark 3 2) | 1.987
        (mark 1 3) | noop | 2.288
        noop | (mark 3 1) | 1.538
        (mark 3 3) | noop | 1.458
        noop | (mark 2 1) | 1.418
        """,
    ),
    _match(
        "tictactoe", "oplayer", 1, 0,
        """
        (mark 1 1) | noop | 2.038
        noop | (mark 3 3) | 2.174
        (mark 1 3) | noop | 1.944
        noop | (mark 3 1) | 3.612
        (mark 1 2) | noop | 1.996
        """,
    ),
    _match(
        "hodgepodge", "blocksplayer", 0, 100,
        "(u c a) | move | 1.760\n(s b c) | move | 1.672\n(s a b) | move | 1.664",
    ),
    _match(
        "hodgepodge", "mazeplayer", 1, 0,
        "(u c a) | move | 1.737\n(s b c) | move | 1.714\n(s a b) | grab | 1.773",
    ),
)  # fmt: skip

GROUNDING = {"hodgepodge_reused": (215.67, 9_151_481), "hodgepodge": (1.39, 37_903)}
"""Seconds of grounding, and instances of rules by the domains of their variables."""

ANSWER_SETS: dict[tuple[str, str], dict[int, int]] = {
    ("blocks", "robot"): {3: 1},
    ("buttons", "white"): {6: 2, 7: 10},
    ("maze", "robot"): {6: 1, 8: 2, 10: 5},
    ("hodgepodge", "blocksplayer"): {3: 2, 5: 35, 7: 672, 9: 12_831},
    ("hodgepodge", "mazeplayer"): {6: 343, 8: 4_802, 10: 84_035},
}
"""Answer sets of the old encoding by the length of their plan; tic-tac-toe has too many to count."""

SHORTEST: dict[tuple[str, str], tuple[int | None, int]] = {
    ("blocks", "robot"): (3, 1),
    ("buttons", "white"): (6, 2),
    ("maze", "robot"): (6, 1),
    ("tictactoe", "xplayer"): (5, 1_440),
    ("tictactoe", "oplayer"): (6, 5_328),
    ("hodgepodge", "blocksplayer"): (3, 2),
    ("hodgepodge", "mazeplayer"): (None, 0),
}
"""Length and number of the shortest plans for 100."""
