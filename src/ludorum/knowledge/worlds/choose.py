"""The sampler that suits a game: packed where it has a circuit, else plain."""

from __future__ import annotations

from ...engine.compiled import CompiledGame
from ...engine.game import Game
from ...rules.terms import Term
from .packed import PackedWorlds
from .plain import PlainWorlds
from .sampler import MoveModel, Reinvent, WorldSampler

FEW_WORLDS = 200
FEW_PLAYS = 400
FEW_TRIED = 800
"""Bounds of plain worlds in a match: of large sheets the lifted engine plays a hundred moves a second."""


def worlds_for(
    game: Game,
    role: Term,
    seed: int = 0,
    *,
    model: MoveModel | None = None,
    reinvent: Reinvent | None = None,
    keep_views: bool = False,
) -> WorldSampler:
    """A sampler for a match that begins.

    >>> import ludorum
    >>> game = ludorum.load_game("monty_hall_random", "compiled")
    >>> worlds = worlds_for(game, game.role("candidate"))
    >>> worlds.update(game.initial().legal("candidate")[0], [])
    >>> worlds.size, worlds.is_exact
    (3, True)
    """
    if isinstance(game, CompiledGame):
        return PackedWorlds(game, role, seed, model=model, reinvent=reinvent, keep_views=keep_views)
    return PlainWorlds(
        game,
        role,
        seed,
        most=FEW_WORLDS,
        most_plays=FEW_PLAYS,
        most_tried=FEW_TRIED,
        model=model,
        reinvent=reinvent,
        keep_views=keep_views,
    )
