"""A match as one role may know it: everything where the rules hide nothing, else next to nothing.

Where something is hidden a role knows the first state, its own moves, its percepts and its own goal value.
Rules may say more: ``(sees_xml ROLE FACT)`` chooses what a role's page shows of a state, as the Dresden
server does. Nature, and a view without a role, sees all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...engine.game import Game
from ...engine.reference import ReferenceGame
from ...rules.terms import Term, format_term
from ..match.record import Facts, MatchRecord
from .spectator import PublishedMatch

SEES_XML = ("sees_xml", 2)


@dataclass(frozen=True)
class RoleView:
    """What one role may be shown of a match; None stands for what it may not know."""

    match: PublishedMatch
    roles: tuple[Term, ...]
    sight_of: Term | None
    """The role; None for a view of everything."""
    states: tuple[Facts | None, ...]
    moves: tuple[tuple[Term | None, ...], ...]
    errors: tuple[tuple[str, ...], ...]
    goals: tuple[str | None, ...] | None
    """Goal values at the end, in texts; None while the match goes on."""
    percepts: tuple[tuple[Term, ...], ...]
    """What the role was told on the way to each state but the first."""


def role_view(match: PublishedMatch, game: Game, role: Term | None = None) -> RoleView:
    """A match of this game as a role may see it; GameError if the game has no such role."""
    record = match.record.seated(game.roles)
    if role is not None and role not in game.roles:
        role = game.role(format_term(role))
    shows_all = role is None or role in game.info.chance_roles or game.info.is_open
    return RoleView(
        match=match,
        roles=game.roles,
        sight_of=role,
        states=record.states if shows_all else _hidden_states(record, game, role),
        moves=record.moves if shows_all else tuple(_own(joint, game, role) for joint in record.moves),
        errors=record.errors
        if shows_all
        else tuple(tuple(text or "" for text in _own(row, game, role)) for row in record.errors),
        goals=_goals(record, game, None if shows_all else role),
        percepts=_percepts(record, game, role),
    )


def _own(row: tuple[object, ...], game: Game, role: Term | None) -> tuple[Any, ...]:
    return tuple(entry if of is role else None for of, entry in zip(game.roles, row, strict=True))


def _hidden_states(record: MatchRecord, game: Game, role: Term | None) -> tuple[Facts | None, ...]:
    if game.rules is not None and SEES_XML in game.rules.by_signature:
        asked = ReferenceGame(game.rules, game.name)
        return tuple(None if state is None else _shown(asked, state, role) for state in record.states)
    return (record.states[0], *(None for _ in record.moves))


def _shown(game: ReferenceGame, state: Facts, role: Term | None) -> Facts:
    rows = game.ask([SEES_XML], state)[SEES_XML]
    return frozenset(fact for to, fact in rows if to is role and isinstance(fact, Term))


def _goals(record: MatchRecord, game: Game, only: Term | None) -> tuple[str | None, ...] | None:
    if record.goals is None:
        return None
    return tuple(
        " ".join(sorted(map(format_term, terms))) if only is None or of is only else None
        for of, terms in zip(game.roles, record.goals, strict=True)
    )


def _percepts(record: MatchRecord, game: Game, role: Term | None) -> tuple[tuple[Term, ...], ...]:
    if role is None or not record.percepts:
        return ()
    at = game.roles.index(role)
    return tuple(() if row is None else tuple(sorted(row[at], key=format_term)) for row in record.percepts)
