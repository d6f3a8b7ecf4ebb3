"""Read the atoms of a grounded program: at machine speed if possible, else through clingo's own classes."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import clingo
import numpy as np
import numpy.typing as npt

from .._core import AtomReader
from ..rules.terms import Signature, Term
from .ground_terms import TermTable, pack_terms
from .names import asp_relation, gdl_name, read_symbol

IntArray = npt.NDArray[np.int32]

FUNCTIONS = {
    "clingo_symbolic_atoms_begin": "_Bool(*)(struct clingo_symbolic_atoms *, uint64_t *, uint64_t *)",
    "clingo_symbolic_atoms_next": "_Bool(*)(struct clingo_symbolic_atoms *, uint64_t, uint64_t *)",
    "clingo_symbolic_atoms_is_valid": "_Bool(*)(struct clingo_symbolic_atoms *, uint64_t, _Bool *)",
    "clingo_symbolic_atoms_symbol": "_Bool(*)(struct clingo_symbolic_atoms *, uint64_t, uint64_t *)",
    "clingo_symbolic_atoms_literal": "_Bool(*)(struct clingo_symbolic_atoms *, uint64_t, int32_t *)",
    "clingo_symbolic_atoms_is_fact": "_Bool(*)(struct clingo_symbolic_atoms *, uint64_t, _Bool *)",
    "clingo_symbol_type": "int(*)(uint64_t)",
    "clingo_symbol_number": "_Bool(*)(uint64_t, int *)",
    "clingo_symbol_name": "_Bool(*)(uint64_t, char * *)",
    "clingo_symbol_arguments": "_Bool(*)(uint64_t, uint64_t * *, size_t *)",
}
"""The functions that the kernel calls, in its order, with the types it relies on."""

RELATION = "="
"""Marks the name of a relation among names of symbols: no clingo name begins like this."""


@dataclass(frozen=True)
class Atoms:
    """The atoms of some relations, one relation after the other."""

    relation: IntArray
    """Which of the relations asked for each atom belongs to."""
    literals: IntArray
    is_fact: npt.NDArray[np.bool_]
    terms: TermTable
    """The atoms as terms, ``legal(r, m)``; its roots follow the order of the literals."""


def read_atoms(control: clingo.Control, relations: Sequence[Signature], native: bool = True) -> Atoms:
    """All atoms of the relations that the grounded program mentions."""
    if native:
        try:
            inside: Any = importlib.import_module("clingo._internal")
            addresses = [_address(inside, name) for name in FUNCTIONS]
            place = int(inside._ffi.cast("uintptr_t", control.symbolic_atoms._rep))
        except (ImportError, AttributeError, TypeError):
            pass  # an unknown version of clingo, whose internals may differ
        else:
            return _read_native(inside, AtomReader(place, addresses), relations)
    return _read_plainly(control, relations)


def _address(inside: Any, name: str) -> int:
    function = inside._ffi.addressof(inside._lib, name)
    if inside._ffi.typeof(function).cname != FUNCTIONS[name]:
        raise TypeError(f"{name} has another type than expected")
    return int(inside._ffi.cast("uintptr_t", function))


def _read_native(inside: Any, reader: AtomReader, relations: Sequence[Signature]) -> Atoms:
    found = []
    for name, arity in relations:
        made = inside._ffi.new("clingo_signature_t*")
        inside._handle_error(
            inside._lib.clingo_signature_create(asp_relation(name, arity).encode(), arity, True, made)
        )
        found.append(reader.read(made[0], RELATION + name))
    names, symbols, ends, args = reader.table()
    literals, roots, facts = (np.concatenate(column) for column in zip(*found, strict=True))
    relation = np.repeat(np.arange(len(relations), dtype=np.int32), [len(rows[0]) for rows in found])
    gdl_names = [name[len(RELATION) :] if name.startswith(RELATION) else gdl_name(name) for name in names]
    return Atoms(relation, literals, facts.astype(bool), TermTable(gdl_names, symbols, ends, args, roots))


def _read_plainly(control: clingo.Control, relations: Sequence[Signature]) -> Atoms:
    relation, literals, facts, terms = [], [], [], []
    for number, (name, arity) in enumerate(relations):
        for atom in control.symbolic_atoms.by_signature(asp_relation(name, arity), arity):
            relation.append(number)
            literals.append(atom.literal)
            facts.append(atom.is_fact)
            terms.append(Term(name, tuple(map(read_symbol, atom.symbol.arguments))))
    return Atoms(
        np.array(relation, np.int32), np.array(literals, np.int32), np.array(facts, bool), pack_terms(terms)
    )
