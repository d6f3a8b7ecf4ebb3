"""Maximum matchings in any graph, by Edmonds' blossom algorithm.

Swiss rounds use it to check that a choice leaves the rest a way to be paired, so that no choice is undone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection

NOBODY = -1


def largest_matching(size: int, edges: Collection[tuple[int, int]]) -> int:
    """The size of a maximum matching of vertices 0..size-1 along edges, each vertex at most once.

    >>> largest_matching(3, [(0, 1), (1, 2), (0, 2)])
    1
    """
    neighbours: list[list[int]] = [[] for _ in range(size)]
    for one, other in edges:
        neighbours[one].append(other)
        neighbours[other].append(one)
    partner = [NOBODY] * size
    for one, other in edges:  # a greedy start; the rest needs augmenting paths
        if partner[one] == NOBODY == partner[other]:
            partner[one], partner[other] = other, one
    for root in range(size):
        if partner[root] == NOBODY:
            _augment(root, neighbours, partner)
    return sum(mate != NOBODY for mate in partner) // 2


def _augment(root: int, neighbours: list[list[int]], partner: list[int]) -> None:
    """Look for an augmenting path from an unmatched vertex to another."""
    size = len(neighbours)
    base, parent = list(range(size)), [NOBODY] * size
    outer = [False] * size
    outer[root] = True
    queue = deque([root])
    while queue:
        at = queue.popleft()
        for to in neighbours[at]:
            if base[at] == base[to] or partner[at] == to:
                continue
            if to == root or (partner[to] != NOBODY and parent[partner[to]] != NOBODY):
                _shrink(at, to, base, parent, partner, outer, queue)
            elif parent[to] == NOBODY:
                parent[to] = at
                if partner[to] == NOBODY:
                    _exchange(to, parent, partner)
                    return
                outer[partner[to]] = True
                queue.append(partner[to])


def _exchange(end: int, parent: list[int], partner: list[int]) -> None:
    while end != NOBODY:
        before = parent[end]
        following = partner[before]
        partner[end], partner[before] = before, end
        end = following


def _shrink(
    one: int,
    other: int,
    base: list[int],
    parent: list[int],
    partner: list[int],
    outer: list[bool],
    queue: deque[int],
) -> None:
    """Contract a blossom: a cycle of odd length counts as one vertex from now on."""
    top = _common_base(one, other, base, parent, partner)
    inside = [False] * len(base)
    for start, child in ((one, other), (other, one)):
        at = start
        while base[at] != top:
            inside[base[at]] = inside[base[partner[at]]] = True
            parent[at] = child
            child = partner[at]
            at = parent[child]
    for vertex in range(len(base)):
        if inside[base[vertex]]:
            base[vertex] = top
            if not outer[vertex]:
                outer[vertex] = True
                queue.append(vertex)


def _common_base(one: int, other: int, base: list[int], parent: list[int], partner: list[int]) -> int:
    seen = [False] * len(base)
    at = base[one]
    while True:
        seen[at] = True
        if partner[at] == NOBODY:
            break
        at = base[parent[partner[at]]]
    at = base[other]
    while not seen[at]:
        at = base[parent[partner[at]]]
    return at
