"""Every chart of the library is analysed in seconds, and says what is worth having, or why nothing is."""

from __future__ import annotations

import time
from functools import cache

import pytest

from ludorum.cards.analysis import Analysis, analyse
from ludorum.cards.load import load_card_game
from ludorum.rules.library import chart_sheets

NAMES = [str(sheet.name) for sheet in chart_sheets()]
WITHOUT_WEIGHTS = {
    "gin_rummy": "deadwood",
    "ninety_nine": "playerHas",
    "war": "nobody has a choice",
}
"""Charts with nothing to count beforehand, and a word of the reason that is given."""


@cache
def analysed(name: str) -> tuple[Analysis, float]:
    rules = load_card_game(name).chart
    before = time.process_time()
    found = analyse(rules)
    return found, time.process_time() - before


@pytest.mark.spec("card-games-fcdl", 91)
@pytest.mark.parametrize("name", NAMES)
def test_every_chart_has_weights_or_says_why_not(name: str) -> None:
    found, seconds = analysed(name)
    assert found.main_loop.header in load_card_game(name).chart.nodes
    assert seconds < 8.0  # measured alone: below 5 s
    told = [one.message for one in found.warnings if one.code == "no-weights"]
    if name in WITHOUT_WEIGHTS:
        assert WITHOUT_WEIGHTS[name] in told[0]
        assert not found.heuristics
    else:
        assert not told
        assert any(one.weight for one in found.heuristics)


@pytest.mark.parametrize("name", ["casino", "euchre", "go_fish", "hearts", "old_maid", "president"])
def test_charts_with_too_many_ways_are_sampled_and_tell_it(name: str) -> None:
    found, _ = analysed(name)
    assert any(one.code == "sampled" for one in found.warnings)


def properties(name: str) -> set[str]:
    return {str(one) for one in analysed(name)[0].properties}


def test_a_prize_for_the_last_card_makes_cards_a_burden() -> None:
    """Sevens and president pay prizes in the middle of the loop, cheat ends when a hand is empty."""
    for name in ("sevens", "cheat", "president"):
        assert {"minimise cardsRemaining(me)", "maximise cardsRemaining(otherPlayer(1))"} <= properties(name)


def test_ways_drawn_at_random_speak_by_their_number() -> None:
    """On some ways of president others with many cards go out first; most say that few cards are good.

    The prize is the same for all: who is out makes it smaller for the others, which is good for one and bad
    for them, so nothing can be said of it.
    """
    found = {one for one in properties("president") if "score" not in one}
    others = {f"maximise cardsRemaining(otherPlayer({seat}))" for seat in (1, 2, 3)}
    assert found == {"minimise cardsRemaining(me)"} | others
    weights = {one.weight for one in analysed("president")[0].heuristics}
    assert min(weights) < 0 < max(weights)  # a card of mine that goes is worth 1, one of others costs 1


def test_tricks_that_meet_a_bid_are_worth_having_for_both_partners() -> None:
    """What follows plainly from the score is not undone by what follows in a roundabout way."""
    assert {"maximise tricks(me)", "maximise tricks(otherPlayer(2))"} <= properties("spades")
    assert {"minimise tricks(otherPlayer(1))", "minimise tricks(otherPlayer(3))"} <= properties("spades")


def test_every_heart_of_a_trick_costs_who_takes_it() -> None:
    weights = {one.weight for one in analysed("hearts")[0].heuristics}
    assert min(weights) < -13 < 0 < max(weights)
