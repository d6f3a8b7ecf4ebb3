"""Goofspiel with hidden bids."""

from collections import Counter
from itertools import permutations

import pytest

from ludorum.engine.game import State
from ludorum.engine.load import load_game
from ludorum.engine.perft import perft
from tests.games.hidden_play import View, facts, goals, legal, seen, step, view

GAME = load_game("goofspiel")


def rounds(state: State, *bids: tuple[int, int, int]) -> State:
    """Prize, Alice's bid and Bob's bid of each round."""
    for prize, alice, bob in bids:
        state = step(state, random=f"(turn {prize})")
        state = step(state, alice=f"(bid {alice})", bob=f"(bid {bob})")
    return state


def test_counts_are_products_of_remaining_cards() -> None:
    assert perft(GAME, 3) == [4, 4 * 16, 4 * 16 * 3]
    assert perft(load_game("goofspiel_5"), 2) == [5, 5 * 25]


@pytest.mark.slow
def test_all_13824_matches_are_three_permutations_of_four_cards() -> None:
    assert perft(GAME, 8) == [4, 64, 192, 1728, 3456, 13824, 13824, 13824]
    assert 13824 == 24**3


@pytest.mark.spec("filtering-gdl2", 3)
def test_percepts_tell_the_winner_but_not_the_bids() -> None:
    state = step(GAME.initial(), random="(turn 3)")
    assert seen(state, "alice") == seen(state, "bob") == ["(turned 3)"]
    assert legal(state, "random") == ["noop"]
    state = step(state, alice="(bid 4)", bob="(bid 2)")
    assert (seen(state, "alice"), seen(state, "bob")) == (["won"], ["lost"])
    assert facts(state, "points") == ["(points alice 3)", "(points bob 0)"]
    assert legal(state, "alice") == legal(state, "bob") == ["noop"]
    assert legal(state, "random") == ["(turn 1)", "(turn 2)", "(turn 4)"]
    state = step(state, random="(turn 4)")
    assert legal(state, "alice") == ["(bid 1)", "(bid 2)", "(bid 3)"]
    assert legal(state, "bob") == ["(bid 1)", "(bid 3)", "(bid 4)"]
    state = step(state, alice="(bid 3)", bob="(bid 3)")
    assert seen(state, "alice") == seen(state, "bob") == ["tied"]
    assert facts(state, "points") == ["(points alice 3)", "(points bob 0)"]
    state = rounds(state, (1, 2, 1), (2, 1, 4))
    assert facts(state, "points") == ["(points alice 4)", "(points bob 2)"]
    assert state.is_terminal
    assert goals(state) == {"alice": 100, "bob": 0, "random": 100}


def test_equal_points_share() -> None:
    # Alice wins 4 and 1, Bob 3 and 2: five each.
    end = rounds(GAME.initial(), (4, 4, 3), (1, 2, 1), (3, 1, 2), (2, 3, 4))
    assert facts(end, "points") == ["(points alice 5)", "(points bob 5)"]
    assert goals(end) == {"alice": 50, "bob": 50, "random": 100}
    end = rounds(GAME.initial(), (1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4))
    assert goals(end) == {"alice": 50, "bob": 50, "random": 100}


def test_five_cards_are_worth_fifteen_points() -> None:
    start = load_game("goofspiel_5").initial()
    end = rounds(start, (5, 5, 4), (4, 4, 3), (3, 3, 2), (2, 2, 1), (1, 1, 5))
    assert facts(end, "points") == ["(points alice 14)", "(points bob 1)"]
    assert end.is_terminal


def test_lost_bids_look_alike_to_the_loser() -> None:
    """Alice bids 1, 2, 3, 4 and hears a result each time: all bids of Bob with these results look alike."""

    def result(own: int, other: int) -> str:
        return "won" if own > other else "lost" if own < other else "tied"

    expected = Counter(tuple(map(result, (1, 2, 3, 4), bob)) for bob in permutations((1, 2, 3, 4)))
    found: Counter[View] = Counter()
    heard = {}
    for bob in permutations((1, 2, 3, 4)):
        match = [GAME.initial()]
        for prize, (own, other) in enumerate(zip((1, 2, 3, 4), bob, strict=True), 1):
            match.append(step(match[-1], random=f"(turn {prize})"))
            match.append(step(match[-1], alice=f"(bid {own})", bob=f"(bid {other})"))
        history = view(match, GAME.role("alice"))
        found[history] += 1
        heard[history] = tuple(seen(state, "alice")[0] for state in match[2::2])
    assert {heard[history]: number for history, number in found.items()} == expected
