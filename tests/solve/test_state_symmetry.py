"""Renamings of fluents and moves: found where boards have them, and true of the games they are found in."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product

import pytest

from ludorum._core import ProofKernel, SplitMix64
from ludorum.asp.ground import ground_rules
from ludorum.engine.compiled import CompiledGame, CompiledState
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.terms import Term
from ludorum.solve.state_symmetry import StateSymmetry, find_state_symmetries
from tests.library_games import compiled_game
from tests.search.small_boards import breakthrough, connect_four, dots_and_boxes_2

LOPSIDED = """
(role a) (role b)
(init (at 1))
(<= (legal a (go ?m)) (true (at ?n)) (edge ?n ?m))
(<= (legal b noop) (true (at ?n)))
(<= (next (at ?m)) (does a (go ?m)))
(edge 1 2) (edge 1 3) (edge 2 4) (edge 3 4) (edge 3 1)
(<= terminal (true (at 4)))
(<= (goal a 100) (true (at 4))) (<= (goal a 0) (not (true (at 4)))) (<= (goal b 0) (role b))
"""


@cache
def tictactoe() -> CompiledGame:
    game = compiled_game("tictactoe")
    assert isinstance(game, CompiledGame)
    return game


# Made when a test asks for them: what a list of cases compiles is compiled by every process that collects.
BOARDS: dict[str, Callable[[], CompiledGame]] = {
    "tictactoe": tictactoe,
    "connect_four_4x4": lambda: connect_four(4, 4),
    "connect_four_5x4": lambda: connect_four(5, 4),
    "breakthrough_3x4": lambda: breakthrough(3, 4),
    "dots_and_boxes_2": dots_and_boxes_2,
    "lopsided": lambda: CompiledGame(parse_kif(LOPSIDED), "lopsided"),
}


def symmetries(game: CompiledGame) -> list[StateSymmetry]:
    return find_state_symmetries(ground_rules(game.rules, in_process=True))


def image(found: StateSymmetry, state: CompiledState) -> CompiledState:
    game = state.game
    assert isinstance(game, CompiledGame)
    return game.state(found.fluents.get(fact, fact) for fact in state.facts())


def move_of(found: StateSymmetry, role: Term, move: Term) -> Term:
    owner, renamed = found.moves[role, move]
    assert owner is role
    return renamed


@pytest.mark.parametrize(
    ("board", "count"),
    [
        ("tictactoe", 7),  # turns and reflections of a square
        ("connect_four_4x4", 1),  # left and right, though rows and columns share their numbers
        ("connect_four_5x4", 1),
        ("breakthrough_3x4", 1),
        ("lopsided", 0),
    ],
)
def test_boards_have_the_symmetries_one_sees(board: str, count: int) -> None:
    assert len(symmetries(BOARDS[board]())) == count


@pytest.mark.parametrize("board", ["tictactoe", "dots_and_boxes_2"])
def test_renamings_are_a_group(board: str) -> None:
    """In dots and boxes, too, where the two outer lines of each corner can change places: 128 in all."""
    game = BOARDS[board]()
    found = [tuple(own.fluents[fluent] for fluent in game.circuit.fluents) for own in symmetries(game)]
    group = {tuple(game.circuit.fluents), *found}
    assert len(group) == 8
    for one, other in product(group, repeat=2):
        place = dict(zip(game.circuit.fluents, other, strict=True))
        assert tuple(place[fluent] for fluent in one) in group


@pytest.mark.parametrize("board", ["tictactoe", "connect_four_4x4", "breakthrough_3x4"])
def test_images_of_states_play_like_the_states(board: str) -> None:
    """Move by move in random games: the same moves, ends and goals, and images of states lead to images."""
    game = BOARDS[board]()
    chance = SplitMix64(5)
    for found in symmetries(game):
        state = game.initial()
        while True:
            mirror = image(found, state)
            assert mirror.is_terminal == state.is_terminal
            assert mirror.goals() == state.goals()
            if state.is_terminal:
                break
            legal = [state.legal(role) for role in game.roles]
            for role, own in zip(game.roles, legal, strict=True):
                assert set(mirror.legal(role)) == {move_of(found, role, move) for move in own}
            joint = [own[chance.below(len(own))] for own in legal]
            renamed = [move_of(found, role, move) for role, move in zip(game.roles, joint, strict=True)]
            state = state.play(joint)
            assert mirror.play(renamed) == image(found, state)


def test_connect_four_is_mirrored_column_by_column() -> None:
    (found,) = symmetries(connect_four(5, 4))
    role = connect_four(5, 4).roles[0]
    assert move_of(found, role, parse_term("(drop 2)")) == parse_term("(drop 4)")
    assert move_of(found, role, parse_term("(drop 3)")) == parse_term("(drop 3)")


def test_the_kernel_refuses_what_is_no_renaming() -> None:
    game = tictactoe()
    kernel = ProofKernel(game.single.evaluators, 1 << 16)
    fluents, moves = len(game.circuit.fluents), len(game.circuit.moves)
    with pytest.raises(ValueError, match="each fluent and move"):
        kernel.set_symmetries([[0]])
    with pytest.raises(ValueError, match="one to one"):
        kernel.set_symmetries([[0] * fluents + list(range(moves))])
