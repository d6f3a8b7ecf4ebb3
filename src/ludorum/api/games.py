"""Games by name: the list of the library, and random games of any."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ..engine.errors import GameError
from ..engine.game import Game
from ..engine.load import load_game
from ..rules.library import chart_sheets, library_sheets, wdl_sheets

if TYPE_CHECKING:
    from ..engine.results import PlayoutResults

GameLike: TypeAlias = Game | str
"""A game, or a text that stands for one: a library name, or the path of a rule sheet."""


def list_games() -> dict[str, str]:
    """The games of the library: their names, and their titles.

    >>> import ludorum
    >>> ludorum.list_games()["connect_four"]
    'Connect Four'
    """
    sheets = sorted([*library_sheets(), *wdl_sheets(), *chart_sheets()], key=lambda sheet: sheet.name)
    return {sheet.name: sheet.info.title for sheet in sheets}


def playouts(
    game: GameLike, count: int, *, seed: int = 0, max_steps: int = 0, threads: int = 1
) -> PlayoutResults:
    """Random games: goal values and length of each, as arrays; the same seed gives the same games.

    A game given by name is compiled, and played by joins over its facts where it has no circuit. A game ends
    where the rules say so, where a role has no move, or after ``max_steps`` joint moves (0: any length).

    >>> import ludorum
    >>> found = ludorum.playouts("connect_four", 100_000, seed=1)
    >>> found.goals.shape, int(found.lengths.min()), int(found.lengths.max())
    ((100000, 2), 7, 42)
    >>> {role: round(mean) for role, mean in found.means().items()}
    {'red': 56, 'yellow': 44}
    """
    return compiled_game(game).playouts(count, seed=seed, max_steps=max_steps, threads=threads)


def compiled_game(game: GameLike) -> Game:
    """The game, compiled where it is given by name and can be compiled."""
    if isinstance(game, Game):
        return game
    try:
        return load_game(game, "compiled")
    except GameError:
        return load_game(game, "lifted")


def as_game(game: GameLike, engine: str = "lifted") -> Game:
    """The game itself, or the one that a name stands for."""
    return game if isinstance(game, Game) else load_game(game, engine)
