"""In which ways relations depend on facts and moves: for or against them."""

from __future__ import annotations

from ...rules.terms import Signature
from .flat_rules import FlatRules


def mixed_uses(flat: FlatRules) -> dict[Signature, frozenset[str]]:
    """For each relation the facts and moves that it depends on both for and against.

    Where none of these is open, what may be and what must be on rails is exact: all that may be is so at
    once in one and the same course of things, in which those facts hold that count for it, and no others;
    and the opposite one shows what must be.
    """
    found: dict[Signature, tuple[set[str], set[str]]] = {base: ({base[0]}, set()) for base in flat.bases}
    edges = flat.dependencies.edges
    grows = True
    while grows:
        grows = False
        for edge in edges:
            below = found.get(edge.body)
            if below is None:
                continue
            here = found.setdefault(edge.head, (set(), set()))
            before = sum(map(len, here))
            here[0].update(below[not edge.positive])
            here[1].update(below[edge.positive])
            grows |= sum(map(len, here)) > before
    return {relation: frozenset(pro & contra) for relation, (pro, contra) in found.items()}
