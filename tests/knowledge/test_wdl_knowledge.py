"""What a role of a WDL game may conclude comes from all that is possible, not from what it was never told."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.knowledge.complete_knower import CompleteKnower
from ludorum.rules.kif import parse_term
from ludorum.rules.ruleset import RANDOM
from ludorum.rules.terms import Term
from ludorum.rules.wdl.to_gdl2 import to_gdl2
from tests.rules.wdl.sheets import sheet_of


@pytest.mark.spec("wdl", 21)
@pytest.mark.spec("filtering-gdl2", 38)
def test_the_bank_never_knows_that_a_card_it_has_not_seen_is_undealt() -> None:
    game = load_game("black_jack")
    bank = game.role("bank")
    state, knower = game.initial(), CompleteKnower(game, bank)
    for _ in range(2):  # a card for the bank, then one for the player
        state = state.play([state.legal(role)[-1 if str(role) == "random" else 0] for role in game.roles])
        assert state.joint is not None
        knower.update(state.joint[0], state.percepts(bank))
    held = {
        (str(fact.args[0]), parse_term(str(fact.args[1]))) for fact in state.facts() if fact.name == "hascard"
    }
    (own,) = (card for who, card in held if who == "bank")
    (others,) = (card for who, card in held if who == "player")
    facts = {card: Term("hascard", (Term("player"), card)) for card in _cards() if card is not own}
    possible, known = knower.possible_facts(), knower.known_facts()
    assert len(facts) == 51
    assert all(fact in possible and fact not in known for fact in facts.values())
    assert facts[others] in possible
    assert parse_term(f"(hascard bank {own})") in known
    assert parse_term(f"(hascard player {own})") not in possible


def _cards() -> list[Term]:
    letters = "23456789tjqka"
    return [Term(f"cards:carddeck:{suit}{rank}") for suit in "sdch" for rank in letters]


SUMS = """
(include plus) (include greater) (set range 0 8)
(role ann) (role bob)
(random die 1 1) (random die 1 2) (random die 1 3)
(init (step 1)) (init (sum ann 0)) (init (sum bob 0))
(<= (legal ann (roll (visible ann die))) (not done))
(<= (legal bob wait) (not done))
(<= (next (sum ann ?m)) (true (sum ann ?n)) (does ann (roll ?k)) (plus:plus ?n ?k ?m))
(<= (next (sum bob ?n)) (true (sum bob ?n)))
(<= (next (step ?m)) (true (step ?n)) (plus:plus ?n 1 ?m))
(<= done (true (step 3)))
(<= terminal done)
(<= (goal ann 100) (true (sum ann ?n)) (greater:greaterthan ?n 3))
(<= (goal ann 0) (true (sum ann ?n)) (not (greater:greaterthan ?n 3)))
(goal bob 50)
"""


def test_what_a_role_knows_reckons_with_numbers() -> None:
    game = LiftedGame(to_gdl2(sheet_of(SUMS)).rules.as_sent, "sums")
    ann, bob = game.role("ann"), game.role("bob")
    state = game.initial()
    knowers = {ann: CompleteKnower(game, ann), bob: CompleteKnower(game, bob)}
    for _ in range(2):
        highest = max(state.legal(RANDOM), key=str)
        state = state.play([highest if role is RANDOM else state.legal(role)[0] for role in game.roles])
        assert state.joint is not None
        for role, knower in knowers.items():
            knower.update(state.joint[game.roles.index(role)], state.percepts(role))
    sums = {role: _sums(knower.possible_facts()) for role, knower in knowers.items()}
    assert sums == {ann: {6}, bob: {2, 3, 4, 5, 6}}


def _sums(facts: Iterable[Term]) -> set[int]:
    return {int(str(fact.args[1])) for fact in facts if fact.name == "sum" and str(fact.args[0]) == "ann"}
