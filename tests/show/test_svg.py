"""Pictures of states: what stands where, in well-formed SVG."""

import re
from itertools import islice
from xml.etree import ElementTree

import pytest

import ludorum
from ludorum.engine.game import State
from ludorum.engine.load import load_game
from ludorum.show.grid import place_name
from ludorum.show.markup import element, markup
from ludorum.show.shapes import CHESSMEN, COLOURS
from tests.corpus_location import ROOT

NAMESPACE = "{http://www.w3.org/2000/svg}"


def drawn(state: State) -> ElementTree.Element:
    return ElementTree.fromstring(state.svg())


def pieces(state: State) -> dict[str, str]:
    """What the picture shows on each place, by the titles of its pieces."""
    groups = [group for group in drawn(state).iter(f"{NAMESPACE}g") if "data-place" in group.attrib]
    return {
        group.attrib["data-place"]: ", ".join(title.text or "" for title in group.iter(f"{NAMESPACE}title"))
        for group in groups
    }


def played(name: str, *moves: dict[str, str]) -> State:
    state = load_game(name).initial()
    for move in moves:
        state = state.play(move)
    return state


def test_pieces_stand_where_the_facts_put_them() -> None:
    state = played("tictactoe", {"xplayer": "(mark 2 2)"}, {"oplayer": "(mark 1 3)"})
    assert pieces(state) == {"2 2": "x", "1 3": "o"}
    assert drawn(state).findtext(f"{NAMESPACE}title") == "1 3 o; 2 2 x"
    assert [text.text for text in drawn(state).iter(f"{NAMESPACE}text")] == ["1", "2", "3", "3", "2", "1"]


def test_a_chessboard_has_squares_and_men() -> None:
    state = played("chess", {"white": "(move e 2 e 4)"})
    shown = pieces(state)
    assert len(shown) == 32
    assert (shown["e4"], shown["e8"], shown["b1"]) == ("white_pawn", "black_king", "white_knight")
    fills = [square.attrib["fill"] for square in drawn(state).iter(f"{NAMESPACE}rect")]
    assert fills.count("#c9ab78") == fills.count("#e9d9b4") - 1 == 32  # one more for the ground
    assert fills.count("#f5b301") == 2  # the last move


def test_where_pieces_are_dropped_the_board_has_holes() -> None:
    state = played("connect_four", {"red": "(drop 4)"})
    assert pieces(state) == {"4 1": "red"}
    circles = [circle.attrib["r"] for circle in drawn(state).iter(f"{NAMESPACE}circle")]
    assert circles.count("0.42") == 42


def test_places_that_are_none_are_not_drawn() -> None:
    grid = load_game("peg_solitaire").picture.grid
    assert grid is not None
    assert len(grid.absent) == 16
    squares = list(drawn(load_game("peg_solitaire").initial()).iter(f"{NAMESPACE}rect"))
    assert len([one for one in squares if one.attrib["width"] == "1"]) == 33


def test_without_a_board_the_facts_are_written() -> None:
    state = load_game("nim").initial()
    lines = [text.text or "" for text in drawn(state).iter(f"{NAMESPACE}text")]
    assert lines == state.ascii().splitlines()
    assert lines[0].split() == ["control", "left"]


@pytest.mark.parametrize("name", ["hearts", "kuhn_poker", "monty_hall", "pacman", "rock_paper_scissors"])
def test_every_game_can_be_drawn(name: str) -> None:
    game = load_game(name)
    for state in (game.initial(), *list(game.playout(seed=1))[1:3]):
        assert drawn(state).tag == f"{NAMESPACE}svg"
        assert ElementTree.fromstring(state._repr_html_()).tag == "div"
        assert state.ascii()


def test_the_picture_of_a_state_is_the_same_in_every_engine() -> None:
    state = played("breakthrough")
    other = ludorum.load_game("breakthrough", "compiled").initial()
    assert state.svg() == other.svg()
    assert state.ascii() == other.ascii()


def test_texts_and_attributes_are_escaped() -> None:
    made = markup(element("p", {"title": '"<&'}, "<b>", element("i"), "a & b\x00"))
    assert made == '<p title="&quot;&lt;&amp;">&lt;b&gt;<i></i>a &amp; b\N{REPLACEMENT CHARACTER}</p>'


def test_a_place_is_written_as_people_write_it() -> None:
    assert [place_name(place) for place in (("e", "4"), ("3", "4"), ("a", "b"))] == ["e4", "3 4", "a b"]


def plain_numbers(text: str) -> str:
    """A text whose numbers have no zeros that say nothing."""
    return re.sub(r"(\.[0-9]*[1-9])0+|\.0+(?![0-9])", lambda found: found[1] or "", text)


def test_pages_and_notebooks_have_the_same_shapes_and_colours() -> None:
    page = ROOT / "frontend" / "src"
    shapes = plain_numbers((page / "board" / "shapes.ts").read_text(encoding="utf-8"))
    for outline, lines in CHESSMEN.values():
        assert f'"{plain_numbers(outline)}"' in shapes
        assert f'"{plain_numbers(lines)}"' in shapes
    style = (page / "styles" / "base.css").read_text(encoding="utf-8")
    for name, colour in COLOURS.items():
        assert f"--{name}: {colour};" in style


def test_a_card_game_shows_its_table() -> None:
    *_, end = islice(load_game("hearts").playout(seed=1), 60)
    lines = end.ascii().splitlines()
    assert any("♥" in line for line in lines)
    assert not any("undrawn" in line or "variable" in line for line in lines)
    assert [text.text or "" for text in drawn(end).iter(f"{NAMESPACE}text")] == lines
