"""Paths through a chart: all of them, each with its changes and its conditions."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from random import Random

from ..language.faults import CardsError
from ..language.rules import ChoiceNode, EndTerminal, Rules, Statement
from ..language.terms import FALSE, TRUE, Term
from .effects import effect
from .needs import NeedPlayer, NeedTruth, NoValue
from .simplify import negation
from .symbolic import SymbolicState


@dataclass(frozen=True)
class WalkConfig:
    """How far paths are followed."""

    most_undecided: int = 12
    """How often a choice may be met on one path with its answer unknown: a loop of more passes is endless."""
    most_steps: int = 1_000
    """Most nodes of one path."""
    most_work: int = 4_000
    """Most nodes of all paths together: a few seconds."""
    most_work_outside: int = 2_000
    """The same of loops around others with decisions: their passes are whole rounds, seldom few enough."""
    passes: int | None = None
    """Where given, loops without a bound are followed for so many passes instead of being refused."""
    sampled: bool = False
    """Whether paths are drawn at random, as many as ``most_work`` allows, instead of all being followed."""
    may_sample: bool = True
    """Whether sampling is the second try where the first is refused."""
    most_work_sampled: int = 5_000


USUAL = WalkConfig()
MOST_UNDECIDED_SAMPLED = 40
"""Where only some paths are followed, they may be longer."""
MOST_SAMPLED = 60
"""Most paths drawn at random; more of them would only make players slow."""


class NotFinite(CardsError):
    """A part of a chart that cannot be unrolled before the game is played."""


class TooManyPaths(NotFinite):
    """A part with a bound, but with too many paths through it to list."""


@dataclass(frozen=True)
class Walker:
    """Follows paths through one chart.

    Headers of loops, and other ``silent`` choices, have no letter in the name of a path where their answer is
    known beforehand: how often they are passed is fixed.
    """

    rules: Rules
    headers: frozenset[int] = frozenset()
    silent: frozenset[int] = frozenset()
    config: WalkConfig = USUAL
    chance: Random = field(default_factory=lambda: Random(1), compare=False)
    """The seed of a sample; always the same, so that a chart has one analysis."""

    def walk(self, starts: Iterable[SymbolicState], stops: Collection[int]) -> list[SymbolicState]:
        """The last states of all paths from some states to some nodes, or to the end of the game."""
        if self.config.sampled:
            return self._sample(list(starts), stops)
        waiting = list(starts)[::-1]
        ends: list[SymbolicState] = []
        work = 0
        while waiting:
            state = waiting.pop()
            work += 1
            if work > self.config.most_work:
                raise TooManyPaths("too many ways lead through this part", state.node)
            if state.node in stops or isinstance(self.rules.nodes[state.node], EndTerminal):
                ends.append(state)
                continue
            waiting += self._go_on(state)[::-1]
        return ends

    def step_from(self, state: SymbolicState) -> list[SymbolicState]:
        """The states one node further."""
        return self._go_on(state)

    def _sample(self, starts: list[SymbolicState], stops: Collection[int]) -> list[SymbolicState]:
        """Different paths, each choice on them drawn at random; those without an end are dropped."""
        chance = self.chance
        ends: dict[tuple[str, frozenset[Term]], SymbolicState] = {}
        work = 0
        while work < self.config.most_work_sampled:
            work += 1
            state = chance.choice(starts)
            while state.node not in stops and not isinstance(self.rules.nodes[state.node], EndTerminal):
                work += 1
                try:
                    options = self._go_on(state)
                except NotFinite:
                    break
                if not options:
                    break
                state = chance.choice(options)
            else:
                ends.setdefault((state.path, frozenset(state.conditions)), state)
                if len(ends) >= MOST_SAMPLED:
                    break
        return list(ends.values())

    def _go_on(self, state: SymbolicState) -> list[SymbolicState]:
        if state.steps > self.config.most_steps:
            raise NotFinite(f"more than {state.steps} steps without an end", state.node)
        try:
            return self._step(state)
        except NeedPlayer as need:
            try:
                return [again for one in self._some(state.with_player(need)) for again in self._go_on(one)]
            except NoValue:
                return self._unclear(state, need)
        except NeedTruth as need:
            both = (state.assume(need.condition), state.assume(negation(need.condition)))
            possible = self._some([one for one in both if one is not None])
            return [again for one in possible for again in self._go_on(one)]
        except NoValue:
            return []  # the game would stop with an error here

    def _some(self, states: list[SymbolicState]) -> list[SymbolicState]:
        """All of them, or one where paths are drawn at random."""
        return [self.chance.choice(states)] if self.config.sampled and states else states

    def _unclear(self, state: SymbolicState, need: NeedPlayer) -> list[SymbolicState]:
        message = f"who plays depends on {need.term}, which is known only in the game"
        hint = "keep the number of a player, or a player, in a variable"
        raise NotFinite(f"{message} in {self.rules.caption(state.node)}", state.node, hint)

    def _step(self, state: SymbolicState) -> list[SymbolicState]:
        node = self.rules.nodes[state.node]
        if isinstance(node, ChoiceNode):
            return self._choose(node, state)
        assert not isinstance(node, EndTerminal)
        after = effect(node.action, state) if isinstance(node, Statement) else [state.copy()]
        for one in after:
            one.node = node.next
            one.steps += 1
        return after

    def _choose(self, node: ChoiceNode, state: SymbolicState) -> list[SymbolicState]:
        condition = state.truth(node.condition)
        decided = condition in (TRUE, FALSE)
        found = []
        for letter, target, what in (("a", node.yes, condition), ("b", node.no, negation(condition))):
            after = None if what is FALSE else state.assume(what)
            if after is None:
                continue
            after.node = target
            after.steps += 1
            if not (decided and state.node in self.silent):
                after.path += letter
            if not decided:
                after.undecided[state.node] = after.undecided.get(state.node, 0) + 1
            found.append(after)
        if not decided and state.undecided.get(state.node, 0) >= self._most(state.node):
            return self._refuse(node, state, found)
        return found

    def _most(self, node: int) -> int:
        passes = self.config.passes
        if self.config.sampled:
            return MOST_UNDECIDED_SAMPLED
        return self.config.most_undecided if passes is None or node not in self.headers else passes

    def _refuse(
        self, node: ChoiceNode, state: SymbolicState, found: list[SymbolicState]
    ) -> list[SymbolicState]:
        """Leave a loop that may go on for ever, where the caller has given a number of passes."""
        if self.config.passes is not None and state.node in self.headers:
            return [one for one in found if one.node == self._exit(state.node)]
        message = f"how often {self.rules.caption(state.node)} is asked is known only in the game"
        raise NotFinite(message, state.node, "let a counter that is set before the loop end it")

    def _exit(self, header: int) -> int:
        from .loops import all_loops, find_loops

        return next(one.exit for one in all_loops(find_loops(self.rules)[0]) if one.header == header)
