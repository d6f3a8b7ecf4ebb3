"""The tree of any game whose tree is small enough: in lanes where the game has a circuit."""

from __future__ import annotations

from collections.abc import Callable

from ...engine.compiled import CompiledGame
from ...engine.game import Game, State
from .game_tree import MOST_NODES, GameTree
from .plain_tree import make_plain_tree
from .tree_in_lanes import can_use_lanes, make_tree_in_lanes


def make_tree(
    game: Game,
    state: State | None = None,
    most_nodes: int = MOST_NODES,
    progress: Callable[[int], None] | None = None,
) -> GameTree:
    """The tree of a game from a state on, the first unless given; ``progress`` is told its size so far.

    TreeTooLargeError where it has more nodes than allowed, UnknownMovesError where a role cannot know its
    legal moves, GameError where an end has no goal value or a role no move.
    """
    start = state or game.initial()
    if isinstance(game, CompiledGame) and can_use_lanes(game):
        return make_tree_in_lanes(game, start, most_nodes, progress)
    return make_plain_tree(game, start, most_nodes, progress)
