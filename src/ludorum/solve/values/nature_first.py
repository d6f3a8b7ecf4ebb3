"""How many states nature makes before a role chooses: cards that are dealt one by one."""

from __future__ import annotations

from itertools import islice
from math import comb

from ...engine.game import State
from ...rules.terms import Term

MOST_DRAWS = 200


def least_ways_of_nature(state: State) -> int:
    """A lower bound on the outcomes of nature's first draws, whatever their order; 1 without draws.

    Only draws without replacement count, as one play shows them: where the move made, and no other, is no
    longer legal, the state records what was drawn.
    """
    chance = state.game.info.chance_role
    if chance is None:
        return 1
    whole = left = _draws(state, chance)
    drawn, most = 0, 1
    while len(left) > 1 and drawn < MOST_DRAWS:
        state = state.play(next(islice(state.joint_moves(), 1)))
        drawn += 1
        most = max(most, comb(len(whole), drawn))
        move = state.joint[state.game.roles.index(chance)] if state.joint else chance
        after = _draws(state, chance)
        if after != left - {move}:
            break
        left = after
    return most


def _draws(state: State, chance: Term) -> frozenset[Term]:
    """Nature's moves, where no role has a choice."""
    others = [role for role in state.game.roles if role is not chance]
    if state.is_terminal or any(len(state.legal(role)) != 1 for role in others):
        return frozenset()
    return frozenset(state.legal(chance))
