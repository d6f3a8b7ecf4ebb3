"""Random events: exact probabilities, one draw for each name of a move, seeds."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from ludorum.rules.wdl.draws import NoPossibleEventError, events_of, probabilities, resolve_move

COIN = Term("coin")
DICE = Term("dice")
NAMES = frozenset({COIN, DICE})


def row(name: Term, weight: object, event: str) -> tuple[Term, Term, Term]:
    return name, Term(str(weight)), parse_term(event)


@pytest.mark.spec("wdl", 5)
def test_an_event_is_as_likely_as_its_share_of_the_weights() -> None:
    dice = [row(DICE, 1, str(face)) for face in range(1, 7)]
    assert set(probabilities(DICE, dice).values()) == {Fraction(1, 6)}
    coin = [row(COIN, 1, "heads"), row(COIN, 9, "tails")]
    assert probabilities(COIN, coin) == {Term("heads"): Fraction(1, 10), Term("tails"): Fraction(9, 10)}


def test_equal_facts_count_once_and_other_weights_are_added() -> None:
    rows = [
        row(COIN, 2, "up"),
        row(COIN, 2, "up"),
        row(COIN, 0, "edge"),
        row(COIN, 3, "down"),
        row(COIN, 1, "down"),
    ]
    assert events_of(COIN, rows) == {Term("down"): 4, Term("up"): 2}


@pytest.mark.spec("wdl", 10)
def test_a_name_without_any_possible_event_cannot_be_drawn() -> None:
    for rows in ([], [row(COIN, 0, "up")], [row(DICE, 1, "up")]):
        with pytest.raises(NoPossibleEventError, match="coin"):
            resolve_move(parse_term("(flip coin)"), NAMES, rows, Random(1))


@pytest.mark.spec("wdl", 9)
def test_a_name_that_stands_twice_in_a_move_is_drawn_once() -> None:
    rows = [row(DICE, 1, str(face)) for face in range(1, 7)]
    rng = Random(5)
    moves = [resolve_move(parse_term("(roll dice (again dice))"), NAMES, rows, rng) for _ in range(50)]
    assert all(move.args[0] is move.args[1].args[0] for move, _ in moves)  # type: ignore[union-attr]
    assert {len(draws) for _, draws in moves} == {1}
    assert len({move for move, _ in moves}) == 6


def test_functions_and_events_of_the_same_word_are_left_alone() -> None:
    rows = [row(DICE, 1, "(dice coin)")]
    move, draws = resolve_move(parse_term("(roll (dice 3) dice)"), NAMES, rows, Random(1))
    assert str(move) == "(roll (dice 3) (dice coin))"
    assert [str(draw.name) for draw in draws] == ["dice"]


@pytest.mark.spec("wdl", 8)
def test_a_seed_decides_and_the_order_of_facts_does_not() -> None:
    rows = [row(DICE, weight, str(face)) for face, weight in enumerate((5, 1, 3, 2, 2, 7), start=1)]
    move = parse_term("(roll dice)")
    one = [resolve_move(move, NAMES, rows, rng)[0] for rng in [Random(3)] for _ in range(40)]
    other = [resolve_move(move, NAMES, rows[::-1], rng)[0] for rng in [Random(3)] for _ in range(40)]
    assert one == other
    assert one != [resolve_move(move, NAMES, rows, rng)[0] for rng in [Random(4)] for _ in range(40)]


@given(st.lists(st.integers(0, 5), min_size=1, max_size=6).filter(any), st.integers())
def test_every_rank_below_the_total_belongs_to_one_event(weights: list[int], seed: int) -> None:
    rows = [row(DICE, weight, str(face)) for face, weight in enumerate(weights)]

    class Ranks(Random):
        rank = 0

        def randrange(self, *_: object, **__: object) -> int:
            self.rank += 1
            return self.rank - 1

    rng = Ranks(seed)
    drawn = [resolve_move(parse_term("(roll dice)"), NAMES, rows, rng)[0] for _ in range(sum(weights))]
    assert [sum(str(face) == str(move.args[0]) for move in drawn) for face in range(len(weights))] == weights


@pytest.mark.spec("wdl", 12)
@pytest.mark.parametrize("order", [1, -1])
def test_two_independent_reasons_have_the_right_probability_together(order: int) -> None:
    rows = [row(COIN, 1, "yes"), row(COIN, 9, "no"), row(DICE, 3, "yes"), row(DICE, 1, "no")][::order]
    cases = product(probabilities(COIN, rows).items(), probabilities(DICE, rows).items())
    yes = Term("yes")
    assert sum(one * other for (a, one), (b, other) in cases if yes in (a, b)) == Fraction(31, 40)
