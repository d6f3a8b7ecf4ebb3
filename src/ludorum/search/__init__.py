"""Tree searches over any ``Game``, with compiled cores where there is a circuit.

A searcher is made for a game, keeps what it learns between calls, and answers ``search(state, role, budget)``
with a ``Decision``. May import engine, asp and rules.
"""

from .alphabeta import AlphaBeta
from .alphabeta_config import AlphaBetaConfig
from .budget import Budget, Stopwatch
from .decision import Choice, Decision, Searcher
from .evaluation import Evaluation, FactWeights, PlayoutMean
from .exact import Solved, solve
from .maxn import MaxN, MaxNConfig
from .mcts import Mcts
from .mcts_config import MctsConfig
from .plan import Plan
from .single_player import SinglePlayer, SinglePlayerConfig

__all__ = [
    "AlphaBeta",
    "AlphaBetaConfig",
    "Budget",
    "Choice",
    "Decision",
    "Evaluation",
    "FactWeights",
    "MaxN",
    "MaxNConfig",
    "Mcts",
    "MctsConfig",
    "Plan",
    "PlayoutMean",
    "Searcher",
    "SinglePlayer",
    "SinglePlayerConfig",
    "Solved",
    "Stopwatch",
    "solve",
]
