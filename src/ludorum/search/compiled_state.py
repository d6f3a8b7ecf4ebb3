"""Converts states of any engine to states of the circuit, for compiled searches."""

from __future__ import annotations

from ..engine.auto import best_engine
from ..engine.compiled import CompiledGame, CompiledState
from ..engine.errors import GameError
from ..engine.game import Game, State


def compiled_game(game: Game) -> CompiledGame | None:
    """The circuit behind a game, if there is one at this moment."""
    best = best_engine(game)
    return best if isinstance(best, CompiledGame) else None


def compiled_state(game: CompiledGame, state: State) -> CompiledState | None:
    """The same state in the circuit; None where it holds facts that no play can make true."""
    if isinstance(state, CompiledState) and state.game is game:
        return state
    try:
        return game.state(state.facts())
    except GameError:
        return None
