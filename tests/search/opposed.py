"""Games of two whose goals are known to add up to 100."""

from dataclasses import replace

from ludorum.engine.game import Game, Known, Status


def opposed(game: Game) -> Game:
    """The game with that noted as proved: what trees find out by it, they may call proven."""
    game.info = replace(game.info, constant_sum=Known(100, Status.PROVED))
    return game
