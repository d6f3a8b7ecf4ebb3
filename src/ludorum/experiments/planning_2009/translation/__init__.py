"""The translation of 2009, kept as a baseline: rule text in, a program for a modern grounder out.

It works on text and keeps what was wrong with it: effects of joint moves are lost, goals below 100 and ends
of the game are dropped, unusual ways of writing rules go wrong without a word (asp-player, sections 5 to 7,
B1 to B20). Nothing but comparisons should use it. May import nothing but the standard library.
"""

from .extract import NO_MOVE, extract_move, lisp_move, shortest_line
from .program import LegacyProgram, LegacyRule, legacy_program
from .turn_bound import DEFAULT_BOUND, turn_bound

__all__ = [
    "DEFAULT_BOUND",
    "NO_MOVE",
    "LegacyProgram",
    "LegacyRule",
    "extract_move",
    "legacy_program",
    "lisp_move",
    "shortest_line",
    "turn_bound",
]
