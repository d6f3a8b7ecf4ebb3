"""Playable: until the end every role has a move."""

from __future__ import annotations

from ...engine.game import State
from .property import Always
from .reachable import Flags, Reachable
from .transitions import Literal, Transitions


class Playable(Always):
    name = "playable"
    claim = "every role has a legal move in every state that is not terminal"

    def fault(self, state: State) -> str | None:
        if state.is_terminal:
            return None
        without = [str(role) for role in state.game.roles if not state.legal(role)]
        return f"{' and '.join(without)} cannot move, and the game is not over" if without else None

    def faults(self, reach: Reachable) -> Flags:
        return reach.stuck

    def bad(self, transitions: Transitions, step: int) -> Literal:
        def make() -> Literal:
            idle = [
                transitions.all_of([-move for move in transitions.legal(role, step)])
                for role in range(len(transitions.roles))
            ]
            return transitions.all_of((transitions.any_of(idle), -transitions.terminal(step)))

        return transitions.once(self.name, step, make)
