"""How much of a clock may be spent on thinking: all of it but a margin, which is measured and not guessed.

Two things make an answer late although the search ended when told: the search itself and the program around
it take a moment to stop (its *overrun*), and the answer travels (the *delay* of the link). Both are observed,
and the margin is their smoothed mean and four deviations, as network protocols choose their patience.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Estimate:
    """A running mean and mean deviation of something that is measured again and again."""

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
        """What the next value will hardly exceed."""
        return self.mean + 4 * self.deviation


@dataclass
class TimeManager:
    """Turns a clock into seconds of thinking."""

    least_margin: float = 0.02
    """Seconds that are always kept back."""
    least_share: float = 0.05
    """Of short clocks this share is kept back besides, up to ``first_margin``: a busy machine has hiccups."""
    first_margin: float = 0.1
    """Seconds kept back before any search was measured."""
    largest_share: float = 0.5
    """No margin eats more than this share of a clock: a slow link must not stop all thinking."""
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
        """A search was given ``planned`` seconds and was back after ``taken``; early ones say nothing."""
        if taken >= planned:
            self.overruns.add(taken - planned)

    def observe_delay(self, seconds: float) -> None:
        """A message took so long on its way, there and back."""
        self.delays.add(max(0.0, seconds))
