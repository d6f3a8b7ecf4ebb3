"""Whether play nests terms without end: such rules have no circuit, whatever the time limit."""

from __future__ import annotations

from itertools import islice

from .._core import SplitMix64
from ..rules.growing_terms import told_growth
from ..rules.ruleset import Ruleset
from .errors import GameError
from .game import random_states
from .lifted import FOREVER, DeepTermsError, LiftedGame
from .lifted_program import Limits

DEEP = 300
"""A nesting deeper than any author intends: counters of public sheets end before."""
LIMITS = Limits(seconds=FOREVER, rows=200_000, terms=500_000, megabytes=100.0, depth=DEEP, steps=2_000_000)
"""The limits of the search for them: counted, so that every machine finds the same."""
PLAYS, LONGEST = 3, 2 * DEEP


def endless_growth(rules: Ruleset, name: str = "game") -> str:
    """The rule that makes terms grow and how deep play took them, in words; empty where no play shows it.

    Only sheets in which a rule may do so are played: of 760 public ones that are three.
    """
    growth = told_growth(rules)
    if not growth:
        return ""
    try:
        game = LiftedGame(rules, name, LIMITS)
        for seed in range(PLAYS):
            for _ in islice(random_states(game.initial(), SplitMix64(seed)), LONGEST):
                pass
    except (DeepTermsError, RecursionError):
        return f"play came to terms nested more than {DEEP} deep: {growth}"
    except GameError:  # too costly or impossible to play: other code reports that
        pass
    return ""
