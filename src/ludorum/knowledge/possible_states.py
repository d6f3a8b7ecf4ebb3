"""The possible states of a match, for a player that is told only some of it.

``OpenTrack`` follows joint moves. ``HiddenTrack`` keeps states that agree with the own moves and percepts so
far: all of them as long as they are few, else some. Good rules let every role know its legal moves, so that
any such state tells them; where messages were lost or contradict the rules, it still has some states.
``KnownTrack`` uses it where it cannot know more.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product
from math import inf, prod
from typing import TypeVar

from .._core import SplitMix64
from ..engine.game import Game, JointMove, State, View
from ..engine.sight import Position, position_of
from ..engine.track import Track
from ..rules.ruleset import Atom, Ruleset
from ..rules.terms import Term, Variable
from .worlds.sampler import ToldStep, told_step

T = TypeVar("T")

MOST_STATES = 48
"""States kept: enough that some survive a few steps, few enough to be played on within a short clock."""
MOST_JOINTS = 4096
"""Joint moves tried from one state; where there are more, some are drawn."""
GRACE = 0.05
"""Seconds after a deadline to find states that agree at least with the own move, where none agrees fully."""


class OpenTrack(Track):
    """The state of a match in which nothing is hidden."""

    consistent = True

    def __init__(self, game: Game, role: Term) -> None:
        self.game = game
        self.role = role
        self.restart()

    def restart(self) -> None:
        self.state = self.game.initial()
        self._step = 0

    @property
    def step(self) -> int:
        return self._step

    def advance(self, move: Term | None, percepts: Iterable[Term] | None, deadline: float) -> None:
        """Nothing can be known of a step without its joint move: the state stays as it was."""

    def advance_joint(self, joint: JointMove) -> bool:
        """Play a joint move; whether it was legal. A repeated one is played once."""
        if len(joint) != len(self.game.roles):
            return False
        fits = all(move in self.state.legal(role) for role, move in zip(self.game.roles, joint, strict=True))
        if self.state.is_terminal or not fits:
            return joint == self.state.joint
        self.state = self.state.play(joint)
        self._step += 1
        return True

    def position(self, deadline: float) -> Position:
        return self.seen()

    def seen(self) -> Position:
        return position_of(self.state, self.role)

    def final_goal(self) -> int | None:
        return (self.state.goal(self.role) or 0) if self.state.is_terminal else None


class HiddenTrack(Track):
    """The possible states of a match, given a role's moves and percepts."""

    def __init__(self, game: Game, role: Term, seed: int = 0, most_plays: int | None = None) -> None:
        """``most_plays``: joint moves that are tried for one step, besides its deadline."""
        self.game = game
        self.role = role
        self._most_plays = inf if most_plays is None else most_plays
        self._plays = 0
        """Joint moves tried for the current step."""
        self._seat = game.roles.index(role)
        self._chance = SplitMix64(seed)
        self._tell_all = _word_for_all(game.rules)
        self._drawn = False
        """Whether the current search left out some joint moves at random."""
        self.restart()

    def restart(self) -> None:
        self.states: list[State] = [self.game.initial()]
        self.complete = True
        """Whether these are all possible states."""
        self.consistent = True
        """Whether they agree with all percepts; else they are the best guess."""
        self._steps: list[ToldStep] = []

    @property
    def step(self) -> int:
        return len(self._steps)

    def advance(self, move: Term | None, percepts: Iterable[Term] | None, deadline: float) -> None:
        """Take a step: the own move in it and the percepts, None for what is not known.

        Never raises for what a host may send: where no state agrees, the percepts are ignored.
        """
        step = told_step(move, percepts)
        before = self.states
        self._steps.append(step)
        self._plays = 0
        found = self._successors(before, step, deadline)
        if not found and not self.complete:
            found = self._search_again(deadline)
        self.consistent = bool(found)
        if not found:
            self.complete = False
            for less in (ToldStep(move, None), ToldStep(None, None)):
                self._plays = 0
                found = found or self._successors(before, less, time.monotonic() + GRACE)
        self.states = found or before

    def advance_joint(self, joint: JointMove) -> bool:
        """Take a joint move that was told in full; whether it can have been made."""
        if len(joint) != len(self.game.roles):
            return False
        fitting = [
            state
            for state in self.states
            if not state.is_terminal
            and all(move in state.legal(role) for role, move in zip(self.game.roles, joint, strict=True))
        ]
        if not fitting:
            return False
        self._steps.append(ToldStep(joint[self._seat], None))
        self.states = list({after.facts(): after for after in (one.play(joint) for one in fitting)}.values())
        return True

    def position(self, deadline: float) -> Position:
        """The position as far as it is known; the whole state where only one is possible.

        Legal moves of all states are compared, as far as there is time: with good rules one would do.
        """
        going_on = [state for state in self.states if not state.is_terminal]
        if going_on:
            self.states = going_on  # a move is asked for, so the match is not over
        seen = self.seen()
        if self.step == 0:
            return seen
        known = self.states[0] if self.complete and len(self.states) == 1 else None
        return Position(self.role, self._legal(deadline), seen.view, known)

    def seen(self) -> Position:
        return seen_position(self.game, self.role, self._steps)

    def _legal(self, deadline: float) -> tuple[Term, ...]:
        choices: list[tuple[Term, ...]] = []
        for state in self.states:
            choices.append(state.legal(self.role))
            if time.monotonic() > deadline:
                break
        common = [move for move in choices[0] if all(move in moves for moves in choices[1:])]
        if common:
            return tuple(common)
        counts = Counter(move for moves in choices for move in moves)
        most = max(counts.values(), default=0)
        return tuple(sorted(move for move, count in counts.items() if count == most))

    # -- searching states -----------------------------------------------------------------------------

    def _successors(self, states: list[State], step: ToldStep, deadline: float) -> list[State]:
        """Different states after a step, as many as are kept; notes whether some may have been left out."""
        found: dict[frozenset[Term], State] = {}
        for state in self._shuffled(states):
            for joint in self._joints(state, step):
                after = self._play(state, joint)
                if self._fits(after, step):
                    found.setdefault(after.facts(), after)
                if len(found) >= MOST_STATES or self._is_up(deadline):
                    self.complete = False
                    return list(found.values())
        return list(found.values())

    def _play(self, state: State, joint: JointMove) -> State:
        self._plays += 1
        return state.play(joint)

    def _is_up(self, deadline: float) -> bool:
        """Whether the work or the time for a step is spent."""
        return self._plays >= self._most_plays or time.monotonic() > deadline

    def _fits(self, after: State, step: ToldStep) -> bool:
        return step.percepts is None or frozenset(after.percepts(self.role)) == step.percepts

    def _joints(self, state: State, step: ToldStep) -> Iterator[JointMove]:
        if state.is_terminal:
            return
        choices = [list(state.legal(role)) for role in self.game.roles]
        if step.move is not None:
            choices[self._seat] = [step.move] if step.move in choices[self._seat] else []
        told = self._told(step, choices)
        if told is not None:
            yield told
            return
        if prod(map(len, choices)) <= MOST_JOINTS:
            yield from product(*map(self._shuffled, choices))
            return
        self.complete, self._drawn = False, True
        for _ in range(MOST_JOINTS):
            yield tuple(self.game.random_joint(choices, self._chance))

    def _told(self, step: ToldStep, choices: list[list[Term]]) -> JointMove | None:
        """The joint move, where the rules show it to every role, as in games without hidden information."""
        if self._tell_all is None or step.percepts is None:
            return None
        did = {p.args[0]: p.args[1] for p in step.percepts if p.signature == (self._tell_all, 2)}
        joint = [did.get(role) for role in self.game.roles]
        if not all(move in moves for move, moves in zip(joint, choices, strict=True)):
            return None
        return tuple(move for move in joint if isinstance(move, Term))

    def _search_again(self, deadline: float) -> list[State]:
        """Search from the start, at random with backtracking, until a state agrees or time is up."""
        found: dict[frozenset[Term], State] = {}
        while not self._is_up(deadline) and len(found) < max(1, MOST_STATES // 4):
            self._drawn = False
            state = self._walk(self.game.initial(), deadline)
            if state is None and self._drawn:
                continue  # other draws may agree
            if state is None:
                break
            if state.facts() in found:  # most likely there is no other
                break
            found[state.facts()] = state
        return list(found.values())

    def _walk(self, state: State, deadline: float) -> State | None:
        """The first state, depth first, that agrees with all steps. Iterative, because matches are long."""
        trail: list[Iterator[State]] = [iter([state])]
        while trail and not self._is_up(deadline):
            current = next(trail[-1], None)
            if current is None:
                trail.pop()
            elif len(trail) - 1 == len(self._steps):
                return current
            else:
                trail.append(self._fitting(current, self._steps[len(trail) - 1], deadline))
        return None

    def _fitting(self, state: State, step: ToldStep, deadline: float) -> Iterator[State]:
        for joint in islice(self._joints(state, step), MOST_JOINTS):
            if self._is_up(deadline):
                return
            after = self._play(state, joint)
            if self._fits(after, step):
                yield after

    def _shuffled(self, items: list[T]) -> list[T]:
        mixed = list(items)
        for at in range(len(mixed) - 1, 0, -1):
            other = self._chance.below(at + 1)
            mixed[at], mixed[other] = mixed[other], mixed[at]
        return mixed


def seen_position(game: Game, role: Term, steps: Sequence[ToldStep]) -> Position:
    """The last step as it was told, without legal moves; the first position of the game before any step."""
    if not steps:
        return position_of(game.initial(), role)
    last = steps[-1]
    return Position(role, (), View(role, last.move, last.percepts or frozenset(), None), None)


def _word_for_all(rules: Ruleset | None) -> str | None:
    """The word ``did`` of a rule ``(<= (sees ?r (did ?s ?m)) (role ?r) (does ?s ?m))``, if there is one."""
    for rule in rules.by_signature.get(("sees", 2), ()) if rules is not None else ():
        seer, seen = rule.head.args
        if not isinstance(seen, Term) or not all(isinstance(arg, Variable) for arg in seen.args):
            continue
        body = {formula.term for formula in rule.body if isinstance(formula, Atom)}
        wanted = {Term("role", (seer,)), Term("does", seen.args)}
        if len(rule.body) == 2 and body == wanted and len({seer, *seen.args}) == 3:
            return seen.name
    return None
