"""Five dice in WDL against a short program that counts rolls."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from ludorum.rules.kif import parse_term
from tests.games.wdl_play import facts, goals_of, master_of, random_match
from tests.how_much import FULL

MASTER = master_of("five_dice")
BOXES = {"three", "house", "run", "five", "sum"}


def count(box: str, dice: list[int]) -> int:
    """What a roll counts in a box."""
    alike = sorted(Counter(dice).values())
    runs = any({low, low + 1, low + 2, low + 3} <= set(dice) for low in (1, 2, 3))
    prizes = {
        "three": 20 * (alike[-1] >= 3),
        "house": 25 * (alike == [2, 3]),
        "run": 30 * runs,
        "five": 50 * (alike == [5]),
        "sum": sum(dice),
    }
    return prizes[box]


@pytest.mark.parametrize("seed", range(1000 if FULL else 5))
def test_rolls_are_kept_and_counted_as_in_the_short_program(seed: int) -> None:
    steps = random_match(MASTER, Random(seed))
    assert len(steps) == 71
    dice: list[int | None] = [None] * 5
    points = {"red": 0, "blue": 0}
    free = {player: set(BOXES) for player in points}
    for _, moves in steps[1:]:
        ((player, move),) = ((str(role), move) for role, move in moves.items() if move.name != "wait")
        if move.name == "write":
            box = str(move.args[0])
            free[player].remove(box)
            points[player] += count(box, [die for die in dice if die is not None])
            dice = [None] * 5
        else:
            first = 0 if move.name == "roll_three" else 3
            for at, came in enumerate(map(str, move.args), start=first):
                assert came != "keep" or dice[at] is not None
                dice[at] = dice[at] if came == "keep" else int(came)
    last = steps[-1][0]
    assert not any(free.values())
    assert {player: int(sum_) for player, sum_ in facts(last, "points")} == points
    red, blue = points["red"], points["blue"]
    value = 50 if red == blue else 100 * (red > blue)
    assert goals_of(MASTER, last) == {"red": value, "blue": 100 - value}


@pytest.mark.parametrize(
    ("dice", "fits"),
    [
        ("1 1 1 2 2", {"three", "house"}),
        ("2 3 4 5 5", {"run"}),
        ("3 5 4 6 1", {"run"}),
        ("6 6 6 6 6", {"three", "five"}),
        ("1 2 3 5 6", set()),
    ],
)
def test_what_fits_a_box(dice: str, fits: set[str]) -> None:
    state = MASTER.initial()
    kept = [fact for fact in state.facts if fact.name != "stage"]
    shown = [parse_term(f"(die {at} {face})") for at, face in enumerate(dice.split(), start=1)]
    rolled = type(state)(frozenset([*kept, *shown, parse_term("(stage write)")]))
    for box in BOXES:
        moves = {MASTER.roles[0]: parse_term(f"(write {box})"), MASTER.roles[1]: parse_term("wait")}
        after = MASTER.after(rolled, moves)
        found = {player: int(points) for player, points in facts(after, "points")}
        assert found == {"red": count(box, [int(face) for face in dice.split()]), "blue": 0}
        assert (found["red"] > 0) == (box in fits or box == "sum")


def test_dice_that_are_rolled_are_independent() -> None:
    start = MASTER.initial()
    (move,) = MASTER.legal(start, MASTER.roles[0])
    chances = MASTER.resolutions(start, move)
    assert len(chances) == 216
    assert set(chances.values()) == {Fraction(1, 216)}
