"""Draws worlds of a box as lanes: a fixed pattern for each fact, and one member a lane for groups.

The worlds are witnesses only. Which ones are drawn changes how fast an answer is found, never the answer.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import repeat

LANES = 128
"""Worlds evaluated at once: a number of so many bits is still quick."""
MOST_LANES = 1024
"""Where a role has many moves: a lane for each, up to here."""


class WorldPatterns:
    """Which worlds a fact holds in.

    In the lower half of the lanes facts hold independently, with several densities; in the upper half one
    member of each group holds.
    """

    def __init__(self, largest_group: int = 0, seed: int = 0) -> None:
        self.count = min(max(LANES, 2 * largest_group), MOST_LANES)
        self.all = (1 << self.count) - 1
        self._lower = (1 << self.count // 2) - 1
        self._chance = random.Random(seed)
        self._turns = [sum(1 << lane for lane in range(at, self.count, 6)) for at in range(6)]
        self._patterns: dict[int, int] = {}
        self._stripes: dict[tuple[int, int], list[int]] = {}
        self._seed = seed

    def draw(
        self,
        inputs: Sequence[int],
        known: frozenset[int],
        maybe: frozenset[int],
        groups: Sequence[frozenset[int]],
    ) -> list[int]:
        """The lanes of each input: all for known facts, none for those that cannot be."""
        patterns, lower = self._patterns, self._lower
        for atom in sorted(maybe.difference(patterns)):
            patterns[atom] = _mixed(self._chance, self._turns, self.count)
        values = {atom: patterns[atom] for atom in maybe}
        for number, group in enumerate(groups):
            members = sorted(group.intersection(values))
            if not known.isdisjoint(group):
                values.update((atom, values[atom] & lower) for atom in members)
            elif members:
                for atom, lanes in zip(members, self._stripe(number, len(members)), strict=True):
                    values[atom] = values[atom] & lower | lanes
        values.update(dict.fromkeys(known, self.all))
        return list(map(values.get, inputs, repeat(0)))

    def _stripe(self, number: int, count: int) -> list[int]:
        """The lanes of the upper half dealt to so many members of a group, otherwise in each group."""
        known = self._stripes.get((number, count))
        if known is None:
            known = [0] * count
            half = self.count // 2
            order = [lane % count for lane in range(half)]
            random.Random(self._seed + 1000003 * number + count).shuffle(order)
            for lane, member in enumerate(order, half):
                known[member] |= 1 << lane
            self._stripes[number, count] = known
        return known


def _mixed(chance: random.Random, turns: Sequence[int], count: int) -> int:
    """Lane 0 without the fact, lane 1 with it; others with it in an eighth, a quarter, a half and so on."""
    first, second, third = (chance.getrandbits(count) for _ in range(3))
    densities = [
        first & second & third,
        first & second,
        first,
        second,
        first | second,
        first | second | third,
    ]
    mixed = 0
    for density, turn in zip(densities, turns, strict=True):
        mixed |= density & turn
    return mixed & ~1 | 2
