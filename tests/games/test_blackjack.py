"""Blackjack: hands worked out by hand, and random matches beside a counter of points."""

from itertools import pairwise

import pytest

from ludorum.engine.game import State
from ludorum.engine.load import load_game
from tests.games.hidden_play import facts, goals, legal, random_match, seen, step


def deal(state: State, rank: str) -> State:
    """The state after a card of this rank, of the first suit that is left."""
    card = next(card for card in legal(state, "random") if card.startswith(f"(deal {rank} "))
    return step(state, random=card)


def dealt(ranks: str) -> State:
    """The state after these cards: player, bank, player, the bank's hole card, and hits of the player."""
    first, up, second, hole, *hits = ranks.split()
    state = load_game("blackjack").initial()
    for rank in (first, up, second, hole):
        state = deal(state, rank)
    for rank in hits:
        state = deal(step(state, player="hit"), rank)
    return state


def bank_draws(state: State, ranks: str) -> State:
    """The end after the player stands and the bank gets these cards; it must take all of them and no more."""
    state = step(state, player="stand")
    for rank in ranks.split():
        assert facts(state, "phase") == ["(phase bank)"]
        state = deal(state, rank)
    assert state.is_terminal
    return state


def test_cards_go_to_player_bank_player_bank_and_the_last_stays_hidden() -> None:
    state = load_game("blackjack").initial()
    shown = []
    for left, rank in ((52, "king"), (51, "2"), (50, "5"), (49, "9")):
        assert len(legal(state, "random")) == left
        assert legal(state, "player") == ["noop"]
        state = deal(state, rank)
        shown.append(seen(state, "player"))
    assert shown == [["(card player king clubs)"], ["(card bank 2 clubs)"], ["(card player 5 clubs)"], []]
    assert legal(state, "player") == ["hit", "stand"]
    assert legal(state, "random") == ["noop"]
    assert facts(state, "points") == ["(points bank 11)", "(points player 15)"]


def test_a_card_is_dealt_once() -> None:
    state = step(load_game("blackjack").initial(), random="(deal ace hearts)")
    assert "(deal ace hearts)" not in legal(state, "random")
    assert "(deal ace spades)" in legal(state, "random")


def test_standing_turns_the_hole_card() -> None:
    state = step(dealt("10 2 9 3"), player="stand")
    assert seen(state, "player") == ["(card bank 3 clubs)"]
    assert not state.is_terminal
    assert legal(state, "player") == ["noop"]
    state = step(state, random="(deal 4 clubs)")
    assert seen(state, "player") == ["(card bank 4 clubs)"]


def test_a_player_above_21_loses_at_once() -> None:
    state = dealt("king 2 5 9 ace")
    assert facts(state, "points") == ["(points bank 11)", "(points player 16)"]
    assert not state.is_terminal
    over = dealt("king 2 5 9 ace jack")
    assert over.is_terminal
    assert goals(over)["player"] == 0


@pytest.mark.parametrize(
    ("hands", "draws", "goal"),
    [
        ("ace 10 king 7", "", 100),  # 21 against 17
        ("10 10 7 7", "", 50),  # 17 each
        ("10 10 6 7", "", 0),  # 16 against 17
        ("10 ace 8 6", "", 100),  # the bank stands on ace and six, 17, against 18
        ("10 ace 7 6", "", 50),
        ("10 10 queen 6", "5", 0),  # 20 against 16 and 5
        ("10 10 2 6", "9", 100),  # 12 against a bank with 25
        ("10 ace 8 2", "king 9", 100),  # ace and two are 13, with the king still 13, with the nine 22
        ("10 ace 8 5", "5", 0),  # 16 with the ace as 11, 21 with the five
        ("ace 10 5 8", "", 0),  # 16 against 18: the player should have drawn
        ("ace 10 5 8 king", "", 0),  # the ace counts 1 now: 16
        ("ace 10 5 8 5", "", 100),  # 21 with the ace as 11
        ("ace 9 ace 9 8", "", 100),  # 20: one ace as 11, the other as 1; against 18
        ("2 10 2 9 2 2 3 king", "", 100),  # 21 with six cards, against 19
    ],
)
def test_hands_are_compared_as_they_count(hands: str, draws: str, goal: int) -> None:
    assert goals(bank_draws(dealt(hands), draws))["player"] == goal


def test_twenty_one_does_not_force_the_player_to_stand() -> None:
    state = dealt("ace 10 king 7")
    assert legal(state, "player") == ["hit", "stand"]
    again = step(step(state, player="hit"), random="(deal 4 clubs)")
    assert facts(again, "points") == ["(points bank 17)", "(points player 15)"]
    assert not again.is_terminal


def value(hand: list[str]) -> int:
    """What a hand counts, 0 above 21."""
    points = sum(1 if rank == "ace" else int(rank) if rank.isdigit() else 10 for rank in hand)
    if "ace" in hand and points <= 11:
        points += 10
    return points if points <= 21 else 0


@pytest.mark.parametrize("seed", range(12))
def test_random_matches_end_as_the_counter_says(seed: int) -> None:
    match = random_match(load_game("blackjack"), seed)
    hands: dict[str, list[str]] = {"player": [], "bank": []}
    for before, after in pairwise(match):
        assert after.joint is not None
        card = after.joint[0]
        phase = facts(before, "phase")[0]
        if card.name == "deal":
            side = "player" if phase in ("(phase first)", "(phase second)", "(phase draw)") else "bank"
            hands[side].append(str(card.args[0]))
            assert phase != "(phase bank)" or value(hands["bank"][:-1]) < 17
    player, bank = value(hands["player"]), value(hands["bank"])
    assert not player or not bank or bank >= 17
    expected = 100 if player > bank else 50 if player == bank else 0
    assert match[-1].is_terminal
    assert goals(match[-1])["player"] == expected
