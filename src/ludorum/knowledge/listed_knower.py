"""What a role knows, from a list of all possible states: slow, and obviously right.

This is the oracle of the other engines, and serves any ``Game``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import prod
from typing import TypeAlias

from ..engine.errors import GameError
from ..engine.game import Game, JointMove, State
from ..rules.terms import Term, as_integer
from .knower import ImpossiblePerceptsError, Knower, Truth

Course: TypeAlias = tuple[int, tuple[JointMove, ...]]
"""The number of the state where it begins, and joint moves."""

MOST_STATES = 100_000


class TooManyStatesError(GameError):
    """More states are possible than are listed."""


class ListedKnower(Knower):
    """All states that agree with a role's moves and percepts, one by one."""

    def __init__(
        self,
        game: Game,
        role: Term,
        most: int = MOST_STATES,
        heeds_messages: bool = True,
        starts: Sequence[State] | None = None,
        most_tries: int | None = None,
    ) -> None:
        """``heeds_messages``: whether a wish for a move tells that the match is not over.

        ``starts``: the states that are possible at the beginning, the first of the game unless given.
        ``most_tries``: joint moves that are tried in a step at most.
        """
        self.game = game
        self.role = role
        self.step = 0
        self.most = most
        self.heeds_messages = heeds_messages
        self.most_tries = most_tries
        begin = [game.initial()] if starts is None else starts
        self.states: dict[State, Course] = {state: (at, ()) for at, state in enumerate(begin)}
        """Each possible state, with a course that leads there."""
        self._seat = game.roles.index(role)

    def update(self, move: Term, percepts: Iterable[Term]) -> None:
        wanted = frozenset(percepts)
        found: dict[State, Course] = {}
        choices = [self._choices(state, move) for state in self.states]
        if self.most_tries and sum(prod(map(len, each)) for each in choices) > self.most_tries:
            raise TooManyStatesError(f"more than {self.most_tries} joint moves may have been made")
        for (state, (start, moves)), each in zip(self.states.items(), choices, strict=True):
            for joint in product(*each):
                after = state.play(joint)
                if frozenset(after.percepts(self.role)) == wanted:
                    found.setdefault(after, (start, (*moves, joint)))
                if len(found) > self.most:
                    raise TooManyStatesError(f"more than {self.most} states are possible for {self.role}")
        self._keep(found)
        self.step += 1

    def asked(self) -> None:
        if self.heeds_messages:
            self._keep({state: how for state, how in self.states.items() if not state.is_terminal})

    def stop(self) -> None:
        self._keep({state: how for state, how in self.states.items() if state.is_terminal})

    def known_legal(self) -> frozenset[Term]:
        return frozenset.intersection(*map(self._legal, self.states))

    def possible_legal(self) -> frozenset[Term]:
        return frozenset.union(*map(self._legal, self.states))

    @property
    def knows_legal(self) -> bool:
        return len({state.legal(self.role) for state in self.states}) == 1

    def known_facts(self) -> frozenset[Term]:
        return frozenset.intersection(*(state.facts() for state in self.states))

    def possible_facts(self) -> frozenset[Term]:
        return frozenset.union(*(state.facts() for state in self.states))

    def terminal(self) -> Truth:
        return truth_of({state.is_terminal for state in self.states})

    def known_goals(self) -> frozenset[int]:
        return frozenset.intersection(*map(self._goals, self.states))

    def possible_goals(self) -> frozenset[int]:
        return frozenset.union(*map(self._goals, self.states))

    def __len__(self) -> int:
        """The number of possible states."""
        return len(self.states)

    def copy(self) -> ListedKnower:
        """The knowledge of this moment, which later steps do not change."""
        made = object.__new__(type(self))  # copy.copy would take longer than a step of a small match
        made.__dict__.update(self.__dict__)
        return made

    def facts(self) -> list[frozenset[Term]]:
        """The facts of each possible state."""
        return [state.facts() for state in self.states]

    def listed(self) -> list[State]:
        """The possible states."""
        return list(self.states)

    def some_facts(self, count: int) -> list[frozenset[Term]]:
        """The facts of so many possible states at most, from all parts of the list."""
        return self.facts()[:: -(-len(self.states) // count)]

    def course(self, row: int) -> Course:
        """A course that leads from a state at the beginning to one of the states."""
        return list(self.states.values())[row]

    def _choices(self, state: State, move: Term) -> list[tuple[Term, ...]]:
        """The moves of each role that may have been made in a state."""
        if state.is_terminal and self.heeds_messages:
            return [()]
        choices: list[tuple[Term, ...]] = [state.legal(role) for role in self.game.roles]
        choices[self._seat] = (move,) if move in choices[self._seat] else ()
        return choices

    def _keep(self, states: dict[State, Course]) -> None:
        if not states:
            raise ImpossiblePerceptsError(
                f"no course of {self.game.name} agrees with what {self.role} was told in step {self.step + 1}"
            )
        self.states = states

    def _legal(self, state: State) -> frozenset[Term]:
        return frozenset(state.legal(self.role))

    def _goals(self, state: State) -> frozenset[int]:
        return goal_values(state.goal_terms(self.role))


def truth_of(seen: set[bool]) -> Truth:
    """The truth of something that is so in all possible states, in none, or in some."""
    if len(seen) > 1:
        return Truth.UNKNOWN
    return Truth.TRUE if True in seen else Truth.FALSE


def goal_values(terms: Iterable[Term]) -> frozenset[int]:
    """The goal values among terms; other terms are no goals."""
    numbers = (as_integer(term) for term in terms)
    return frozenset(number for number in numbers if number is not None and 0 <= number <= 100)
