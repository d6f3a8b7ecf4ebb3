"""What a role may see of a match: the one place that leaves hidden things out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..rules.terms import Term
from .game import State, View


@dataclass(frozen=True)
class Position:
    """All that a player may use to choose: ``state`` is None where the rules hide something from the role."""

    role: Term
    legal: tuple[Term, ...]
    hidden_view: View | None
    """What the role may know where there is no state to ask."""
    state: State | None

    @property
    def is_whole(self) -> bool:
        """Whether the position says all there is to know, so that no earlier one is needed."""
        return self.state is not None and self.state.game.info.is_open

    @property
    def view(self) -> View:
        """What the role may know; made from an open state on request, since facts take time."""
        if self.hidden_view is not None:
            return self.hidden_view
        assert self.state is not None
        return self.state.view(self.role)


def past_of(states: Sequence[State], role: Term, since: int = 0) -> list[Position]:
    """Positions before the last state, for a player that joins late; none where a state tells all."""
    if not states or states[0].game.info.is_open:
        return []
    return [position_of(state, role) for state in states[since:-1]]


def position_of(state: State, role: Term) -> Position:
    """The position of a role in a state, with hidden things left out."""
    if state.joint is None or state.game.info.is_open:
        return Position(role, state.legal(role), None, state)
    return Position(role, state.legal(role), state.view(role), None)
