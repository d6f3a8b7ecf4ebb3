"""Compiled games of the library, made once in each process of the tests."""

from functools import cache

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.load import load_game


@cache
def compiled_game(name: str) -> CompiledGame:
    """The compiled game of a library name: the same object every time, so not for tests that change it."""
    game = load_game(name, "compiled")
    assert isinstance(game, CompiledGame)
    return game
