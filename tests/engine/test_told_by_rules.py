"""Games that the form of their rules shows to be open, and sheets that keep back a little."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from ludorum.engine.information import find_secret
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.engine.told_by_rules import tells_all
from ludorum.rules.kif import parse_kif
from ludorum.rules.ruleset import Ruleset
from ludorum.rules.source import Source
from ludorum.rules.wdl.sheet import read_wdl
from ludorum.rules.wdl.to_gdl2 import to_gdl2
from tests.engine.test_information import confused
from tests.how_much import some
from tests.random_games import random_games

RACE = """
; Nature rolls for one of two runners, who then may run as far or stay.
(role random) (role ann) (role bob)
(die 1) (die 2) (die 3)
(init (turn ann)) (init (at ann 0)) (init (at bob 0))
(other ann bob) (other bob ann)
(<= (legal random (roll ?n)) (die ?n) (true (turn ?_p)))
(<= (legal random idle) (true (rolled ?_p ?_n)))
(<= (legal ?p run) (true (rolled ?p ?_n)))
(<= (legal ?p stay) (true (rolled ?p ?_n)))
(<= (legal ?p idle) (role ?p) (distinct ?p random) (not (true (chooses ?p))))
(<= (next (rolled ?p ?n)) (true (turn ?p)) (does random (roll ?n)))
(<= (next (chooses ?p)) (true (turn ?p)))
(<= (next (turn ?q)) (true (rolled ?p ?_n)) (other ?p ?q))
(<= (next (at ?p ?m)) (does ?p run) (true (rolled ?p ?n)) (true (at ?p ?k)) (sum ?k ?n ?m))
(<= (next (at ?p ?k)) (true (at ?p ?k)) (not (runs ?p)))
(<= (runs ?p) (does ?p run))
(<= terminal (true (at ?_p 3)))
(<= (goal ?p 100) (role ?p) (true (at ?p 3)))
(<= (goal ?p 0) (role ?p) (not (true (at ?p 3))))
(sum 0 1 1) (sum 0 2 2) (sum 0 3 3) (sum 1 1 2) (sum 1 2 3) (sum 1 3 3) (sum 2 1 3) (sum 2 2 3) (sum 2 3 3)
"""
EVERYTHING = "(<= (sees ?r (did ?s ?m)) (role ?r) (does ?s ?m))"
ROLLS = "(<= (sees ?r (rolled ?n)) (role ?r) (does random (roll ?n)))"
CHANCE = "(<= (sees ?r (by_chance ?m)) (role ?r) (does random ?m))"
RUNS = "(<= (sees ?r (runs ?s)) (role ?r) (does ?s run))"
STAYS = "(<= (sees ?r (stays ?s)) (role ?r) (does ?s stay))"


def race(*percepts: str) -> LiftedGame:
    return LiftedGame(parse_kif("\n".join((RACE, *percepts))), "race")


def wdl(text: str) -> LiftedGame:
    sheet, faults = read_wdl(Source("small", text))
    assert not faults
    return LiftedGame(to_gdl2(sheet).rules, "small")


@pytest.mark.parametrize(
    "percepts",
    [
        (EVERYTHING,),
        # What is left is the only other move.
        (ROLLS, RUNS, STAYS),
        # Nature's part in words of its own, under a condition that the rule for it has, too.
        ("(<= (sees ?r (news ?p ?n)) (role ?r) (true (turn ?p)) (does random (roll ?n)))", RUNS, STAYS),
        # Roles are told of each other, by rules of their own.
        (CHANCE, "(<= (sees ann (bob ?m)) (does bob ?m))", "(<= (sees bob (ann ?m)) (does ann ?m))"),
    ],
)
def test_rules_that_tell_all_make_an_open_game(percepts: tuple[str, ...]) -> None:
    game = race(*percepts)
    assert game.info.is_open
    assert find_secret(game) is None
    assert not game.tells_joint_moves, "percepts tell it"


@pytest.mark.parametrize(
    "percepts",
    [
        (),
        (RUNS, STAYS),  # not what is rolled
        (ROLLS, STAYS),  # running and idling look the same
        # All but one thing.
        ("(<= (sees ?r (rolled ?n)) (role ?r) (does random (roll ?n)) (distinct ?n 2))", RUNS, STAYS),
        # A step late.
        ("(<= (sees ?r (rolled ?p ?n)) (role ?r) (true (rolled ?p ?n)))", RUNS, STAYS),
        # One role is told everything, the other one is not.
        ("(<= (sees ann (did ?s ?m)) (does ?s ?m))", RUNS, STAYS),
        # Two rules whose percepts look the same.
        (EVERYTHING, "(<= (sees ?r (did random (roll ?n))) (role ?r) (die ?n) (true (turn ?_p)))"),
        # Which role it was is left out; here the turn tells it, but not the form of the rules.
        (ROLLS, "(<= (sees ?r (did ?m)) (role ?r) (does ?s ?m) (distinct ?s random))"),
        # Only where nobody runs yet.
        ("(<= (sees ?r (rolled ?n)) (role ?r) (does random (roll ?n)) (true (at ann 0)))", RUNS, STAYS),
        # Only its own moves.
        (ROLLS, "(<= (sees ?r (did ?r ?m)) (role ?r) (does ?r ?m))"),
        # A percept that two rolls have in common.
        ("(<= (sees ?r low) (role ?r) (does random (roll 1)))", RUNS, STAYS),
    ],
)
def test_rules_that_keep_something_back_make_no_open_game(percepts: tuple[str, ...]) -> None:
    assert not race(*percepts).info.is_open


def test_roles_that_choose_at_once_are_open_where_both_are_told() -> None:
    text = """(role ann) (role bob) (<= (legal ?p (show ?h)) (role ?p) (hand ?h)) (hand flat) (hand fist)
    (<= (next (shown ?p ?h)) (does ?p (show ?h))) (<= terminal (true (shown ann ?_h)))
    (<= (goal ?p 50) (role ?p))"""
    told = "(<= (sees ?p (did ?q ?m)) (role ?p) (does ?q ?m) (distinct ?q ?p))"
    assert LiftedGame(parse_kif(text + told), "hands").info.is_open
    half = "(<= (sees ann (did bob ?m)) (does bob ?m)) (<= (sees bob flat) (does ann (show flat)))"
    assert not LiftedGame(parse_kif(text + half), "hands").info.is_open


def test_a_message_that_changes_no_state_is_a_secret_of_those_who_share_it() -> None:
    text = """(role ann) (role bob) (role cat) (word yes) (word no) (init (step 0))
    (<= (legal ann (tell ?w)) (word ?w)) (legal bob idle) (legal cat idle)
    (<= (next (step 1)) (true (step 0))) (<= terminal (true (step 1))) (<= (goal ?p 50) (role ?p))"""
    both = text + "(<= (sees ?r (told ?w)) (role ?r) (does ann (tell ?w)))"
    assert LiftedGame(parse_kif(both), "words").info.is_open
    one = text + "(<= (sees bob (told ?w)) (does ann (tell ?w)))"
    assert not LiftedGame(parse_kif(one), "words").info.is_open


@pytest.mark.long
def test_dice_games_of_the_library_are_open_and_black_jack_is_not() -> None:
    found = {
        name: load_game(name, "lifted").info for name in ("pig", "backgammon", "five_dice", "black_jack")
    }
    assert {name: info.is_open for name, info in found.items()} == {
        "pig": True, "backgammon": True, "five_dice": True, "black_jack": False
    }  # fmt: skip
    assert all(info.chance_role is not None for info in found.values())


DICE = """(role ann) (role bob) (random die 1 1) (random die 1 2) (random coin 1 1) (random coin 1 3)
(init (step 0)) (<= (legal ?p {move}) (role ?p)) {more}
(<= (next (got ?p ?n)) (does ?p (take ?n))) (<= (next (step 1)) (true (step 0)))
(<= terminal (true (step 1))) (<= (goal ?p 50) (role ?p))"""


@pytest.mark.parametrize(
    ("move", "more", "is_open"),
    [
        ("(take die)", "", True),
        ("(take (visible ?p die))", "", False),
        ("(take die)", "(visible ann (secret 7))", False),
        ("(take die)", "(<= (next (visible ann (luck ?n))) (does bob (take ?n)))", False),
        ("(take die)", "(<= (legal ann (say (visible ann hello))) (true (step 0)))", False),
        # A one that is taken may be of either: the player chose what the others cannot tell.
        ("(take die)", "(<= (legal ann (take coin)) (true (step 0)))", False),
        ("(take die)", "(<= (legal ann (toss coin)) (true (step 0)))", True),
        # A seven is never rolled, a two may be.
        ("(take die)", "(<= (legal ann (take 7)) (true (step 0)))", True),
        ("(take die)", "(<= (legal ann (take 2)) (true (step 0)))", False),
        ("(take die)", "(<= (legal ann (take ?n)) (true (step ?n)))", False),
        # Events that follow from a relation count as well.
        (
            "(take die)",
            "(<= (legal ann (take 7)) (true (step 0))) (<= (random die 1 ?n) (odd ?n)) (odd 7)",
            False,
        ),
    ],
)
def test_wdl_is_open_where_nothing_is_private(move: str, more: str, is_open: bool) -> None:
    assert wdl(DICE.format(move=move, more=more)).info.is_open is is_open


@settings(max_examples=some(50, 25), deadline=None)
@given(random_games())
def test_no_two_plays_look_the_same_in_a_game_that_is_called_open(rules: Ruleset) -> None:
    told = rules.with_rules((*rules.rules, *parse_kif(EVERYTHING).rules))
    for one in (rules, told):
        game = LiftedGame(one, "random")
        if one.has_hidden_information and tells_all(one, game.roles):
            assert not confused(game, depth=3, most=400)
