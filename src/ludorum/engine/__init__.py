"""Engines: a ``Ruleset`` in, a ``Game`` with its ``State``s out. May import ``rules`` and ``asp``.

``game`` is the interface of all engines; ``reference`` is slow and obviously right; ``lifted`` answers at
once on every sheet; ``check_game`` tests the promises of the interface on any game.
"""

from .check_game import GameFault, check_game
from .errors import GameError, IllegalMoveError, MalformedStateError
from .game import Game, GameInfo, JointMove, Known, State, Status, View, format_facts, parse_facts, parse_move
from .lifted import LiftedGame, LiftedState, LimitError, Playouts
from .lifted_program import Limits
from .load import DEFAULT_ENGINE, ENGINES, load_game, load_rules, make_game
from .perft import Exploration, explore, perft
from .playthrough import playthrough
from .reference import ReferenceGame, ReferenceState

__all__ = [
    "DEFAULT_ENGINE",
    "ENGINES",
    "Exploration",
    "Game",
    "GameError",
    "GameFault",
    "GameInfo",
    "IllegalMoveError",
    "JointMove",
    "Known",
    "LiftedGame",
    "LiftedState",
    "LimitError",
    "Limits",
    "MalformedStateError",
    "Playouts",
    "ReferenceGame",
    "ReferenceState",
    "State",
    "Status",
    "View",
    "check_game",
    "explore",
    "format_facts",
    "load_game",
    "load_rules",
    "make_game",
    "parse_facts",
    "parse_move",
    "perft",
    "playthrough",
]
