"""Hyper-play: random worlds that agree with all a player has seen, so that hidden cards can be played open.

In comes a ``Knowledge``, out come complete positions, each consistent world as likely, or weighted by what
players chose. ``Sampler`` counts exactly; ``asp`` asks clingo for the same worlds.
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
