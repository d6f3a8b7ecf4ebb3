"""How contents of boards look on a page, by nothing but their words."""

from __future__ import annotations

import pytest

from ludorum.show.marks import make_marks
from ludorum.show.pieces import PALETTE, Piece, make_pieces, role_colours


def pieces(contents: list[str], *roles: str) -> dict[str, Piece]:
    return make_pieces(make_marks(contents), roles)


@pytest.mark.parametrize(
    ("roles", "colours"),
    [
        (("white", "black"), ["white", "black"]),
        (("xplayer", "oplayer"), ["blue", "red"]),
        (("random", "player"), ["grey", "blue"]),
        (("red_one", "red_two", "left"), ["red", "blue", "green"]),
        (tuple("abcdefghi"), [*PALETTE, PALETTE[0]]),
    ],
)
def test_every_role_has_a_colour(roles: tuple[str, ...], colours: list[str]) -> None:
    assert role_colours(roles) == colours


def test_chessmen_by_words_and_by_letters() -> None:
    long = pieces(["white_king", "white_pawn", "black_knight", "black_king"], "white", "black")
    assert long["black_knight"] == Piece("knight", "black")
    assert long["white_pawn"] == Piece("pawn", "white")
    short = pieces(["b", "wk", "wp", "bn", "bb"], "white", "black")
    assert short == {
        "wk": Piece("king", "white"),
        "wp": Piece("pawn", "white"),
        "bn": Piece("knight", "black"),
        "bb": Piece("bishop", "black"),
    }


def test_draughtsmen_are_discs_and_their_kings_wear_crowns() -> None:
    found = pieces(["white man", "white king", "black man", "black king"], "black", "white")
    assert found["white man"] == Piece("disc", "white")
    assert found["black king"] == Piece("crown", "black")


def test_pieces_of_roles_have_their_colours() -> None:
    assert pieces(["b", "x", "o"], "xplayer", "oplayer") == {
        "x": Piece("cross", "blue"),
        "o": Piece("ring", "red"),
    }
    assert pieces(["xplayer"], "xplayer", "oplayer")["xplayer"] == Piece("cross", "blue")
    assert pieces(["first", "second"], "first", "second")["second"] == Piece("disc", "red")
    assert pieces(["s", "w"], "wolf", "sheep") == {"s": Piece("disc", "red"), "w": Piece("disc", "blue")}
    assert pieces(["3 red"], "red", "black")["3 red"] == Piece("disc", "red", "3")


def test_what_says_nothing_of_its_looks_is_a_tile_with_its_mark() -> None:
    assert pieces(["b", "7"], "player") == {"7": Piece("tile", "grey", "7")}
    assert pieces(["diamond", "wall"], "robot") == {
        "diamond": Piece("tile", "blue", "D"),
        "wall": Piece("block", "grey"),
    }
