"""Moves that a role can prepare while another one chooses, in games that hide nothing.

A move is offered where it would be legal after one of the moves that the other role can make now (so a
capture on the place that this one takes is among them), or if it were the role's turn in this position.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..engine.game import Game, State
from ..rules.terms import Term, sort_key
from .choices import choices_among
from .game_look import look_of_game
from .model import MoveChoice

MOST_ANSWERED, FEWEST_ANSWERED = 100, 8
"""Moves of the other role that are tried; of more, as many that lie evenly among them."""
MOST_FOUND = 6000
"""Legal moves that are found after them: where each leaves thousands, fewer are tried."""


def premoves_of(game: Game, state: State, role: Term) -> tuple[MoveChoice, ...]:
    """The moves that a role can prepare; none where it has a choice already, or cannot tell what will be.

    GameError where the rules break on the way.
    """
    if state.is_terminal or len(state.legal(role)) > 1 or not game.info.is_open:
        return ()
    legal = [after.legal(role) for after in _coming(game, state, role) if not after.is_terminal]
    moves = {move for found in legal if len(found) > 1 for move in found}
    return choices_among(look_of_game(game), sorted(moves, key=sort_key), state.facts(), role)


def _coming(game: Game, state: State, role: Term) -> Iterator[State]:
    """Positions in which the role may have to choose next."""
    choosing = [other for other in game.roles if len(state.legal(other)) > 1]
    if len(choosing) != 1:
        return
    yield from _after_moves_of(choosing[0], state, role)
    turn = look_of_game(game).turn
    if turn is not None:
        yield game.state(_turned(fact, turn, role) for fact in state.facts())


def _after_moves_of(mover: Term, state: State, role: Term) -> Iterator[State]:
    moves = state.legal(mover)
    found = len(state.play({mover: moves[0]}).legal(role))
    most = max(FEWEST_ANSWERED, min(MOST_ANSWERED, MOST_FOUND // max(found, 1)))
    for move in moves[:: -(-len(moves) // most)]:
        yield state.play({mover: move})


def _turned(fact: Term, turn: str, role: Term) -> Term:
    return Term(turn, (role,)) if fact.signature == (turn, 1) else fact
