"""Terms as arrays: how many terms travel between processes without being pickled one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..rules.terms import Term


@dataclass(frozen=True)
class TermTable:
    """Shared subterms first. Node i has name ``names[symbols[i]]`` and the args up to ``ends[i]``."""

    names: list[str]
    symbols: npt.NDArray[np.int32]
    ends: npt.NDArray[np.int32]
    args: npt.NDArray[np.int32]
    roots: npt.NDArray[np.int32]

    def first_args(self) -> npt.NDArray[np.int32]:
        """The node of the first argument of each root; some node or other for roots without arguments."""
        starts = np.where(self.roots > 0, self.ends[self.roots - 1], 0)
        return np.append(self.args, np.int32(0))[starts]


def pack_terms(terms: Sequence[Term]) -> TermTable:
    """A table that holds the ground terms in their order; equal subterms are stored once."""
    names: dict[str, int] = {}
    nodes: dict[Term, int] = {}
    symbols: list[int] = []
    ends: list[int] = []
    args: list[int] = []

    def add(term: Term) -> int:
        known = nodes.get(term)
        if known is None:
            below = [add(arg) for arg in term.args if isinstance(arg, Term)]
            known = nodes[term] = len(symbols)
            symbols.append(names.setdefault(term.name, len(names)))
            args.extend(below)
            ends.append(len(args))
        return known

    roots = [add(term) for term in terms]
    return TermTable(list(names), *(np.array(column, np.int32) for column in (symbols, ends, args, roots)))


def select_terms(table: TermTable, which: npt.NDArray[np.intp]) -> TermTable:
    """The table with only some of its roots; nodes nobody needs any more stay in it."""
    return TermTable(table.names, table.symbols, table.ends, table.args, table.roots[which])


def unpack_terms(table: TermTable) -> list[Term]:
    """The terms of a table in their order."""
    nodes: list[Term] = []
    args = table.args.tolist()
    start = 0
    for symbol, end in zip(table.symbols.tolist(), table.ends.tolist(), strict=True):
        nodes.append(Term(table.names[symbol], tuple(nodes[arg] for arg in args[start:end])))
        start = end
    return [nodes[root] for root in table.roots.tolist()]
