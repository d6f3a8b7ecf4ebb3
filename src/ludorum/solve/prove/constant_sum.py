"""Constant sum: what the players have at the end always adds up to the same."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

from ...engine.game import State, is_nature
from .plays import Plays
from .proof import Proof
from .property import EXHAUSTIVE, RULES, Always, Property
from .reachable import Flags, Reachable
from .transitions import Literal, Transitions
from .verdict import Verdict, VerdictStatus

if TYPE_CHECKING:
    from .subject import Subject

MOST_COMBINATIONS = 20_000
"""Combinations of the players' values up to which each one is encoded."""


class ConstantSum(Property):
    """The sum is read off the first end that is found; then it is a claim about every state."""

    name = "constant-sum"
    claim = "the goal values of all players have the same sum in every terminal state (zero-sum, in effect)"

    def __init__(self) -> None:
        self.total: int | None = None

    def by_rules(self, subject: Subject) -> Verdict | None:
        if len(subject.game.info.players) > 1:
            return None
        return self.verdict(
            VerdictStatus.UNKNOWN, RULES, "there is only one player: the question does not arise"
        )

    def by_play(self, plays: Plays) -> Verdict | None:
        self.total = _first_sum(plays.ends)
        return None if self.total is None else _SumIs(self.total).by_play(plays)

    def by_reachable(self, reach: Reachable) -> Verdict | None:
        ends = reach.goals[reach.terminal]
        if not len(ends):
            return self.verdict(VerdictStatus.UNKNOWN, EXHAUSTIVE, "no terminal state is reachable")
        players = [at for at, role in enumerate(reach.game.roles) if not is_nature(role)]
        return _SumIs(int(ends[0, players].sum())).by_reachable(reach)

    def by_induction(self, proof: Proof) -> Verdict | None:
        return None if self.total is None else _SumIs(self.total).by_induction(proof)

    def observed(self, plays: Plays) -> Verdict | None:
        return None if self.total is None else _SumIs(self.total).observed(plays)


class _SumIs(Always):
    name = ConstantSum.name
    claim = ConstantSum.claim

    def __init__(self, total: int) -> None:
        self.total = total

    def value(self) -> object:
        return self.total

    def fault(self, state: State) -> str | None:
        if not state.is_terminal:
            return None
        goals = [state.goal(role) for role in state.game.info.players]
        known = [goal for goal in goals if goal is not None]
        if len(known) < len(goals):
            return "the game is over and some player has no goal value"
        if sum(known) == self.total:
            return None
        return f"the goals add up to {sum(known)}, elsewhere to {self.total}"

    def faults(self, reach: Reachable) -> Flags:
        players = [at for at, role in enumerate(reach.game.roles) if not is_nature(role)]
        goals = reach.goals[:, players]
        wrong: Flags = (goals.sum(axis=1) != self.total) | (goals < 0).any(axis=1)
        return wrong & reach.terminal

    def bad(self, transitions: Transitions, step: int) -> Literal:
        def make() -> Literal:
            goals = [
                transitions.goals(at, step)
                for at, role in enumerate(transitions.roles)
                if not is_nature(role)
            ]
            wrong = [transitions.all_of([-literal for literal in own.values()]) for own in goals]
            ways = 1
            for own in goals:
                ways *= max(1, len(own))
            if ways > MOST_COMBINATIONS:
                return transitions.terminal(step)  # too many: nothing is claimed, nothing proved
            for values in product(*(own.items() for own in goals)):
                if not all(isinstance(value, int) for value, _ in values) or (
                    sum(value for value, _ in values if isinstance(value, int)) != self.total
                ):
                    wrong.append(transitions.all_of([literal for _, literal in values]))
            return transitions.all_of((transitions.any_of(wrong), transitions.terminal(step)))

        return transitions.once((self.name, self.total), step, make)


def _first_sum(ends: Iterator[State]) -> int | None:
    for state in ends:
        goals = [state.goal(role) for role in state.game.info.players]
        if None not in goals:
            return sum(goal for goal in goals if goal is not None)
    return None
