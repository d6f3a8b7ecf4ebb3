"""Wolf and rabbit: where they land, what is eaten, and odds of springs and clover."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest

from ludorum.engine.wdl_master import MasterState
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from tests.games.wdl_play import facts, goals_of, master_of, random_match
from tests.how_much import FULL

MASTER = master_of("wolf_and_rabbit")
WOLF, RABBIT = Term("wolf"), Term("rabbit")
Place = tuple[str, ...]


def places(state: MasterState, thing: str) -> set[Place]:
    return {(x, y) for x, y, what in facts(state, "cell") if what == thing}


def landing(state: MasterState, animal: Term, move: Term) -> Place:
    here = next(iter(places(state, str(animal))))
    stays = move.name in ("stay", "sit") or (move.name == "spring" and str(move.args[2]) == "short")
    return here if stays else tuple(map(str, move.args[:2]))


@pytest.mark.parametrize("seed", range(1000 if FULL else 6))
def test_steps_meals_and_catches_are_as_the_rules_say(seed: int) -> None:
    steps, eaten = random_match(MASTER, Random(seed)), 0
    caught = False
    for (before, _), (state, moves) in pairwise(steps):
        assert len(facts(state, "cell")) == 36
        wolf, rabbit = landing(before, WOLF, moves[WOLF]), landing(before, RABBIT, moves[RABBIT])
        swap = {wolf} == places(before, "rabbit") and {rabbit} == places(before, "wolf")
        caught = wolf == rabbit or swap
        eaten += rabbit in places(before, "clover") and not caught
        assert places(state, "wolf") == {wolf}
        assert places(state, "rabbit") == (set() if caught else {rabbit})
        assert facts(state, "eaten") == [(str(eaten),)]
        assert places(before, "clover") - {wolf, rabbit} <= places(state, "clover")
        assert len(places(state, "clover") - places(before, "clover")) <= 1
    last = steps[-1][0]
    winner = "wolf" if caught else "rabbit" if eaten == 5 else ""
    assert goals_of(MASTER, last) == {
        player: 50 if not winner else 100 * (player == winner) for player in ("wolf", "rabbit")
    }
    assert winner or len(steps) == 31


def test_one_spring_of_three_fails_and_clover_grows_on_free_cells() -> None:
    start = MASTER.initial()
    spring = parse_term("(spring 2 2 luck)")
    made = MASTER.resolutions(start, spring)
    assert made[parse_term("(spring 2 2 far)")] == Fraction(2, 3)
    assert made[parse_term("(spring 2 2 short)")] == Fraction(1, 3)
    sprouts = MASTER.resolutions(start, parse_term("(sit sprout)"))
    assert len(sprouts) == 33
    assert sprouts[parse_term("(sit nowhere)")] == Fraction(40, 72)
    assert sprouts[parse_term("(sit (at 3 3))")] == Fraction(1, 72)
