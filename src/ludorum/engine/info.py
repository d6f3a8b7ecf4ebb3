"""What is known about a game, and how certain it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Generic, TypeVar

from ..rules.terms import Term

T = TypeVar("T")


class Status(Enum):
    """How certain a property of a game is."""

    PROVED = "proved"
    OBSERVED = "observed"
    DECLARED = "declared"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Known(Generic[T]):
    """A value with its status."""

    value: T
    status: Status

    def as_json(self) -> dict[str, object]:
        return {"value": self.value, "status": self.status.value}


def unknown() -> Known[None]:
    return Known(None, Status.UNKNOWN)


@dataclass(frozen=True)
class GameInfo:
    """What kind of game it is; decides which players and algorithms apply."""

    roles: tuple[Term, ...]
    chance_roles: tuple[Term, ...] = ()
    """Those that move for nature, each by itself: in most games of chance one, ``random``."""
    perfect_information: Known[bool | None] = field(default_factory=lambda: Known(None, Status.UNKNOWN))
    simultaneous: Known[bool | None] = field(default_factory=lambda: Known(None, Status.UNKNOWN))
    turn_taking: Known[bool | None] = field(default_factory=lambda: Known(None, Status.UNKNOWN))
    realtime: Known[bool | None] = field(default_factory=lambda: Known(False, Status.PROVED))
    zero_sum: Known[bool | None] = field(default_factory=lambda: Known(None, Status.UNKNOWN))
    constant_sum: Known[int | None] = field(default_factory=lambda: Known(None, Status.UNKNOWN))
    maximum_length: Known[int | None] = field(default_factory=lambda: Known(None, Status.UNKNOWN))

    @property
    def proved_sum(self) -> int | None:
        """The sum of all players' goals at every end, where it is proved constant."""
        return self.constant_sum.value if self.constant_sum.status is Status.PROVED else None

    @property
    def is_open(self) -> bool:
        """Whether every role sees everything: moves, states and what nature draws."""
        return self.perfect_information.value is True

    @property
    def chance_role(self) -> Term | None:
        """The first role of nature; None where there is none."""
        return self.chance_roles[0] if self.chance_roles else None

    @property
    def chance_seats(self) -> tuple[int, ...]:
        """The places of nature's roles among all roles."""
        return tuple(map(self.roles.index, self.chance_roles))

    @cached_property
    def players(self) -> tuple[Term, ...]:
        """The roles that players play: all but nature."""
        return tuple(role for role in self.roles if role not in self.chance_roles)
