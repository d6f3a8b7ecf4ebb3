"""What a role may see of a match: the one place that removes hidden information."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..rules.terms import Term
from .game import State, View


@dataclass(frozen=True)
class Position:
    """All that a player may use to choose; ``state`` is None where the rules hide something from the role."""

    role: Term
    legal: tuple[Term, ...]
    hidden_view: View | None
    """The role's view, where there is no state."""
    state: State | None

    @property
    def is_whole(self) -> bool:
        """Whether the position contains all information, so that no earlier one is needed."""
        return self.state is not None and self.state.game.info.is_open

    @property
    def view(self) -> View:
        """The role's view; made from an open state on demand, since facts take time."""
        if self.hidden_view is not None:
            return self.hidden_view
        assert self.state is not None
        return self.state.view(self.role)


def past_of(states: Sequence[State], role: Term, since: int = 0) -> list[Position]:
    """Positions before the last state, for a player that joins late; none where the state is known."""
    if not states or states[0].game.info.is_open:
        return []
    return [position_of(state, role) for state in states[since:-1]]


def position_of(state: State, role: Term) -> Position:
    """The position of a role in a state, without hidden information."""
    if state.joint is None or state.game.info.is_open:
        return Position(role, state.legal(role), None, state)
    return Position(role, state.legal(role), state.view(role), None)
