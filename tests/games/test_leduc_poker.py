"""Leduc poker: betting sequences, payoffs and who sees which card."""

from collections import Counter
from fractions import Fraction

import pytest

from ludorum.engine.game import State
from ludorum.engine.load import load_game
from ludorum.engine.perft import perft
from tests.games.hidden_play import all_plays, facts, goals, legal, seen, step, view

GAME = load_game("leduc_poker")


def deal(alice: str, bob: str) -> State:
    dealt = step(GAME.initial(), random=f"(deal alice {alice})")
    return step(dealt, random=f"(deal bob {bob})")


def say(state: State, *words: str) -> State:
    """Bets in turn, and `open ...` for the card on the table."""
    for word in words:
        if word.startswith("open"):
            state = step(state, random=f"({word})")
        else:
            speaker = next(name for name in ("alice", "bob") if legal(state, name) != ["noop"])
            state = step(state, **{speaker: word})
    return state


def plays_with_table_card(state: State, card: str) -> list[list[State]]:
    """Every way to bet on from a deal if this card is laid open."""
    if state.is_terminal:
        return [[state]]
    found = []
    for joint in state.joint_moves():
        if joint[2].name != "open" or str(joint[2]) == f"(open {card})":
            found += [[state, *rest] for rest in plays_with_table_card(state.play(joint), card)]
    return found


def gain(state: State) -> int:
    """Alice's gain, read back from her goal."""
    value = state.goal(GAME.role("alice"))
    assert value is not None
    assert (value - 50) % 3 == 0
    return (value - 50) // 3


def test_a_deal_with_a_table_card_has_forty_nine_betting_sequences() -> None:
    """With k for check, b bet, r raise, c call and f fold: five ways go on, four ways end a round.

    kk, kbc, kbrc, bc, brc go on; kbf, kbrf, bf, brf end. So four histories end in round one, and each of five
    goes on to nine. Over all 30 deals and four table cards that makes 30 * (4 + 5 * 4 * 9) = 5520 histories.
    """
    plays = plays_with_table_card(deal("king hearts", "queen spades"), "jack hearts")
    assert len(plays) == 4 + 5 * 9
    folds = sum(any(fact.name == "folded" for fact in play[-1].facts()) for play in plays)
    assert folds == 4 + 5 * 4
    # Alice's king wins the showdowns. After each way through round one the stakes are 1, 3, 3, 5 or 5; round
    # two ends in showdowns at stakes +0, +4, +8, +4, +8 and in folds: Alice's at +0 (kbf) and +4 (brf), Bob's
    # at +4 (kbrf) and +0 (bf). Round one's own folds: -1 (kbf), +3 (kbrf), +1 (bf), -3 (brf).
    expected = Counter([-1, 3, 1, -3])
    for stake in (1, 3, 3, 5, 5):
        expected.update(stake + more for more in (0, 4, 8, 4, 8))
        expected.update([-stake, -(stake + 4), stake + 4, stake])
    assert Counter(gain(play[-1]) for play in plays) == expected
    assert max(map(len, plays)) - 1 == 9  # and two deals make eleven


def test_uniform_play_costs_alice_five_sixty_fourths() -> None:
    """Showdowns cancel when the private cards are swapped, so folds decide.

    With stakes s and unit b a round's folds are worth (s - b) / 24 to Alice: 1/2 (s/3 - (s+b)/6) for her bet,
    and half of the opposite after her check. Round one: -1/24. Round two is reached with stakes 1, 3, 5 with
    chances 1/4, 1/4, 1/8: -7/192. Together -15/192.
    """
    total = Fraction(0)
    for alice, bob in (("king hearts", "queen spades"), ("queen spades", "king hearts")):
        for play in plays_with_table_card(deal(alice, bob), "jack hearts"):
            chance = Fraction(1, 2)
            for state in play[:-1]:
                chance /= len(state.legal(GAME.role("alice"))) * len(state.legal(GAME.role("bob")))
            total += chance * gain(play[-1])
    assert total == Fraction(-15, 192) == Fraction(-5, 64)


def test_deals_come_from_a_deck_of_six() -> None:
    assert perft(GAME, 3) == [6, 30, 60]
    # The next speaker answers a check (2 moves) or a bet (3 moves).
    assert len(legal(say(deal("jack hearts", "jack spades"), "check"), "bob")) == 2
    assert len(legal(say(deal("jack hearts", "jack spades"), "bet"), "bob")) == 3


@pytest.mark.spec("filtering-gdl2", 3)
def test_percepts_of_a_match_with_a_raise_and_a_pair() -> None:
    state = step(GAME.initial(), random="(deal alice king hearts)")
    assert (seen(state, "alice"), seen(state, "bob")) == (["(dealt king hearts)"], [])
    state = step(state, random="(deal bob queen spades)")
    assert (seen(state, "alice"), seen(state, "bob")) == ([], ["(dealt queen spades)"])
    state = say(state, "bet")
    assert (seen(state, "alice"), seen(state, "bob")) == ([], ["(says alice bet)"])
    assert facts(state, "stake") == ["(stake alice 3)", "(stake bob 1)"]
    assert legal(state, "bob") == ["call", "fold", "raise"]
    state = say(state, "raise")
    assert (seen(state, "alice"), seen(state, "bob")) == (["(says bob raise)"], [])
    assert facts(state, "stake") == ["(stake alice 3)", "(stake bob 5)"]
    assert legal(state, "alice") == ["call", "fold"]
    state = say(state, "call")
    assert facts(state, "stake") == ["(stake alice 5)", "(stake bob 5)"]
    assert legal(state, "alice") == legal(state, "bob") == ["noop"]
    assert legal(state, "random") == [f"(open {card})" for card in (
        "jack hearts", "jack spades", "king spades", "queen hearts")]  # fmt: skip
    state = say(state, "open queen hearts")
    assert seen(state, "alice") == seen(state, "bob") == ["(opened queen hearts)"]
    assert legal(state, "alice") == ["bet", "check"]
    state = say(state, "check", "bet")
    assert facts(state, "stake") == ["(stake alice 5)", "(stake bob 9)"]
    state = say(state, "call")
    assert seen(state, "alice") == ["(shows bob queen spades)"]
    assert seen(state, "bob") == ["(says alice call)", "(shows alice king hearts)"]
    # Bob's queen pairs the table: he wins Alice's nine.
    assert goals(state) == {"alice": 50 - 27, "bob": 50 + 27, "random": 100}


def test_showdowns_by_pair_rank_and_tie() -> None:
    checked = ("check", "check", "open {}", "check", "check")
    for alice, bob, table, expected in (
        ("jack hearts", "king hearts", "jack spades", 1),  # the pair beats the king
        ("jack hearts", "king hearts", "king spades", -1),
        ("king hearts", "queen hearts", "jack spades", 1),
        ("jack hearts", "queen hearts", "king spades", -1),
        ("king hearts", "king spades", "queen spades", 0),
    ):
        end = say(deal(alice, bob), *(word.format(table) for word in checked))
        assert end.is_terminal
        assert gain(end) == expected


def test_the_highest_stake_is_thirteen() -> None:
    raised = ("bet", "raise", "call")
    end = say(deal("king hearts", "queen hearts"), *raised, "open king spades", *raised)
    assert gain(end) == 13
    assert goals(end) == {"alice": 89, "bob": 11, "random": 100}


def test_a_fold_loses_the_own_stake_and_shows_nothing() -> None:
    end = say(deal("king hearts", "queen hearts"), "check", "bet", "raise", "fold")
    assert gain(end) == 3
    assert (seen(end, "alice"), seen(end, "bob")) == (["(says bob fold)"], [])


def test_a_player_sees_the_same_whatever_the_other_holds() -> None:
    words = ("check", "bet", "call", "open queen hearts", "bet", "call")
    histories = []
    for other in ("jack spades", "king hearts", "queen spades"):
        match = [GAME.initial()]
        match.append(step(match[-1], random="(deal alice jack hearts)"))
        match.append(step(match[-1], random=f"(deal bob {other})"))
        for word in words:
            match.append(say(match[-1], word))
        histories.append([view(match[:length], GAME.role("alice")) for length in range(len(match) + 1)[1:]])
    assert histories[0][:-1] == histories[1][:-1] == histories[2][:-1]
    assert len({history[-1] for history in histories}) == 3  # the showdown tells


@pytest.mark.slow
def test_whole_tree_has_5520_histories_and_936_information_sets() -> None:
    """Round one: 6 cards, 6 points of decision; round two: 5 ways there, 6 * 5 cards, 6 points: 36 + 900."""
    decisions: set[object] = set()
    histories = 0
    for play in all_plays(GAME.initial()):
        histories += 1
        for length in range(3, len(play)):
            for name in ("alice", "bob"):
                role = GAME.role(name)
                if len(play[length - 1].legal(role)) > 1:
                    decisions.add((name, view(play[:length], role)))
    assert histories == 5520
    assert len(decisions) == 36 + 900
