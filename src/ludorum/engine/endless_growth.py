"""Whether play nests terms in terms without end: such rules have no circuit, however long one waits."""

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
"""Terms nested more deeply than any author means: counters of public sheets end before."""
LIMITS = Limits(seconds=FOREVER, rows=200_000, terms=500_000, megabytes=100.0, depth=DEEP, steps=2_000_000)
"""What looking for them may cost: counted, so that every machine finds the same."""
PLAYS, LONGEST = 3, 2 * DEEP


def endless_growth(rules: Ruleset, name: str = "game") -> str:
    """What makes terms grow and how far it was seen, in words; nothing where that is not seen in some plays.

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
    except GameError:  # too dear to be played, or nothing to be played: others say so
        pass
    return ""
