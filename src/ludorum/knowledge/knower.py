"""What a role knows in a match: the interface of all engines that answer this from the rules.

A knower follows one match for one role. It is told the role's own moves and percepts, nothing else, and says
of facts, legal moves, the end and goal values what must be true (*known*) and what can be true (*possible*)
in every situation that agrees with what it was told. Every engine is sound: what it calls known is true, and
what is true it calls possible. They differ in how much of what follows they find, and in how fast.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from enum import Enum

from ..engine.errors import GameError
from ..rules.terms import Term


class Truth(Enum):
    """Whether something holds, as far as a role knows."""

    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"


class ImpossiblePerceptsError(GameError):
    """No course of the match agrees with the moves and percepts that were told."""


class Knower(ABC):
    """The knowledge of one role in one match."""

    role: Term
    step: int
    """Steps of the match so far."""

    @abstractmethod
    def update(self, move: Term, percepts: Iterable[Term]) -> None:
        """Take one step: the role's own move, as it was executed, and all that the role perceived.

        ImpossiblePerceptsError where nothing agrees with them; the knowledge stays as it was.
        """

    def asked(self) -> None:  # noqa: B027  # engines that have no use for it need not do anything
        """Take the message that a move is wanted, which is knowledge, too: the match is not over.

        ``update`` implies it for the state in which the move was made.
        """

    @abstractmethod
    def stop(self) -> None:
        """Take the message that the match is over, which is knowledge, too: the state is terminal."""

    @abstractmethod
    def known_legal(self) -> frozenset[Term]:
        """Own moves that are legal for certain."""

    @abstractmethod
    def possible_legal(self) -> frozenset[Term]:
        """Own moves that may be legal. Where these are more, the role knows that it does not know."""

    @abstractmethod
    def known_facts(self) -> frozenset[Term]:
        """Facts that hold for certain."""

    @abstractmethod
    def possible_facts(self) -> frozenset[Term]:
        """Facts that may hold."""

    @abstractmethod
    def terminal(self) -> Truth:
        """Whether the match is over."""

    @abstractmethod
    def known_goals(self) -> frozenset[int]:
        """Values that are the role's goal for certain; more than one where a sheet gives several at once."""

    @abstractmethod
    def possible_goals(self) -> frozenset[int]:
        """Values that may be the role's goal."""

    @property
    def goal(self) -> int | None:
        """The role's goal value, where it is known: one value for certain, and no other possible."""
        known = self.known_goals()
        return next(iter(known)) if len(known) == 1 and self.possible_goals() == known else None

    @property
    def knows_legal(self) -> bool:
        """Whether the role knows all its legal moves, and that there are no others."""
        return self.known_legal() == self.possible_legal()


class KnowerAround(Knower):
    """A knower whose answers are those of another one, which it may replace from step to step."""

    _now: Knower

    def asked(self) -> None:
        self._now.asked()

    def stop(self) -> None:
        self._now.stop()

    def known_legal(self) -> frozenset[Term]:
        return self._now.known_legal()

    def possible_legal(self) -> frozenset[Term]:
        return self._now.possible_legal()

    def known_facts(self) -> frozenset[Term]:
        return self._now.known_facts()

    def possible_facts(self) -> frozenset[Term]:
        return self._now.possible_facts()

    def terminal(self) -> Truth:
        return self._now.terminal()

    def known_goals(self) -> frozenset[int]:
        return self._now.known_goals()

    def possible_goals(self) -> frozenset[int]:
        return self._now.possible_goals()

    @property
    def knows_legal(self) -> bool:
        return self._now.knows_legal
