"""A match as one role experiences it, with what the role knows after each step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..engine.game import Game, JointMove
from ..rules.terms import Term, format_term, sort_key
from .knower import Knower, Truth


@dataclass(frozen=True)
class KnownStep:
    """What a role was told in a step, and what it knows after it."""

    number: int
    move: Term | None
    """The role's own move; None at the start."""
    percepts: tuple[Term, ...]
    known_legal: frozenset[Term]
    possible_legal: frozenset[Term]
    known_facts: frozenset[Term]
    possible_facts: frozenset[Term]
    terminal: Truth
    possible_goals: frozenset[int]
    goal: int | None

    @property
    def knows_legal(self) -> bool:
        """Whether the role knows all its legal moves; where the match is over it needs none."""
        return self.terminal is Truth.TRUE or self.known_legal == self.possible_legal

    def as_json(self) -> dict[str, object]:
        return {
            "step": self.number,
            "move": None if self.move is None else format_term(self.move),
            "percepts": [format_term(percept) for percept in self.percepts],
            "legal": {"known": texts(self.known_legal), "possible": texts(self.possible_legal)},
            "facts": {"known": texts(self.known_facts), "possible": texts(self.possible_facts)},
            "terminal": self.terminal.value,
            "goal": {"known": self.goal, "possible": sorted(self.possible_goals)},
        }


def follow_match(game: Game, knower: Knower, moves: Iterable[JointMove]) -> Iterator[KnownStep]:
    """What the knower's role knows at the start and after each joint move."""
    role, state = knower.role, game.initial()
    seat = game.roles.index(role)
    yield known_step(knower, None, ())
    for joint in moves:
        if not state.is_terminal:
            knower.asked()
        state = state.play(joint)
        percepts = state.percepts(role)
        knower.update(joint[seat], percepts)
        yield known_step(knower, joint[seat], percepts)


def known_step(knower: Knower, move: Term | None, percepts: tuple[Term, ...]) -> KnownStep:
    """What a knower says of the current state."""
    return KnownStep(
        number=knower.step,
        move=move,
        percepts=percepts,
        known_legal=knower.known_legal(),
        possible_legal=knower.possible_legal(),
        known_facts=knower.known_facts(),
        possible_facts=knower.possible_facts(),
        terminal=knower.terminal(),
        possible_goals=knower.possible_goals(),
        goal=knower.goal,
    )


def texts(terms: Iterable[Term]) -> list[str]:
    """Terms as people write them, in order."""
    return [format_term(term) for term in sorted(terms, key=sort_key)]
