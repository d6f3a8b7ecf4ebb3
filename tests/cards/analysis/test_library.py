"""Every chart of the library is analysed in seconds, and says what is worth having, or why nothing is."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import cache

import pytest

from ludorum.cards.analysis import ChartAnalysis, analyse
from ludorum.cards.heuristic import USUAL
from ludorum.cards.load import load_card_game
from ludorum.cards.machine.game import CardState
from ludorum.cards.machine.outcome import goals
from ludorum.engine.game import Game
from ludorum.engine.sight import Position
from ludorum.experiments.paired import play_game
from ludorum.players import Player, make_player
from ludorum.players.card_player import CardPlayer
from ludorum.rules.library import chart_sheets
from ludorum.rules.terms import Term
from tests.how_much import sample

NAMES = [str(sheet.name) for sheet in chart_sheets()]
WITHOUT_WEIGHTS = {
    "gin_rummy": "deadwood",
    "ninety_nine": "playerHas",
    "war": "nobody has a choice",
}
"""Charts with nothing to count beforehand, and a word of the reason that is given."""


@cache
def analysed(name: str) -> tuple[ChartAnalysis, float]:
    rules = load_card_game(name).chart
    before = time.process_time()
    found = analyse(rules)
    return found, time.process_time() - before


@pytest.mark.long
@pytest.mark.spec("card-games-fcdl", 91)
@pytest.mark.parametrize("name", sample([*NAMES[1:], NAMES[0]], 12))
def test_every_chart_has_weights_or_says_why_not(name: str) -> None:
    found, seconds = analysed(name)
    assert found.main_loop.header in load_card_game(name).chart.nodes
    assert seconds < 25.0  # measured alone: below 5 s; what explodes takes minutes
    told = [one.message for one in found.warnings if one.code == "no-weights"]
    if name in WITHOUT_WEIGHTS:
        assert WITHOUT_WEIGHTS[name] in told[0]
        assert not found.heuristics
    else:
        assert not told
        assert any(one.weight for one in found.heuristics)


FURTHER = {
    "whist_two": "two-player whist with fixed trumps",
    "hearts_two": "a penalty for a suit",
    "knockout_whist": "a changing hand size",
    "switch": "Mau-Mau",
    "four_colours": "like Uno",
    "go_fish": "a collection game",
    "spades": "a fixed trump suit",
    "whist": "four players",
}
"""The games to be added beyond the thesis."""
LONG = ("spades", "whist", "go_fish", "four_colours")


@pytest.mark.spec("card-games-fcdl", 91)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG)) for name in FURTHER]
)
def test_each_further_game_is_played_to_its_end_by_what_was_analysed(name: str) -> None:
    """By the generated player in one seat, from percepts alone, without another way of thinking."""
    game = load_card_game(name)
    own = CardPlayer(3, replace(USUAL, n_worlds=2))
    rest = {role: make_player("random", at) for at, role in enumerate(game.players)}
    decided = []

    class Noted(Player):
        name = "noted"

        def start(self, game: Game, role: Term, seconds: float) -> None:
            own.start(game, role, seconds)

        def observe(self, position: Position) -> None:
            own.observe(position)

        def choose(self, position: Position, seconds: float) -> Term:
            move = own.choose(position, seconds)
            assert move in position.legal
            if len(position.legal) > 1:
                assert own.card_decision is not None, "by its worlds and weights"
                decided.append(own.card_decision.values)
            return move

    end = play_game(game, {**rest, game.players[0]: Noted()}, deal=14)
    assert isinstance(end, CardState)
    assert end.is_terminal
    assert not end.position.is_broken_off
    assert [end.goal(role) for role in game.players] == list(goals(end.position))
    assert max(goals(end.position)) > min(goals(end.position))
    assert len(decided) >= 5
    assert any(len(set(values.values())) > 1 for values in decided), "moves are told apart"


@pytest.mark.long
@pytest.mark.parametrize(
    "name", sample(["old_maid", "hearts", "casino", "go_fish", "euchre", "president"], 3)
)
def test_charts_with_too_many_ways_are_sampled_and_tell_it(name: str) -> None:
    found, _ = analysed(name)
    assert any(one.code == "sampled" for one in found.warnings)


def properties(name: str) -> set[str]:
    return {str(one) for one in analysed(name)[0].properties}


@pytest.mark.long
def test_a_prize_for_the_last_card_makes_cards_a_burden() -> None:
    """Sevens and president pay prizes in the middle of the loop, cheat ends when a hand is empty."""
    for name in ("sevens", "cheat", "president"):
        assert {"minimise cardsRemaining(me)", "maximise cardsRemaining(otherPlayer(1))"} <= properties(name)


@pytest.mark.long
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


@pytest.mark.long
def test_tricks_that_meet_a_bid_are_worth_having_for_both_partners() -> None:
    """What follows plainly from the score is not undone by what follows in a roundabout way."""
    assert {"maximise tricks(me)", "maximise tricks(otherPlayer(2))"} <= properties("spades")
    assert {"minimise tricks(otherPlayer(1))", "minimise tricks(otherPlayer(3))"} <= properties("spades")


@pytest.mark.long
def test_every_heart_of_a_trick_costs_who_takes_it() -> None:
    weights = {one.weight for one in analysed("hearts")[0].heuristics}
    assert min(weights) < -13 < 0 < max(weights)
