"""Boxes of sheets that are ground step by step: the same knowledge, whatever was ground."""

from __future__ import annotations

import pytest

from ludorum.engine.lifted import LiftedGame
from ludorum.knowledge.boxes.box_knower import BoxKnower
from ludorum.knowledge.boxes.ground_sheet import TooManyRulesError, ground_sheet
from ludorum.knowledge.boxes.lifted_knower import LiftedKnower
from ludorum.knowledge.boxes.make_box_knower import make_box_knower
from ludorum.knowledge.boxes.stepwise_knower import StepwiseKnower
from ludorum.knowledge.knower import ImpossiblePerceptsError
from ludorum.rules.kif import parse_kif
from ludorum.rules.terms import Term
from tests.how_much import sample, some
from tests.knowledge.boxes.followed import HIDDEN, followed, players, ready, says


@pytest.mark.parametrize("level", [0, 4])
@pytest.mark.parametrize("name", sample(HIDDEN, 6))
def test_a_program_for_each_step_says_the_same_as_one_for_all(name: str, level: int) -> None:
    game, box = ready(name)
    assert game.rules is not None
    role = players(game)[0]
    ours, theirs = StepwiseKnower(game.rules, role, level), BoxKnower(box, role, level)
    for seed in range(some(4, 4)):
        ours.restart()
        theirs.restart()
        longest = some(20, 4)
        runs = zip(followed(ours, game, seed, longest), followed(theirs, game, seed, longest), strict=True)
        for _ in runs:
            assert says(ours) == says(theirs)


def test_an_impossible_percept_changes_nothing() -> None:
    game, _ = ready("monty_hall")
    assert game.rules is not None
    knower = StepwiseKnower(game.rules, Term("candidate"))
    before = says(knower)
    with pytest.raises(ImpossiblePerceptsError):
        knower.update(Term("choose", (Term("1"),)), [Term("elephant")])
    assert (says(knower), knower.step) == (before, 0)


def test_a_sheet_with_too_many_rules_is_not_ground_as_a_whole() -> None:
    game, _ = ready("monty_hall")
    assert game.rules is not None
    with pytest.raises(TooManyRulesError, match="more than 20 rules"):
        ground_sheet(game.rules, in_process=True, most_rules=20)
    few = make_box_knower(game, Term("candidate"), most_rules=20)
    step_by_step = make_box_knower(game, Term("candidate"), level=1, most_rules=20)
    all_at_once = make_box_knower(game, Term("candidate"), level=5)
    assert isinstance(few, LiftedKnower)
    assert isinstance(step_by_step, StepwiseKnower)
    assert isinstance(all_at_once, BoxKnower)
    assert not isinstance(all_at_once, StepwiseKnower)
    assert says(few) == says(step_by_step) == says(all_at_once)


def test_unusual_rules_are_ground_step_by_step() -> None:
    rules = parse_kif("(role me) (legal me go) (init b) (<= terminal (does me go) (true b))")
    found = make_box_knower(LiftedGame(rules), Term("me"), most_rules=0)
    assert isinstance(found, StepwiseKnower)
