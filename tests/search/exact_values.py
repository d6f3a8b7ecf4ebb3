"""What can be known of small games by looking at all of their states: the oracle of the solver.

The rules are those of ``plain_proof``, written a second time and applied to the whole graph again and again
until nothing changes, so that circles need no care. Values are None where they stay open.
"""

from __future__ import annotations

from itertools import product

from ludorum.engine.game import Game, JointMove, State

Values = tuple[int | None, ...]


class TooLargeError(Exception):
    """The game has more states than we want to look at."""


class ExactValues:
    """The values of every state that can be reached from one."""

    def __init__(self, start: State, highest: list[int], total: int | None = None, most: int = 2000) -> None:
        self.game: Game = start.game
        self._highest = highest
        self._total = total
        chance = self.game.info.chance_role
        self._chance = -1 if chance is None else self.game.roles.index(chance)
        self._children: dict[State, dict[JointMove, State]] = {}
        self._explore(start, most)
        roles = len(self.game.roles)
        self.values: dict[State, Values] = {
            state: self._goals(state) if not children else (None,) * roles
            for state, children in self._children.items()
        }
        while self._improve():
            pass

    def _explore(self, start: State, most: int) -> None:
        waiting = [start]
        self._children[start] = {}
        for state in waiting:
            for joint in state.joint_moves():
                after = state.play(joint)
                self._children[state][joint] = after
                if after not in self._children:
                    self._children[after] = {}
                    waiting.append(after)
                if len(waiting) > most:
                    raise TooLargeError

    @staticmethod
    def _goals(state: State) -> Values:
        return tuple(max(0, value or 0) for value in state.goals())

    def _improve(self) -> bool:
        changed = False
        for state, children in self._children.items():
            if children:
                old = self.values[state]
                new = self._combine(state, children)
                merged = tuple(a if a is not None else b for a, b in zip(old, new, strict=True))
                merged = self._complete(merged)
                changed |= merged != old
                self.values[state] = merged
        return changed

    def _complete(self, values: Values) -> Values:
        if self._total is None or len(values) != 2 or (values[0] is None) == (values[1] is None):
            return values
        known = values[0] if values[0] is not None else values[1]
        assert known is not None
        return tuple(value if value is not None else self._total - known for value in values)

    def _combine(self, state: State, children: dict[JointMove, State]) -> Values:
        roles = self.game.roles
        moves = [state.legal(role) for role in roles]
        choosers = [at for at, own in enumerate(moves) if len(own) > 1]
        values = {joint: self.values[after] for joint, after in children.items()}
        if len(choosers) == 1 and choosers[0] != self._chance:
            return self._best(choosers[0], list(values.values()))
        agreed = _agreed(list(values.values()))
        for role in choosers:
            if role == self._chance:
                continue
            for move in moves[role]:
                rows = [own if at != role else (move,) for at, own in enumerate(moves)]
                if all(values[joint][role] == self._highest[role] for joint in product(*rows)):
                    agreed = (*agreed[:role], self._highest[role], *agreed[role + 1 :])
        return agreed

    def _best(self, mover: int, outcomes: list[Values]) -> Values:
        own = [values[mover] for values in outcomes]
        best = max((value for value in own if value is not None), default=-1)
        if None in own:
            value = best if best == self._highest[mover] else None
            return tuple(value if role == mover else None for role in range(len(outcomes[0])))
        return _agreed([values for values in outcomes if values[mover] == best])


def _agreed(outcomes: list[Values]) -> Values:
    return tuple(column[0] if len(set(column)) == 1 else None for column in zip(*outcomes, strict=True))
