"""The results of the analysis of a chart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ..language.faults import ChartFault
from ..language.terms import Term, format_term
from .loops import Loop

Direction = Literal["max", "min"]


@dataclass(frozen=True)
class MainLoop:
    """The part of a game that is repeated: a trick, a turn.

    ``header`` is the node at which every pass begins and ends, ``body`` all other nodes of a pass; both have
    the numbers of the chart, also where the analysis worked on a copy with normalised loops.
    """

    header: int
    body: frozenset[int]


@dataclass(frozen=True)
class ChartProperty:
    """A quantity worth having more of, or less: ``score(me)``, ``cardsRemaining(otherPlayer)``."""

    term: Term
    direction: Direction

    def __str__(self) -> str:
        return f"{'maximise' if self.direction == 'max' else 'minimise'} {format_term(self.term)}"


@dataclass(frozen=True)
class PlayedCard:
    """A card of a pass: its name in conditions, its player (0 me, k the k-th after me), and its number.

    ``passes`` says that the player was asked for it and passed.
    """

    name: Term
    seat: int
    number: int
    passes: bool = False


@dataclass(frozen=True)
class Path:
    """A path through the main loop, with players by number and cards as ``played(player(0),1)``.

    ``assignments`` are the values of variables at its end over those at its start.
    """

    name: str
    players: tuple[tuple[Term, int], ...]
    assignments: Mapping[Term, Term]
    conditions: tuple[Term, ...]


@dataclass(frozen=True)
class PseudoHeuristic:
    """The worth of one path through the main loop to me, and the conditions for it to be taken.

    Conditions are about the position at the start of the pass: ``me`` and ``otherPlayer`` are players,
    ``myCard`` and ``otherCard`` the cards they will play. ``players`` are the variables that name a player,
    each with the player's seat counted from me. ``redundant`` are conditions that follow from those, and that
    the first description of the method prints all the same. ``unforeseen`` are conditions that are not known
    when the pass begins: they depend on chance, or on cards that come in between. A weight of 0 says that the
    path changes no property: such instances are kept, but not shown.
    """

    weight: int
    conditions: frozenset[Term]
    players: tuple[tuple[Term, int], ...] = ()
    path: str = ""
    plays_my_card: bool = True
    cards: tuple[PlayedCard, ...] = ()
    redundant: frozenset[Term] = frozenset()
    unforeseen: frozenset[Term] = frozenset()

    @property
    def is_shown(self) -> bool:
        return self.weight != 0

    def as_json(self) -> dict[str, object]:
        return {
            "weight": self.weight,
            "conditions": sorted(map(format_term, self.conditions)),
            "redundant": sorted(map(format_term, self.redundant)),
            "unforeseen": sorted(map(format_term, self.unforeseen)),
            "path": self.path,
            "plays_my_card": self.plays_my_card,
            "players": {format_term(name): seat for name, seat in self.players},
        }


@dataclass(frozen=True)
class ChartAnalysis:
    """The whole analysis of a game; ``hidden`` are the instances of weight 0."""

    main_loop: MainLoop
    properties: tuple[ChartProperty, ...]
    heuristics: tuple[PseudoHeuristic, ...]
    hidden: tuple[PseudoHeuristic, ...] = ()
    loops: tuple[Loop, ...] = ()
    paths: tuple[Path, ...] = field(default=(), compare=False)
    warnings: tuple[ChartFault, ...] = field(default=(), compare=False)

    @property
    def instances(self) -> tuple[PseudoHeuristic, ...]:
        """All, with those of weight 0."""
        return self.heuristics + self.hidden

    def as_json(self, everything: bool = False) -> dict[str, object]:
        """The analysis as JSON; with ``everything`` also the instances of weight 0."""
        return {
            "main_loop": {"header": self.main_loop.header, "body": sorted(self.main_loop.body)},
            "properties": [
                {"term": format_term(one.term), "direction": one.direction} for one in self.properties
            ],
            "heuristics": [one.as_json() for one in (self.instances if everything else self.heuristics)],
            "hidden": len(self.hidden),
            "loops": [one.as_json() for one in self.loops],
            "warnings": [one.as_json() for one in self.warnings],
        }
