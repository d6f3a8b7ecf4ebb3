"""Ground a rule sheet once: every rule instance that can ever matter, from relaxed reachability.

What may be true is what starts true or may become true; what may be done is what may be legal. Three choice
rules say so, and clingo instantiates the sheet under them:

    {true(F)} :- init(F).    {true(F)} :- next(F).    {does(R,M)} :- legal(R,M), role(R).

The instances are read through an observer. Whatever does not depend on the state clingo has folded away.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import clingo
import numpy as np
import numpy.typing as npt

from ..rules.dependencies import Dependencies
from ..rules.normalise import normalise
from ..rules.repair import make_safe
from ..rules.ruleset import Ruleset
from ..rules.source import RulesError
from ..rules.terms import Signature, Term, sort_key
from .ground_terms import TermTable, pack_terms, unpack_terms
from .names import read_symbol
from .observe_rules import ObservedRules, observe_rules
from .session import LimitError, run_limited
from .simplify_ground import Instances, simplify
from .translate import asp_program, asp_relation

IntArray = npt.NDArray[np.int32]

GIVEN: tuple[Signature, ...] = (("true", 1), ("does", 2))
ASKED: tuple[Signature, ...] = (("legal", 2), ("next", 1), ("terminal", 0), ("goal", 2), ("sees", 2))
STATIC: tuple[Signature, ...] = (("role", 1), ("init", 1))
BY_ROLE = frozenset({"does", "legal", "goal", "sees"})

REACHABLE = """
{{ {true}(F) }} :- {init}(F).
{{ {true}(F) }} :- {next}(F).
{{ {does}(R,M) }} :- {legal}(R,M), {role}(R).
""".format(**{name: asp_relation(name) for name in ("true", "does", "init", "next", "legal", "role")})


class GroundingError(Exception):
    """The sheet cannot be ground: a limit was hit, or clingo refuses or remarks on it."""


@dataclass(frozen=True)
class GroundProgram:
    """The ground rules of a sheet. A literal is ``2 * atom + (1 if negated)``.

    An atom without rules that is neither a fact nor an input is false; simplification leaves none in bodies.
    """

    atoms: list[Term | None]
    """Atom id to ground atom, ``Term("legal", (role, move))``; None for atoms nobody asks for."""
    heads: IntArray
    body_offsets: IntArray
    body: IntArray
    facts: IntArray
    """Atoms that are true in every state; no rule has one of them as its head."""
    true_atoms: IntArray
    does_atoms: IntArray
    initial: frozenset[Term]
    roles: tuple[Term, ...]

    @cached_property
    def numbers(self) -> dict[Term, int]:
        """The id of each named atom."""
        return {atom: number for number, atom in enumerate(self.atoms) if atom is not None}

    @property
    def size(self) -> dict[str, int]:
        """Numbers of rules, literals, atoms and inputs, for tables and messages."""
        return {"rules": len(self.heads), "literals": len(self.body), "atoms": len(self.atoms),
                "true": len(self.true_atoms), "does": len(self.does_atoms)}  # fmt: skip


def ground_rules(
    ruleset: Ruleset,
    seconds: float = 60.0,
    megabytes: float = 6000.0,
    *,
    in_process: bool = False,
    processor_time: bool = False,
    passes: Sequence[str] | None = None,
) -> GroundProgram:
    """The ground program of a sheet, computed in a child process that is killed at a limit.

    GroundingError says why there is none. ``in_process`` grounds here and now, without limits; with
    ``processor_time`` the seconds are those of the child's processor. ``passes`` names the rewrites to apply
    first (``rules.normalise``), all by default.
    """
    try:
        if in_process:
            return _unpack(_ground(ruleset, passes))
        work = (ruleset, passes)
        return _unpack(run_limited(_ground, work, seconds, megabytes, processor_time=processor_time))
    except LimitError as error:
        raise GroundingError(f"grounding {error}") from error
    except RulesError as error:
        raise GroundingError(str(error)) from error


@dataclass(frozen=True)
class _Packed:
    """What travels between processes: arrays, and the terms as one table."""

    named: IntArray
    instances: Instances
    true_atoms: IntArray
    does_atoms: IntArray
    terms: TermTable
    """The named atoms, then what holds initially, then the roles."""
    initial_count: int


def _unpack(packed: _Packed) -> GroundProgram:
    terms = unpack_terms(packed.terms)
    instances = packed.instances
    atoms: list[Term | None] = [None] * instances.atom_count
    for number, term in zip(packed.named.tolist(), terms, strict=False):
        atoms[number] = term
    after = len(packed.named)
    roles = terms[after + packed.initial_count :]
    return GroundProgram(
        atoms, instances.heads, instances.offsets, instances.body, instances.facts,
        packed.true_atoms, packed.does_atoms,
        frozenset(terms[after : after + packed.initial_count]), tuple(roles),
    )  # fmt: skip


def _ground(ruleset: Ruleset, passes: Sequence[str] | None = None) -> _Packed:
    rules = normalise(make_safe(ruleset)[0], passes)
    wanted = (*ASKED, *STATIC)
    needed = Dependencies(rules).slice(wanted)
    control, observed = _run_clingo(asp_program(needed, rules.source) + REACHABLE + _defined(wanted))
    roles = _roles(control, rules)
    initial = _static_rows(control, "init")
    numbers: dict[int, int] = {}
    named: list[int] = []
    names: list[Term] = []
    inputs: dict[str, list[int]] = {"true": [], "does": []}
    given = set(observed.inputs.tolist())
    for name, arity in (*GIVEN, *ASKED):
        for atom in control.symbolic_atoms.by_signature(asp_relation(name), arity):
            if name in inputs and atom.literal not in given:
                continue  # only ever asked for under `not`: it cannot be true
            row = tuple(map(read_symbol, atom.symbol.arguments))
            if name in BY_ROLE and row[0] not in roles:
                continue
            number = numbers.setdefault(atom.literal, len(numbers))
            named.append(number)
            names.append(Term(name, row))
            if name in inputs:
                inputs[name].append(number)
    instances = simplify(_instances(observed, numbers), np.array(inputs["true"] + inputs["does"], np.int32))
    return _Packed(
        np.array(named, np.int32), instances,
        np.array(inputs["true"], np.int32), np.array(inputs["does"], np.int32),
        pack_terms([*names, *initial, *roles]), len(initial),
    )  # fmt: skip


def _run_clingo(program: str) -> tuple[clingo.Control, ObservedRules]:
    remarks: list[str] = []
    control = clingo.Control(["--warn=all"], logger=lambda code, message: remarks.append(message))
    observer = observe_rules(control)
    try:
        control.add("base", [], "#show.\n" + program)
        control.ground([("base", [])])
    except RuntimeError as error:
        if "bad_alloc" in str(error):
            raise MemoryError from error
        raise GroundingError("\n".join(remarks) or str(error)) from error
    if remarks:
        raise GroundingError("\n".join(remarks))
    return control, observer.rules()


def _defined(signatures: Iterable[Signature]) -> str:
    return "".join(f"#defined {asp_relation(name)}/{arity}.\n" for name, arity in signatures)


def _static_rows(control: clingo.Control, name: str) -> list[Term]:
    found = []
    for atom in control.symbolic_atoms.by_signature(asp_relation(name), 1):
        if not atom.is_fact:
            raise GroundingError(f"{name} depends on the state, or on negation in a circle")
        found.append(read_symbol(atom.symbol.arguments[0]))
    return sorted(found, key=sort_key)


def _roles(control: clingo.Control, ruleset: Ruleset) -> list[Term]:
    """Roles as their facts appear; roles that only rules derive come after them, sorted."""
    roles = _static_rows(control, "role")
    stated = [role for role in ruleset.roles if role in roles]
    return [*stated, *(role for role in roles if role not in stated)]


def _instances(observed: ObservedRules, numbers: dict[int, int]) -> Instances:
    """The observed rules over dense atom ids; atoms met so far keep the ids they have."""
    atoms = abs(observed.body)
    known = np.array(list(numbers), np.int32)
    largest = int(max(array.max(initial=0) for array in (observed.heads, atoms, known)))
    others = np.zeros(largest + 1, bool)
    others[observed.heads] = True
    others[atoms] = True
    others[known] = False
    count = len(known) + int(others.sum())
    ids = np.full(largest + 1, -1, np.int32)
    ids[known] = np.arange(len(known), dtype=np.int32)
    ids[others] = np.arange(len(known), count, dtype=np.int32)
    offsets = np.concatenate([np.zeros(1, np.int32), observed.ends])
    return Instances(
        ids[observed.heads], offsets, 2 * ids[atoms] + (observed.body < 0), np.zeros(0, np.int32), count
    )
