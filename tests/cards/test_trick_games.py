"""Games with tricks: winners, partners, bids, trumps and points, worked out again by hand."""

from __future__ import annotations

import pytest

from ludorum.cards.language.terms import Term, format_term
from ludorum.cards.machine.outcome import goals, scores, team_scores
from ludorum.cards.machine.position import hand
from ludorum.cards.machine.reasons import NeedMove
from tests.cards.library_games import (
    Move,
    follows_suit,
    number_of,
    play,
    script,
    trick_winner,
    tricks_of,
)
from tests.cards.small_charts import cards, value

SEEDS = range(4)


def check_tricks(tricks: list[list[Move]], trumps: str) -> list[int]:
    """Everybody follows suit and the winner leads; tricks by player."""
    taken = [0] * len(tricks[0])
    leader = tricks[0][0].player
    for played in tricks:
        assert [one.player for one in played] == [(leader + at) % len(played) for at in range(len(played))]
        assert follows_suit(played)
        leader = trick_winner(played, trumps).player
        taken[leader] += 1
    return taken


@pytest.mark.parametrize("seed", SEEDS)
def test_whist_counts_tricks_by_team(seed: int) -> None:
    end, moves = play("whist", seed)
    taken = check_tricks(tricks_of(moves, 4), value(end, "trumps"))
    assert scores(end) == tuple(taken)
    assert sum(taken) == 13
    assert sorted(team_scores(end).values()) == sorted([taken[0] + taken[2], taken[1] + taken[3]])
    assert goals(end)[0] == goals(end)[2] == 100 - goals(end)[1]


@pytest.mark.parametrize("seed", SEEDS)
def test_whist_for_two_has_spades_as_trumps(seed: int) -> None:
    end, moves = play("whist_two", seed)
    assert scores(end) == tuple(check_tricks(tricks_of(moves, 2), "spades"))


@pytest.mark.parametrize("seed", SEEDS)
def test_hearts_cost_a_point_and_the_queen_thirteen(seed: int) -> None:
    end, moves = play("hearts", seed)
    passing, rest = moves[:12], moves[12:]
    assert [one.player for one in passing] == [at // 3 for at in range(12)]
    assert format_term(rest[0].what) == "card(2,clubs)"
    for giver in range(4):
        given = {one.what for one in passing if one.player == giver}
        assert len(given) == 3
        receiver = (giver + 1) % 4
        at_first = next(one.position for one in rest)
        assert given <= set(at_first.cards(hand(receiver)))
    points, broken = [0] * 4, False
    for played in tricks_of(rest, 4):
        assert follows_suit(played)
        if played[0].suit == "hearts" and not broken:
            assert all(str(card.args[1]) == "hearts" for card in played[0].held)
        broken |= any(one.suit == "hearts" for one in played)
        winner = trick_winner(played).player
        points[winner] += sum(
            1 if one.suit == "hearts" else 13 * (one.rank == "queen" and one.suit == "spades")
            for one in played
        )
    assert sum(points) == 26
    assert scores(end) == tuple(26 if count == 26 else -count for count in points)


@pytest.mark.parametrize("seed", SEEDS)
def test_hearts_for_two_counts_the_same_cards(seed: int) -> None:
    end, moves = play("hearts_two", seed)
    played = [(one.rank, one.suit) for one in moves]
    cost = sum(suit == "hearts" for _, suit in played) + 13 * (("queen", "spades") in played)
    assert sum(scores(end)) == -cost


@pytest.mark.parametrize("seed", SEEDS)
def test_spades_scores_bids_of_partners(seed: int) -> None:
    end, moves = play("spades", seed)
    totals, at, deals = [0, 0], 0, 0
    while at < len(moves):
        bids = {one.player: int(str(one.what)) for one in moves[at : at + 4]}
        taken = check_tricks(tricks_of(moves[at + 4 : at + 56], 4), "spades")
        for side in (0, 1):
            bid, made = bids[side] + bids[side + 2], taken[side] + taken[side + 2]
            totals[side] += 10 * bid + made - bid if made >= bid else -10 * bid
        at, deals = at + 56, deals + 1
        assert (max(totals) >= 100 or deals == 3) == (at == len(moves))
    assert scores(end) == (totals[0], totals[1], 0, 0)


@pytest.mark.parametrize("seed", SEEDS)
def test_oh_hell_rewards_exact_bids(seed: int) -> None:
    end, moves = play("oh_hell", seed)
    totals, at = [0, 0, 0], 0
    for size in range(1, 6):
        bids = {one.player: int(str(one.what)) for one in moves[at : at + 3]}
        hands = moves[at + 3 : at + 3 + 3 * size]
        taken = check_tricks(tricks_of(hands, 3), value(hands[0].position, "trumps"))
        for index in range(3):
            totals[index] += taken[index] + 10 * (bids[index] == taken[index])
        at += 3 + 3 * size
    assert at == len(moves)
    assert scores(end) == tuple(totals)


@pytest.mark.parametrize("seed", SEEDS)
def test_knockout_whist_gets_shorter_and_knocks_out(seed: int) -> None:
    end, moves = play("knockout_whist", seed)
    at, size = 0, 7
    while True:
        hands = moves[at : at + 2 * size]
        taken = check_tricks(tricks_of(hands, 2), value(hands[0].position, "trumps"))
        at += 2 * size
        if 0 in taken:
            break
        call = moves[at]
        best = taken.index(max(taken)) if taken[0] != taken[1] else None
        assert best in (None, call.player)
        at, size = at + 1, size - 1
    assert at == len(moves)
    assert scores(end)[taken.index(0)] == 0
    assert scores(end)[1 - taken.index(0)] == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_german_whist_plays_thirteen_tricks_for_cards(seed: int) -> None:
    end, moves = play("german_whist", seed)
    tricks = tricks_of(moves, 2)
    assert len(tricks) == 26
    trumps = value(end, "trumps")
    check_tricks(tricks, trumps)
    open_card, winner = (
        tricks[0][0].position.cards(Term("pile", (Term("turned"),)))[0],
        trick_winner(tricks[0], trumps),
    )
    assert open_card in tricks[1][0].position.cards(hand(winner.player))
    taken = [0, 0]
    for played in tricks[13:]:
        taken[trick_winner(played, trumps).player] += 1
    assert scores(end) == tuple(taken)


@pytest.mark.parametrize("seed", SEEDS)
def test_briscola_shares_120_points(seed: int) -> None:
    end, moves = play("briscola", seed)
    worth = {"ace": 11, "3": 10, "king": 4, "queen": 3, "jack": 2}
    order = ["2", "4", "5", "6", "7", "jack", "queen", "king", "3", "ace"]
    trumps, points = value(end, "trumps"), [0, 0]
    for led, answer in tricks_of(moves, 2):
        if answer.suit == led.suit:
            better = order.index(answer.rank) > order.index(led.rank)
        else:
            better = answer.suit == trumps
        points[answer.player if better else led.player] += worth.get(led.rank, 0) + worth.get(answer.rank, 0)
    assert sum(points) == 120
    assert scores(end) == tuple(points)


def test_the_jacks_of_the_trump_colour_are_the_highest_in_euchre() -> None:
    # Hands in turn: player 0 has 9h 10h jh 9s 10s, 1 has jd ah 9c 10c qc, and so on; hearts are turned up.
    deal = "9h jd qh ad  10h ah 9d kd  jh 9c 10d jc  9s 10c qd ac  10s qc as ks  kh"
    opened, reason = script("euchre", deal, "0 accept")
    assert isinstance(reason, NeedMove)
    assert value(opened, "trumps") == "hearts"
    assert value(opened, "maker") == "player(0)"
    # The left bower is no diamond: who holds it need not follow diamonds, and beats the ace of hearts.
    position, reason = script("euchre", deal, "0 accept 9h")
    assert isinstance(reason, NeedMove)
    assert set(reason.options) == set(cards("jd", "ah"))
    position, reason = script("euchre", deal, "0 accept 10h jd qh ad")
    assert value(position, "tricks(player(1))") == "1"
    position, reason = script("euchre", deal, "0 accept jh jd qh ad")
    assert value(position, "tricks(player(0))") == "1"


@pytest.mark.parametrize("seed", range(8))
def test_euchre_counts_for_makers_or_against_them(seed: int) -> None:
    end, _ = play("euchre", seed)
    taken = [number_of(end, "tricks", index) for index in range(4)]
    assert sum(taken) == 5
    maker = int(value(end, "maker")[7])
    made = taken[maker] + taken[(maker + 2) % 4]
    expected = {5: 2, 4: 1, 3: 1}.get(made)
    totals = team_scores(end)
    side, others = (totals[Term(str((maker + at) % 2))] for at in (0, 1))
    assert (side, others) == ((expected, 0) if expected else (0, 2))
