"""Hyper-play (determinization): random worlds that agree with all percepts, in which hidden cards are open.

In comes a ``Knowledge``, out come complete positions, each consistent world as likely, or weighted by the
players' choices. ``Sampler`` counts exactly; ``asp`` asks clingo for the same worlds.
"""

from .unknowns import WorldsError
from .weights import Policy, Weighting, equally_likely, with_mistakes
from .worlds import Sampler, World, WorldSource, sample_worlds

__all__ = [
    "Policy",
    "Sampler",
    "Weighting",
    "World",
    "WorldSource",
    "WorldsError",
    "equally_likely",
    "sample_worlds",
    "with_mistakes",
]
