"""Rewrites that keep the meaning of rules, one small pass a file.

``normalise`` is the chain an engine starts with: rules as read (and made safe) come in, and rules that are
cheaper to instantiate and have the same answers go out. New relations get names no rule of the sheet uses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..ruleset import Ruleset
from .decompose_bodies import decompose_bodies, decompose_wide_bodies
from .demand import demand, loose_demand
from .drop_unneeded_rules import drop_unneeded_rules
from .evaluate_static import evaluate_static
from .expand_connectives import expand_connectives, literal_bodies
from .merge_alternatives import merge_alternatives
from .split_negations import split_negations
from .unfold_alternatives import unfold_alternatives
from .unfold_single_use import unfold_single_use

Pass = Callable[[Ruleset], Ruleset]

PASSES: dict[str, Pass] = {
    made.__name__: made
    for made in (drop_unneeded_rules, expand_connectives, unfold_single_use, decompose_bodies)
}
"""The passes every sheet goes through, by name, in the order they are applied."""

RESCUE: dict[str, Pass] = {
    made.__name__: made
    for made in (
        drop_unneeded_rules,
        expand_connectives,
        unfold_single_use,
        merge_alternatives,
        unfold_alternatives,
        split_negations,
        decompose_wide_bodies,
        loose_demand,
    )
}
"""The passes for sheets with too many instances."""

ALL_PASSES: dict[str, Pass] = {**PASSES, **RESCUE, "demand": demand, "evaluate_static": evaluate_static}
"""All passes, also those that only some sheets need."""

__all__ = [
    "ALL_PASSES",
    "PASSES",
    "RESCUE",
    "decompose_bodies",
    "decompose_wide_bodies",
    "demand",
    "drop_unneeded_rules",
    "evaluate_static",
    "expand_connectives",
    "literal_bodies",
    "loose_demand",
    "merge_alternatives",
    "normalise",
    "split_negations",
    "unfold_alternatives",
    "unfold_single_use",
]


def normalise(ruleset: Ruleset, passes: Iterable[str] | None = None) -> Ruleset:
    """The rules after the named passes, in the order given; by default all of ``PASSES``."""
    for name in PASSES if passes is None else passes:
        ruleset = ALL_PASSES[name](ruleset)
    return ruleset
