"""Heaps, coins, points, dice and cards among the facts are found without names and drawn as what they are."""

from itertools import islice

import pytest

from ludorum.engine.load import load_game
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from ludorum.scene import scene_of, sight_of
from ludorum.scene.amounts import dice_of, find_amounts
from ludorum.scene.model import CardFace, Dice, FactAmount, FactGroup


def state(text: str) -> frozenset[Term]:
    return frozenset(map(parse_term, text.split(", ")))


@pytest.mark.parametrize(
    ("states", "found"),
    [
        (("(heap a 3), (heap b 2)", "(heap a 1), (heap b 2)"), {("heap", 2)}),
        (("(coins 0)", "(coins 5)"), {("coins", 1)}),
        # A place is no amount: its row comes and goes.
        (("(ship ann 3 4)", "(ship ann 4 4)"), set()),
        # What never changes says nothing of how many there are.
        (("(car 2)", "(car 2)"), set()),
        (("(holds ann 3), (holds ann 4)", "(holds ann 3)"), set()),
        (("(level high)", "(level 3)"), set()),
        (("(far 0)", "(far 1000000)"), set()),
        (("open", "open"), set()),
    ],
)
def test_amounts_are_numbers_of_rows_that_stay(states: tuple[str, ...], found: set[tuple[str, int]]) -> None:
    assert find_amounts(list(map(state, states))) == found


@pytest.mark.parametrize(
    ("fact", "faces"),
    [
        ("(die ann 4)", (4,)),
        ("(dice 41)", (4, 1)),
        ("(die ann 7)", ()),
        ("(die ann)", ()),
        ("(side ann 4)", ()),
    ],
)
def test_dice_are_known_by_their_names(fact: str, faces: tuple[int, ...]) -> None:
    assert dice_of(parse_term(fact)) == faces


def groups_of(name: str, seed: int, step: int) -> dict[str, FactGroup]:
    """The facts of a step of a random match when it is over and all is open, by their name."""
    states = list(islice(load_game(name).playout(seed), step + 1))
    game = states[0].game
    return {group.name: group for group in scene_of(game, sight_of(game, states, None, is_over=True)).facts}


def test_heaps_of_nim_are_counted() -> None:
    assert groups_of("nim", 1, 0)["heap"] == FactGroup(
        "heap",
        ("a 1", "b 3", "c 5", "d 7"),
        amounts=(FactAmount("a", 1), FactAmount("b", 3), FactAmount("c", 5), FactAmount("d", 7)),
    )


def test_dice_lie_as_they_fell() -> None:
    die = groups_of("liars_dice", 3, 2)["die"]
    assert die.entries == ("alice 4", "bob 2")
    assert die.dice == (Dice("alice", (4,)), Dice("bob", (2,)))


def test_cards_on_the_table_have_faces() -> None:
    dealt = groups_of("blackjack", 3, 1)["dealt"]
    assert dealt.cards == (CardFace("4", "♦", "red", "4 of diamonds"),)
