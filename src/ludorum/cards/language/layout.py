"""Places for the elements of a chart without any: rows by distance from the start, branches to the right.

The main branch (a condition that holds, a statement's next) stays in its column; the other branch gets a
column further right, so that arrows seldom cross. Places do not depend on the numbers of nodes.
"""

from __future__ import annotations

from .chart import COLUMN, ROW
from .rules import ChoiceNode, Rules, successors


def place_nodes(rules: Rules) -> dict[int, tuple[int, int]]:
    """x and y of every node."""
    places: dict[int, tuple[int, int]] = {}
    taken: set[tuple[int, int]] = set()
    waiting = [(rules.start, 0, 0)]
    while waiting:
        index, row, column = waiting.pop()
        if index in places or index not in rules.nodes:
            continue
        while (row, column) in taken:
            column += 1
        taken.add((row, column))
        places[index] = (column * COLUMN, row * ROW)
        node = rules.nodes[index]
        if isinstance(node, ChoiceNode):
            waiting.append((node.no, row, column + 1))
            waiting.append((node.yes, row + 1, column))
        else:
            waiting.extend((target, row + 1, column) for target in successors(node))
    for index in sorted(set(rules.nodes) - set(places)):  # unreachable: beside the rest
        row = len(places)
        places[index] = (0, row * ROW)
    return places
