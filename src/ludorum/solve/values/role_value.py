"""The value of one role by proof search: what it can force, and no more."""

from __future__ import annotations

from ...engine.compiled import CompiledState
from ...rules.terms import Term
from ...search.budget import Stopwatch
from .prover import ValueProver


class RoleValue:
    """The value of a role, bounded from both sides by questions "at least so much?"."""

    def __init__(self, prover: ValueProver, state: CompiledState, role: Term, watch: Stopwatch) -> None:
        self.prover, self.state, self.role, self.watch = prover, state, role, watch
        seat = prover.game.seat(role)
        goals = prover.game.circuit.goals
        own = {min(100, max(0, value)) for who, value, _ in goals if who == seat and isinstance(value, int)}
        self.goals = sorted(own | {0})
        self.low, self.high = self.goals[0], self.goals[-1]
        self.proved: int | None = None
        """The question that was answered with yes, if any."""
        self.disproved: int | None = None

    def search(self) -> RoleValue:
        """Halves the goals that are left with every answer.

        A proof rests on the ends it has seen, so it proves the least seen goal that is enough; a disproof
        likewise. Where no end gives 50, a role that does not get 100 gets nothing.
        """
        while self.low < self.high:
            left = [goal for goal in self.goals if self.low < goal <= self.high]
            threshold = left[len(left) // 2] if len(left) > 2 else left[0]
            answer = self.prover.prove(self.state, self.role, threshold, self.watch)
            if answer is None:
                break
            seen = self.prover.seen_goals(self.role)
            if answer:
                self.proved = threshold
                self.low = min(goal for goal in seen if goal >= threshold)
            else:
                self.disproved = threshold
                self.high = max((goal for goal in seen if goal < threshold), default=self.low)
        return self

    def keeps(self, state: CompiledState, nodes: int) -> bool | None:
        """Whether the role still gets its value from another state on."""
        if self.proved is None:
            return True
        answer = self.prover.prove(state, self.role, self.proved, self.watch, nodes)
        return None if answer and self._saw(self.proved, self.low) else answer

    def exceeds(self, state: CompiledState, nodes: int) -> bool | None:
        """Whether it gets more than its value there."""
        if self.disproved is None:
            return False
        answer = self.prover.prove(state, self.role, self.disproved, self.watch, nodes)
        return None if answer is False and self._saw(self.high + 1, self.disproved) else answer

    def _saw(self, least: int, beyond: int) -> bool:
        """Whether an end gave the role a goal in between: then the questions asked so far are too coarse."""
        return any(least <= goal < beyond for goal in self.prover.seen_goals(self.role))
