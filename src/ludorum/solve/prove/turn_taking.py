"""Turn-taking: two players never have a choice at the same time."""

from __future__ import annotations

from ...engine.game import State, is_nature
from .property import Always
from .reachable import Flags, Reachable
from .transitions import Literal, Transitions


class TurnTaking(Always):
    name = "turn-taking"
    claim = "at most one role has more than one legal move in any state that is not terminal"

    def fault(self, state: State) -> str | None:
        if state.is_terminal:
            return None
        choosing = [str(role) for role in state.game.info.players if len(state.legal(role)) > 1]
        return f"{' and '.join(choosing)} choose at the same time" if len(choosing) > 1 else None

    def faults(self, reach: Reachable) -> Flags:
        players = [at for at, role in enumerate(reach.game.roles) if not is_nature(role)]
        choosing: Flags = (reach.widths[:, players] > 1).sum(axis=1) > 1
        return choosing & ~reach.terminal

    def bad(self, transitions: Transitions, step: int) -> Literal:
        def make() -> Literal:
            choosing = [
                transitions.at_least(2, transitions.legal(at, step))
                for at, role in enumerate(transitions.roles)
                if not is_nature(role)
            ]
            return transitions.all_of((transitions.at_least(2, choosing), -transitions.terminal(step)))

        return transitions.once(self.name, step, make)
