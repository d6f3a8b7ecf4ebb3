"""Ground a rule sheet once: every rule instance that play may need, by relaxed reachability.

A fact may be true if it is initial or may become true; a move may be done if it may be legal. Three choice
rules state that, and clingo instantiates the sheet under them:

    {true(F)} :- init(F).    {true(F)} :- next(F).    {does(R,M)} :- legal(R,M), role(R).

The instances are read through an observer. clingo has already folded away what does not depend on the state.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import clingo
import numpy as np
import numpy.typing as npt

from ..processes.session import ChildLimitError, peak_megabytes, run_limited
from ..rules.dependencies import Dependencies
from ..rules.growing_terms import told_growth
from ..rules.lenient import make_safe
from ..rules.normalise import normalise
from ..rules.ruleset import Ruleset
from ..rules.source import RulesError
from ..rules.terms import Signature, Term, sort_key
from .attempts import attempt, refuse_in_vain
from .control import RemarkError, ground, make_control
from .ground_terms import AtomList, TermTable, compact_terms, pack_terms, select_terms, unpack_terms
from .names import asp_relation
from .observe_rules import ObservedRules, observe_rules
from .read_atoms import Atoms, read_atoms
from .simplify_ground import Instances, simplify
from .translate import asp_facts, asp_program

IntArray = npt.NDArray[np.int32]

GIVEN: tuple[Signature, ...] = (("true", 1), ("does", 2))
ASKED: tuple[Signature, ...] = (("legal", 2), ("next", 1), ("terminal", 0), ("goal", 2), ("sees", 2))
STATIC: tuple[Signature, ...] = (("role", 1), ("init", 1))
RELATIONS: tuple[Signature, ...] = (*GIVEN, *ASKED, *STATIC)
NUMBER = {name: number for number, (name, _) in enumerate(RELATIONS)}
BY_ROLE = ("does", "legal", "goal", "sees")

REACHABLE = """
{{ {true}(F) }} :- {init}(F).
{{ {true}(F) }} :- {next}(F).
""".format(**{name: asp_relation(name, arity) for name, arity in (*GIVEN, *ASKED, *STATIC)})
MOVES = """
{{ {does}(R,M) }} :- {legal}(R,M), {role}(R).
""".format(**{name: asp_relation(name, arity) for name, arity in (*GIVEN, *ASKED, *STATIC)})


WITHOUT_CLOCK = 1e8
"""Seconds for callers whose answer must not depend on the clock: memory bounds the work instead."""


def clock_of(seconds: float | None) -> float:
    """The seconds to ground in, of what a caller's clock leaves; without a clock memory bounds the work."""
    return WITHOUT_CLOCK if seconds is None else seconds


GROWING_RULES = 100_000
"""The most ground rules of a sheet in which terms may grow without end. Where a negated condition bounds them
there are far fewer; without a bound grounding never ends. Counted, so that every machine decides alike."""


class GroundingError(Exception):
    """The sheet cannot be ground: a limit was hit, or clingo refuses or remarks on it."""


@dataclass(frozen=True)
class GroundProgram:
    """The ground rules of a sheet. A literal is ``2 * atom + (1 if negated)``.

    An atom without rules that is neither a fact nor an input is false; simplification leaves none in bodies.
    """

    atoms: Sequence[Term | None]
    """Atom id to ground atom, ``Term("legal", (role, move))``; None for atoms of auxiliary relations."""
    heads: IntArray
    body_offsets: IntArray
    body: IntArray
    facts: IntArray
    """Atoms that are true in every state; no rule has one of them as its head."""
    true_atoms: IntArray
    does_atoms: IntArray
    initial: frozenset[Term]
    roles: tuple[Term, ...]
    megabytes: float = 0.0
    """The most memory the process that ground the sheet held."""

    @cached_property
    def numbers(self) -> dict[Term, int]:
        """The id of each named atom."""
        return {atom: number for number, atom in enumerate(self.atoms) if atom is not None}

    @cached_property
    def named(self) -> tuple[TermTable, IntArray]:
        """The named atoms as a table, and the id of each of its roots."""
        if isinstance(self.atoms, AtomList):
            table = self.atoms.named.table
            return table, np.arange(len(table.roots), dtype=np.int32)
        ids = [number for number, atom in enumerate(self.atoms) if atom is not None]
        return pack_terms([atom for atom in self.atoms if atom is not None]), np.array(ids, np.int32)

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
    stop: threading.Event | None = None,
    most_rules: int | None = None,
) -> GroundProgram:
    """The ground program of a sheet, computed in a child process that is killed at a limit.

    GroundingError says why there is none. ``in_process`` grounds here and now, without limits; with
    ``processor_time`` the seconds are those of the child's processor. ``passes`` names the rewrites to apply
    first (``rules.normalise``); by default the usual ones, and guards on a second attempt (``attempts``).
    ``stop`` ends the work from another thread. With ``most_rules`` a sheet with more ground rules is refused,
    on every machine alike.
    """
    work = partial(_ground, most_rules=most_rules)
    try:
        if in_process:
            return _unpack(work(ruleset, passes, bounded=False), ruleset)
        if passes is not None:
            packed = run_limited(
                work, (ruleset, passes), seconds, megabytes, processor_time=processor_time, stop=stop
            )
        else:
            packed = attempt(work, ruleset, seconds, megabytes, processor_time=processor_time, stop=stop)
        return _unpack(packed, ruleset)
    except ChildLimitError as error:
        raise GroundingError("; ".join(filter(None, (f"grounding {error}", told_growth(ruleset))))) from error
    except RulesError as error:
        raise GroundingError(str(error)) from error


class StepGrounder:
    """Grounds a sheet for one step at a time: over given facts, and the moves that they allow.

    For sheets whose ground rules over all that may ever become true are too many. Facts that are known are
    folded into the rules.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._rules = normalise(make_safe(ruleset)[0])
        needed = Dependencies(self._rules).slice((*ASKED, *STATIC))
        self._program = asp_program(needed, self._rules.source) + MOVES + _defined(RELATIONS)

    def ground(self, known: Iterable[Term], maybe: Iterable[Term]) -> GroundProgram:
        """The program of the step after a state with all of ``known`` and any of ``maybe``."""
        facts = asp_facts("true", ((fact,) for fact in known))
        choices = "".join(f"{{ {asp_facts('true', [(fact,)])[:-1]} }}.\n" for fact in maybe)
        packed = _instantiate(f"{self._program}{facts}\n{choices}", self._rules, "", None)
        return _unpack(packed, self._ruleset)


@dataclass(frozen=True)
class _Packed:
    """A ground program as sent between processes: arrays, and the terms as one table."""

    instances: Instances
    true_atoms: IntArray
    does_atoms: IntArray
    terms: TermTable
    """The named atoms, which have the first numbers."""
    initial: TermTable
    """What holds initially, as ``init(fact)``."""
    roles: TermTable
    """As ``role(role)``."""
    megabytes: float


def _unpack(packed: _Packed, ruleset: Ruleset) -> GroundProgram:
    instances = packed.instances
    atoms = AtomList(packed.terms, instances.atom_count)
    initial = frozenset(map(_only_argument, unpack_terms(packed.initial)))
    roles = _in_text_order(ruleset, [_only_argument(atom) for atom in unpack_terms(packed.roles)])
    return GroundProgram(
        atoms, instances.heads, instances.offsets, instances.body, instances.facts,
        packed.true_atoms, packed.does_atoms, initial, roles, packed.megabytes,
    )  # fmt: skip


def _only_argument(atom: Term) -> Term:
    (argument,) = atom.args
    assert isinstance(argument, Term)
    return argument


def _in_text_order(ruleset: Ruleset, roles: Sequence[Term]) -> tuple[Term, ...]:
    """Roles as their facts appear; roles that only rules derive come after them, sorted."""
    stated = [role for role in ruleset.roles if role in roles]
    return (*stated, *sorted((role for role in roles if role not in stated), key=sort_key))


def _ground(
    ruleset: Ruleset,
    passes: Sequence[str] | None = None,
    bounded: bool = True,
    most_rules: int | None = None,
) -> _Packed:
    """``bounded``: grounding of terms that may grow without end stops after ``GROWING_RULES``."""
    rules = normalise(make_safe(ruleset)[0], passes)
    refuse_in_vain(rules, passes)
    needed = Dependencies(rules).slice((*ASKED, *STATIC))
    program = asp_program(needed, rules.source) + REACHABLE + MOVES + _defined(RELATIONS)
    return _instantiate(program, rules, told_growth(ruleset) if bounded else "", most_rules)


def _instantiate(program: str, rules: Ruleset, growth: str, most_rules: int | None) -> _Packed:
    control, observed = _run_clingo(program, growth, most_rules)
    atoms = read_atoms(control, RELATIONS)
    named = np.flatnonzero(_is_named(atoms, observed))
    relation = atoms.relation[named]
    ids = np.arange(len(named), dtype=np.int32)
    true_atoms, does_atoms = ids[relation == NUMBER["true"]], ids[relation == NUMBER["does"]]
    domains = read_atoms(control, sorted(rules.domains)).literals if rules.domains else ids[:0]
    instances = simplify(
        _instances(observed, atoms.literals[named], domains), np.concatenate([true_atoms, does_atoms])
    )
    initial = np.flatnonzero(atoms.relation == NUMBER["init"])
    roles = np.flatnonzero(atoms.relation == NUMBER["role"])
    terms, starting, playing = (select_terms(atoms.terms, which) for which in (named, initial, roles))
    return _Packed(
        instances,
        true_atoms,
        does_atoms,
        terms,
        compact_terms(starting),
        compact_terms(playing),
        peak_megabytes(),
    )


def _is_named(atoms: Atoms, observed: ObservedRules) -> npt.NDArray[np.bool_]:
    """The atoms that get a name: of the relations asked for and of roles; inputs only if they can be true."""
    relation = atoms.relation
    for name in ("init", "role"):
        if not atoms.is_fact[relation == NUMBER[name]].all():
            raise GroundingError(f"{name} depends on the state, or on negation in a circle")
    first = atoms.terms.first_args()
    roles = first[relation == NUMBER["role"]]
    of_role = ~np.isin(relation, [NUMBER[name] for name in BY_ROLE]) | np.isin(first, roles)
    # An atom that is only asked for under `not` is among clingo's atoms too, but it can never be true.
    is_input = np.isin(relation, [NUMBER["true"], NUMBER["does"]])
    possible = ~is_input | np.isin(atoms.literals, observed.inputs)
    return of_role & possible & ~np.isin(relation, [NUMBER["init"], NUMBER["role"]])


def _run_clingo(
    program: str, growth: str, most_rules: int | None = None
) -> tuple[clingo.Control, ObservedRules]:
    control, remarks = make_control()
    limit = GROWING_RULES if growth else most_rules
    observer = observe_rules(control) if limit is None else observe_rules(control, most_rules=limit)
    try:
        ground(control, remarks, ["#show.\n", program])
    except RemarkError as error:
        if observer.is_full:
            found = f"grounding made more than {limit} rules"
            raise GroundingError("; ".join(filter(None, (found, growth)))) from error
        raise GroundingError(str(error)) from error
    return control, observer.rules()


def _defined(signatures: Iterable[Signature]) -> str:
    return "".join(f"#defined {asp_relation(name, arity)}/{arity}.\n" for name, arity in signatures)


def _instances(observed: ObservedRules, known: IntArray, facts: IntArray) -> Instances:
    """The observed rules over dense atom ids; the known atoms come first, in their order. Facts are given."""
    atoms = abs(observed.body)
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
    facts = ids[facts[facts <= largest]]
    body = 2 * ids[atoms] + (observed.body < 0)
    return Instances(ids[observed.heads], offsets, body, facts[facts >= 0], count)
