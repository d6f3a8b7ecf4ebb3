"""What a player is, and what it is given to choose from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from ..engine.game import Game, State, View
from ..rules.terms import Term
from ..search.decision import Decision


@dataclass(frozen=True)
class Position:
    """All that a player may use to choose: ``state`` is None where the rules hide something from the role."""

    role: Term
    legal: tuple[Term, ...]
    hidden_view: View | None
    """What the role may know where there is no state to ask."""
    state: State | None

    @property
    def view(self) -> View:
        """What the role may know; from an open state only when somebody asks, since facts take time."""
        if self.hidden_view is not None:
            return self.hidden_view
        assert self.state is not None
        return self.state.view(self.role)


def past_of(states: Sequence[State], role: Term, since: int = 0) -> list[Position]:
    """Positions before the last state, for whoever joins a match late; nothing where a state tells all."""
    if not states or states[0].game.info.perfect_information.value is True:
        return []
    return [position_of(state, role) for state in states[since:-1]]


def position_of(state: State, role: Term) -> Position:
    """The position of a role in a state, with hidden things left out."""
    if state.joint is None or state.game.info.perfect_information.value is True:
        return Position(role, state.legal(role), None, state)
    return Position(role, state.legal(role), state.view(role), None)


class Player(ABC):
    """Chooses one of ``position.legal`` within ``seconds``; plays one role of one match at a time."""

    name: str
    quick: bool = False
    """Whether it never thinks: such a player is asked without a thread of its own, which costs more than its
    answer. What it answers is judged like any other's."""
    decision: Decision | None = None
    """What its last search found, for those who want to know why; None where nothing was searched."""

    def start(self, game: Game, role: Term, seconds: float) -> None:  # noqa: B027  (a hook, not a duty)
        """The start clock: the match is about to begin, and so much time may be used to prepare for it."""

    @abstractmethod
    def choose(self, position: Position, seconds: float) -> Term:
        """A legal move, before the time is up."""

    def observe(self, position: Position) -> None:  # noqa: B027
        """A step that was made before the player joined the match: told after ``start``, in order, and only
        where something is hidden; else the next position says it all."""

    def hurry(self) -> None:  # noqa: B027
        """Somebody waits: answer the question you are thinking about now. Asked from another thread."""

    def ended(self, role: Term, goal: int) -> None:  # noqa: B027
        """The match is over, and the role has this goal: what comes before ``stop``, where it is known."""

    def stop(self) -> None:  # noqa: B027
        """The match is over or given up: let go of memory and threads. Choosing again is allowed."""
