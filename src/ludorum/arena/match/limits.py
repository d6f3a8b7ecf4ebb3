"""How long a match may be: counted in decisions of its players, not in steps.

A decision is a step in which a role other than nature has more than one legal move. Cards that are dealt one
by one, dice, and moves that the rules force are steps, but no decisions. A flow chart counts as its own bound
does: every question to a player is a decision (``State.is_decision``).
"""

from __future__ import annotations

from ...engine.game import Game
from .match import Match

USUAL_DECISIONS = 1000
"""Decisions after which a match is given up where neither its game nor its caller says otherwise."""
MOST_FORCED = 10_000
"""Steps in a row without a decision after which a match is given up: rules that never end may force every
move."""


def decision_limit(game: Game, asked: int | None = None) -> int:
    """The number of decisions a match may have: the given limit, else the game's own bound, else 1000."""
    if asked is not None:
        return asked
    return USUAL_DECISIONS if game.decision_limit is None else game.decision_limit


def is_given_up(match: Match, asked: int | None = None) -> bool:
    """Whether a match that is not over has reached its limit, so that no further decision is asked for.

    Forced moves after the last decision are still played: a game that ends by its own bound comes to its
    end.
    """
    if match.is_over:
        return False
    if match.forced_steps >= MOST_FORCED:
        return True
    return match.decisions >= decision_limit(match.game, asked) and match.is_decision
