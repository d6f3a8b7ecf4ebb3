"""Records: what happened in a match, as a value, whichever program wrote it.

A ``MatchRecord`` is one line of play with everything its writer noted; a ``SampleRecord`` is a set of single
questions about given states. Files of either kind are read by ``ludorum.arena.records.formats``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from ...engine.game import JointMove
from ...rules.terms import Term

T = TypeVar("T")

Facts: TypeAlias = frozenset[Term]
PerRole: TypeAlias = tuple[frozenset[Term], ...]
"""A set of moves, percepts or goal values for each role, in the order of roles."""

Rows: TypeAlias = frozenset[tuple[Term, Term]]
"""Pairs of a role and a move or goal value."""


class RecordError(ValueError):
    """A file that is not a record: says which field is wrong and how."""

    def __init__(self, message: str, name: str = "<record>", field: str = "") -> None:
        self.message = message
        self.field = field
        super().__init__(f"{name}: {field}: {message}" if field else f"{name}: {message}")


@dataclass(frozen=True)
class Said:
    """A player's answer, as it was written, and how long it took."""

    text: str
    milliseconds: int


@dataclass(frozen=True)
class MatchRecord:
    """One match. Step ``i`` has a state, and unless it is the last, the joint move made there.

    Every field may be left out by its writer: None stands for "not noted", never for "nothing".
    """

    game: str
    """The name of the game; empty if the record does not say."""
    roles: tuple[Term, ...] | None
    """In the order of joint moves; None if the record relies on the rules for them."""
    moves: tuple[JointMove, ...]
    states: tuple[Facts | None, ...]
    """One more than moves."""
    legal: tuple[PerRole | None, ...] = ()
    """The legal moves of each role at each step."""
    legal_counts: tuple[tuple[int, ...] | None, ...] = ()
    """How many moves each role had at each step, in the order of ``roles``."""
    percepts: tuple[PerRole | None, ...] = ()
    """What each role was told when joint move ``i`` was made."""
    goals: PerRole | None = None
    """The goal values of each role at the end; several or none where the rules give so."""
    terminal: bool | None = None
    """Whether the last state ended the game."""
    source: str = ""
    """The origin of the record, in words."""
    errors: tuple[tuple[str, ...], ...] = ()
    """The faults that the host noted for each player at each state; an empty text where there was none."""
    match_id: str = ""
    seed: int | None = None
    """The seed of nature's draws and of replaced moves."""
    times: tuple[int, ...] = ()
    """When each state was reached, in milliseconds since 1970."""
    replies: tuple[tuple[Said | None, ...], ...] = ()
    """What each player answered on the way to each state, the start first; None where no player was asked."""

    def __post_init__(self) -> None:
        length = len(self.moves)
        if len(self.states) != length + 1:
            raise ValueError(f"{len(self.states)} states for {length} moves: one more is needed")
        for name, noted, needed in (
            ("legal", self.legal, length + 1),
            ("legal_counts", self.legal_counts, length + 1),
            ("percepts", self.percepts, length),
            ("replies", self.replies, length + 1),
        ):
            if len(noted) not in (0, needed):
                raise ValueError(f"{len(noted)} entries of {name} where {needed} are needed, or none at all")

    def seated(self, roles: tuple[Term, ...]) -> MatchRecord:
        """The same match with everything in another order of its roles: some hosts sort them by name."""
        if self.roles is None or self.roles == roles:
            return self
        seats = [self.roles.index(role) for role in roles]

        def reorder(rows: tuple[tuple[T, ...] | None, ...]) -> tuple[tuple[T, ...] | None, ...]:
            return tuple(None if row is None else tuple(row[seat] for seat in seats) for row in rows)

        return replace(
            self,
            roles=roles,
            moves=tuple(tuple(joint[seat] for seat in seats) for joint in self.moves),
            legal=reorder(self.legal),
            legal_counts=reorder(self.legal_counts),
            percepts=reorder(self.percepts),
            goals=reorder((self.goals,))[0],
            errors=tuple(tuple(noted[seat] for seat in seats) for noted in self.errors),
            replies=tuple(tuple(said[seat] for seat in seats) for said in self.replies),
        )

    @property
    def last(self) -> int:
        """The step of the last state, which is the number of joint moves."""
        return len(self.moves)

    @property
    def width(self) -> int | None:
        """How many roles the record has; None if it does not show."""
        if self.roles is not None:
            return len(self.roles)
        rows = (*self.moves[:1], *([] if self.goals is None else [self.goals]))
        return len(rows[0]) if rows else None

    @property
    def noted_states(self) -> int:
        """How many states the record holds in full."""
        return sum(state is not None for state in self.states)


@dataclass(frozen=True)
class Sample:
    """A question about one state: which facts, moves, goal values follow from it?"""

    question: str
    """``next``, ``legal``, ``goal`` or ``terminal``."""
    state: Facts
    does: tuple[tuple[Term, Term], ...]
    """Moves made, as (role, move); roles may be left out."""
    expect: Facts | Rows | bool
    """Facts for ``next``, (role, term) pairs for ``legal`` and ``goal``, yes or no for ``terminal``."""


@dataclass(frozen=True)
class SampleRecord:
    """Samples of one game, in the order of the file."""

    game: str
    samples: tuple[Sample, ...]
    source: str = ""


Record: TypeAlias = MatchRecord | SampleRecord
