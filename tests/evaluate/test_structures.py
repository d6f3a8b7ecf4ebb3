"""What a sheet is made of, found without a look at what things are called."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.engine import load_game
from ludorum.engine.lifted import LiftedGame
from ludorum.evaluate import Structure, StructureKind, find_structures
from ludorum.evaluate.chains import ranks_of
from ludorum.rules.kif import parse_kif
from ludorum.rules.ruleset import Ruleset
from tests.how_much import sample

from .renaming import Renaming


def structures_of(rules: Ruleset) -> list[Structure]:
    return find_structures(rules, LiftedGame(rules, "game").initial().facts())


def of_game(name: str) -> list[Structure]:
    game = load_game(name)
    assert game.rules is not None
    return find_structures(game.rules, game.initial().facts())


def shown(found: list[Structure]) -> set[str]:
    return {f"{each.kind.value} {each.pattern}" for each in found}


EXPECTED = {
    "tictactoe": {
        "board (cell ? ? ?)", "marker (cell ? ? b)", "marker (cell ? ? x)", "marker (cell ? ? o)",
        "turn (control xplayer)", "turn (control oplayer)",
    },
    "connect_four": {
        "successor (succ ? ?)", "board (cell ? ? ?)", "marker (cell ? ? red)", "marker (cell ? ? yellow)",
        "turn (control red)", "turn (control yellow)",
    },
    "nim": {
        "successor (succ ? ?)", "board (heap ? ?)", "turn (control left)", "turn (control right)",
        "quantity (heap a ?)", "quantity (heap b ?)", "quantity (heap c ?)", "quantity (heap d ?)",
    },
    "blocks": {"successor (successor ? ?)", "counter (step ?)"},
    "maze": {"successor (succ ? ?)", "counter (step ?)"},
    "buttons": {"successor (succ ? ?)", "counter (step ?)"},
    "hodgepodge": {"successor (succ ? ?)", "successor (successor ? ?)", "counter (step ?)"},
}  # fmt: skip


@pytest.mark.spec("asp-player", 49)
@pytest.mark.parametrize("name", EXPECTED)
def test_structures_of_known_games(name: str) -> None:
    assert shown(of_game(name)) == EXPECTED[name]


@pytest.mark.spec("asp-player", 49)
def test_whose_markers_and_which_axes() -> None:
    owners = {
        str(each.value): str(each.owner) for each in of_game("tictactoe") if each.kind is StructureKind.MARKER
    }
    assert owners == {"x": "xplayer", "o": "oplayer", "b": "None"}
    (board,) = [each for each in of_game("breakthrough") if each.kind is StructureKind.BOARD]
    assert (board.places, board.contents, [place for place, _ in board.axes]) == ((0, 1), 2, [0, 1])
    assert board.size == 64


BANK = """
(role rich) (role poor) (init (money rich 1)) (init (money poor 0)) (init (turns 0))
(up 0 1) (up 1 2) (up 2 3)
(<= (legal ?r earn) (role ?r))
(<= (next (money ?r ?m)) (does ?r earn) (true (money ?r ?n)) (up ?n ?m))
(<= (next (turns ?m)) (true (turns ?n)) (up ?n ?m))
(<= terminal (true (turns 2)))
(<= (goal ?r 100) (true (money ?r 3)))
(<= (goal ?r 0) (role ?r) (not (true (money ?r 3))))
"""


@pytest.mark.spec("asp-player", 49)
def test_quantities_belong_to_roles_and_counters_to_nobody() -> None:
    assert shown(structures_of(parse_kif(BANK))) == {
        "successor (up ? ?)",
        "quantity (money rich ?)",
        "quantity (money poor ?)",
        "counter (turns ?)",
    }


SCRAMBLED = ["tictactoe", "connect_four", "breakthrough", "nim", "blocks", "maze", "buttons", "hodgepodge",
             "racetrack", "eight_puzzle", "othello", "rock_paper_scissors", "peg_solitaire", "dots_and_boxes",
             "lights_out", "tron", "hex", "sokoban"]  # fmt: skip


@pytest.mark.spec("asp-player", 49)
@pytest.mark.parametrize("name", sample(SCRAMBLED, 2))
def test_a_scrambled_sheet_has_the_same_structures(name: str) -> None:
    """Other words for all names and numbers, in another order: each structure becomes its counterpart."""
    game = load_game(name)
    assert game.rules is not None
    renaming = Renaming(game.rules, seed=len(name))
    found, other = of_game(name), structures_of(renaming.rules)
    assert [each.key for each in found] == [each.key for each in other]
    renamed = Counter(
        (each.kind, renaming.word(each.name[0]), each.places, each.contents, each.size) for each in found
    )
    assert renamed == Counter(
        (each.kind, each.name[0], each.places, each.contents, each.size) for each in other
    )
    values = Counter(None if each.value is None else renaming.word(each.value.name) for each in found)
    assert values == Counter(None if each.value is None else each.value.name for each in other)


def test_other_games_have_other_keys() -> None:
    names = ["tictactoe", "connect_four", "breakthrough", "nim", "racetrack"]
    boards = [each.key for name in names for each in of_game(name) if each.kind is StructureKind.BOARD]
    assert len(set(boards)) == len(boards) == 6  # racetrack has two


@given(st.lists(st.integers(3, 7), min_size=1, max_size=3))
def test_chains_are_ranked_from_first_to_last(lengths: list[int]) -> None:
    pairs = {
        (f"{number}.{at}", f"{number}.{at + 1}")
        for number, length in enumerate(lengths)
        for at in range(length - 1)
    }
    ranks = ranks_of(pairs)
    assert len(ranks) == sum(lengths)
    for number, length in enumerate(lengths):
        own = [ranks[f"{number}.{at}"] for at in range(length)]
        assert own == sorted(own)
        assert (own[0], own[-1]) == (0.0, 1.0)
    circle = {*pairs, (f"0.{lengths[0] - 1}", "0.0")}
    assert ranks_of(circle) == {}
    assert ranks_of({*pairs, ("0.0", "elsewhere")}) == {}
