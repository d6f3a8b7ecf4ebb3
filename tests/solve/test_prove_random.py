"""Induction against exhaustive search on random sheets: faulty, odd, and never seen before."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings

from ludorum.engine.lifted import LiftedGame
from ludorum.rules.kif import parse_kif
from ludorum.rules.ruleset import Ruleset
from ludorum.search.budget import Budget
from ludorum.solve.prove import ProofLimits, Verdict, VerdictStatus, prove
from tests.how_much import some

from ..random_games import random_game, random_games
from .test_prove import bound, families, latches, replays

ASKED = ("playable", "terminates", "maximum-length", "winnable", "turn-taking", "unique-goal", "constant-sum",
         "exclusion", "persistence", "monotone-goals")  # fmt: skip
DECIDED = (VerdictStatus.PROVED, VerdictStatus.REFUTED)


def verdicts(rules: Ruleset, limits: ProofLimits) -> dict[str, Verdict]:
    return {each.property: each for each in prove(rules, ASKED, Budget(seconds=10), limits=limits)}


def check(rules: Ruleset) -> None:
    # Few plays: what is wrong shall be found by proof, not by luck.
    whole = verdicts(rules, ProofLimits(states=3000, induct=False, plays=2))
    if whole["exclusion"].method != "exhaustive":
        return  # too many states for an oracle
    inductive = verdicts(rules, ProofLimits(explore=False, plays=2))
    game = LiftedGame(rules, "random")
    for name in ASKED:
        one, other = whole[name], inductive[name]
        if one.status in DECIDED and other.status in DECIDED:
            assert one.status is other.status, (name, one, other)
        for verdict in (one, other):
            if verdict.status in DECIDED and verdict.witness is not None:
                assert replays(game, verdict), verdict
    assert bound(inductive["terminates"]) >= bound(whole["terminates"])
    assert families(inductive) <= families(whole)
    assert latches(inductive) <= latches(whole)


@pytest.mark.long
@settings(max_examples=some(8, 8))
@given(random_games())
def test_induction_agrees_with_all_states(rules: Ruleset) -> None:
    check(rules)


@pytest.mark.slow
@settings(max_examples=400)
@given(random_games())
def test_induction_agrees_with_all_states_many_times(rules: Ruleset) -> None:
    check(rules)


@pytest.mark.parametrize("seed", [1015, 1034])
def test_sheets_that_once_were_judged_wrongly(seed: int) -> None:
    """A counter that stands still where play never comes; a goal of 100 beside another one."""
    check(parse_kif(random_game(Random(seed))))
