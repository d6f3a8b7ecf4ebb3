"""Boxes without grounding: the same knowledge as with ground rules, step by step."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ludorum.engine.game import Game
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.knowledge.boxes.box_game import BoxGame, box_game
from ludorum.knowledge.boxes.box_knower import BoxKnower
from ludorum.knowledge.boxes.flat_rules import NotLiftedError
from ludorum.knowledge.boxes.ground_sheet import TooManyRulesError, ground_sheet
from ludorum.knowledge.boxes.lifted_knower import LiftedKnower
from ludorum.knowledge.boxes.stepwise_knower import StepwiseKnower
from ludorum.knowledge.knower import ImpossiblePerceptsError, Knower, Truth
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.ruleset import Ruleset
from ludorum.rules.terms import Term
from tests.corpus_location import corpus_folder
from tests.how_much import sample, some
from tests.knowledge.boxes.followed import HIDDEN, check_sound, followed, players, ready, says
from tests.knowledge.boxes.random_sheets import random_sheet

ME = Term("me")
FOLDER = corpus_folder()
PUBLISHED = sorted((FOLDER / "gdl2").glob("*.kif")) if FOLDER else []


def boxed(rules: Ruleset) -> BoxKnower:
    return BoxKnower(BoxGame(ground_sheet(rules, in_process=True)), ME)


def facts(*texts: str) -> set[Term]:
    return set(map(parse_term, texts))


def told(knower: Knower, move: Term, percepts: list[Term]) -> bool:
    """Tell a step; false where it cannot be."""
    try:
        knower.update(move, percepts)
    except ImpossiblePerceptsError:
        return False
    return True


@pytest.mark.long
@pytest.mark.parametrize("name", sample(HIDDEN, 5))
def test_rules_with_variables_say_the_same_as_ground_rules(name: str) -> None:
    game, box = ready(name)
    assert game.rules is not None
    for role in players(game):
        ours, theirs = LiftedKnower(game.rules, role), BoxKnower(box, role)
        for seed in range(some(6, 6)):
            ours.restart()
            theirs.restart()
            longest = some(20, 3)
            for state in followed(ours, game, seed, longest):
                if state.joint is not None:
                    theirs.update(state.joint[game.roles.index(role)], state.percepts(role))
                assert says(ours) == says(theirs)
                if state.is_terminal:
                    ours.stop()
                    theirs.stop()
                    assert says(ours) == says(theirs)


@pytest.mark.parametrize("seed", sample(range(300), 12))
def test_random_sheets_are_known_alike_in_their_matches(seed: int) -> None:
    rules = random_sheet(seed)
    game = LiftedGame(rules)
    ours, theirs = LiftedKnower(rules, ME), boxed(rules)
    for match in range(2):
        ours.restart()
        theirs.restart()
        for state, _ in zip(followed(ours, game, match, 8), followed(theirs, game, match, 8), strict=True):
            assert says(ours) == says(theirs)
            check_sound(ours, state)


@pytest.mark.parametrize("seed", sample(range(300), 12))
def test_random_sheets_are_known_alike_whatever_is_told(seed: int) -> None:
    rules, chance = random_sheet(seed), random.Random(seed)
    ours, theirs = LiftedKnower(rules, ME), boxed(rules)
    percepts = sorted(theirs.sheet.sees[ME], key=str)
    for _ in range(30):
        move = chance.choice(sorted(ours.possible_legal(), key=str))
        seen = [percept for percept in percepts if chance.random() < 0.4]
        assert told(ours, move, seen) == told(theirs, move, seen)
        assert says(ours) == says(theirs)


def test_an_absent_percept_refutes_its_one_open_reason() -> None:
    knower = LiftedKnower(parse_kif(HIDE), ME)
    knower.update(Term("noop"), [])
    assert knower.possible_facts() == facts("hidden", "(at a)", "(at b)", "(at c)")
    assert knower.known_facts() == facts("hidden")
    knower.update(parse_term("(look b)"), [])
    assert knower.possible_facts() == facts("hidden", "(at a)", "(at c)")
    knower.update(parse_term("(look a)"), [Term("found")])
    assert knower.known_facts() == facts("hidden", "(at a)")
    assert knower.possible_facts() == facts("hidden", "(at a)", "(at c)")
    assert knower.grounded == 0


def test_a_percept_that_cannot_be_changes_nothing() -> None:
    knower = LiftedKnower(parse_kif(HIDE), ME)
    before = says(knower)
    for move, percept in (("noop", "found"), ("noop", "elephant"), ("(look d)", "found")):
        with pytest.raises(ImpossiblePerceptsError):
            knower.update(parse_term(move), [parse_term(percept)])
        assert (says(knower), knower.step) == (before, 0)


HIDE = """
(role me) (role you) (place a) (place b) (place c)
(legal me noop)
(<= (legal me (look ?x)) (place ?x))
(<= (legal you (hide ?x)) (place ?x) (not (true hidden)))
(<= (legal you noop) (true hidden))
(next hidden)
(<= (next (at ?x)) (does you (hide ?x)))
(<= (next (at ?x)) (true (at ?x)))
(<= (sees me found) (does me (look ?x)) (true (at ?x)))
"""


def test_where_rails_are_not_exact_the_step_is_ground() -> None:
    """What needs a fact and its opposite may be on rails, and is impossible."""
    sheet = parse_kif(HIDE + "(<= (next (odd ?x)) (true (at ?x)) (not (true (at ?x))))")
    knower, box = LiftedKnower(sheet, ME), boxed(sheet)
    for _ in range(2):
        for one in (knower, box):
            one.update(Term("noop"), [])
        assert says(knower) == says(box)
    assert knower.grounded
    assert parse_term("(odd a)") not in knower.possible_facts()


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("(<= terminal (does you noop))", "depends on moves"),
        ("(<= (next heard) (sees me found))", "what is seen"),
        ("(<= p (not q)) (<= q (not p)) (<= terminal p)", "its own negation"),
    ],
)
def test_unusual_rules_are_refused(rule: str, why: str) -> None:
    with pytest.raises(NotLiftedError, match=why):
        LiftedKnower(parse_kif(HIDE + rule), ME)


@pytest.mark.long
def test_a_player_of_small_dominion_knows_all_that_the_paper_says(corpus: Path) -> None:
    game = load_game(str(corpus / "gdl2/SmallDominion2__unsw.kif"), lenient=True)
    assert game.rules is not None
    for role in players(game):
        knower = LiftedKnower(game.rules, role)
        for seed in range(some(10, 5)):
            knower.restart()
            for state in followed(knower, game, seed):
                check_sound(knower, state)
                assert knower.knows_legal or state.is_terminal
            assert (knower.terminal(), knower.grounded) == (Truth.TRUE, 0)
            assert knower.goal is not None


@pytest.mark.slow
def test_small_dominion_is_known_as_if_it_were_ground(corpus: Path) -> None:
    game = load_game(str(corpus / "gdl2/SmallDominion2__unsw.kif"), lenient=True)
    assert game.rules is not None
    for role in players(game):
        ours, theirs = LiftedKnower(game.rules, role), StepwiseKnower(game.rules, role)
        for _ in zip(followed(ours, game, seed=1), followed(theirs, game, seed=1), strict=True):
            assert says(ours) == says(theirs)
        assert ours.grounded == 0


@pytest.mark.slow
@pytest.mark.corpus
@pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: path.stem)
def test_published_sheets_are_known_as_if_they_were_ground(path: Path) -> None:
    """Sheets too large to ground are compared with the true states alone; unusual ones are left out."""
    game = load_game(str(path), lenient=True)
    assert game.rules is not None
    box = _box_of(game)
    for role in players(game)[:2]:
        try:
            ours = LiftedKnower(game.rules, role)
        except NotLiftedError:
            continue
        theirs = None if box is None else BoxKnower(box, role)
        for state in followed(ours, game, seed=1, longest=8):
            check_sound(ours, state)
            if theirs is not None:
                if state.joint is not None:
                    theirs.update(state.joint[game.roles.index(role)], state.percepts(role))
                assert says(ours) == says(theirs)


def _box_of(game: Game) -> BoxGame | None:
    try:
        return box_game(game)
    except TooManyRulesError:
        return None
