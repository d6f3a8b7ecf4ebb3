"""Finds the board of a game: which arguments of which facts are columns and rows.

A place is two arguments side by side that run through consecutive numbers or letters, ``(cell 3 4 x)``, or
one that writes both, ``(man d6 white)``. The facts with the most places make the board, if in some state
several stand in one column and several in one row; without that, ``(heap 2 5)`` would be a board. Other
facts about the same places are drawn on it too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from ..rules.terms import Pattern, Signature, Term, sort_key
from .marks import make_marks

Place = tuple[str, str]
"""Column and row, as they are written."""

MAX_SIDE = 40
"""Most columns or rows that are drawn."""
CROWDED = 1.5
"""Most facts of one relation for each place that has any."""

_NUMBERED = re.compile(r"([a-z_]*?)(\d{1,3})")
_LETTER = re.compile(r"[a-z]")
_JOINED = re.compile(r"([a-z])(\d{1,2})")
_NUMBER = re.compile(r"\d+")


def place_name(place: Place) -> str:
    """A place as people write it: ``e4`` where column and row are a letter and a number, else ``3 4``."""
    short = _LETTER.fullmatch(place[0]) and _NUMBER.fullmatch(place[1])
    return ("" if short else " ").join(place)


@dataclass(frozen=True)
class Layer:
    """A relation whose facts stand on the board: the place begins at argument ``at``."""

    name: str
    arity: int
    at: int
    joined: bool = False
    """Whether one argument writes column and row, as in ``d6``."""
    titled: bool = False
    """Whether contents begin with the relation's name, because another layer has the same contents."""

    def place(self, fact: Term) -> Place | None:
        if self.joined:
            parts = _JOINED.fullmatch(str(fact.args[self.at]))
            return (parts[1], parts[2]) if parts else None
        return str(fact.args[self.at]), str(fact.args[self.at + 1])

    def content(self, fact: Term) -> str:
        """The content of the fact, in words: its other arguments, or its name if there are none."""
        rest = fact.args[: self.at] + fact.args[self.at + (1 if self.joined else 2) :]
        words = " ".join(map(str, rest))
        return f"{fact.name} {words}".rstrip() if self.titled or not words else words


class PlacedFact(NamedTuple):
    """A fact on the board."""

    place: Place
    layer: int
    content: str


@dataclass(frozen=True)
class Grid:
    """A board: its columns from left to right, its rows from bottom to top, and its layers."""

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    layers: tuple[Layer, ...]
    """The layer that defines the board comes first."""
    marks: dict[str, str] = field(default_factory=dict)
    """How contents are drawn."""
    places: frozenset[Place] = frozenset()
    """The places, where the rules declare them; empty where each column may meet each row."""

    _spots: dict[Term, PlacedFact | None] = field(default_factory=dict, repr=False, compare=False)

    def spot(self, fact: Term) -> PlacedFact | None:
        """The place and the content of a fact; None for facts that are not on the board."""
        if fact not in self._spots:  # boards are redrawn at every key, and writing terms is slow
            self._spots[fact] = self._find_spot(fact)
        return self._spots[fact]

    def _find_spot(self, fact: Term) -> PlacedFact | None:
        for at, layer in enumerate(self.layers):
            if (layer.name, layer.arity) == fact.signature:
                place = layer.place(fact)
                return PlacedFact(place, at, layer.content(fact)) if place and self.has(place) else None
        return None

    @cached_property
    def absent(self) -> frozenset[Place]:
        """Places that do not exist, as in corners of a star; draughts boards are whole, though half used."""
        places = [
            ((column, row), (x + y) % 2)
            for y, row in enumerate(self.rows)
            for x, column in enumerate(self.columns)
        ]
        parities = {parity for place, parity in places if place in self.places}
        if len(parities) < 2:
            return frozenset()
        return frozenset(place for place, _ in places if place not in self.places)

    def has(self, place: Place) -> bool:
        return place[0] in self.columns and place[1] in self.rows

    def places_in(self, move: Term) -> list[Place]:
        """The places that a move names, in its order: ``(move a 2 a 4)`` names two."""
        words = [str(word) for word in _leaves(move)]
        found: list[Place] = []
        at = 0
        while at < len(words):
            joined = _JOINED.fullmatch(words[at])
            if joined and self.has((joined[1], joined[2])):
                found.append((joined[1], joined[2]))
            elif at + 1 < len(words) and self.has((words[at], words[at + 1])):
                found.append((words[at], words[at + 1]))
                at += 1
            at += 1
        return found

    def moves_at(self, places: Iterable[Place], legal: Iterable[Term]) -> list[Term]:
        """The moves that name all these places; where moves name columns only, those of the columns."""
        wanted = set(places)
        moves = list(legal)
        named = [(move, self.places_in(move)) for move in moves]
        if any(found for _, found in named):
            return [move for move, found in named if wanted <= set(found)]
        columns = {place[0] for place in wanted}
        return [move for move in moves if columns <= {str(word) for word in _leaves(move)}]


def _leaves(term: Pattern) -> Iterator[Pattern]:
    """The constants in the arguments of a term."""
    if isinstance(term, Term):
        for arg in term.args:
            if isinstance(arg, Term) and arg.args:
                yield from _leaves(arg)
            else:
                yield arg


def grid_of(
    states: list[frozenset[Term]], moves: set[Term], declared: frozenset[Term] = frozenset()
) -> Grid | None:
    """The board that some states show, or None; ``declared`` are facts that may become true."""
    possible = declared.union(*states)
    by_signature: dict[Signature, list[Term]] = {}
    for fact in possible:
        by_signature.setdefault(fact.signature, []).append(fact)
    layers = [layer for facts in by_signature.values() if (layer := _layer(facts)) is not None]
    boards = [layer for layer in layers if _is_spread(layer, states)]
    if not boards:
        return None

    def size(layer: Layer) -> tuple[int, str]:
        return len({layer.place(fact) for fact in by_signature[layer.name, layer.arity]}), layer.name

    main = max(boards, key=size)
    places = {place for fact in by_signature[main.name, main.arity] if (place := main.place(fact))}
    if not declared:
        places |= _places_of_moves(moves)  # a state rarely has a fact on every place
    columns, rows = (_filled({place[side] for place in places}) for side in (0, 1))
    grid = Grid(columns, rows, (main,))
    contents = _contents(main, by_signature)
    others = [
        _told_apart(layer, contents, by_signature)
        for layer in sorted(layers, key=lambda layer: layer.name)
        if layer is not main and _lies_on(layer, grid, by_signature)
    ]
    more = [content for layer in others for content in _contents(layer, by_signature)]
    known = frozenset(places) if declared else frozenset()
    return Grid(columns, rows, (main, *others), make_marks(contents, more), known)


def _contents(layer: Layer, facts: dict[Signature, list[Term]]) -> list[str]:
    found = sorted(facts[layer.name, layer.arity], key=sort_key)
    return list(dict.fromkeys(layer.content(fact) for fact in found))


def _told_apart(layer: Layer, contents: list[str], facts: dict[Signature, list[Term]]) -> Layer:
    shared = set(contents) & set(_contents(layer, facts))
    return replace(layer, titled=True) if shared else layer


def _places_of_moves(moves: set[Term]) -> set[Place]:
    by_signature: dict[Signature, list[Term]] = {}
    for move in moves:
        by_signature.setdefault(move.signature, []).append(move)
    return {
        place
        for group in by_signature.values()
        if len(group) > 1 and (layer := _layer(group)) is not None
        for move in group
        if (place := layer.place(move))
    }


def _layer(facts: list[Term]) -> Layer | None:
    """How these facts of one relation name places, if they do."""
    name, arity = facts[0].signature
    runs = [_is_run({str(fact.args[at]) for fact in facts}) for at in range(arity)]
    numbered = [_is_run({str(fact.args[at]) for fact in facts}, letters=False) for at in range(arity)]
    for at in range(arity - 1):
        if runs[at] and runs[at + 1] and (numbered[at] or numbered[at + 1]):
            return Layer(name, arity, at)
    for at in range(arity):
        if all(_JOINED.fullmatch(str(fact.args[at])) for fact in facts):
            return Layer(name, arity, at, joined=True)
    return None


def _is_run(values: set[str], letters: bool = True) -> bool:
    """Whether these are consecutive numbers, perhaps after one common prefix, or consecutive letters."""
    if len(values) > MAX_SIDE:
        return False
    parts = [_NUMBERED.fullmatch(value) for value in values]
    if all(parts):
        prefixes = {part[1] for part in parts if part}
        numbers = [int(part[2]) for part in parts if part]
        return len(prefixes) == 1 and max(numbers) - min(numbers) < len(values) * 1.5
    if letters and all(_LETTER.fullmatch(value) for value in values):
        codes = sorted(map(ord, values))
        return codes[-1] - codes[0] == len(codes) - 1
    return False


def _is_spread(layer: Layer, states: Iterable[frozenset[Term]]) -> bool:
    """Whether the facts are spread like pieces on a board.

    In some state a column holds several facts and a row too, so that neither determines the other; and never
    do many share a place, as they do where there are boards within boards.
    """
    spread = False
    for facts in states:
        found = [place for fact in facts if fact.signature == (layer.name, layer.arity)
                 if (place := layer.place(fact))]  # fmt: skip
        places = set(found)
        if len(found) > CROWDED * len(places):
            return False
        columns, rows = ({place[side] for place in places} for side in (0, 1))
        spread = spread or (len(columns) > 1 and len(rows) > 1 and len(places) > max(len(columns), len(rows)))
    return spread


def may_have_board(states: list[frozenset[Term]]) -> bool:
    """Whether it is worth computing every fact that may become true, which can take long."""
    signatures = {fact.signature for facts in states for fact in facts if fact.args}
    layers = [
        Layer(name, arity, at, joined)
        for name, arity in signatures
        for joined in (False, True)
        for at in range(arity if joined else arity - 1)
    ]
    return any(_is_spread(layer, states) for layer in layers)


def _filled(labels: set[str]) -> tuple[str, ...]:
    """The labels in order, with the numbers between them that no fact happens to name."""
    ordered = sorted(labels, key=_order)
    first, last = (_NUMBERED.fullmatch(label) for label in (ordered[0], ordered[-1]))
    if not first or not last or any(label != label.lstrip("0") for label in ordered if len(label) > 1):
        return tuple(ordered)
    return tuple(f"{first[1]}{number}" for number in range(min(1, int(first[2])), int(last[2]) + 1))


def _order(label: str) -> tuple[int, str]:
    parts = _NUMBERED.fullmatch(label)
    return (int(parts[2]), "") if parts else (0, label)


def _lies_on(layer: Layer, grid: Grid, facts: dict[Signature, list[Term]]) -> bool:
    places = [layer.place(fact) for fact in facts[layer.name, layer.arity]]
    return layer.joined == grid.layers[0].joined and all(place and grid.has(place) for place in places)
