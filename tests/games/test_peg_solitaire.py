"""Peg Solitaire: a solution, published counts of positions, what is earned with few pegs left."""

from collections.abc import Iterator

import pytest

from ludorum.engine.check_game import check_game
from ludorum.engine.game import parse_move
from ludorum.engine.load import load_game
from tests.games.single_player import Square, legal, play, squares

SOLUTION = """
    2444 3234 1333 1513 3432 3133 3515 3735 4323 1333 4143 4323 4543 4745 4525 1535
    5333 2343 5153 5452 6545 5755 7353 4363 7573 7353 5254 5456 3555 5654 6444
"""


def test_random_play_keeps_every_promise() -> None:
    assert check_game(load_game("peg_solitaire"), plays=1, seed=3) == []


def test_peg_solitaire_a_solution_leaves_one_peg_in_the_middle() -> None:
    jumps = [f"(jump {' '.join(digits)})" for digits in SOLUTION.split()]
    assert len(jumps) == 31
    start = load_game("peg_solitaire").initial()
    assert len(squares(start, "peg")) == 32
    assert (4, 4) not in squares(start, "peg")
    end = play(start, *jumps)
    assert str(end) == "((peg 4 4) (pegs 1))"
    assert end.is_terminal
    assert end.goals() == (100,)


def test_peg_solitaire_reaches_the_published_number_of_positions() -> None:
    # Positions after n jumps, turned and mirrored ones counted once (OEIS A112737).
    layer = {load_game("peg_solitaire").initial()}
    sizes = [1]
    for _ in range(4):
        layer = {state.play(joint) for state in layer for joint in state.joint_moves()}
        sizes.append(len({min(_symmetric(squares(state, "peg"))) for state in layer}))
    assert sizes == [1, 1, 2, 8, 39]


def _symmetric(pegs: frozenset[Square]) -> Iterator[tuple[Square, ...]]:
    """The eight turned and mirrored pictures of a position."""
    for mirrored in (pegs, {(8 - x, y) for x, y in pegs}):
        turned = set(mirrored)
        for _ in range(4):
            turned = {(y, 8 - x) for x, y in turned}
            yield tuple(sorted(turned))


def test_peg_solitaire_first_jumps_all_land_in_the_middle() -> None:
    start = load_game("peg_solitaire").initial()
    assert legal(start) == ["(jump 2 4 4 4)", "(jump 4 2 4 4)", "(jump 4 6 4 4)", "(jump 6 4 4 4)"]
    after = play(start, "(jump 2 4 4 4)")
    assert squares(start, "peg") - squares(after, "peg") == {(2, 4), (3, 4)}
    assert squares(after, "peg") - squares(start, "peg") == {(4, 4)}
    assert parse_move("(pegs 31)") in after.facts()


@pytest.mark.parametrize(
    ("pegs", "goal"),
    [
        ("44", 100),
        ("14", 90),
        ("13 75", 75),
        ("13 15 75", 60),
        ("13 15 73 75", 45),
        ("13 15 73 75 44", 30),
        ("13 15 73 75 44 31", 15),
        ("13 15 73 75 44 31 37", 0),
    ],
)
def test_peg_solitaire_few_pegs_left_earn_something(pegs: str, goal: int) -> None:
    holes = pegs.split()
    facts = " ".join(f"(peg {hole[0]} {hole[1]})" for hole in holes)
    state = load_game("peg_solitaire").parse_state(f"({facts} (pegs {len(holes)}))")
    assert state.is_terminal
    assert state.goals() == (goal,)


def test_peg_solitaire_pegs_do_not_jump_off_the_cross() -> None:
    # From (3 2) over (2 2): no hole there. From (3 3) the row and the column are open.
    state = load_game("peg_solitaire").parse_state("((peg 3 2) (peg 3 3) (peg 4 3) (pegs 3))")
    assert legal(state) == ["(jump 3 2 3 4)", "(jump 3 3 3 1)", "(jump 3 3 5 3)", "(jump 4 3 2 3)"]
