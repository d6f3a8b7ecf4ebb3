"""Moves of open WDL games as everyone is told them: ``(roll 4)`` for ``(roll dice)`` and a draw of nature."""

from __future__ import annotations

from ..rules.terms import Term
from ..rules.wdl.to_gdl2 import WdlRuleset
from .game import State


def resolved_moves(state: State) -> dict[Term, Term]:
    """The players' moves of the last step with events for names; empty where the game is no open WDL."""
    rules = state.game.rules
    if not isinstance(rules, WdlRuleset) or not state.game.info.is_open:
        return {}
    seen = state.percepts(state.game.info.players[0])
    told = {percept.args[0]: percept.args[1] for percept in seen}
    moves = ((role, told.get(role)) for role in state.game.info.players)
    return {role: move for role, move in moves if isinstance(move, Term)}
