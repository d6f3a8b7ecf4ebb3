"""Drop rules that no question about a game can need: unused helpers, ``base`` and ``input``."""

from __future__ import annotations

from ..dependencies import Dependencies
from ..keywords import ANSWERS, HINTS, KEYWORD_ARITIES
from ..ruleset import Ruleset

NEEDED = tuple((name, KEYWORD_ARITIES[name]) for name in sorted(ANSWERS - HINTS))
"""The relations that engines are asked for."""


def drop_unneeded_rules(ruleset: Ruleset) -> Ruleset:
    """The rules that matter for some answer, in text order. ``base`` stays where other rules use it."""
    return ruleset.with_rules(dict.fromkeys(Dependencies(ruleset).slice(NEEDED)))
