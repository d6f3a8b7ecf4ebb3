"""Facts that say how many: heaps, coins, points, men in hand, and the faces of dice.

Amounts are found without names: in every state of a match the relation has the same rows but for their last
argument, a number that changes. Dice are known by their names, since a face is not more than another.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from ..rules.terms import Pattern, Signature, Term, as_integer

LARGEST = 999
DICE_WORDS = frozenset({"die", "dice"})
FACES = range(1, 7)


def find_amounts(states: Sequence[AbstractSet[Term]]) -> frozenset[Signature]:
    """The relations that say how many, by some states of a match."""
    if not states:
        return frozenset()
    tables = [_tables(state) for state in states]
    always = set.intersection(*(set(table) for table in tables))
    return frozenset(one for one in always if _counts([table[one] for table in tables]))


def amount_of(fact: Term) -> int | None:
    """The number that a fact ends with; None where it ends with anything else, or is too large."""
    number = as_integer(fact.args[-1]) if fact.args else None
    return number if number is not None and 0 <= number <= LARGEST else None


def dice_of(fact: Term) -> tuple[int, ...]:
    """The faces at the end of a fact of dice, those of ``(dice 41)`` one by one; none for other facts."""
    if fact.name not in DICE_WORDS or not fact.args:
        return ()
    text = str(fact.args[-1])
    faces = tuple(map(int, text)) if text.isdecimal() and text.isascii() else ()
    return faces if all(face in FACES for face in faces) else ()


Rows = dict[tuple[Pattern, ...], list[Term]]
"""The facts of a relation by all arguments but the last."""


def _tables(state: AbstractSet[Term]) -> dict[Signature, Rows]:
    found: dict[Signature, Rows] = {}
    for fact in state:
        if fact.args:
            found.setdefault(fact.signature, {}).setdefault(fact.args[:-1], []).append(fact)
    return found


def _counts(tables: Sequence[Rows]) -> bool:
    """Whether the rows stay the same and their numbers change."""
    first = tables[0]
    if any(table.keys() != first.keys() for table in tables):
        return False
    values: dict[tuple[Pattern, ...], set[int]] = {row: set() for row in first}
    for table in tables:
        for row, facts in table.items():
            number = amount_of(facts[0])
            if len(facts) > 1 or number is None:
                return False
            values[row].add(number)
    return any(len(found) > 1 for found in values.values())
