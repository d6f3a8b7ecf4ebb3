"""Sokoban: the store as drawn, a shortest solution, and walks beside an oracle."""

from collections.abc import Iterator

import pytest

from ludorum._core import SplitMix64
from ludorum.engine.check_game import check_game
from ludorum.engine.game import State
from ludorum.engine.load import load_game
from tests.games.single_player import Square, legal, play, squares

STORE = """
#######
#. #  #
#  $  #
# #$# #
#  @ .#
#######
"""
WAYS = {"u": ("north", -1, 0), "d": ("south", 1, 0), "l": ("west", 0, -1), "r": ("east", 0, 1)}

Store = tuple[Square, frozenset[Square]]


def drawn(sign: str) -> frozenset[Square]:
    """The squares of the picture that show a sign."""
    rows = STORE.strip().splitlines()
    return frozenset((x, y) for x, row in enumerate(rows) for y, shown in enumerate(row) if shown == sign)


def pushes(store: Store) -> Iterator[tuple[str, Store]]:
    (x, y), crates = store
    blocked = drawn("#")
    for letter, (_, dx, dy) in WAYS.items():
        ahead, beyond = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
        if ahead in crates and beyond not in blocked | crates:
            yield letter, (ahead, crates - {ahead} | {beyond})
        elif ahead not in blocked | crates:
            yield letter, (ahead, crates)


def store_of(state: State) -> Store:
    (keeper,) = squares(state, "keeper")
    return keeper, squares(state, "crate")


@pytest.mark.long
def test_random_play_keeps_every_promise() -> None:
    assert check_game(load_game("sokoban"), plays=1, seed=3) == []


def test_sokoban_store_is_as_drawn_and_a_shortest_solution_wins() -> None:
    game = load_game("sokoban")
    state = game.initial()
    start: Store = (next(iter(drawn("@"))), drawn("$"))
    assert store_of(state) == start
    ways = {start: ""}
    todo = [start]
    for store in todo:
        if store[1] == drawn("."):
            break
        for letter, other in pushes(store):
            if other not in ways:
                ways[other] = ways[store] + letter
                todo.append(other)
    solution = ways[store]
    assert len(solution) == 27
    for letter in solution:
        assert not state.is_terminal
        state = play(state, f"(go {WAYS[letter][0]})")
    assert store_of(state) == store
    assert state.is_terminal
    assert state.goals() == (100,)


def test_sokoban_moves_are_those_of_the_oracle_on_a_random_walk() -> None:
    chooser = SplitMix64(11)
    state = load_game("sokoban").initial()
    for _ in range(49):
        expected = {f"(go {WAYS[letter][0]})": after for letter, after in pushes(store_of(state))}
        assert legal(state) == sorted(expected)
        move = legal(state)[chooser.below(len(expected))]
        state = play(state, move)
        assert store_of(state) == expected[move]
    assert not state.is_terminal
    assert play(state, legal(state)[0]).is_terminal


def test_sokoban_crates_are_not_pushed_into_walls_or_crates() -> None:
    game = load_game("sokoban")
    # North of the keeper two crates in a row; west and east the floor is free.
    assert legal(game.initial()) == ["(go east)", "(go west)"]
    against_wall = game.parse_state("((keeper 2 2) (crate 1 2) (crate 2 3) (step 0))")
    assert legal(against_wall) == ["(go east)", "(go west)"]


@pytest.mark.parametrize(
    ("crates", "goal", "over"),
    [("11 45", 100, True), ("11 33", 50, False), ("23 45", 50, False), ("23 33", 0, False)],
)
def test_sokoban_counts_the_crates_in_place(crates: str, goal: int, over: bool) -> None:
    facts = " ".join(f"(crate {crate[0]} {crate[1]})" for crate in crates.split())
    state = load_game("sokoban").parse_state(f"({facts} (keeper 2 1) (step 7))")
    assert state.goals() == (goal,)
    assert state.is_terminal is over
