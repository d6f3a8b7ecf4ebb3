"""Matches between players of this process, one after the other: no loop, no network."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..players import Guard, Player, past_of, position_of
from ..rules.terms import Term
from .match import Match
from .seat import ask, prepare


def play_match(
    match: Match,
    players: Mapping[Term, Player],
    seconds: float,
    on_step: Callable[[Match], object] | None = None,
    max_steps: int = 1000,
    start_seconds: float = 0.0,
) -> Match:
    """Let players finish a match: so many seconds to prepare, so many for a move.

    Every player is guarded: where it is late, fails or names an illegal move, a legal move is made for it
    and the fault noted in ``match.faults``. ``on_step`` is told when all are ready, and of every new state
    before anybody else is: whoever stores a match does it there.
    """
    guards = {role: Guard(players[role]) for role in match.game.info.players}
    try:
        if start_seconds:
            match.prepared(
                {role: prepare(guard, match.game, role, start_seconds) for role, guard in guards.items()}
            )
        for role, guard in guards.items():
            guard.catch_up(past_of(match.states, role), max(start_seconds, seconds))
        if on_step:
            on_step(match)
        while not match.is_over and len(match.moves) < max_steps:
            replies = {
                role: ask(guard, position_of(match.state, role), seconds) for role, guard in guards.items()
            }
            match.settle(replies)
            if on_step:
                on_step(match)
        if match.is_over:
            for role, guard in guards.items():
                guard.ended(role, match.state.goal(role) or 0)
    finally:
        for guard in guards.values():
            guard.stop()
    return match
