"""Moves as people read and type them."""

import pytest

from ludorum.arena.table.typed_moves import read_move
from ludorum.engine.board import find_grid
from ludorum.engine.errors import IllegalMoveError
from ludorum.engine.game import State
from ludorum.engine.load import load_game
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from ludorum.scene.move_words import MoveWords


class Reader:
    """Reads what is typed in one state of a game."""

    def __init__(self, name: str, *moves: str) -> None:
        game = load_game(name, "lifted")
        self.words = MoveWords(game, find_grid(game))
        self.state: State = game.initial()
        for move in moves:
            mover = next(role for role in game.roles if len(self.state.legal(role)) > 1)
            self.state = self.state.play(
                [self.read(move) if role is mover else self.state.legal(role)[0] for role in game.roles]
            )

    def read(self, text: str) -> Term:
        mover = next(role for role in self.state.game.roles if len(self.state.legal(role)) > 1)
        return read_move(text, self.state.legal(mover), self.words.at(self.state.facts()))

    def label(self, move: str) -> str:
        return self.words.label(parse_term(move), self.state.facts())


@pytest.fixture(scope="module")
def chess() -> Reader:
    return Reader("chess", "e4", "d5", "Nf3", "Nc6", "Bb5", "a6")


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("exd5", "(move e 4 d 5)"),
        ("ed5", "(move e 4 d 5)"),
        ("e4xd5", "(move e 4 d 5)"),
        ("e5", "(move e 4 e 5)"),
        ("Bxc6+", "(move b 5 c 6)"),
        ("Ba4", "(move b 5 a 4)"),
        ("Nc3", "(move b 1 c 3)"),
        ("Nfd4", "(move f 3 d 4)"),
        ("O-O", "(castle kingside)"),
        ("0-0", "(castle kingside)"),
        ("castle", "(castle kingside)"),
        ("c3", "(move c 2 c 3)"),
        ("Rf1", "(move h 1 f 1)"),
    ],
)
def test_chess_as_chess_players_write_it(chess: Reader, text: str, move: str) -> None:
    assert chess.read(text) is parse_term(move)


def test_two_men_that_reach_a_place_are_told_apart() -> None:
    reader = Reader("chess", "d4", "d5", "Nf3", "Nf6")
    with pytest.raises(IllegalMoveError, match="Nd2 may be ♘ b1 d2 or ♘ f3 d2: type more of it"):
        reader.read("Nd2")
    assert reader.read("Nbd2") is parse_term("(move b 1 d 2)")
    assert reader.read("Nfd2") is parse_term("(move f 3 d 2)")


def test_labels(chess: Reader) -> None:
    assert chess.label("(move e 4 d 5)") == "♙ e4 x d5"
    assert chess.label("(move f 3 g 5)") == "♘ f3 g5"
    assert chess.label("(castle kingside)") == "castle kingside"
    assert Reader("connect_four").label("(drop 4)") == "drop 4"
    assert Reader("breakthrough").label("(move 5 2 5 3)") == "5,2 5,3"
    assert Reader("nine_mens_morris").label("(place a1)") == "place a1"


def test_boards_with_numbers_may_be_typed_with_letters() -> None:
    assert Reader("breakthrough").read("e2e3") is parse_term("(move 5 2 5 3)")
    assert Reader("othello").read("c4") is parse_term("(place 3 4)")
    assert Reader("connect_four").read("4") is parse_term("(drop 4)")


@pytest.mark.parametrize("text", ["K♥", "kh", "KH", "king hearts", "king of hearts"])
def test_cards(text: str) -> None:
    words = MoveWords(load_game("higher_card"), None)
    moves = [parse_term(f"(play (card {card}))") for card in ("king hearts", "king spades", "10 hearts")]
    assert read_move(text, moves, words.at(None)) is moves[0]
    assert read_move("10h", moves, words.at(None)) is moves[2]
    with pytest.raises(IllegalMoveError, match="k may be K♥ or K♠: type more of it"):
        read_move("k", moves, words.at(None))


def test_cards_are_listed_by_suit_and_rank_and_other_choices_after_them() -> None:
    words = MoveWords(load_game("hearts"), None)
    cards = ("3 clubs", "10 clubs", "jack clubs", "ace clubs", "2 hearts", "queen hearts")
    held = [parse_term(f"(play (card {card}))") for card in cards]
    passing = parse_term("pass")
    assert words.in_order(sorted([*held, passing], key=str)) == (*held, passing)
    marks = [parse_term("(mark 2 1)"), parse_term("(mark 1 2)")]
    assert MoveWords(load_game("tictactoe", "lifted"), None).in_order(marks) == tuple(marks)
