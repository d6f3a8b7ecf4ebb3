"""What a player learns of the others in a match: how far they do what was expected of them.

Every search says what it expects next: the worth of each answer to the move that is made. What is then chosen
speaks for a player who thinks, or for one who does anything; and of a player who thinks it says which better
cards are not in the hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from .knowledge import Knowledge
from .story import Decided, Story
from .terms import Term

TRUST = 4.0
"""Visits that an answer is given for nothing, of the mean worth: few tries say little."""
LEAST, MOST = 0.05, 0.95
"""How sure one can be of a player: anybody may change."""


@dataclass(frozen=True)
class Reply:
    """What a search has found of an answer to the move it chose."""

    option: Term
    visits: int
    available: int
    value: float
    """To who gives it, 0..1."""


class Others:
    """The other players of one match, taken together."""

    def __init__(self, random_share: float = 0.5, temper: float = 0.15) -> None:
        self.random_share = random_share
        """How likely they do anything rather than what is good for them."""
        self.temper = temper
        self._story: Story | None = None
        self._expected: dict[int, dict[Term, float]] = {}
        self._shares: dict[Term, float] = {}
        self._done = 0

    def expect(self, knowledge: Knowledge, replies: Sequence[Reply]) -> None:
        """What a search says of the answers to the decision that is made now."""
        if not replies:
            return
        visits = sum(one.visits for one in replies)
        mean = sum(one.visits * one.value for one in replies) / visits
        worth = {
            one.option: exp(
                ((one.visits * one.value + TRUST * mean) / (one.visits + TRUST) - mean) / self.temper
            )
            for one in replies
        }
        most = max(one.available for one in replies)
        self._shares = {one.option: one.available / most for one in replies}
        self._expected[len(_decisions(knowledge.story)) + 1] = worth

    def follow(self, knowledge: Knowledge) -> None:
        """Compares what was chosen since with what was expected."""
        if knowledge.story is not self._story:
            self._story, self._done = knowledge.story, 0
            self._expected = {}
            return
        decisions = _decisions(knowledge.story)
        for at in range(self._done, len(decisions)):
            worth = self._expected.get(at)
            if worth is not None and decisions[at].player != knowledge.player:
                self._learn(decisions[at], worth)
        self._done = len(decisions)

    def model(self, at: int) -> tuple[float, dict[Term, float]]:
        """How a decision of the deal came about (``hyperplay.dealing.Model``)."""
        return self.random_share, self._expected.get(at, {})

    def _learn(self, decided: Decided, worth: dict[Term, float]) -> None:
        """Bayes, with the options a player may have had in place of those he had."""
        shares = {option: share for option, share in self._shares.items() if option in worth}
        total, count = sum(shares[one] * worth[one] for one in shares), sum(shares.values())
        if decided.choice not in shares or total <= 0 or count <= 0:
            return
        # Both are divided by how likely the option was there at all.
        thinking, anything = worth[decided.choice] / total, 1 / count
        prior = self.random_share
        found = prior * anything / (prior * anything + (1 - prior) * thinking)
        self.random_share = min(MOST, max(LEAST, found))


def _decisions(story: Story) -> list[Decided]:
    return [one for one in story.happenings if isinstance(one, Decided)]


__all__ = ["Others", "Reply"]
