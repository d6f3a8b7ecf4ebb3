"""Small Dominion: draws, purchases, refilled piles, and hands that stay hidden."""

import pytest

from ludorum.engine.game import State, parse_facts
from ludorum.engine.load import load_game
from ludorum.engine.perft import perft
from tests.games.hidden_play import facts, goals, legal, seen, step, view

GAME = load_game("small_dominion")


def draw(state: State, player: str, *numbers: int) -> State:
    for number in numbers:
        state = step(state, random=f"(draw {player} {number})")
    return state


def changed(state: State, text: str) -> State:
    """The state with facts of these functors replaced by the ones in the text."""
    new = parse_facts(text)
    names = {fact.name for fact in new}
    return GAME.state({fact for fact in state.facts() if fact.name not in names} | new)


def test_first_counts_are_ordered_draws_and_purchases() -> None:
    """Of 60 ordered hands 24 hold no estate: 3 coins buy estate, silver or nothing, 2 coins no silver."""
    assert perft(GAME, 5) == [5, 5 * 4, 5 * 4 * 3, 24 * 3 + 36 * 2, (24 * 3 + 36 * 2) * 5]


@pytest.mark.spec("filtering-gdl2", 3)
def test_draws_are_seen_by_their_player_and_purchases_by_the_other() -> None:
    state = step(GAME.initial(), random="(draw alice 2)")
    assert (seen(state, "alice"), seen(state, "bob")) == (["(drew 2 copper)"], [])
    assert legal(state, "random") == [f"(draw alice {number})" for number in (1, 3, 4, 5)]
    assert legal(state, "alice") == legal(state, "bob") == ["noop"]
    state = step(state, random="(draw alice 5)")
    assert (seen(state, "alice"), seen(state, "bob")) == (["(drew 5 estate)"], [])
    state = step(state, random="(draw alice 1)")
    assert facts(state, "coins") == ["(coins 2)"]
    assert legal(state, "alice") == ["pass", "(buy estate)"]
    assert (legal(state, "bob"), legal(state, "random")) == (["noop"], ["noop"])
    state = step(state, alice="(buy estate)")
    assert (seen(state, "alice"), seen(state, "bob")) == ([], ["(bought alice estate)"])
    assert facts(state, "points") == ["(points alice 2)", "(points bob 1)"]
    assert "(supply estate 3)" in facts(state, "supply")
    assert "(card alice 6 estate)" in facts(state, "card")
    state = draw(state, "bob", 1, 2, 3)
    assert legal(state, "bob") == ["pass", "(buy estate)", "(buy silver)"]
    state = step(state, bob="pass")
    assert (seen(state, "alice"), seen(state, "bob")) == (["(passed bob)"], [])


def test_an_empty_draw_pile_is_refilled_from_the_discards() -> None:
    state = step(draw(GAME.initial(), "alice", 1, 2, 3), alice="(buy silver)")
    assert [fact for fact in facts(state, "pile") if "alice" in fact] == [
        *(f"(pile alice {number} discard)" for number in (1, 2, 3)),
        *(f"(pile alice {number} draw)" for number in (4, 5)),
        "(pile alice 6 discard)",
    ]
    state = step(draw(state, "bob", 1, 2, 3), bob="pass")
    state = draw(state, "alice", 5, 4)
    # Both old cards are in hand; the third comes from the hand and the purchase of the first turn.
    assert legal(state, "random") == [f"(draw alice {number})" for number in (1, 2, 3, 6)]
    state = draw(state, "alice", 6)
    assert seen(state, "alice") == ["(drew 6 silver)"]
    assert facts(state, "coins") == ["(coins 3)"]
    assert [fact for fact in facts(state, "pile") if "alice" in fact] == [
        *(f"(pile alice {number} draw)" for number in (1, 2, 3)),
        *(f"(pile alice {number} hand)" for number in (4, 5, 6)),
    ]


@pytest.mark.parametrize(
    ("coins", "kinds"),
    [
        (1, []),
        (2, ["estate"]),
        (3, ["estate", "silver"]),
        (4, ["estate", "silver"]),
        (5, ["duchy", "estate", "silver"]),
        (6, ["duchy", "estate", "silver"]),
    ],
)
def test_coins_decide_what_can_be_bought(coins: int, kinds: list[str]) -> None:
    state = changed(draw(GAME.initial(), "alice", 1, 2, 3), f"((coins {coins}))")
    assert legal(state, "alice") == ["pass", *(f"(buy {kind})" for kind in kinds)]


def test_an_empty_supply_sells_nothing() -> None:
    state = draw(GAME.initial(), "alice", 1, 2, 3)
    state = changed(state, "((supply estate 0) (supply silver 1) (supply duchy 3))")
    assert legal(state, "alice") == ["pass", "(buy silver)"]


def test_the_last_duchy_ends_the_game() -> None:
    state = draw(GAME.initial(), "alice", 1, 2, 3)
    state = changed(state, "((coins 5) (supply estate 4) (supply silver 6) (supply duchy 1))")
    state = changed(state, "((points alice 2) (points bob 5))")
    end = step(state, alice="(buy duchy)")
    assert end.is_terminal
    assert facts(end, "points") == ["(points alice 5)", "(points bob 5)"]
    assert goals(end) == {"alice": 50, "bob": 50, "random": 100}
    end = step(changed(state, "((points alice 3) (points bob 5))"), alice="(buy duchy)")
    assert goals(end) == {"alice": 100, "bob": 0, "random": 100}


def test_sixteen_turns_of_four_steps_end_the_game() -> None:
    state, steps = GAME.initial(), 0
    while not state.is_terminal:
        joint = [state.legal(role)[0] for role in GAME.roles]  # the first card of the pile, and `pass`
        state = state.play(joint)
        steps += 1
    assert steps == 16 * 4
    assert goals(state) == {"alice": 50, "bob": 50, "random": 100}


def test_the_hand_of_the_other_stays_hidden() -> None:
    histories = set()
    for hand in ((1, 2, 3), (1, 2, 5), (5, 4, 3)):
        match = [GAME.initial()]
        for number in hand:
            match.append(draw(match[-1], "alice", number))
        match.append(step(match[-1], alice="(buy estate)"))
        histories.add(view(match, GAME.role("bob")))
    assert len(histories) == 1
