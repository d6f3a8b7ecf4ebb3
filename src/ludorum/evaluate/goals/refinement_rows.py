"""What is known of a state beside its goals, as rows for compiled code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ...engine.game import Game
from ...rules.ruleset import Atom
from ...rules.terms import Term, Variable, as_integer
from .distance_features import moves_of
from .ground_atoms import NoCompiledFormError
from .leaf import LeafQuery
from .refinement import Refinement
from .value_tables import ValueTables

NOTHING = -1
"""No sum; and the value of a goal that is no number."""


@dataclass(frozen=True)
class RefinementRows:
    """By role: goal values that may hold before the end, with their atoms; and the places of two sums."""

    goals: list[list[tuple[int, float]]]
    moves: list[int]
    pieces: list[int]
    usual_moves: float = 1.0
    usual_worth: float = 1.0


def asked_beside(refinement: Refinement, roles: Iterable[Term]) -> Iterator[LeafQuery]:
    """The queries of a refinement."""
    for role in roles:
        if refinement.has_goals:
            yield goal_of(role)
        if refinement.usual_moves is not None:
            yield moves_of(role)


def goal_of(role: Term) -> LeafQuery:
    """The goal values of a role."""
    value = Variable("value")
    return LeafQuery((Atom(Term("goal", (role, value))),), (value,))


def refinement_rows(refinement: Refinement | None, game: Game, tables: ValueTables) -> RefinementRows:
    """The rows of a refinement; what it asks is in the tables."""
    roles = game.roles
    none = [NOTHING for _ in roles]
    if refinement is None:
        return RefinementRows([[] for _ in roles], none, none)
    counts, pieces = refinement.usual_moves is not None, refinement.pieces
    return RefinementRows(
        [list(_goals(role, tables)) if refinement.has_goals else [] for role in roles],
        [tables.count(moves_of(role)) for role in roles] if counts else none,
        none if pieces is None else [_worth(pieces.get(role, {}), tables) for role in roles],
        float(refinement.usual_moves or 1),
        max(1.0, refinement.usual_worth),
    )


def _goals(role: Term, tables: ValueTables) -> Iterator[tuple[int, float]]:
    for (value,), atom in tables.solutions[goal_of(role)].items():
        points = as_integer(value)
        if points is not None and not 0 <= points <= 100:
            raise NoCompiledFormError(f"goal values such as {points} have no compiled form")
        yield tables.place(atom), NOTHING if points is None else points


def _worth(own: Mapping[Term, float], tables: ValueTables) -> int:
    return tables.sum((tables.circuit.fluent(fact), worth) for fact, worth in own.items())
