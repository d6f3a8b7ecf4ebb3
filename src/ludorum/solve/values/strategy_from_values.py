"""A strategy from a game whose every state has been valued."""

from __future__ import annotations

from itertools import product

from ...rules.terms import Term
from ...search.budget import Stopwatch
from ...search.exact import Solved
from .strategy import Strategy, strategy_of


def strategy_from_values(solved: Solved, role: Term, watch: Stopwatch) -> Strategy | None:
    """The strategy that gives a role its value against every play; None where there is none, or no time left.

    One player, or two whose goals have a constant sum: with more, the others may do what harms themselves.
    Where nature draws, a value is a mean, which no strategy guarantees.
    """
    game = solved.game
    if game.rules is None or game.info.chance_role is not None or len(game.roles) > 2:
        return None
    if len(game.roles) == 2 and not solved.is_constant_sum:
        return None
    seat = game.roles.index(role)
    waiting, met = [solved.state], {solved.state}
    chosen = {}
    for state in waiting:  # grows as it goes
        if watch.is_up():
            return None
        moves: list[tuple[Term, ...]] = [state.legal(each) for each in game.roles]
        if state.is_terminal or not all(moves):
            continue
        if len(moves[seat]) > 1:
            chosen[state] = solved.decide(state, role).move
            moves[seat] = (chosen[state],)
        for joint in product(*moves):
            after = state.play(joint)
            if after not in met:
                met.add(after)
                waiting.append(after)
    return strategy_of(chosen, solved.state, role, int(solved.value(solved.state, role)))
