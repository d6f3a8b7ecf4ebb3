"""What a role of a WDL game may conclude comes from all that is possible, not from what it was never told."""

from __future__ import annotations

import pytest

from ludorum.engine.load import load_game
from ludorum.knowledge.complete_knower import CompleteKnower
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term


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
