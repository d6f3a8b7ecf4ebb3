"""Exact values of games, and strategies that keep them.

Input: a ``Game`` and a state of it. Output: a ``Solution`` with the value for each role, the moves that
keep it, and strategies that ``check_strategy`` tries against every answer.
"""

from .check_strategy import StrategyCheck, check_strategy
from .prover import ProverConfig, ValueProver
from .solution import Solution, SolutionMethod
from .solve_game import SolveConfig, solve_game
from .strategy import Strategy, StrategyError, load_strategy

__all__ = [
    "ProverConfig",
    "Solution",
    "SolutionMethod",
    "SolveConfig",
    "Strategy",
    "StrategyCheck",
    "StrategyError",
    "ValueProver",
    "check_strategy",
    "load_strategy",
    "solve_game",
]
