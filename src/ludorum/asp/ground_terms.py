"""Terms as arrays: they are sent between processes and sorted without a Python object for each.

A sheet may have a hundred thousand moves of which a match sees a few hundred: ``Term`` objects are made when
they are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np
import numpy.typing as npt

from ..rules.terms import Term, sort_key

IntArray = npt.NDArray[np.int32]

DEEPEST = 8
"""Nesting up to which terms are sorted level by level; lists of lists are sorted one by one."""


@dataclass(frozen=True)
class TermTable:
    """Shared subterms first. Node i has name ``names[symbols[i]]`` and the args up to ``ends[i]``.

    Equal terms are one node, but for roots, each of which may have a node of its own.
    """

    names: list[str]
    symbols: IntArray
    ends: IntArray
    args: IntArray
    roots: IntArray

    @cached_property
    def starts(self) -> IntArray:
        """Where the args of each node begin."""
        return np.concatenate([np.zeros(1, np.int32), self.ends[:-1]])

    def first_args(self) -> IntArray:
        """The node of the first argument of each root; an arbitrary node for roots without arguments."""
        return self.root_args(0)

    def root_args(self, at: int) -> IntArray:
        """The node of an argument of each root; an arbitrary node for roots with fewer."""
        if not len(self.args):
            return np.zeros(len(self.roots), np.int32)
        return self.args[np.minimum(self.starts[self.roots] + at, len(self.args) - 1)]

    def root_arities(self) -> IntArray:
        return self.ends[self.roots] - self.starts[self.roots]


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
    """The table with only some of its roots; nodes that no root needs stay in it."""
    return TermTable(table.names, table.symbols, table.ends, table.args, table.roots[which])


def compact_terms(table: TermTable) -> TermTable:
    """The same roots without the nodes they do not need."""
    kept = np.flatnonzero(_needed(table, table.roots))
    place = np.full(len(table.symbols), -1, np.int32)
    place[kept] = np.arange(len(kept), dtype=np.int32)
    return TermTable(
        table.names,
        table.symbols[kept],
        np.cumsum(_arities(table)[kept], dtype=np.int32),
        place[_args_of(table, kept)],
        place[table.roots],
    )


def unpack_terms(table: TermTable) -> list[Term]:
    """The terms of a table in their order."""
    nodes: list[Term] = []
    args = table.args.tolist()
    names = table.names
    start = 0
    for symbol, end in zip(table.symbols.tolist(), table.ends.tolist(), strict=True):
        nodes.append(Term(names[symbol], tuple([nodes[arg] for arg in args[start:end]])))
        start = end
    return [nodes[root] for root in table.roots.tolist()]


class TermList(Sequence[Term]):
    """The roots of a table as terms, each made when it is asked for."""

    __slots__ = ("_made", "_nodes", "table")

    def __init__(self, table: TermTable) -> None:
        self.table = table
        self._made: list[Term | None] = [None] * len(table.roots)
        self._nodes: dict[int, Term] = {}

    def __len__(self) -> int:
        return len(self._made)

    @overload
    def __getitem__(self, at: int) -> Term: ...
    @overload
    def __getitem__(self, at: slice) -> list[Term]: ...
    def __getitem__(self, at: int | slice) -> Term | list[Term]:
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        term = self._made[at]
        if term is None:
            term = self._made[at] = self._node(int(self.table.roots[at]))
        return term

    def _node(self, node: int) -> Term:
        known = self._nodes.get(node)
        if known is None:
            table = self.table
            args = table.args[table.starts[node] : table.ends[node]].tolist()
            name = table.names[table.symbols[node]]
            known = Term(name, tuple([self._node(arg) for arg in args]))
            self._nodes[node] = known
        return known

    def make_all(self) -> None:
        """Make all missing terms: together they take less time than one by one."""
        if None in self._made:
            self._made[:] = unpack_terms(compact_terms(self.table))

    def __reduce__(self) -> tuple[type[TermList], tuple[TermTable]]:
        return (TermList, (compact_terms(self.table),))


class AtomList(Sequence[Term | None]):
    """Atoms by number: the first have names, the roots of a table, the rest have none."""

    __slots__ = ("_count", "named")

    def __init__(self, table: TermTable, count: int) -> None:
        self.named = TermList(table)
        self._count = count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int) -> Term | None: ...
    @overload
    def __getitem__(self, at: slice) -> list[Term | None]: ...
    def __getitem__(self, at: int | slice) -> Term | list[Term | None] | None:
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        at = range(self._count)[at]
        return self.named[at] if at < len(self.named) else None


def rank_nodes(table: TermTable, nodes: IntArray) -> IntArray:
    """Numbers that order some nodes of a table, and what they contain, as ``sort_key`` orders their terms.

    An entry for each node of the table; those that were not asked for have arbitrary numbers.
    """
    needed = np.flatnonzero(_needed(table, nodes))
    depth = _depths(table)
    if len(needed) and depth[needed].max() > DEEPEST:
        return _rank_plainly(table, needed)
    ranks = np.full(len(table.symbols), -1, np.int32)
    constants = needed[depth[needed] == 0]
    keys = {symbol: sort_key(Term(table.names[symbol])) for symbol in set(table.symbols[constants].tolist())}
    ordered = {symbol: at for at, symbol in enumerate(sorted(keys, key=keys.__getitem__))}
    ranks[constants] = [ordered[symbol] for symbol in table.symbols[constants].tolist()]
    by_name = {name: at for at, name in enumerate(sorted(set(table.names)))}
    name_ranks = np.array([by_name[name] for name in table.names], np.int32)
    arities = _arities(table)
    for level in range(1, int(depth[needed].max(initial=0)) + 1):
        compound = needed[(depth[needed] > 0) & (depth[needed] <= level)]
        columns = np.full((int(arities[compound].max()), len(compound)), -1, np.int32)
        for at in range(len(columns)):
            has = arities[compound] > at
            columns[at, has] = ranks[table.args[table.starts[compound[has]] + at]]
        keys_by_weight = (*columns[::-1], arities[compound], name_ranks[table.symbols[compound]])
        ranks[compound[np.lexsort(keys_by_weight)]] = len(ordered) + np.arange(len(compound), dtype=np.int32)
    return ranks


def _rank_plainly(table: TermTable, needed: npt.NDArray[np.intp]) -> IntArray:
    terms = TermList(TermTable(table.names, table.symbols, table.ends, table.args, needed.astype(np.int32)))
    order = sorted(range(len(needed)), key=lambda at: sort_key(terms[at]))
    ranks = np.full(len(table.symbols), -1, np.int32)
    ranks[needed[order]] = np.arange(len(needed), dtype=np.int32)
    return ranks


def _arities(table: TermTable) -> IntArray:
    return table.ends - table.starts


def _args_of(table: TermTable, nodes: npt.NDArray[np.integer]) -> IntArray:
    """The args of some nodes, one after the other."""
    counts = _arities(table)[nodes]
    ends = np.cumsum(counts)
    places = np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(
        table.starts[nodes] - (ends - counts), counts
    )
    found: IntArray = table.args[places]
    return found


def _needed(table: TermTable, nodes: IntArray) -> npt.NDArray[np.bool_]:
    """Which nodes are these or stand inside of them."""
    needed = np.zeros(len(table.symbols), np.bool_)
    while len(nodes):
        needed[nodes] = True
        below = _args_of(table, nodes)
        nodes = np.unique(below[~needed[below]])
    return needed


def _depths(table: TermTable) -> IntArray:
    """The nesting of each node: 0 for constants."""
    depth = np.zeros(len(table.symbols), np.int32)
    compound = np.flatnonzero(_arities(table))
    starts = table.starts[compound]
    while len(compound):
        found = 1 + np.maximum.reduceat(depth[table.args], starts)
        if (depth[compound] == found).all():
            break
        depth[compound] = found
    return depth
