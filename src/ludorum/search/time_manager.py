"""The share of a clock to spend on thinking: all but a margin, which is measured and not guessed.

Two things make an answer late although the search ended in time: the search and the program around it take a
moment to stop (its *overrun*), and the answer travels (the *delay* of the link). Both are measured, and the
margin is their smoothed mean plus four deviations, as in the retransmission timeout of TCP.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Estimate:
    """A running mean and mean deviation of repeated measurements."""

    mean: float = 0.0
    deviation: float = 0.0
    count: int = 0

    def add(self, value: float) -> None:
        self.count += 1
        if self.count == 1:
            self.mean, self.deviation = value, value / 2
            return
        self.deviation += (abs(value - self.mean) - self.deviation) / 4
        self.mean += (value - self.mean) / 8

    @property
    def bound(self) -> float:
        """A bound that the next value will hardly exceed."""
        return self.mean + 4 * self.deviation


@dataclass
class TimeManager:
    """Turns a clock into seconds of thinking."""

    least_margin: float = 0.02
    """Seconds that are always kept back."""
    least_share: float = 0.05
    """The share of short clocks kept back as well, up to ``first_margin``, for a busy machine."""
    first_margin: float = 0.1
    """Seconds kept back before any search was measured."""
    largest_share: float = 0.5
    """The largest share of a clock that a margin may take: a slow link must not stop all thinking."""
    overruns: Estimate = field(default_factory=Estimate)
    delays: Estimate = field(default_factory=Estimate)

    @property
    def margin(self) -> float:
        """Seconds that are kept back at present."""
        overrun = self.overruns.bound if self.overruns.count else self.first_margin
        return max(self.least_margin, overrun + self.delays.bound)

    def thinking_seconds(self, clock: float) -> float:
        """How long to think when the answer is due after ``clock`` seconds."""
        hiccup = self.least_margin + min(self.first_margin, clock * self.least_share)
        return max(0.0, clock - min(max(self.margin, hiccup), clock * self.largest_share))

    def observe_overrun(self, planned: float, taken: float) -> None:
        """Note that a search with ``planned`` seconds took ``taken``; searches that end early are ignored."""
        if taken >= planned:
            self.overruns.add(taken - planned)

    def observe_delay(self, seconds: float) -> None:
        """Note the round-trip time of a message."""
        self.delays.add(max(0.0, seconds))
