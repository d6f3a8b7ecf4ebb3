"""Matches between players of this process, one after the other: no loop, no network."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from ...engine.sight import past_of, position_of
from ...players import Guard, Player
from ...rules.terms import Term
from .limits import is_given_up
from .match import Match
from .seat import ask, prepare


def play_match(
    match: Match,
    players: Mapping[Term, Player],
    seconds: float,
    on_step: Callable[[Match], object] | None = None,
    limit: int | None = None,
    start_seconds: float = 0.0,
    busy: Callable[[Term, bool], None] = lambda role, at_work: None,
) -> Match:
    """Let players finish a match: so many seconds to prepare, so many for a move.

    It is given up after ``limit`` decisions (``limits``). ``busy`` is told when a player begins and ends to
    work.

    Every player is guarded: where it is late, fails or names an illegal move, a legal move is made for it
    and the fault noted in ``match.faults``. ``on_step`` is told when all are ready, and of every new state
    before anybody else is: whoever stores a match does it there.
    """
    guards = {role: Guard(players[role], partial(busy, role)) for role in match.game.info.players}
    try:
        ready = {
            role: prepare(guard, match.game, role, start_seconds, seconds) for role, guard in guards.items()
        }
        if not start_seconds:  # then an answer to the start says nothing, unless that something has failed
            ready = {role: reply for role, reply in ready.items() if reply.code or reply.fallback}
        match.prepared(ready)
        for role, guard in guards.items():
            guard.catch_up(past_of(match.states, role), max(start_seconds, seconds))
        if on_step:
            on_step(match)
        while not match.is_over and not is_given_up(match, limit):
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
