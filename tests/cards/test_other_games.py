"""Games without tricks: matching, bluff, fishing, melds, counting, chance, worked out again by hand."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.cards.language.deck import standard_pack
from ludorum.cards.language.melds import deadwood, low_value
from ludorum.cards.language.terms import PASS, Term
from ludorum.cards.machine.outcome import goals, scores
from ludorum.cards.machine.position import PACK, CardPosition, hand
from ludorum.cards.machine.reasons import NeedMove
from tests.cards.library_games import ORDER, number_of, play, script
from tests.cards.small_charts import cards, value

SEEDS = range(3)
PIPS = {"jack": 10, "queen": 10, "king": 10, "ace": 1} | {str(pips): pips for pips in range(2, 11)}


def pile(name: str, index: int | None = None) -> Term:
    rest = () if index is None else (Term("player", (Term(str(index)),)),)
    return Term("pile", (Term(name), *rest))


def total(position: CardPosition, index: int) -> int:
    return sum(PIPS[str(one.args[0])] for one in position.cards(hand(index)))


@pytest.mark.parametrize("seed", SEEDS)
def test_crazy_eights_match_and_the_winner_gets_the_rest(seed: int) -> None:
    end, moves = play("crazy_eights", seed)
    for one in moves:
        if one.is_card:
            suit, rank = value(one.position, "lastSuit"), value(one.position, "lastRank")
            assert one.suit == suit or one.rank in (rank, "8")
    (winner,) = [index for index in range(3) if not end.cards(hand(index))]
    points = sum(
        50 if str(card.args[0]) == "8" else PIPS[str(card.args[0])]
        for index in range(3)
        for card in end.cards(hand(index))
    )
    assert scores(end)[winner] == points
    assert goals(end)[winner] == 100


def test_a_named_suit_must_be_followed_in_crazy_eights() -> None:
    deal = "8h 2c 3c 9d kc qc 4d 7c 6c 5d 3h 2h jd as js 9s"
    position, reason = script("crazy_eights", deal, "0 8h diamonds")
    assert isinstance(reason, NeedMove)
    assert reason.player == 1
    assert value(position, "lastSuit") == "diamonds"
    assert set(reason.options) == {PASS}


@pytest.mark.parametrize(
    ("answers", "player", "counts"),
    [
        ("0 2h 2s", 0, (6, 6)),  # a two on a two: four are due
        ("0 2h 2s pass", 1, (10, 6)),
        ("0 2h pass", 0, (6, 9)),
        ("0 8h", 0, (6, 7)),  # an eight: once more
        ("0 jc spades", 1, (6, 7)),
    ],
)
def test_cards_with_powers_in_switch(answers: str, player: int, counts: tuple[int, int]) -> None:
    deal = "2h 2s 8h 3s jc 4s 5h 5s 6h 6s 7h 7s 9h 9s 3h"
    position, reason = script("switch", deal, answers)
    assert isinstance(reason, NeedMove)
    assert reason.player == player
    assert tuple(len(position.cards(hand(index))) for index in (0, 1)) == counts


@pytest.mark.parametrize("seed", SEEDS)
def test_four_colours_has_a_pack_of_its_own(seed: int) -> None:
    end, moves = play("four_colours", seed)
    assert len(end.composition) == 4 + 4 * 14
    for one in moves:
        if one.is_card:
            colour, last = value(one.position, "lastColour"), value(one.position, "last")
            assert one.suit == colour or one.rank in (last, "wild") or colour == "any"
    assert sorted(goals(end)) == [25, 25, 100]


@pytest.mark.parametrize("seed", SEEDS)
def test_presidents_play_higher_cards(seed: int) -> None:
    end, moves = play("president", seed)
    order = ["8", "9", "10", "jack", "queen", "king", "ace", "2"]
    last, passes = -1, 0
    for one in moves:
        stack = one.position.cards(Term("stack"))
        last = -1 if not stack else order.index(str(stack[-1].args[0]))
        if one.is_card:
            assert order.index(one.rank) > last
        passes += one.what is PASS
    assert passes
    assert sorted(scores(end)) == [0, 1, 2, 3]


@pytest.mark.parametrize("seed", SEEDS)
def test_suits_grow_from_the_seven(seed: int) -> None:
    end, moves = play("sevens", seed)
    low_order = ["ace", *ORDER[:-1]]
    laid: dict[str, list[int]] = {}
    for one in moves:
        at, suit = low_order.index(one.rank), laid.setdefault(one.suit, [])
        assert at in ((min(suit) - 1, max(suit) + 1) if suit else (6,))
        suit.append(at)
    assert sorted(scores(end)) == [0, 1, 2, 3]


@pytest.mark.parametrize("seed", range(6))
def test_nobody_goes_over_ninety_nine(seed: int) -> None:
    end, moves = play("ninety_nine", seed)
    sums = 0
    for one in moves:
        pips = {"10": -10, "9": 0}.get(one.rank, PIPS[one.rank])
        sums = 99 if one.rank == "king" else max(0, sums + pips)
        assert sums <= 99
    assert number_of(end, "sum") == sums
    loser = 1 - scores(end).index(1)
    held = [str(card.args[0]) for card in end.cards(hand(loser))]
    assert all(rank not in ("king", "9", "10") and sums + PIPS[rank] > 99 for rank in held)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_odd_queen_is_left_in_old_maid(seed: int) -> None:
    end, _ = play("old_maid", seed)
    left = [(index, card) for index in range(3) for card in end.cards(hand(index))]
    ((loser, card),) = left
    assert str(card.args[0]) == "queen"
    assert scores(end)[loser] == -1
    thrown = [str(one.args[0]) for one in end.cards(Term("discard"))]
    assert all(thrown.count(rank) % 2 == 0 for rank in thrown)
    assert len(thrown) == 26


@pytest.mark.parametrize("seed", SEEDS)
def test_go_fish_makes_thirteen_books(seed: int) -> None:
    end, moves = play("go_fish", seed)
    assert sum(scores(end)) == 13
    for index in range(3):
        books = [str(one.args[0]) for one in end.cards(pile("book", index))]
        assert len(books) == 4 * scores(end)[index]
        assert all(books.count(rank) == 4 for rank in books)
    for one in moves:
        assert not one.is_card or one.what in one.held


@pytest.mark.parametrize(
    ("answers", "loser"),
    [
        ("0 ah pass doubt", 1),
        ("0 2h pass doubt", 0),
        ("0 2h pass believe doubt", 0),
        ("0 ah ac pass believe doubt", 2),
    ],
)
def test_liars_and_wrong_doubters_take_the_heap(answers: str, loser: int) -> None:
    deal = "ah 3c 4c 2h 5c 6c ac 7c kc"
    position, _ = script("cheat", deal, answers)
    laid = answers.split()[1 : answers.split().index("pass")]
    assert set(cards(*laid)) <= set(position.cards(hand(loser)))
    assert sum(len(position.cards(hand(index))) for index in range(3)) == 39


def test_believed_lies_stay_covered() -> None:
    position, _ = script("cheat", "ah 3c 4c 2h 5c 6c", "0 2h pass believe believe")
    assert position.cards(pile("heap")) == cards("2h")
    assert not any(position.sees(index, pile("heap")) for index in range(3))
    assert value(position, "claim") == "2"


def brute_deadwood(held: tuple[Term, ...]) -> int:
    """The least points outside melds, over all sets of disjoint melds."""

    def is_meld(some: tuple[Term, ...]) -> bool:
        if len({one.args[0] for one in some}) == 1:
            return len(some) in (3, 4)
        values = sorted(low_value(one) for one in some)
        steps = [after - before for before, after in pairwise(values)]
        return len({one.args[1] for one in some}) == 1 and set(steps) == {1}

    melds = [some for size in range(3, len(held) + 1) for some in combinations(held, size) if is_meld(some)]

    def least(free: frozenset[Term]) -> int:
        rest = sum(PIPS[str(one.args[0])] for one in free)
        return min([rest, *(least(free - set(some)) for some in melds if set(some) <= free)])

    return least(frozenset(held))


@settings(max_examples=60)
@given(st.lists(st.sampled_from(standard_pack()[:24:1]), min_size=3, max_size=7, unique=True))
def test_deadwood_is_the_least_over_all_melds(held: list[Term]) -> None:
    assert deadwood([(one, PIPS[str(one.args[0])]) for one in held]) == brute_deadwood(tuple(held))


def test_gin_counts_the_difference() -> None:
    # Player 0 melds 2-3-4 of hearts and three kings and throws the queen: an ace is left.
    deal = "2h 9c 3h 9d 4h 5c kc 6d kd 10s kh js ah qd qs"
    position, _ = script("gin_rummy", deal, "0 uncovered qs")
    mine = brute_deadwood(cards("2h", "3h", "4h", "kc", "kd", "kh", "ah"))
    theirs = brute_deadwood(cards("9c", "9d", "5c", "6d", "10s", "js", "qd"))
    assert mine == 0
    assert theirs == 9 + 9 + 5 + 6 + 10 + 10 + 10
    assert scores(position) == (theirs - mine + 10, 0)


def test_casino_takes_ranks_and_sums() -> None:
    # On the table 3h 5h 8c kd; the first plays an eight: it takes the eight, then three and five.
    table = "3h 5h 8c kd 8s 2c 2h 4c 9c 6c jc 7c"
    position, reason = script("casino", table, "0 8s")
    assert isinstance(reason, NeedMove)
    assert set(reason.options) == {*cards("3h", "5h"), PASS}
    position, _ = script("casino", table, "0 8s 3h 5h")
    assert set(position.cards(pile("won", 0))) == set(cards("8s", "8c", "3h", "5h"))
    assert position.cards(pile("table")) == cards("kd")
    stopped, _ = script("casino", table, "0 8s 3h pass")
    assert set(stopped.cards(pile("won", 0))) == set(cards("8s", "8c"))
    assert set(stopped.cards(pile("table"))) == set(cards("3h", "5h", "kd"))


@pytest.mark.parametrize("seed", SEEDS)
def test_casino_gives_eleven_points(seed: int) -> None:
    end, _ = play("casino", seed)
    won = [end.cards(pile("won", index)) for index in (0, 1)]
    assert len(won[0]) + len(won[1]) == 52
    ties = 3 * (len(won[0]) == 26) + (sum(str(card.args[1]) == "spades" for card in won[0]) * 2 == 13)
    assert sum(scores(end)) == 11 - ties


@pytest.mark.parametrize(
    ("answers", "points"),
    [
        ("0 7h 8h", (0, 2)),  # fifteen
        ("0 7h 8h 9h", (3, 2)),  # a run of three
        ("0 7h 8h 9h 6h", (3, 6)),  # a run of four
        ("0 7h 8h 9h 6h ah", (5, 6)),  # thirty-one
        ("0 7h 7c", (0, 2)),  # a pair
    ],
)
def test_the_play_of_cribbage(answers: str, points: tuple[int, int]) -> None:
    # Whoever is drawn deals next: the other one of the two begins with 0.
    position, reason = script("cribbage_pegging", "7h 8h 9h 6h ah 7c kc kd", answers)
    assert isinstance(reason, NeedMove)
    assert scores(position) == points


@pytest.mark.parametrize(
    ("answers", "result"),
    [
        ("0 draw", (0, 1)),  # king, queen and five are too many
        ("0 stand draw stand", (0, 1)),  # twenty against twenty-one
        ("0 stand stand", (1, 0)),
    ],
)
def test_twenty_one_is_the_limit(answers: str, result: tuple[int, int]) -> None:
    third = "5c" if answers == "0 draw" else "3c"
    position, _ = script("twenty_one", f"kh ah qh 7d {third}", answers)
    assert scores(position) == result


@pytest.mark.parametrize("seed", SEEDS)
def test_war_is_won_by_the_higher_cards(seed: int) -> None:
    end, _ = play("war", seed)
    held = [len(end.cards(pile("own", index))) + len(end.cards(pile("won", index))) for index in (0, 1)]
    assert scores(end) == tuple(held)
    lost = len(end.cards(pile("spoils"))) + sum(len(end.cards(pile("up", index))) for index in (0, 1))
    assert sum(held) + lost == 52


@pytest.mark.parametrize("seed", range(5))
def test_beggars_pay_for_court_cards(seed: int) -> None:
    """The whole game again, with two lists and a heap."""
    end, moves = play("beggar_my_neighbour", seed)
    first = moves[0]
    own = [list(first.position.cards(pile("own", index))) for index in (0, 1)]
    won: list[list[Term]] = [[], []]
    heap: list[Term] = []
    price = {"jack": 1, "queen": 2, "king": 3, "ace": 4}
    at, debt, turned = first.player, 0, 0
    while turned < 400:
        if not own[at]:
            own[at], won[at] = won[at], []
        if not own[at]:
            break
        card = own[at].pop()
        heap.append(card)
        turned += 1
        rank = str(card.args[0])
        if rank in price:
            debt, at = price[rank], 1 - at
        elif debt == 0:
            at = 1 - at
        elif debt == 1:
            debt, at = 0, 1 - at
            won[at] += heap
            heap = []
        else:
            debt -= 1
    assert len(moves) == turned
    expected = [len(own[index]) + len(won[index]) for index in (0, 1)]
    if turned < 400:
        expected = [52 * (index != at) for index in (0, 1)]
    assert scores(end) == tuple(expected)


@pytest.mark.parametrize("name", ["go_fish", "gin_rummy", "casino", "switch", "cheat", "german_whist"])
def test_no_card_is_lost(name: str) -> None:
    """At every decision each card of the pack lies somewhere, once."""
    _, moves = play(name, 1)
    for one in moves[::7]:
        position = one.position
        lying = [card for cards_of in position.places.values() for card in cards_of]
        assert sorted([*lying, *position.cards(PACK)], key=str) == sorted(position.composition, key=str)
