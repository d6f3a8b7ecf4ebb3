"""A player whose decisions are noted, and whose clock may be one of the processor."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass

from ...arena.match.match import Match
from ...arena.tournament.noted_decision import NotedDecision
from ...engine.sight import Position
from ...players.player import DelegatingPlayer, Player
from ...processes.descendants import descendants, processor_seconds
from ...rules.terms import Term
from ...search.decision import Decision

LEAST_SHARE, MOST_SHARE = 0.1, 64.0
"""Bounds of the share of a processor: what was measured once may be far off."""
LEAST_SECONDS = 0.02
"""A decision that took less says nothing of the share."""
LEAST_DUE, MOST_DUE = 0.25, 2.0
"""Bounds of the processor time of one decision, in parts of the usual."""


def processor_seconds_here() -> float:
    """Processor seconds of this process, of its ended children and of all processes below it."""
    ended = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    return time.process_time() + ended + sum(map(processor_seconds, descendants(os.getpid())))


@dataclass
class ProcessorClock:
    """Turns seconds of the processor into seconds of the clock.

    On a busy machine a player gets less than a whole core, and with several threads it gets more. Its clock
    is stretched or shortened by what it got so far, and what it has had too much or too little of is made up
    for, so that both sides think for equal processor time.
    """

    seconds: float
    """Of the processor, for a decision."""
    share: float = 1.0
    """How much of one processor the player got for each second of the clock."""
    owed: float = 0.0
    """Seconds of the processor that earlier decisions left; below 0 where they took too many."""

    def clock_seconds(self, most: float) -> float:
        """Seconds of the clock in which the player spends its processor time."""
        due = min(MOST_DUE * self.seconds, max(LEAST_DUE * self.seconds, self.seconds + self.owed))
        return min(most, due / self.share)

    def note(self, processor: float, clock: float, given: float) -> None:
        """Note what a decision took, and the clock it was given.

        A decision that ended early, by a proof, leaves no time to others.
        """
        if clock >= LEAST_SECONDS:
            got = min(MOST_SHARE, max(LEAST_SHARE, processor / clock))
            self.share = (self.share + got) / 2
        if clock >= given / 2:
            self.owed += self.seconds - processor


class NotingPlayer(DelegatingPlayer):
    """Another player, each of whose decisions between several moves is noted."""

    def __init__(
        self,
        player: Player,
        match: Match,
        seat: int,
        note: Callable[[NotedDecision], None],
        clock: ProcessorClock | None = None,
    ) -> None:
        super().__init__(player)
        self._match = match
        self._seat = seat
        self._note = note
        self._clock = clock

    def choose(self, position: Position, seconds: float) -> Term:
        if len(position.legal) == 1:
            return self.player.choose(position, seconds)
        step, before = len(self._match.moves), self.player.decision
        begin, spent = time.monotonic(), processor_seconds_here()
        own = seconds if self._clock is None else self._clock.clock_seconds(seconds)
        move = self.player.choose(position, own)
        spent = processor_seconds_here() - spent
        if self._clock is not None:
            self._clock.note(spent, time.monotonic() - begin, own)
        decision = self.player.decision
        self._note(noted(step, self._seat, None if decision is before else decision, spent))
        return move


def noted(step: int, seat: int, decision: Decision | None, processor: float) -> NotedDecision:
    """What is kept of a decision; of a player that says nothing only the time."""
    if decision is None:
        return NotedDecision(step, seat, None, processor_seconds=processor)
    chosen = next((one for one in decision.choices if one.move is decision.move), None)
    return NotedDecision(
        step,
        seat,
        None if chosen is None else chosen.value,
        chosen is not None and chosen.proven,
        decision.depth,
        0 if chosen is None else chosen.visits,
        decision.nodes,
        decision.playouts,
        processor,
    )
