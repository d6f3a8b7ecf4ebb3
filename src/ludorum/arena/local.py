"""Matches between players of this process, one after the other: no loop, no network."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..players import Guard, Player, position_of
from ..rules.terms import Term
from .match import LAPSES, START, Match
from .seat import ask


def play_match(
    match: Match,
    players: Mapping[Term, Player],
    seconds: float,
    on_step: Callable[[Match], None] | None = None,
    max_steps: int = 1000,
    start_seconds: float = 0.0,
) -> Match:
    """Let players finish a match: so many seconds to prepare, so many for a move.

    Every player is guarded: where it is late, fails or names an illegal move, a legal move is made for it
    and the fault noted in ``match.faults``.
    """
    guards = {role: Guard(players[role]) for role in match.game.info.players}
    try:
        for role, guard in guards.items():
            if start_seconds:
                lapse = guard.start(match.game, role, start_seconds)
                if lapse is not None:
                    match.note(role, LAPSES[lapse], guard.trouble, START)
        while not match.is_over and len(match.moves) < max_steps:
            replies = {
                role: ask(guard, position_of(match.state, role), seconds) for role, guard in guards.items()
            }
            match.settle(replies)
            if on_step:
                on_step(match)
    finally:
        for guard in guards.values():
            guard.stop()
    return match
