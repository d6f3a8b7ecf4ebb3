"""A deal as passages of cards from place to place, with what is known of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ..language.deck import fits
from ..language.terms import Term
from ..machine.evaluate import as_number, card_points
from ..machine.position import CardPosition
from ..machine.story import Chose, Decided

Contents: TypeAlias = Sequence[set[int]]
Excess: TypeAlias = Callable[[Contents], int]
"""The distance of the tokens of some places from the observation; 0 where they agree."""

IN_PACK, OPEN = 0, 1
"""The first place of all cards, and that of cards that the player can name."""


@dataclass(eq=False, slots=True)
class Passage:
    """One token goes from a place to another.

    ``allowed`` are the tokens it may be. Sorted hands give away in order: ``first`` are tokens of which it is
    the lowest that the hand has, ``last`` says that it is the highest of all. In piles the lowest is the one
    that came first, by the passages of ``queue``.
    """

    source: int
    target: int
    allowed: frozenset[int] | None = None
    first: frozenset[int] | None = None
    last: bool = False
    queue: tuple[int, ...] = ()

    @property
    def is_ordered(self) -> bool:
        return self.last or self.first is not None

    def in_order(self, held: set[int], queued: Sequence[int]) -> set[int]:
        """The tokens of a place that may make this passage, given the movers of the passages of ``queue``."""
        found = held if self.allowed is None else held & self.allowed
        if self.last:
            found = found & {max(held)}
        if self.first is not None and found:
            fitting = held & self.first
            found = found & {next(token for token in queued if token in fitting) if queued else min(fitting)}
        return found


@dataclass(eq=False, slots=True)
class PlaceCheck:
    """An observation about the cards in some places.

    ``minds`` are the tokens that can matter, None for all; ``void`` those that a hand did not have. ``code``
    is ``excess`` for the kernel (``amounts``), None where it is no arithmetic.
    """

    places: tuple[int, ...]
    excess: Excess
    minds: frozenset[int] | None = None
    void: frozenset[int] | None = None
    code: tuple[int, ...] | None = None


Act: TypeAlias = Passage | PlaceCheck


class Tables:
    """Sets of tokens and lists of their points by number, equal ones once."""

    def __init__(self) -> None:
        self.sets: dict[frozenset[int], int] = {}
        self.points: dict[tuple[int, ...], int] = {}

    def set_of(self, tokens: frozenset[int]) -> int:
        return self.sets.setdefault(tokens, len(self.sets))

    def points_of(self, points: tuple[int, ...]) -> int:
        return self.points.setdefault(points, len(self.points))


@dataclass
class DealTrace:
    """The passages and checks of a deal in the order of time."""

    names: tuple[Term, ...]
    """The cards of the tokens, in the order of a sorted hand, so that tokens are compared as cards are."""
    acts: list[Act] = field(default_factory=list)
    places: dict[Term, int] = field(default_factory=dict)
    """Hidden hands and veils, with their numbers."""
    begins: list[int] = field(default_factory=list)
    """How many acts came before each event of the story."""
    decisions: list[Decided] = field(default_factory=list)
    sayings: list[Chose] = field(default_factory=list)
    tables: Tables = field(default_factory=Tables)

    def __post_init__(self) -> None:
        self._targets: list[int] = []
        self._points: dict[frozenset[tuple[Term, Term]], tuple[int, ...]] = {}
        self._fitting: dict[Term, frozenset[int]] = {}
        by_name: dict[Term, set[int]] = {}
        for token, name in enumerate(self.names):
            by_name.setdefault(name, set()).add(token)
        self._tokens = {name: frozenset(tokens) for name, tokens in by_name.items()}

    def tokens(self, name: Term) -> frozenset[int]:
        """The tokens of a card."""
        return self._tokens.get(name, frozenset())

    def fitting(self, template: Term) -> frozenset[int]:
        """The tokens that fit a template."""
        found = self._fitting.get(template)
        if found is None:
            found = frozenset(token for token, name in enumerate(self.names) if fits(name, template))
            self._fitting[template] = found
        return found

    def points(self, position: CardPosition) -> tuple[int, ...]:
        """The points of every token in a position."""
        said = frozenset(item for item in position.variables.items() if item[0].name == "pointValue")
        found = self._points.get(said)
        if found is None:
            found = self._points[said] = tuple(as_number(card_points(position, name)) for name in self.names)
        return found

    def place(self, what: Term) -> int:
        """The number of a hidden hand, or of the place of a veiled card."""
        return self.places.setdefault(what, len(self.places) + 2)

    @property
    def targets(self) -> list[int]:
        """The target of each act; -1 for checks. Needed by every world."""
        new = self.acts[len(self._targets) :]
        self._targets += [act.target if isinstance(act, Passage) else -1 for act in new]
        return self._targets

    def acts_before(self, time: int | None) -> int:
        return len(self.acts) if time is None or time >= len(self.begins) else self.begins[time]
