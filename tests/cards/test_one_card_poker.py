"""One-card poker, worked out again by hand."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.cards.machine.outcome import goals, scores
from ludorum.cards.machine.position import hand
from ludorum.cards.machine.reasons import NeedMove
from tests.cards.library_games import ORDER, Move, play, script

DEALS = 40


@pytest.mark.parametrize(
    ("answers", "chips"),
    [
        ("0 0 0", (1, -1)),  # nobody bids: the ace takes the pot
        ("0 0 2 fold", (-1, 1)),  # the ace gives up
        ("0 0 2 call", (3, -3)),
        ("0 3 fold", (1, -1)),
        ("0 3 call", (4, -4)),
        ("1 3 fold", (-1, 1)),  # the other is first
        ("1 1 call", (2, -2)),
    ],
)
def test_who_wins_how_many_chips(answers: str, chips: tuple[int, int]) -> None:
    position, reason = script("one_card_poker", "as 2s", answers)
    assert tuple(scores(position)) == chips
    assert isinstance(reason, NeedMove)
    assert reason.player == 1 - int(answers[0])  # the first bidder changes from deal to deal


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 10**6))
def test_chips_of_whole_games(seed: int) -> None:
    end, moves = play("one_card_poker", seed)
    chips = [0, 0]
    deals = _deals(moves)
    for deal in deals:
        first = deal[0].player
        held = {index: deal[0].position.cards(hand(index))[0] for index in (0, 1)}
        best = max(held, key=lambda index: ORDER.index(str(held[index].args[0])))
        said = [str(one.what) for one in deal]
        bidder = first if said[0] != "0" else 1 - first
        winner = bidder if said[-1] == "fold" else best
        stake = 1 if said[-1] in ("fold", "0") else 1 + int(said[-2])
        chips[winner] += stake
        chips[1 - winner] -= stake
    assert len(deals) == DEALS
    assert all(one[0].player != other[0].player for one, other in pairwise(deals))
    assert list(scores(end)) == chips
    best_seat = 0 if chips[0] > chips[1] else 1
    assert goals(end)[best_seat] == (50 if chips[0] == chips[1] else 100)


def _deals(moves: list[Move]) -> list[list[Move]]:
    """The moves by deals: a new one begins where the hands are dealt anew."""
    found: list[list[Move]] = []
    number = None
    for one in moves:
        deal = next(value for name, value in one.position.variables.items() if name.name == "deals")
        if deal is not number:
            found.append([])
        number = deal
        found[-1].append(one)
    return found
