"""Evaluation functions made from rules.

Input: a ``Game``, its states and the ends of matches. Output: structures, features, and a ``Heuristic`` that
gives the value of a state for a role, 0..100. May import ``engine``, ``asp`` and ``rules``.
"""

from .combinations import Disjoint, Fit, FitConfig, Overlapping, fit
from .feature import FEATURE_KINDS, Feature, FeatureSource, NoFeaturesError, feature_kind
from .features import Direction, Features
from .heuristic import Heuristic, single_feature
from .heuristic_store import HeuristicRating, HeuristicStore, HeuristicStoreError
from .learning import Examples, LearnConfig, examples_from, learn, play_games
from .structures import Structure, StructureKind, find_structures

__all__ = [
    "FEATURE_KINDS",
    "Direction",
    "Disjoint",
    "Examples",
    "Feature",
    "FeatureSource",
    "Features",
    "Fit",
    "FitConfig",
    "Heuristic",
    "HeuristicRating",
    "HeuristicStore",
    "HeuristicStoreError",
    "LearnConfig",
    "NoFeaturesError",
    "Overlapping",
    "Structure",
    "StructureKind",
    "examples_from",
    "feature_kind",
    "find_structures",
    "fit",
    "learn",
    "play_games",
    "single_feature",
]
