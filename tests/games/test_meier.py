"""Meier: the order of values, true and false claims, and who sees the dice."""

import pytest

from ludorum.engine.game import State
from ludorum.engine.load import load_game
from ludorum.engine.perft import joint_move_count, perft
from tests.games.hidden_play import facts, goals, legal, seen, step, view

GAME = load_game("meier")

# From the lowest to the highest: mixed rolls, doubles, and the one the game is named after.
ORDER = [31, 32, 41, 42, 43, 51, 52, 53, 54, 61, 62, 63, 64, 65, 11, 22, 33, 44, 55, 66, 21]


def claims(*values: int) -> list[str]:
    return [f"(claim {value})" for value in sorted(values)]


def rolled(one: int, other: int) -> State:
    return step(GAME.initial(), random=f"(roll {one} {other})")


def test_first_counts_are_rolls_claims_and_answers() -> None:
    # 21 claims, of which 20 may be believed.
    assert perft(GAME, 2) == [36, 36 * 21]
    answers = [len(legal(step(rolled(3, 1), alice=claim), "bob")) for claim in claims(*ORDER)]
    assert 36 * sum(answers) == 36 * (20 * 2 + 1) == 1476


def test_claims_after_a_believed_one_must_be_higher() -> None:
    """Over all first claims there are 20 + 19 + ... + 1 = 210 second claims."""
    total = 0
    for rank, value in enumerate(ORDER[:-1]):
        state = step(step(rolled(6, 4), alice=f"(claim {value})"), bob="believe")
        assert joint_move_count(state) == 36
        state = step(state, random="(roll 1 1)")
        assert legal(state, "bob") == claims(*ORDER[rank + 1 :])
        total += len(legal(state, "bob"))
    assert total == 210


def test_every_roll_has_the_value_of_its_higher_die_first() -> None:
    values = []
    for one in range(1, 7):
        for other in range(1, 7):
            (dice,) = facts(rolled(one, other), "dice")
            assert dice == f"(dice {10 * max(one, other) + min(one, other)})"
            values.append(dice)
    assert len(set(values)) == 21


@pytest.mark.spec("filtering-gdl2", 3)
def test_percepts_of_a_match() -> None:
    state = rolled(2, 5)
    assert (seen(state, "alice"), seen(state, "bob")) == (["(rolled 52)"], [])
    state = step(state, alice="(claim 53)")
    assert (seen(state, "alice"), seen(state, "bob")) == ([], ["(says alice (claim 53))"])
    assert legal(state, "bob") == ["believe", "doubt"]
    state = step(state, bob="believe")
    assert (seen(state, "alice"), seen(state, "bob")) == (["(says bob believe)"], [])
    state = step(state, random="(roll 6 6)")
    assert (seen(state, "alice"), seen(state, "bob")) == ([], ["(rolled 66)"])
    state = step(state, bob="(claim 21)")
    assert (seen(state, "alice"), seen(state, "bob")) == (["(says bob (claim 21))"], [])
    assert legal(state, "alice") == ["doubt"]
    state = step(state, alice="doubt")
    assert seen(state, "alice") == ["(shown 66)"]
    assert seen(state, "bob") == ["(says alice doubt)", "(shown 66)"]
    assert goals(state) == {"alice": 100, "bob": 0, "random": 100}


@pytest.mark.parametrize(
    ("one", "other", "claim", "roller_wins"),
    [
        (5, 2, 52, True),
        (5, 2, 53, False),
        (5, 2, 43, True),  # less than what lies there is true too
        (1, 1, 65, True),  # doubles are above all mixed rolls
        (6, 5, 11, False),
        (2, 1, 66, True),  # the highest of all
        (1, 2, 21, True),
        (6, 6, 21, False),
        (3, 1, 32, False),
    ],
)
def test_a_claim_is_true_if_the_dice_are_worth_as_much(
    one: int, other: int, claim: int, roller_wins: bool
) -> None:
    end = step(step(rolled(one, other), alice=f"(claim {claim})"), bob="doubt")
    assert end.is_terminal
    won, lost = ("alice", "bob") if roller_wins else ("bob", "alice")
    assert goals(end) == {won: 100, lost: 0, "random": 100}


def test_the_longest_match_claims_every_value() -> None:
    state, steps = GAME.initial(), 0
    for turn, value in enumerate(ORDER):
        roller, other = ("alice", "bob") if turn % 2 == 0 else ("bob", "alice")
        state = step(state, random="(roll 3 1)")
        state = step(state, **{roller: f"(claim {value})"})
        state = step(state, **{other: "doubt" if value == 21 else "believe"})
        steps += 3
    assert state.is_terminal
    assert steps == 63


def test_the_other_player_sees_the_same_for_all_rolls() -> None:
    bob = GAME.role("bob")
    histories = set()
    for one in range(1, 7):
        match = [GAME.initial(), rolled(one, 4)]
        match.append(step(match[-1], alice="(claim 64)"))
        match.append(step(match[-1], bob="believe"))
        histories.add(view(match, bob))
    assert len(histories) == 1
