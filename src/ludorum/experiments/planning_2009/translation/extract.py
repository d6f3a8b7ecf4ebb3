"""From answer sets to a move, by looking at text (asp-player, section 7.2)."""

from __future__ import annotations

from collections.abc import Sequence

NO_MOVE = "No Move Found"
"""What was sent where no move was found: an illegal move (B17, B19)."""


def shortest_line(lines: Sequence[str]) -> str | None:
    """The answer set with the fewest characters, which need not be the plan with the fewest moves (B16)."""
    return min(lines, key=len, default=None)


def extract_move(line: str | None, turn: int, role: str) -> str:
    """The move before the first ``turn,role)`` of the text, which for turn 1 may be turn 11 (B15)."""
    end = -1 if line is None else line.find(f"{turn},{role})")
    if line is None or end < 0:
        return NO_MOVE
    start = line.rindex("occurs(", 0, end) + len("occurs(")
    # In `occurs(b,11,white)` the 1 before the turn stands where the comma should.
    return lisp_move(line[start:end].rstrip("0123456789").removesuffix(","))


def lisp_move(text: str) -> str:
    """``s(b,c)`` as ``(s b c)``: one level, so that functions inside a move stay as they are (B10)."""
    functor, bracket, rest = text.partition("(")
    return f"({functor} {rest[:-1].replace(',', ' ')})" if bracket else functor
