"""Properties to aim at: the scores, and what scores depend on after the main loop.

Where a score changes only after the main loop, the conditions of that change are properties too: a player who
gets a point for an empty hand wants few cards. This is repeated with the properties found, until there are no
new ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

from ...rules.source import Severity
from ..language.faults import ChartFault, fault
from ..language.language import Type
from ..language.terms import Term, format_term, number, player, subterms
from ..language.types import type_of
from .linear import Sum, as_sum, as_term
from .names import ChartNames
from .needs import NeedPlayer, NeedTruth, NoValue
from .normalise import LEAVING
from .result import ChartProperty, Direction
from .seats import ME, by_number, seen_from
from .simplify import conjuncts, is_operation, negation
from .symbolic import LATER, PLAYED, UNFORESEEN, SymbolicState

_PASSING = frozenset({PLAYED, LATER, *UNFORESEEN})
_OTHER: dict[Direction, Direction] = {"max": "min", "min": "max"}
_CLEAR = 2
"""Where paths are sampled, so many times as many must speak for a direction as against it."""


@dataclass(frozen=True)
class Teams:
    """Which players win together; each player is a team unless the chart says otherwise."""

    of: tuple[Term, ...]

    def together(self, one: int, other: int) -> bool:
        return self.of[one] is self.of[other]


def teams_of(names: ChartNames, known: dict[Term, Term]) -> Teams:
    """The teams as the chart has set them before the main loop."""
    everybody = range(names.players)
    return Teams(tuple(known.get(Term("team", (player(at),)), number(at)) for at in everybody))


@dataclass
class _Found:
    """Properties by term, in the order in which they came up."""

    directions: dict[Term, set[Direction]] = field(default_factory=dict)
    depths: dict[Term, int] = field(default_factory=dict)
    """The number of causes between a property and the scores."""
    fixed: frozenset[Term] = frozenset()

    def add(self, term: Term, direction: Direction, depth: int) -> bool:
        """Note a wanted property; an indirect cause counts less than a direct one."""
        if term in self.fixed or depth > self.depths.setdefault(term, depth):
            return False
        known = self.directions.setdefault(term, set())
        if direction in known:
            return False
        known.add(direction)
        return True


def score_properties(names: ChartNames, teams: Teams) -> list[ChartProperty]:
    """The scores of my team, to be high, and those of all others, to be low."""
    found = []
    for seat in range(names.players):
        term = seen_from(Term("score", (player(seat),)), 0, names.players)
        found.append(ChartProperty(term, "max" if teams.together(0, seat) else "min"))
    return found


def important_properties(
    names: ChartNames,
    teams: Teams,
    after: Sequence[SymbolicState],
    passes: Sequence[SymbolicState] = (),
    chart: str = "chart",
    sampled: bool = False,
) -> tuple[tuple[ChartProperty, ...], list[ChartFault]]:
    """All properties, given the paths through what comes after the main loop; and warnings.

    Where paths lead out of the middle of the main loop, all its paths are given as ``passes``: conditions
    there that decide between continuing and a score count, too. Other changes inside are in the weights
    already. ``sampled``: the paths are not all, but some drawn at random.
    """
    found = _Found()
    waiting = [(one.term, one.direction, 0) for one in score_properties(names, teams)]
    for at_first in waiting:
        found.add(*at_first)
    found.fixed = frozenset(found.directions)
    for aim in _aims_of_ways_out(names, passes, found.directions, sampled):
        if found.add(*aim, 1):
            waiting.append((*aim, 1))
    while waiting:
        term, direction, depth = waiting.pop(0)
        for me in range(names.players):
            wanted = by_number(term, me, names.players)
            for new, way in _causes(names, after, wanted, direction):
                aim = _canonical(seen_from(new, me, names.players), way)
                if found.add(*aim, depth + 1):
                    waiting.append((*aim, depth + 1))
    return _without_contradictions(found, chart)


def _aims_of_ways_out(
    names: ChartNames, passes: Sequence[SymbolicState], scores: Mapping[Term, set[Direction]], sampled: bool
) -> list[tuple[Term, Direction]]:
    """The directions that paths out of the middle of the main loop speak for, with how many do.

    A path on which a player goes out says something of all players' cards, and by chance now and then the
    opposite: that another had many left. With all paths, only a direction that none speaks against is clear;
    with a sample, one that many more speak for. Where neither is clear both are given, a contradiction. All
    other players' scores together weigh as much as those of my team.
    """
    sides = Counter(way for directions in scores.values() for way in directions)
    votes: dict[tuple[Term, Direction], Fraction] = {}
    for term, directions in scores.items():
        for direction, me in product(directions, range(names.players)):
            wanted = by_number(term, me, names.players)
            for new, way in _ways_out(names, passes, wanted, direction):
                aim = _canonical(seen_from(new, me, names.players), way)
                votes[aim] = votes.get(aim, Fraction(0)) + Fraction(1, sides[direction])
    against = {aim: votes.get((aim[0], _OTHER[aim[1]]), Fraction(0)) for aim in votes}
    return [aim for aim, count in votes.items() if not sampled or _CLEAR * count > against[aim]]


def _canonical(term: Term, way: Direction) -> tuple[Term, Direction]:
    """Large ``a-b`` is small ``b-a``: my part comes first, and is added."""
    if term.name == "abs":
        inner = term.args[0]
        assert isinstance(inner, Term)
        return Term("abs", (_canonical(inner, way)[0],)), way
    total = as_sum(term)
    parts = sorted(total.parts, key=lambda part: (ME not in subterms(part[0]), str(part[0])))
    if not parts:
        return term, way
    total = Sum(total.constant, tuple(parts))
    return (as_term(total), way) if parts[0][1] > 0 else (as_term(total.times(-1)), _OTHER[way])


def _without_contradictions(found: _Found, chart: str) -> tuple[tuple[ChartProperty, ...], list[ChartFault]]:
    """Drop properties that are wanted both large and small; scores are always kept."""
    kept = [
        ChartProperty(term, next(iter(directions)))
        for term, directions in found.directions.items()
        if len(directions) == 1
    ]
    doubtful = [format_term(term) for term, directions in found.directions.items() if len(directions) > 1]
    if not doubtful:
        return tuple(kept), []
    message = f"both large and small are wanted, and so left out: {', '.join(doubtful)}"
    return tuple(kept), [fault("contradiction", message, severity=Severity.WARNING, chart=chart)]


def _causes(
    names: ChartNames, after: Sequence[SymbolicState], wanted: Term, direction: Direction
) -> Iterator[tuple[Term, Direction]]:
    """The causes of a property's changes: the terms they are made of, and the conditions they come under."""
    changes = [(state, change_of(state, wanted)) for state in after]
    sizes = [(state, _size(change, wanted)) for state, change in changes]
    for _, change in changes:
        parts = () if change is None else change.parts
        if any(part is wanted for part, _ in parts):
            continue  # a new round begins: a counter gets a new value
        for part, count in parts:
            if _is_property(names, part):
                yield part, direction if count > 0 else _OTHER[direction]
    for condition in dict.fromkeys(one for state in after for one in state.conditions):
        if wanted.name == "score" and any(one.name == "score" for one in subterms(condition)):
            continue  # a condition over scores (whether another round is played) has not made them
        effect = _effect(condition, sizes)
        if effect:
            yield from aims(names, condition, (effect > 0) == (direction == "max"))


def _ways_out(
    names: ChartNames, passes: Sequence[SymbolicState], wanted: Term, direction: Direction
) -> Iterator[tuple[Term, Direction]]:
    """Conditions of paths that leave the main loop with a score, where another answer means to continue.

    So too of paths that stay and give a score which no weight can express: a prize, for instance.
    """
    changes = [(state, change_of(state, wanted)) for state in passes]
    scoring = {
        id(state)
        for state, change in changes
        if state.leaves or (change is not None and any(part is wanted for part, _ in change.parts))
    }
    stays = {one for state in passes if id(state) not in scoring for one in state.conditions}
    for state, change in changes:
        size = _size(change, wanted) if id(state) in scoring else 0
        for condition in state.conditions if size else ():
            if negation(condition) in stays and condition not in stays:
                yield from aims(names, condition, (size > 0) == (direction == "max"), state)


def _size(change: Sum | None, wanted: Term) -> int:
    """The size of a change, every name taken as 1; a new value is no change for better or worse.

    Only for a score, which is 0 at first, is a new value its size. A prize that earlier players may have made
    smaller has an unknown size.
    """
    if change is None:
        return 0
    parts = [(part, count) for part, count in change.parts if part is not wanted]
    names = sum(count for _, count in parts)
    if len(parts) == len(change.parts):
        return change.constant + names
    return 0 if wanted.name != "score" else names or change.constant


def _effect(condition: Term, sizes: Sequence[tuple[SymbolicState, int]]) -> Fraction:
    """How much larger a change is on average where a condition holds than where it does not.

    A condition that stands on the path, but makes no difference to the property, must not count: a player
    that meets a bid gets the points whether or not others meet theirs.
    """
    opposite = negation(condition)
    yes = [one for one in sizes if condition in one[0].conditions]
    no = [one for one in sizes if opposite in one[0].conditions]
    no = no or [one for one in sizes if condition not in one[0].conditions]
    return _mean(yes) - _mean(no)


def _mean(sizes: Sequence[tuple[SymbolicState, int]]) -> Fraction:
    """The mean over paths, each choice on them taken as even."""
    longest = max((len(state.conditions) for state, _ in sizes), default=0)
    weights = [1 << longest - len(state.conditions) for state, _ in sizes]
    total = sum(weights)
    if not total:
        return Fraction(0)
    return Fraction(sum(size * weight for (_, size), weight in zip(sizes, weights, strict=True)), total)


def change_of(state: SymbolicState, term: Term) -> Sum | None:
    """By how much a property grows from the start of a path to its end; None where that is unknown."""
    try:
        return as_sum(state.evaluate(term)).plus(as_sum(state.at_start(term)), -1)
    except (NeedPlayer, NeedTruth, NoValue):
        return None


def aims(
    names: ChartNames, condition: Term, good: bool, played: SymbolicState | None = None
) -> Iterator[tuple[Term, Direction]]:
    """What brings a condition about, where it is good, or away from it, where it is bad.

    ``played``: a pass in which cards are played, where as many left as were played means the last ones.
    """
    if is_operation(condition, "and", "or"):
        for part in condition.args[1:]:
            assert isinstance(part, Term)
            yield from aims(names, part, good, played)
        return
    if condition.name == "neg":
        for part in conjuncts_of_negation(condition):
            yield from aims(names, part, not good, played)
        return
    if condition.name not in ("equal", "lessThan", "greaterThan"):
        return
    left, right = condition.args
    assert isinstance(left, Term)
    assert isinstance(right, Term)
    if not _are_numbers(names, left, right):
        return
    more: Direction = "max" if good else "min"
    difference = as_sum(left).plus(as_sum(right), -1)
    if condition.name == "equal":
        yield from _distance(names, difference, _OTHER[more], played)
    else:
        if condition.name == "lessThan":
            difference = difference.times(-1)
        yield from _without_constant(names, difference, more)


def conjuncts_of_negation(condition: Term) -> Iterator[Term]:
    """The parts of a negated condition."""
    inner = condition.args[0]
    assert isinstance(inner, Term)
    if is_operation(inner, "and", "or"):
        for part in inner.args[1:]:
            assert isinstance(part, Term)
            yield from conjuncts(part)
    else:
        yield inner


def _distance(
    names: ChartNames, difference: Sum, way: Direction, played: SymbolicState | None
) -> Iterator[tuple[Term, Direction]]:
    """Two terms far apart or near: without a number between them one of them large or small.

    Counts are not below 0, so the distance of ``cardsRemaining(p)`` from 0 is the count itself.
    """
    last = played is not None and len(difference.parts) == 1 and _is_last_card(difference, played)
    if len(difference.parts) == 1 and (difference.constant == 0 or last):
        yield from _without_constant(names, difference.times(difference.parts[0][1]), way)
        return
    term = Term("abs", (as_term(difference),))
    if _is_property(names, term):
        yield term, way


def _is_last_card(difference: Sum, played: SymbolicState) -> bool:
    """``cardsRemaining(p)-1==0``: asks whether the card just played was the last; so with more cards."""
    (term, count) = difference.parts[0]
    if term.name not in ("cardsRemaining", "cards") or abs(count) != 1:
        return False
    change = change_of(played, term)
    gone = -change.constant if change is not None and not change.parts else 0
    return 1 <= -count * difference.constant <= max(1, gone)


def _without_constant(names: ChartNames, difference: Sum, way: Direction) -> Iterator[tuple[Term, Direction]]:
    """The direction of a difference without its constant, which is nothing to aim at."""
    moving = Sum(0, difference.parts)
    if not moving.parts:
        return
    if all(count < 0 for _, count in moving.parts):
        moving, way = moving.times(-1), _OTHER[way]
    term = as_term(moving)
    if _is_property(names, term):
        yield term, way


def _is_property(names: ChartNames, term: Term) -> bool:
    """Whether a property lasts: cards that are played in between do not."""
    parts = subterms(term)
    if any(one.name in _PASSING or one.name.startswith(LEAVING) for one in parts):
        return False
    return any(names.is_variable(one) or one.name in ("cards", "count", "total") for one in parts)


def _are_numbers(names: ChartNames, left: Term, right: Term) -> bool:
    """Whether two terms are compared as numbers: one surely is, and the other may be."""
    kinds = [
        {Type.INTEGER} if one.name == "operation" else type_of(one, names.types) for one in (left, right)
    ]
    return {Type.INTEGER} in kinds and all(kind <= {Type.INTEGER, Type.VALUE} for kind in kinds)
