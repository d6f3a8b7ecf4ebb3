"""Several searchers as one: each has a share of the time, and proven values overrule later estimates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..engine.game import State
from ..engine.words import Named
from ..rules.terms import Term
from .budget import Budget, Stopwatch
from .decision import Choice, Decision, Learner, Ponderer, Searcher, Successor


class NoAdviceError(Exception):
    """A searcher cannot answer for a state: it is on no plan, or the game is too large."""


@dataclass(frozen=True)
class SearchPart:
    """A searcher and how much of the time that is left it may use."""

    searcher: Searcher
    share: float = 1.0


class Mixed:
    """Asks its parts in order. A proven or settled decision ends the search; the last one counts otherwise.

    Where the last one only estimates and an earlier one proved the value of its move, the proven value
    counts: another move is chosen if it is estimated or proven to be better.
    """

    def __init__(self, parts: Sequence[SearchPart]) -> None:
        if not parts:
            raise ValueError("nobody to ask")
        self.parts = tuple(parts)

    def search(self, state: State, role: Named, budget: Budget) -> Decision:
        role = state.game.role(role)
        watch = Stopwatch(budget)
        known: dict[Term, Choice] = {}
        last: Decision | None = None
        for part in self.parts:
            try:
                found = part.searcher.search(state, role, _share(budget, watch, part.share))
            except NoAdviceError:
                continue
            known.update({choice.move: choice for choice in found.choices if choice.proven})
            last = found if last is None else _sum(last, found)
            if found.proven or found.settled:
                break
        if last is None:
            raise NoAdviceError("no part has any advice")
        return replace(_respecting(last, known), seconds=watch.seconds)

    def forget(self) -> None:
        for part in self.parts:
            part.searcher.forget()

    def ponder(self, state: State, role: Term, budget: Budget) -> None:
        """Let the last part that can do so ponder: its estimates count where nothing is proven."""
        able = [part.searcher for part in self.parts if isinstance(part.searcher, Ponderer)]
        if able:
            able[-1].ponder(state, role, budget)

    def take_over(self, before: Searcher) -> None:
        """Let parts keep what those of the same game on another engine knew."""
        if not isinstance(before, Mixed):
            return
        for part in self.parts:
            for earlier in before.parts:
                if isinstance(part.searcher, Successor):
                    part.searcher.take_over(earlier.searcher)

    def ended(self, role: Term, goal: int) -> None:
        """Pass the result to the parts that take it."""
        for part in self.parts:
            if isinstance(part.searcher, Learner):
                part.searcher.ended(role, goal)


def _share(budget: Budget, watch: Stopwatch, share: float) -> Budget:
    left = watch.seconds_left
    return replace(budget, seconds=None if left is None else left * share)


def _sum(before: Decision, found: Decision) -> Decision:
    """The later decision, with the work of both."""
    return replace(found, nodes=before.nodes + found.nodes, playouts=before.playouts + found.playouts)


def _respecting(decision: Decision, known: dict[Term, Choice]) -> Decision:
    """The decision with proven values in place of estimates; a move proven worse than another is replaced."""
    if decision.proven or decision.settled or not known:
        return decision
    choices = tuple(known.get(choice.move, choice) for choice in decision.choices)
    proven = max(
        (choice for choice in choices if choice.proven), key=lambda choice: choice.value, default=None
    )
    # Choices come best first: the first one that is not proven is what the estimates favour.
    open_choice = next((choice for choice in choices if not choice.proven), None)
    if proven is None:
        return replace(decision, choices=choices)
    best = proven if open_choice is None or proven.value >= open_choice.value else open_choice
    return replace(decision, move=best.move, choices=choices, proven=open_choice is None)
