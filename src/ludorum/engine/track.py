"""The interface of what follows a match for one role, by what a host tells of each step."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from ..rules.terms import Term
from .game import Game, JointMove
from .sight import Position


class Track(ABC):
    """The position of a match as its role knows it, step by step."""

    game: Game
    role: Term
    consistent: bool
    """Whether the last position agrees with all that was told; else some of it is ignored."""
    doubt: str = ""
    """Why the legal moves of the last position are not known for certain; empty where they are."""

    @property
    @abstractmethod
    def step(self) -> int:
        """How many steps were taken."""

    @abstractmethod
    def restart(self) -> None:
        """Go back to the beginning of the match."""

    @abstractmethod
    def advance(self, move: Term | None, percepts: Iterable[Term] | None, deadline: float) -> None:
        """Take a step: the own move in it and the percepts, None for what is not known."""

    def advance_joint(self, joint: JointMove) -> bool:
        """Take a joint move that was told in full; whether it was taken. Most tracks take percepts alone."""
        return False

    @abstractmethod
    def position(self, deadline: float) -> Position:
        """The position in which a move is asked for, found before the deadline as far as that is possible."""

    @abstractmethod
    def seen(self) -> Position:
        """The last step as it was told, for a player that is not asked: legal moves may be missing."""

    def final_goal(self) -> int | None:
        """The role's goal value where the match is known to be over; None where it is not known."""
        return None

    def close(self) -> None:  # noqa: B027 (most tracks hold nothing)
        """Release everything."""
