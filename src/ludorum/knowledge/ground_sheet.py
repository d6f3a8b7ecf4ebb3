"""A rule sheet as a ground program with numbered atoms, made once for all matches of a game.

The rules are ground over all that may ever become true (``asp.ground``); names stay terms and are never
written into a program, so that none has to be escaped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..asp.ground import WITHOUT_CLOCK, GroundingError, GroundProgram, ground_rules
from ..engine.errors import GameError
from ..rules.ruleset import Ruleset
from ..rules.terms import Term, as_integer
from .normal_program import Body, NormalProgram

ByName = Mapping[Term, int]
"""Facts, moves, percepts or goal values, and the atoms that say they hold."""


@dataclass(frozen=True)
class GroundSheet:
    """The ground rules of a game, and which atom is what."""

    program: NormalProgram
    names: Sequence[Term | None]
    roles: tuple[Term, ...]
    initial: frozenset[int]
    """The facts of the first state."""
    true: ByName
    does: Mapping[Term, ByName]
    legal: Mapping[Term, ByName]
    sees: Mapping[Term, ByName]
    goal: Mapping[Term, ByName]
    next: Mapping[int, int]
    """The atom that says that a fact holds in the next state, by the atom of the fact."""
    terminal: int | None
    """None where no state is terminal."""

    @property
    def base(self) -> frozenset[int]:
        """The atoms that no rule derives: facts of a state, and moves."""
        return frozenset(self.true.values()) | {atom for own in self.does.values() for atom in own.values()}

    @cached_property
    def facts(self) -> dict[int, Term]:
        """The fact of each of their atoms."""
        return {atom: fact for fact, atom in self.true.items()}

    @cached_property
    def after(self) -> dict[int, int]:
        """The atom of a fact, by the atom that says that it holds in the next state."""
        return {later: fact for fact, later in self.next.items()}


def ground_sheet(rules: Ruleset, *, in_process: bool = False) -> GroundSheet:
    """The ground program of a sheet; GameError where it is too large for memory.

    It is made in a child process that can be stopped, or in this one.
    """
    try:
        return sheet_of(ground_rules(rules, WITHOUT_CLOCK, in_process=in_process))
    except GroundingError as error:
        raise GameError(f"what a role knows cannot be computed: {error}") from error


def sheet_of(ground: GroundProgram) -> GroundSheet:
    """The sheet of a ground program."""
    names: dict[str, dict[tuple[Term, ...], int]] = {}
    for term, number in ground.numbers.items():
        args = tuple(arg for arg in term.args if isinstance(arg, Term))
        names.setdefault(term.name, {})[args] = number
    true = {fact: number for (fact,), number in names.get("true", {}).items()}
    later = names.get("next", {})
    return GroundSheet(
        program=NormalProgram(len(ground.atoms), _rules(ground)),
        names=ground.atoms,
        roles=ground.roles,
        initial=frozenset(true[fact] for fact in ground.initial if fact in true),
        true=true,
        does=_by_role(names.get("does", {}), ground.roles),
        legal=_by_role(names.get("legal", {}), ground.roles),
        sees=_by_role(names.get("sees", {}), ground.roles),
        goal=_by_role(names.get("goal", {}), ground.roles),
        next={number: later[(fact,)] for fact, number in true.items() if (fact,) in later},
        terminal=names.get("terminal", {}).get(()),
    )


def goal_value(value: Term) -> int | None:
    """The number of a goal value; None for other terms, which no engine counts as a value."""
    return as_integer(value)


def _rules(ground: GroundProgram) -> list[tuple[int, Body]]:
    body = ground.body.tolist()
    offsets = ground.body_offsets.tolist()
    found: list[tuple[int, Body]] = [(fact, ((), ())) for fact in ground.facts.tolist()]
    for at, head in enumerate(ground.heads.tolist()):
        literals = body[offsets[at] : offsets[at + 1]]
        positive = tuple(literal >> 1 for literal in literals if not literal & 1)
        negative = tuple(literal >> 1 for literal in literals if literal & 1)
        found.append((head, (positive, negative)))
    return found


def _by_role(rows: Mapping[tuple[Term, ...], int], roles: Sequence[Term]) -> dict[Term, dict[Term, int]]:
    found: dict[Term, dict[Term, int]] = {role: {} for role in roles}
    for args, number in sorted(rows.items(), key=lambda row: row[0]):
        role, value = args
        if role in found:
            found[role][value] = number
    return found
