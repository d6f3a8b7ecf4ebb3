"""What a role is asked to do, as a sentence."""

from __future__ import annotations

from ..engine.game import Game, State
from ..rules.terms import Term
from ..show.board import spaced
from .card_games import is_card_game
from .game_look import GameLook, look_of_game
from .waiting import is_deed, waits

MOST_LISTED = 6
"""Moves that the question names."""


def asked(game: Game, state: State, role: Term) -> str:
    """The question to a role: ``Choose a card to pass.``; empty where nobody waits for it."""
    legal = () if state.is_terminal else state.legal(role)
    if not legal or (len(legal) == 1 and game.info.is_open):
        return ""
    if is_card_game(game):
        if not is_deed(legal):
            return ""
        from ..cards.machine.game import CardState
        from .card_words import prompt_of

        assert isinstance(state, CardState)
        return prompt_of(state, legal)
    look = look_of_game(game)
    doing = [move for move in legal if not waits(move)]
    names = {move.name for move in doing}
    places = {_places(look, move) for move in doing}
    if look.look == "holes" and places == {0}:
        return "Choose a column."
    if len(names) == 1 and places == {1} and len(doing) > 1:
        return _place_question(next(iter(names)))
    if min(places, default=0) >= 2:
        return "Move a piece."
    if len(legal) == 1:
        return f"There is one move: {_listed(look, legal)}."
    if len(legal) <= MOST_LISTED:
        return f"Choose: {_listed(look, legal)}."
    return f"Choose what to {spaced(next(iter(names)))}." if len(names) == 1 else "Choose a move."


def _places(look: GameLook, move: Term) -> int:
    """How many places a move names."""
    if look.points is not None:
        return len(look.points.moved(move) or ())
    return 0 if look.grid is None else len(look.grid.places_in(move))


def _place_question(name: str) -> str:
    if name in ("place", "put", "set"):
        return "Choose a place."
    return "Choose where to move." if name == "move" else f"Choose a place to {spaced(name)}."


def _listed(look: GameLook, legal: tuple[Term, ...]) -> str:
    from .card_words import listed_words

    return listed_words([look.words.label(move) for move in legal])
