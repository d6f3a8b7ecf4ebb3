"""What is good: evaluation functions made from rules.

Comes in: a ``Game``, its states and the ends of matches; goes out: structures, features, and a ``Heuristic``
that says what a state is worth to a role, 0..100. May import ``engine``, ``asp`` and ``rules``.
"""

from .combinations import Disjoint, Fit, FitConfig, Overlapping, fit
from .features import Direction, Feature, Features
from .heuristic import Heuristic, single_feature
from .heuristic_store import HeuristicStore, HeuristicStoreError, Rating
from .learning import Examples, LearnConfig, examples_from, learn, play_games
from .structures import Kind, Structure, find_structures

__all__ = [
    "Direction",
    "Disjoint",
    "Examples",
    "Feature",
    "Features",
    "Fit",
    "FitConfig",
    "Heuristic",
    "HeuristicStore",
    "HeuristicStoreError",
    "Kind",
    "LearnConfig",
    "Overlapping",
    "Rating",
    "Structure",
    "examples_from",
    "find_structures",
    "fit",
    "learn",
    "play_games",
    "single_feature",
]
