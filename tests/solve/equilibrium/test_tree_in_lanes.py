"""Trees that are made in lanes are those that are made one history after the other."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.errors import GameError
from ludorum.engine.game import State
from ludorum.rules.kif import parse_kif
from ludorum.solve.equilibrium.game_tree import GameTree, TreeTooLargeError, UnknownMovesError
from ludorum.solve.equilibrium.make_tree import make_tree
from ludorum.solve.equilibrium.plain_tree import make_plain_tree
from tests.library_games import compiled_game
from tests.solve.equilibrium.test_game_tree import PENNIES, SECRET, TWICE
from tests.solve.equilibrium.variants import descending_goofspiel

MOST, MOST_LATE = 100_000, 400


def assert_same(one: GameTree, other: GameTree) -> None:
    for field in fields(GameTree):
        mine, theirs = getattr(one, field.name), getattr(other, field.name)
        if isinstance(mine, np.ndarray):
            assert mine.dtype == theirs.dtype, field.name
            assert np.array_equal(mine, theirs), field.name
        else:
            assert mine == theirs, field.name


def assert_same_from(game: CompiledGame, state: State) -> GameTree:
    made = make_tree(game, state, MOST)
    assert_same(made, make_plain_tree(game, state, MOST))
    return made


@pytest.mark.parametrize(
    "name",
    ["kuhn_poker", "monty_hall", "monty_hall_random", pytest.param("leduc_poker", marks=pytest.mark.long)],
)
def test_games_that_hide_something_have_the_same_tree(name: str) -> None:
    game = compiled_game(name)
    assert_same_from(game, game.initial())


@pytest.mark.slow
def test_goofspiel_has_the_same_tree() -> None:
    game = compiled_game("goofspiel")
    assert assert_same_from(game, game.initial()).size == 26_773


def test_players_that_bid_at_once_have_the_same_tree() -> None:
    game = descending_goofspiel()
    tree = assert_same_from(game, game.initial())
    assert (tree.size, len(tree.sets)) == (1077, 162)


@pytest.mark.parametrize(("text", "size"), [(PENNIES, 7), (TWICE, 31)])
def test_games_without_secrets_have_the_same_tree(text: str, size: int) -> None:
    game = CompiledGame(parse_kif(text), "pennies")
    assert assert_same_from(game, game.initial()).size == size


@pytest.mark.parametrize(
    "name",
    [
        "banker_and_thief",
        "battleships_in_fog",
        "hidden_connect",
        "mastermind",
        "nim",
        "small_dominion",
        "tictactoe",
        "transit",
        "vis_pacman",
    ],
)
def test_the_ends_of_larger_games_have_the_same_tree(name: str) -> None:
    """From the last states of a random match, as long as their trees are small."""
    game = compiled_game(name)
    largest = 0
    for state in reversed(_match(game, 3)):
        try:
            made = make_tree(game, state, MOST_LATE)
        except TreeTooLargeError:
            break
        largest = made.size
        assert_same(made, make_plain_tree(game, state, MOST_LATE))
    assert largest > 1


def test_trees_that_are_too_large_are_refused_alike() -> None:
    game = compiled_game("leduc_poker")
    for make in (make_tree, make_plain_tree):
        with pytest.raises(TreeTooLargeError, match="the tree of leduc_poker has more than 9456 nodes"):
            make(game, game.initial(), 9456)
    assert make_tree(game, most_nodes=9457).size == 9457


def _match(game: CompiledGame, seed: int) -> list[State]:
    chance = np.random.RandomState(seed)
    states: list[State] = [game.initial()]
    while not states[-1].is_terminal:
        legal = [states[-1].legal(role) for role in game.roles]
        states.append(states[-1].play([own[chance.randint(len(own))] for own in legal]))
    return states


def test_what_a_role_cannot_know_is_told_with_both_cases() -> None:
    with pytest.raises(UnknownMovesError) as caught:
        make_tree(CompiledGame(parse_kif(SECRET), "secret"))
    assert str(caught.value) == (
        "a cannot know its legal moves in secret: after a: wait nothing they are left, stay or "
        "left, right, stay"
    )


def test_as_many_moves_that_are_others_are_unknown_too() -> None:
    other = SECRET.replace("(legal a stay) (true (was ?m))", "(legal a stay) (true (was down))")
    with pytest.raises(UnknownMovesError, match="they are left, stay or left, right"):
        make_tree(CompiledGame(parse_kif(other), "secret"))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("(goal a 50)", ""), "secret ends in a state without exactly one goal value for each role"),
        (("(<= (legal a left) (true (was ?m)))", ""), "a has no legal move although secret is not over"),
    ],
)
def test_trees_that_no_rules_should_have_are_refused_alike(change: tuple[str, str], complaint: str) -> None:
    same = SECRET.replace("(legal a right) (true (was up))", "(legal a right) (true (was ?m))")
    text = same.replace(*change)
    if "legal" in complaint:
        text = text.replace("(<= (legal a right) (true (was ?m)))", "").replace(
            "(<= (legal a stay) (true (was ?m)))", "(<= (legal a stay) (true (was up)) (true begin))"
        )
    game = CompiledGame(parse_kif(text), "secret")
    for make in (make_tree, make_plain_tree):
        with pytest.raises(GameError) as caught:
            make(game, game.initial(), MOST)
        assert str(caught.value) == complaint


def test_negative_goals_are_read_as_they_are() -> None:
    """Lanes write -1 where there is no value, so such trees are made one history after the other."""
    game = CompiledGame(parse_kif(PENNIES.replace("(goal odd 0)", "(goal odd -1)")), "debts")
    assert make_tree(game).values.min() == -1


def test_progress_is_told_in_nodes() -> None:
    told: list[int] = []
    tree = make_tree(compiled_game("leduc_poker"), progress=told.append)
    assert told == sorted(told)
    assert told[-1] == tree.size
