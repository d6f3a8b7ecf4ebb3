"""Boards as text: found in the facts, drawn with signs only, small enough for 80 columns."""

from itertools import islice

import pytest

from ludorum.engine.board import find_grid
from ludorum.engine.game import Game, State
from ludorum.engine.load import load_game
from ludorum.engine.reference import ReferenceGame
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.show.board import Marked, draw_board, draw_state, last_places, list_facts
from ludorum.show.grid import Grid
from ludorum.show.marks import make_marks


def game_of(name: str) -> Game:
    return load_game(name, "lifted")


def grid_of(name: str) -> Grid:
    grid = find_grid(game_of(name))
    assert grid is not None
    return grid


def after(name: str, steps: int) -> tuple[State, State, Grid]:
    """A state of a random match, the one before it, and the board."""
    game = game_of(name)
    states = list(islice(game.playout(3), steps + 1))
    grid = find_grid(game)
    assert grid is not None
    return states[-1], states[-2], grid


def drawn(name: str, steps: int) -> str:
    state, before, grid = after(name, steps)
    last = last_places(grid, state.joint or (), state.facts(), before.facts())
    return draw_state(state.facts(), grid, before.facts(), 60, Marked(last=last))


def picture(text: str) -> str:
    return text.strip("\n")


def test_tictactoe() -> None:
    assert drawn("tictactoe", 6) == picture("""
3  . . o
2  . x[o]
1  x x o
   1 2 3
control  *xplayer
""")


def test_what_dropped_is_marked_though_the_move_names_only_a_column() -> None:
    assert drawn("connect_four", 6) == picture("""
6  . . . . . . .
5  . . . . . . .
4  . . . . . . .
3  . . . . . . .
2  Y . . . . . .
1  Y . R R . R[Y]
   1 2 3 4 5 6 7
R red  Y yellow
control  *red
""")


def test_chess_has_capitals_for_white_and_says_so() -> None:
    assert drawn("chess", 6) == picture("""
8  r n b q k b n r
7  p p . . p p p[.]
6  . . p p . . .[p]
5  . . . . . . . .
4  . . P . . P . .
3  . . . . . . . .
2  P P . P P . P P
1  R N B Q K B N R
   a b c d e f g h
b black bishop  k black king  n black knight  p black pawn
q black queen  r black rook  B white bishop  K white king
N white knight  P white pawn  Q white queen  R white rook
control     *white
may castle  black kingside, black queenside, white kingside
            white queenside
ply         *7
quiet       0
""")


def test_places_written_in_one_word() -> None:
    assert drawn("nine_mens_morris", 6).splitlines()[:8] == [
        "7  B . . . . .[B]",
        "6  . . . . . . .",
        "5  . . . . . . .",
        "4  . W . . . . .",
        "3  . . . . . . .",
        "2  . . . . . . .",
        "1  W . . B . . W",
        "   a b c d e f g",
    ]


def test_several_kinds_of_facts_on_one_board() -> None:
    assert drawn("pacman", 6) == picture("""
5   p  p  p  p[Ip] p  p
4   p  .  .  p  .  .  p
3   p  p  p  .  p  p  p
2   p  .  .[ P] .  .[Bp]
1   p  p  p  .  .  p  p
    1  2  3  4  5  6  7
B blinky  I inky  P pacman  p pellet
eaten  2
step   *7
""")


def test_facts_without_a_board_are_grouped() -> None:
    game = game_of("nim")
    assert find_grid(game) is None
    first, second = islice(game.playout(3), 2)
    assert draw_state(second.facts(), None, first.facts()) == picture("""
control  *right
heap     a 1, b 3, c 5, *d 2
""")


@pytest.mark.parametrize(
    "name",
    [
        "iterated_prisoners_dilemma",
        "banker_and_thief",
        "blackjack",
        "liars_dice",
        "maze",
        "mastermind",
        "hidden_connect",
    ],
)
def test_numbers_alone_make_no_board(name: str) -> None:
    assert find_grid(game_of(name)) is None


@pytest.mark.parametrize("name", ["amazons", "gomoku", "chess", "hex", "chinese_checkers", "tron"])
def test_boards_fit_beside_the_moves(name: str) -> None:
    state = game_of(name).initial()
    lines = draw_board(state.facts(), grid_of(name))
    assert max(map(len, lines)) <= 49
    assert len(lines) <= 18


def test_every_fact_is_either_on_the_board_or_in_the_list() -> None:
    state, before, grid = after("krieg_tictactoe", 6)
    text = draw_state(state.facts(), grid, before.facts())
    assert "T tried oplayer" in text
    assert text.count("X") - 1 == sum(str(fact).endswith("xplayer)") for fact in state.facts())


def test_cursor_choice_and_last_move_share_a_row() -> None:
    grid = Grid(("1", "2", "3", "4"), ("1",), ())
    marked = Marked(last=[("1", "1"), ("2", "1")], chosen=[("3", "1")], cursor=("4", "1"))
    assert draw_board(frozenset(), grid, marked)[0] == "1 [.|.(.>.<"
    assert draw_board(None, grid, Marked(cursor=("1", "1")))[0] == "1 >?<? ? ?"


def test_places_in_moves() -> None:
    chess = grid_of("chess")
    move = parse_term("(move c 4 a 6)")
    assert chess.places_in(move) == [("c", "4"), ("a", "6")]
    other = parse_term("(move c 4 b 3)")
    assert chess.moves_at([("c", "4")], [move, other]) == [move, other]
    assert chess.moves_at([("c", "4"), ("b", "3")], [move, other]) == [other]
    connect_four = grid_of("connect_four")
    drops = [parse_term(f"(drop {column})") for column in range(1, 8)]
    assert connect_four.moves_at([("3", "5")], drops) == [drops[2]]
    assert grid_of("nine_mens_morris").places_in(parse_term("(slide a1 d1)")) == [("a", "1"), ("d", "1")]


@pytest.mark.parametrize(
    ("contents", "marks"),
    [
        (["b", "x", "o"], [".", "x", "o"]),
        (["red", "yellow", "empty"], ["R", "Y", "."]),
        (["black man", "black king", "white man", "white king"], ["m", "k", "M", "K"]),
        (["sheep", "stone", "wolf"], ["Sh", "St", "Wo"]),
        (["1", "12"], ["1", "12"]),
        (["b", "w"], ["b", "w"]),  # black and white
        (["b", "empty", "r"], ["b", ".", "r"]),  # something else is empty
    ],
)
def test_marks(contents: list[str], marks: list[str]) -> None:
    assert make_marks(contents) == dict(zip(contents, marks, strict=True))


def test_marks_never_meet() -> None:
    contents = [f"piece_{number}" for number in range(40)]
    assert len(set(make_marks(contents, ["pieces", "piece"]).values())) == 42


def test_long_facts_are_wrapped() -> None:
    facts = [parse_term(f"(card {number} of_hearts)") for number in range(1, 9)]
    lines = list_facts([*facts, parse_term("over")], frozenset(facts), 40)
    assert lines == [
        "      *over",
        "card  1 of hearts, 2 of hearts",
        "      3 of hearts, 4 of hearts",
        "      5 of hearts, 6 of hearts",
        "      7 of hearts, 8 of hearts",
    ]


def test_rules_that_break_still_have_a_picture() -> None:
    rules = "(role a) (init p) (<= (legal a go) (true p)) (<= (next q) (true p)) (<= terminal (true r))"
    assert find_grid(ReferenceGame(parse_kif(rules), "stuck")) is None
