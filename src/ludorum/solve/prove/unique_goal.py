"""Unique goal: where the game ends every player has exactly one goal value, a number from 0 to 100."""

from __future__ import annotations

import numpy as np

from ...engine.game import State, is_nature
from .property import Always
from .reachable import Flags, Reachable
from .transitions import Literal, Transitions


class UniqueGoal(Always):
    name = "unique-goal"
    claim = "every player has exactly one goal value, from 0 to 100, in every terminal state"

    def fault(self, state: State) -> str | None:
        if not state.is_terminal:
            return None
        for role in state.game.info.players:
            value = state.goal(role)
            if value is None or not 0 <= value <= 100:
                given = " and ".join(map(str, state.goal_terms(role))) or "nothing"
                return f"the game is over and the goal of {role} is {given}"
        return None

    def faults(self, reach: Reachable) -> Flags:
        players = [at for at, role in enumerate(reach.game.roles) if not is_nature(role)]
        goals = reach.goals[:, players]
        wrong: Flags = np.any((goals < 0) | (goals > 100), axis=1)
        return wrong & reach.terminal

    def bad(self, transitions: Transitions, step: int) -> Literal:
        def make() -> Literal:
            wrong: list[Literal] = []
            for at, role in enumerate(transitions.roles):
                if is_nature(role):
                    continue
                goals = transitions.goals(at, step)
                good = [lit for value, lit in goals.items() if isinstance(value, int) and 0 <= value <= 100]
                wrong.append(transitions.all_of([-literal for literal in good]))
                wrong.append(transitions.at_least(2, list(goals.values())))
            return transitions.all_of((transitions.any_of(wrong), transitions.terminal(step)))

        return transitions.once(self.name, step, make)
