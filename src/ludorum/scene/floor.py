"""Finds boards on which too few things stand to be seen in the facts: the rules list their places instead.

So it is where one man walks through a warehouse, ``(floor 3 4)``, or two cars drive on a track. A relation
that never changes is such a list if its rows lie in a plane, and some facts of the game name only those rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..rules.normalise.evaluate_static import evaluate_static
from ..rules.ruleset import Ruleset
from ..rules.terms import Signature, Term, as_integer, sort_key
from ..show.grid import MAX_SIDE, Grid, Layer, Place
from ..show.marks import make_marks

FEWEST_PLACES = 9
MOST_MARKED = 0.4
"""Share of the places that a list may have which only marks them, such as targets."""
FEWEST_VISITED = 3
"""Places that a thing must have visited in a sample of states: a board is there to be moved on."""

Rows = dict[Signature, list[Term]]


@dataclass(frozen=True)
class Floor:
    """A board that the rules list, and the marks on its places that never change."""

    grid: Grid
    marks: tuple[tuple[Place, str], ...]
    """Places and words, such as ``target``."""


def find_floor(rules: Ruleset, states: Sequence[frozenset[Term]]) -> Floor | None:
    """The board of a game by the places that its rules list; None where there is none."""
    facts: Rows = {}
    for fact in {fact for state in states for fact in state}:
        facts.setdefault(fact.signature, []).append(fact)
    if not any(_pairs(fact) for found in facts.values() for fact in found):
        return None
    lists = _lists(rules)
    boards = [(places, layers) for places in lists.values() if (layers := _layers(facts, places))]
    boards = [(places, layers) for places, layers in boards if _is_plane(places)]
    if not boards:
        return None
    places, layers = max(boards, key=lambda board: (len(board[1]), len(board[0])))
    return Floor(_grid(places, layers, facts), tuple(_marks(lists, places)))


def _lists(rules: Ruleset) -> dict[str, frozenset[Place]]:
    """Relations of two numbers that never change, with their rows."""
    found = {}
    for (name, arity), rows in evaluate_static(rules).by_signature.items():
        heads = [rule.head for rule in rows if not rule.body]
        if arity == 2 and len(heads) == len(rows) and all(map(_pairs, heads)):
            found[name] = frozenset((str(head.args[0]), str(head.args[1])) for head in heads)
    return found


def _pairs(fact: Term) -> list[int]:
    """Arguments from which on two numbers stand side by side."""
    numbers = [as_integer(arg) is not None for arg in fact.args]
    return [at for at in range(len(numbers) - 1) if numbers[at] and numbers[at + 1]]


def _is_plane(places: frozenset[Place]) -> bool:
    """Whether the rows fill a part of a plane: no order, whose rows all lie on one side of the diagonal."""
    columns, rows = {x for x, _ in places}, {y for _, y in places}
    if len(places) < FEWEST_PLACES or max(len(columns), len(rows)) > MAX_SIDE:
        return False
    if min(len(columns), len(rows)) < 2 or len(places) < 1.5 * max(len(columns), len(rows)):
        return False
    sides = {int(x) < int(y) for x, y in places if x != y}
    return len(sides) == 2


def _layers(facts: Rows, places: frozenset[Place]) -> list[Layer]:
    """The relations whose facts all stand on these places."""
    found = []
    for (name, arity), rows in sorted(facts.items()):
        for at in range(arity - 1):
            named = {(str(row.args[at]), str(row.args[at + 1])) for row in rows}
            if named <= places:
                found.append((Layer(name, arity, at), len(named)))
                break
    return [layer for layer, _ in found] if any(count >= FEWEST_VISITED for _, count in found) else []


def _grid(places: frozenset[Place], layers: Sequence[Layer], facts: Rows) -> Grid:
    columns, rows = (_run(place[side] for place in places) for side in (0, 1))
    contents = [
        layer.content(fact)
        for layer in layers
        for fact in sorted(facts[layer.name, layer.arity], key=sort_key)
    ]
    return Grid(columns, rows, tuple(layers), make_marks(list(dict.fromkeys(contents))), places)


def _run(labels: Iterable[str]) -> tuple[str, ...]:
    numbers = {int(label) for label in labels}
    return tuple(map(str, range(min(numbers), max(numbers) + 1)))


def _marks(lists: dict[str, frozenset[Place]], places: frozenset[Place]) -> Iterable[tuple[Place, str]]:
    for name, marked in sorted(lists.items()):
        if marked and marked < places and len(marked) <= MOST_MARKED * len(places) and not _is_order(marked):
            yield from ((place, name) for place in sorted(marked))


def _is_order(rows: frozenset[Place]) -> bool:
    """Whether the rows lead from numbers to others one by one, as those of a successor relation."""
    return len(rows) > 2 and len({int(y) - int(x) for x, y in rows}) == 1
