"""One feature, and the registry of functions that make features.

A kind of feature is a function from a ``FeatureSource`` to features, registered under a name. Each has a file
of its own in ``feature_kinds/``; nothing else names it. Keys of features begin with the name of their kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..engine.game import Game, State
from ..rules.ruleset import Ruleset
from ..rules.terms import Signature, Term
from .structures import Structure

OfFact = Callable[[Term], float]
OfState = Callable[[State, frozenset[Term]], float]
"""A value from a state and its facts. Facts are handed in: some engines unpack them at each call."""


@dataclass(frozen=True)
class Feature:
    """A number from 0 to 1 that describes a state. ``key`` does not depend on names.

    Either ``of_fact`` or ``of_state`` computes it.
    """

    key: str
    text: str
    of_fact: OfFact | None = field(default=None, compare=False, repr=False)
    """The summand of each fact, for a feature that is a sum over facts. Compiled searches use these alone."""
    of_state: OfState | None = field(default=None, compare=False, repr=False)
    """The value in a state, for every other feature."""
    role: Term | None = None
    """The role whose goal or moves the feature describes; None where it belongs to no role."""
    structure: Structure | None = field(default=None, compare=False, repr=False)
    """The structure that the feature describes; None where it describes the whole state."""

    def __post_init__(self) -> None:
        if (self.of_fact is None) == (self.of_state is None):
            raise ValueError(f"feature {self.key!r} has to have either of_fact or of_state")

    @property
    def kind(self) -> str:
        """The name under which the function that made it is registered."""
        return self.key.partition("-")[0]

    @property
    def line(self) -> int:
        """Where its structure first occurs in the sheet; 0 where there is none."""
        return 0 if self.structure is None else self.structure.line


@dataclass(frozen=True)
class FeatureSource:
    """What features are made from: a game, its first state, and the structures of its rules."""

    game: Game
    rules: Ruleset
    initial: State
    structures: Sequence[Structure]
    shapes: Mapping[Signature, str]
    seconds: float | None = None
    """The limit of work whose length is not known in advance; None for bounds that count work."""

    def role_shape(self, role: Term) -> str:
        """The colour of a role in the shape of the rules."""
        return self.shapes.get(role.signature, str(role))

    def role_key(self, kind: str, role: Term) -> str:
        """The key of a feature of a role, which does not depend on the role's name."""
        return f"{kind}-{self.role_shape(role)[:16]}"


class NoFeaturesError(Exception):
    """A kind of feature cannot be made for a game; the text says why."""


FeatureKind = Callable[[FeatureSource], Iterator[Feature]]

FEATURE_KINDS: dict[str, FeatureKind] = {}
"""Every kind of feature by name. ``feature_kind`` adds to it."""


def feature_kind(name: str) -> Callable[[FeatureKind], FeatureKind]:
    """A decorator that adds a function to ``FEATURE_KINDS``.

    The name may have no hyphen: the part of a key before the first hyphen names the kind.
    """
    if not name or "-" in name:
        raise ValueError(f"{name!r} cannot name a kind of feature: one word without a hyphen is needed")
    if name in FEATURE_KINDS:
        raise ValueError(f"there is a kind of feature {name!r} already")

    def add(kind: FeatureKind) -> FeatureKind:
        FEATURE_KINDS[name] = kind
        return kind

    return add
