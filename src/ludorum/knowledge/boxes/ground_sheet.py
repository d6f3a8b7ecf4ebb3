"""A rule sheet as a ground program with numbered atoms, made once for all matches of a game.

The rules are ground over all that may ever become true (``asp.ground``); names stay terms and are never
written into a program, so that none has to be escaped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...asp.ground import WITHOUT_CLOCK, GroundingError, GroundProgram, ground_rules
from ...asp.ground_terms import unpack_terms
from ...engine.errors import GameError
from ...rules.ruleset import Ruleset
from ...rules.terms import Term, as_integer
from .normal_program import Body, NormalProgram

MOST_RULES = 300_000
"""Ground rules of a sheet that is ground as a whole."""

ByName = Mapping[Term, int]
"""Facts, moves, percepts or goal values, and the atoms that say they hold."""


class TooManyRulesError(GameError):
    """A sheet has too many ground rules."""


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
    next: ByName
    """Facts, and the atoms that say that they hold in the next state."""
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
    def later(self) -> dict[int, int]:
        """The atom that says that a fact holds in the next state, by the atom of the fact."""
        return {self.true[fact]: atom for fact, atom in self.next.items() if fact in self.true}

    @cached_property
    def after(self) -> dict[int, int]:
        """The atom of a fact, by the atom that says that it holds in the next state."""
        return {later: fact for fact, later in self.later.items()}


def ground_sheet(rules: Ruleset, *, in_process: bool = False, most_rules: int = MOST_RULES) -> GroundSheet:
    """The ground program of a sheet; TooManyRulesError where it is too large.

    It is made in a child process that can be stopped, or in this one.
    """
    try:
        ground = ground_rules(rules, WITHOUT_CLOCK, in_process=in_process, most_rules=most_rules)
    except GroundingError as error:
        raise TooManyRulesError(f"the sheet cannot be ground as a whole: {error}") from error
    return sheet_of(ground)


def sheet_of(ground: GroundProgram) -> GroundSheet:
    """The sheet of a ground program."""
    table, ids = ground.named
    atoms: list[Term | None] = [None] * len(ground.atoms)
    names: dict[str, dict[tuple[Term, ...], int]] = {}
    for term, number in zip(unpack_terms(table), ids.tolist(), strict=True):
        atoms[number] = term
        args = tuple(arg for arg in term.args if isinstance(arg, Term))
        names.setdefault(term.name, {})[args] = number
    true = {fact: number for (fact,), number in names.get("true", {}).items()}
    return GroundSheet(
        program=NormalProgram(len(ground.atoms), _rules(ground)),
        names=atoms,
        roles=ground.roles,
        initial=frozenset(true[fact] for fact in ground.initial if fact in true),
        true=true,
        does=_by_role(names.get("does", {}), ground.roles),
        legal=_by_role(names.get("legal", {}), ground.roles),
        sees=_by_role(names.get("sees", {}), ground.roles),
        goal=_by_role(names.get("goal", {}), ground.roles),
        next={fact: number for (fact,), number in names.get("next", {}).items()},
        terminal=names.get("terminal", {}).get(()),
    )


def goal_value(value: Term) -> int | None:
    """The number of a goal value; None for other terms, which no engine counts as a value."""
    return as_integer(value)


def _rules(ground: GroundProgram) -> list[tuple[int, Body]]:
    body = ground.body.tolist()
    offsets = ground.body_offsets.tolist()
    named = len(ground.named[1])  # named atoms have the first numbers; other facts are in no body
    found: list[tuple[int, Body]] = [(fact, ((), ())) for fact in ground.facts.tolist() if fact < named]
    for at, head in enumerate(ground.heads.tolist()):
        literals = body[offsets[at] : offsets[at + 1]]
        positive = tuple(literal >> 1 for literal in literals if not literal & 1)
        negative = tuple(literal >> 1 for literal in literals if literal & 1)
        found.append((head, (positive, negative)))
    return found


def _by_role(rows: Mapping[tuple[Term, ...], int], roles: Sequence[Term]) -> dict[Term, dict[Term, int]]:
    found: dict[Term, dict[Term, int]] = {role: {} for role in roles}
    for args, number in rows.items():
        role, value = args
        if role in found:
            found[role][value] = number
    return found
