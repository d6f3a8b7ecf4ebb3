"""Liar's dice with one die each: the ladder of bids, challenges, and dice under cups."""

from functools import cache

import pytest

from ludorum.engine.game import State
from ludorum.engine.load import load_game
from ludorum.engine.perft import perft
from tests.games.hidden_play import goals, legal, seen, step, view

GAME = load_game("liars_dice")


def rolled(alice: int, bob: int) -> State:
    return step(step(GAME.initial(), random=f"(roll alice {alice})"), random=f"(roll bob {bob})")


def test_first_steps_count_rolls_then_bids_then_answers() -> None:
    # Twelve bids; after the i-th of them there are 12 - i higher ones and the challenge.
    assert perft(GAME, 3) == [6, 6 * 6, 6 * 6 * 12]
    answers = 0
    for move in legal(rolled(1, 1), "alice"):
        answers += len(legal(step(rolled(1, 1), alice=move), "bob"))
    assert answers == sum(12 - i + 1 for i in range(1, 13)) == 78


def test_a_roll_leads_to_4095_histories() -> None:
    """Every non-empty set of the twelve bids, made in rising order, followed by the challenge."""

    @cache
    def histories(state: State) -> tuple[int, int]:
        """Number of histories from here, and the longest."""
        if state.is_terminal:
            return 1, 0
        rest = [histories(state.play(joint)) for joint in state.joint_moves()]
        return sum(number for number, _ in rest), 1 + max(length for _, length in rest)

    assert histories(rolled(2, 5)) == (2**12 - 1, 13)


def test_bids_rise_in_number_or_face() -> None:
    state = step(rolled(2, 5), alice="(bid 1 4)")
    expected = [f"(bid 1 {face})" for face in (5, 6)] + [f"(bid 2 {face})" for face in range(1, 7)]
    assert legal(state, "bob") == ["liar", *expected]
    state = step(state, bob="(bid 2 5)")
    assert legal(state, "alice") == ["liar", "(bid 2 6)"]
    state = step(state, alice="(bid 2 6)")
    assert legal(state, "bob") == ["liar"]
    assert "liar" not in legal(rolled(2, 5), "alice")


@pytest.mark.spec("filtering-gdl2", 3)
def test_percepts_of_a_match() -> None:
    state = step(GAME.initial(), random="(roll alice 3)")
    assert (seen(state, "alice"), seen(state, "bob")) == (["(rolled 3)"], [])
    state = step(state, random="(roll bob 6)")
    assert (seen(state, "alice"), seen(state, "bob")) == ([], ["(rolled 6)"])
    state = step(state, alice="(bid 1 6)")
    assert (seen(state, "alice"), seen(state, "bob")) == ([], ["(says alice (bid 1 6))"])
    state = step(state, bob="liar")
    assert seen(state, "alice") == ["(says bob liar)", "(shows bob 6)"]
    assert seen(state, "bob") == ["(shows alice 3)"]
    # Bob challenged although his own die made the bid true.
    assert goals(state) == {"alice": 100, "bob": 0, "random": 100}


@pytest.mark.parametrize(
    ("alice", "bob", "bid", "bidder_wins"),
    [
        (3, 6, "(bid 1 3)", True),
        (3, 6, "(bid 1 5)", False),
        (4, 4, "(bid 1 4)", True),
        (4, 4, "(bid 2 4)", True),
        (4, 5, "(bid 2 4)", False),
        (1, 6, "(bid 2 6)", False),  # ones are not wild
    ],
)
def test_a_bid_counts_both_dice(alice: int, bob: int, bid: str, bidder_wins: bool) -> None:
    end = step(step(rolled(alice, bob), alice=bid), bob="liar")
    assert end.is_terminal
    won, lost = ("alice", "bob") if bidder_wins else ("bob", "alice")
    assert goals(end) == {won: 100, lost: 0, "random": 100}


def test_the_second_bidder_can_be_challenged_too() -> None:
    end = step(step(step(rolled(2, 2), alice="(bid 1 2)"), bob="(bid 2 2)"), alice="liar")
    assert goals(end) == {"alice": 0, "bob": 100, "random": 100}


def test_a_player_sees_the_same_for_every_die_of_the_other_until_the_cups_are_lifted() -> None:
    before, after = set(), set()
    for face in range(1, 7):
        match = [GAME.initial()]
        match.append(step(match[-1], random="(roll alice 3)"))
        match.append(step(match[-1], random=f"(roll bob {face})"))
        match.append(step(match[-1], alice="(bid 1 3)"))
        match.append(step(match[-1], bob="(bid 2 3)"))
        before.add(view(match, GAME.role("alice")))
        after.add(view([*match, step(match[-1], alice="liar")], GAME.role("alice")))
    assert (len(before), len(after)) == (1, 6)
