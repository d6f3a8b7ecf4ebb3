"""The screen in colours: boards that use the room, cards, clicks, advice and rules."""

import pytest

from ludorum.arena.table.table import Phase
from ludorum.cli.terminal.advice import bar
from ludorum.cli.terminal.board_picture import Look, draw_board
from ludorum.cli.terminal.palette import COLOURS, GREEN, SLATE, WOOD
from ludorum.cli.terminal.picture import ScreenPicture
from ludorum.engine.board import find_grid
from ludorum.engine.load import load_game
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from ludorum.scene.move_words import MoveWords
from ludorum.show.board import PLAIN, Marked
from tests.cli.screens import Person, at_the_screen


async def click(person: Person, means: tuple[str, str] | Term) -> None:
    spot = person.app.board.picture.spot_of(means)
    assert spot is not None
    await person.pilot.click(person.app.board, offset=(spot.x + spot.width // 2, spot.y))
    await person.settle()


def board(name: str, room: tuple[int, int], marked: Marked = PLAIN) -> ScreenPicture:
    game = load_game(name, "lifted")
    grid = find_grid(game)
    assert grid is not None
    look = Look.of(grid, MoveWords(game, grid).pieces)
    return draw_board(game.initial().facts(), look, marked, [], room)


@pytest.mark.parametrize(
    ("room", "size"), [((60, 26), (7, 3)), ((47, 18), (5, 2)), ((30, 12), (3, 1)), ((10, 5), (3, 1))]
)
def test_a_board_is_as_large_as_the_room_allows(room: tuple[int, int], size: tuple[int, int]) -> None:
    picture = board("chess", room)
    assert (picture.spots[0].width, picture.spots[0].height) == size
    assert len(picture.lines) == 8 * size[1] + 1


def test_chessmen_are_signs_in_the_colours_of_their_sides() -> None:
    lines = board("chess", (30, 12), Marked(last=[("e", "4")], chosen=[("e", "2")], cursor=("a", "1"))).lines
    assert [line.plain for line in lines] == [
        "8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜ ",
        "7  ♟  ♟  ♟  ♟  ♟  ♟  ♟  ♟ ",
        *(f"{row}" + " " * 25 for row in (6, 5)),
        "4             [ ]         ",
        "3" + " " * 25,
        "2  ♟  ♟  ♟  ♟ (♟) ♟  ♟  ♟ ",
        "1 >♜< ♞  ♝  ♛  ♚  ♝  ♞  ♜ ",
        "   a  b  c  d  e  f  g  h",
    ]

    def ink(line: int) -> set[str]:
        styles = (span.style for span in lines[line].spans)
        return {style.color.name for style in styles if not isinstance(style, str) and style.color}

    assert ink(0) == {COLOURS["black"]}
    assert ink(7) == {COLOURS["white"]}


def test_boards_are_wood_for_chess_green_for_black_men_and_slate_for_others() -> None:
    for name, colours in (("chess", WOOD), ("othello", GREEN), ("connect_four", SLATE)):
        game = load_game(name, "lifted")
        grid = find_grid(game)
        assert grid is not None
        assert Look.of(grid, MoveWords(game, grid).pieces).board is colours


@pytest.mark.long
def test_a_piece_and_its_target_are_clicked() -> None:
    async def play(person: Person) -> None:
        await click(person, ("g", "1"))
        assert person.app.board.chosen == [("g", "1")]
        assert person.app.board.targets == [("f", "3"), ("h", "3")]
        assert "2 of 20 moves at g 1: _" in person.screen
        await click(person, ("b", "1"))  # another piece instead
        assert person.app.board.chosen == [("b", "1")]
        await click(person, ("c", "3"))
        assert person.table.match.moves[0][0] is parse_term("(move b 1 c 3)")
        assert "1. white ♘ b1 c3" in person.screen

    at_the_screen(load_game("chess", "lifted"), "white", play, colours=True)


@pytest.mark.long
def test_a_click_on_a_column_drops_a_disc() -> None:
    async def play(person: Person) -> None:
        await click(person, ("4", "6"))
        assert person.table.match.moves[0][0] is parse_term("(drop 4)")
        assert "▄▄▄" in person.screen

    at_the_screen(load_game("connect_four", "lifted"), "red", play, colours=True)


@pytest.mark.long
def test_a_text_that_fits_several_moves_lists_them_and_plays_none() -> None:
    async def play(person: Person) -> None:
        await person.type("e2")
        await person.press("enter")
        assert "e2 may be ♙ e2 e3 or ♙ e2 e4: type more of it" in person.screen
        assert person.table.match.moves == []
        await person.press("down", "enter")  # what the arrows point at is meant
        assert person.table.match.moves[0][0] is parse_term("(move e 2 e 4)")

    at_the_screen(load_game("chess", "lifted"), "white", play, colours=True)


@pytest.mark.long
def test_hearts_is_dealt_by_itself_and_asks_for_cards_to_pass() -> None:
    async def play(person: Person) -> None:
        assert "Choose a card to pass." in person.screen
        assert "you are dealt" in person.screen
        for words in ("noop", "random", "currentPackIndex", "numberOfCards"):
            assert words not in person.screen
        first = person.table.legal[0]
        await click(person, first)
        assert person.table.match.moves[-1][0] is first
        assert person.phase() is Phase.CHOICE

    at_the_screen(load_game("hearts"), "player0", play, colours=True, seed=1)


def test_the_own_card_of_kuhn_poker_is_shown_and_nature_is_not() -> None:
    async def play(person: Person) -> None:
        board = person.app.board.text
        assert board.split()[:3] in (["holds", "alice", sign] for sign in "JQK")
        known, possible = board.split("Possible:")
        assert ("bob" in known, possible.count("bob")) == (False, 2)
        assert "random" not in person.screen
        assert "noop" not in person.screen

    at_the_screen(load_game("kuhn_poker", "lifted"), "alice", play, colours=True)


def test_the_rules_are_on_a_key() -> None:
    async def play(person: Person) -> None:
        await person.press("f12")
        assert "Three in a row wins." in person.screen
        await person.press("x")
        assert "Three in a row wins." not in person.screen

    at_the_screen(load_game("tictactoe", "lifted"), "xplayer", play, rules="Three in a row wins.")


@pytest.mark.long
def test_an_evaluation_bar_and_candidates_on_request() -> None:
    async def play(person: Person) -> None:
        assert not person.app.words["advice"].display
        await person.press("ctrl+e")
        assert "you ██████      ▏50 of 100" in person.screen
        assert "Hint:" not in person.screen
        await person.type("b2")
        await person.press("enter")
        assert "of 100" in person.screen
        await person.press("ctrl+e")
        assert "of 100" not in person.screen

    game = load_game("tictactoe", "lifted")
    at_the_screen(game, "xplayer", play, player="alphabeta", colours=True)


@pytest.mark.parametrize(("value", "drawn"), [(0, "    "), (50, "██  "), (100, "████"), (40, "█▋  ")])
def test_the_bar_is_exact_to_an_eighth(value: float, drawn: str) -> None:
    assert bar(value, 4) == drawn
