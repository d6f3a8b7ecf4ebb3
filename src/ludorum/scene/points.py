"""Boards of points, on which men stand in stacks and run against each other, as in backgammon.

They are found without names. A relation is such a board if it says how many men each of two roles has on
each of some numbered places, if no man is ever lost, and if the rules pair the places of one role with those
of the other, counted from the other end. Places without a partner lie beside the points: there men wait to
come in, or have left the board. How moves name their places is learned from a random match.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Literal

from ..engine.game import State
from ..rules.normalise.evaluate_static import evaluate_static
from ..rules.ruleset import Ruleset
from ..rules.terms import Signature, Term, as_integer
from ..show.pieces import role_colours
from .model import BoardScene, PieceLook
from .sight import ViewerSight

FEWEST_POINTS = 8
FEWEST_SEEN = 3
"""Moves of one form that must have been seen before it is known how they name places."""
BAR, OFF = "bar", "off"

Men = Mapping[int, int]
"""How many men a role has on each of its places."""


@dataclass(frozen=True)
class MoveForm:
    """Which arguments of a move say where a man goes."""

    start: int
    other: int
    way: Literal["to", "down", "up"]
    """What the other argument is: the place to which the man goes, or how far down or up it goes."""

    def places(self, numbers: Sequence[int | None], first: int, last: int) -> tuple[int, int] | None:
        """From where to where a man goes; it goes no further than the places do."""
        if max(self.start, self.other) >= len(numbers):
            return None
        start, other = numbers[self.start], numbers[self.other]
        if start is None or other is None or not first <= start <= last:
            return None
        if self.way == "to":
            return (start, other) if first <= other <= last else None
        return start, max(first, start - other) if self.way == "down" else min(last, start + other)


@dataclass(frozen=True)
class PointsBoard:
    """A board of points. Each role counts its places for itself: point n of one is point ``pair - n`` of the
    other."""

    signature: Signature
    roles: tuple[Term, Term]
    first: int
    last: int
    """All places of a role, with those beside the points."""
    pair: int
    points: tuple[int, ...]
    forms: Mapping[Signature, MoveForm]

    def is_drawn(self, fact: Term) -> bool:
        """Whether a fact is shown by men on the board."""
        return fact.signature == self.signature

    def moved(self, move: Term) -> tuple[int, int] | None:
        """From where to where a move takes a man, as its role counts; None for moves that take none."""
        form = self.forms.get(move.signature)
        return None if form is None else form.places(_numbers(move), self.first, self.last)

    def label(self, move: Term) -> tuple[str, ...]:
        """A move for people, and as players of such games write it; none where it takes no man."""
        places = self.moved(move)
        if places is None:
            return ()
        start, end = map(self._own_name, places)
        return (f"{start} {end}" if end == OFF else f"{start} to {end}", f"{start}/{end}")

    def places(self, move: Term, role: Term, viewer: Term | None) -> tuple[int, ...]:
        """The numbers of the places of a move on the board of a viewer."""
        moved = self.moved(move)
        if moved is None or role not in self.roles:
            return ()
        return tuple(self._numbers[self._seen(place, role, viewer)] for place in moved)

    def scene(self, sight: ViewerSight) -> BoardScene:
        """The board as the viewer sees it, from the own side."""
        viewer = self._side(sight.role)
        cells: dict[int, tuple[int, ...]] = {}
        for fact in sorted(sight.facts or (), key=str):
            if self.is_drawn(fact):
                role, place, count = fact.args
                assert isinstance(role, Term)
                number = self._numbers[self._seen(as_integer(place) or 0, role, viewer)]
                men = (self.roles.index(role),) * (as_integer(count) or 0)
                if men:
                    cells[number] = cells.get(number, ()) + men
        last = [
            number
            for role, move in sight.moves
            if role in self.roles
            for number in self.places(move, role, viewer)
        ]
        names = tuple(self._name(key, viewer, sight.role) for key in self._numbers)
        return replace(
            self._empty,
            names=names,
            cells=dict(sorted(cells.items())),
            last=tuple(dict.fromkeys(last)),
            is_unknown=sight.facts is None,
        )

    # -- where places lie -----------------------------------------------------------------------------------

    @cached_property
    def _beside(self) -> dict[int, str]:
        """The places beside the points and what they are, if there are any: men leave where they run to."""
        runs_down = any(form.way == "down" for form in self.forms.values())
        entry, exit_ = (self.last, self.first) if runs_down else (self.first, self.last)
        found = {entry: BAR, exit_: OFF}
        return {place: what for place, what in found.items() if place not in self.points}

    @cached_property
    def _numbers(self) -> dict[tuple[bool, int | str], int]:
        """The number of each place, row by row from the top left, with the own home at the bottom right.

        A place is known by its number or its name, and by whether it belongs to the other role alone.
        """
        half = len(self.points) // 2
        upper: list[tuple[bool, int | str]] = [(False, point) for point in self.points[half:]]
        lower: list[tuple[bool, int | str]] = [(False, point) for point in reversed(self.points[:half])]
        for what in self._beside.values():
            at = half // 2 if what == BAR else len(upper)
            upper.insert(at, (True, what))
            lower.insert(at, (False, what))
        return {key: number for number, key in enumerate((*upper, *lower))}

    @cached_property
    def _empty(self) -> BoardScene:
        colours = role_colours(list(map(str, self.roles)))
        columns = len(self._numbers) // 2
        return BoardScene(
            columns=tuple(map(str, range(1, columns + 1))),
            rows=("2", "1"),
            shape="points",
            look="points",
            names=(),
            absent=(),
            contents=tuple(
                PieceLook(str(role), "disc", colour) for role, colour in zip(self.roles, colours, strict=True)
            ),
            cells={},
            last=(),
        )

    def _side(self, role: Term | None) -> Term:
        return role if role in self.roles else self.roles[0]

    def _seen(self, place: int, role: Term, viewer: Term | None) -> tuple[bool, int | str]:
        """A place of a role as a viewer counts."""
        is_other = role is not self._side(viewer)
        if place in self._beside:
            return is_other, self._beside[place]
        return False, self.pair - place if is_other else place

    def _own_name(self, place: int) -> str:
        return self._beside.get(place, str(place))

    def _name(self, key: tuple[bool, int | str], side: Term, viewer: Term | None) -> str:
        is_other, what = key
        if not isinstance(what, str):
            return str(what)
        owner = next(role for role in self.roles if (role is side) != is_other)
        return what if owner is viewer else f"{what} of {owner}"


def find_points(
    rules: Ruleset, players: Sequence[Term], amounts: Iterable[Signature], states: Sequence[State]
) -> PointsBoard | None:
    """The board of points of a game, by some states of a match; None where there is none."""
    if len(players) != 2 or not states:
        return None
    for signature in sorted(amounts):
        places = _places(signature, players, [state.facts() for state in states])
        if places is None:
            continue
        pair, points = _pairing(rules, places)
        forms = _forms(signature, players, states, (places[0], places[-1]))
        if len(points) >= FEWEST_POINTS and forms:
            roles = players[0], players[1]
            return PointsBoard(signature, roles, places[0], places[-1], pair, points, forms)
    return None


def men_of(role: Term, signature: Signature, facts: Iterable[Term]) -> dict[int, int]:
    """How many men a role has on each place."""
    return {
        place: count
        for fact in facts
        if fact.signature == signature and fact.args[0] is role
        if (place := as_integer(fact.args[1])) is not None and (count := as_integer(fact.args[2])) is not None
    }


def _places(
    signature: Signature, players: Sequence[Term], states: Sequence[frozenset[Term]]
) -> tuple[int, ...] | None:
    """The numbered places that all roles have, where their men are never more nor less."""
    if signature[1] != 3:
        return None
    found: set[tuple[int, ...]] = set()
    for role in players:
        men = [men_of(role, signature, facts) for facts in states]
        if not men[0] or len({sum(one.values()) for one in men}) > 1:
            return None
        found.add(tuple(sorted(men[0])))
    places = next(iter(found))
    is_run = places == tuple(range(places[0], places[-1] + 1))
    return places if len(found) == 1 and is_run and len(places) >= FEWEST_POINTS else None


def _pairing(rules: Ruleset, places: Sequence[int]) -> tuple[int, tuple[int, ...]]:
    """The sum of paired places, and all of them in order, by a relation that the rules list."""
    best: tuple[int, tuple[int, ...]] = 0, ()
    for (_, arity), rows in evaluate_static(rules).by_signature.items():
        if arity != 2 or any(rule.body for rule in rows):
            continue
        pairs = [_numbers(rule.head) for rule in rows]
        if any(one is None or other is None for one, other in pairs):
            continue
        sums = {(one or 0) + (other or 0) for one, other in pairs}
        points = tuple(sorted(one for one, _ in pairs if one is not None))
        is_half = len(points) % 2 == 0 and set(points) <= set(places)
        if len(sums) == 1 and is_half and len(points) > len(best[1]):
            best = sums.pop(), points
    return best


def _forms(
    signature: Signature, players: Sequence[Term], states: Sequence[State], ends: tuple[int, int]
) -> dict[Signature, MoveForm]:
    """How moves name places, by those that were seen to take one man from place to place."""
    seen: dict[Signature, list[tuple[Sequence[int | None], tuple[int, int]]]] = {}
    for before, after in pairwise(states):
        for role, move in zip(before.game.roles, after.joint or (), strict=False):
            way = _way(*(men_of(role, signature, one.facts()) for one in (before, after)))
            if role in players and way is not None:
                seen.setdefault(move.signature, []).append((_numbers(move), way))
    found = {}
    for kind, examples in seen.items():
        form = next(_fitting(kind[1], examples, ends), None)
        if form is not None and len(examples) >= FEWEST_SEEN:
            found[kind] = form
    return found


def _fitting(
    arity: int, examples: Sequence[tuple[Sequence[int | None], tuple[int, int]]], ends: tuple[int, int]
) -> Iterator[MoveForm]:
    ways: tuple[Literal["to", "down", "up"], ...] = ("to", "down", "up")
    for start in range(arity):
        for other in range(arity):
            for way in ways:
                form = MoveForm(start, other, way)
                if start != other and all(form.places(numbers, *ends) == went for numbers, went in examples):
                    yield form


def _way(before: Men, after: Men) -> tuple[int, int] | None:
    """From where to where the only man went that did; None where none went, or several."""
    less = [place for place in before if before[place] == after.get(place, 0) + 1]
    more = [place for place in before if before[place] == after.get(place, 0) - 1]
    changed = [place for place in before if before[place] != after.get(place, 0)]
    return (less[0], more[0]) if len(less) == len(more) == 1 and len(changed) == 2 else None


def _numbers(term: Term) -> list[int | None]:
    return [as_integer(arg) for arg in term.args]
