"""What viewers see of some positions, exactly."""

from __future__ import annotations

from itertools import islice

import pytest

from ludorum.engine.game import Moves, State
from ludorum.engine.load import load_game
from ludorum.scene import (
    BoardScene,
    CardFace,
    CardHand,
    CardPile,
    CardScene,
    FactGroup,
    MoveChoice,
    PieceLook,
    Scene,
    Watcher,
    choices_of,
    scene_of,
    sight_of,
)


def played(name: str, *moves: Moves) -> list[State]:
    """The states of a match in which these moves are made."""
    states: list[State] = [load_game(name).initial()]
    for joint in moves:
        states.append(states[-1].play(joint))
    return states


def random_states(name: str, seed: int, steps: int) -> list[State]:
    return list(islice(load_game(name).playout(seed), steps + 1))


def seen(states: list[State], role: str | None = None, is_over: bool = False) -> Scene:
    game = states[0].game
    return scene_of(game, sight_of(game, states, None if role is None else game.role(role), is_over))


def choices(states: list[State], role: str) -> tuple[MoveChoice, ...]:
    game = states[0].game
    return choices_of(game, states[-1], game.role(role), sight_of(game, states, game.role(role)))


def lying(board: BoardScene | None) -> dict[str, str]:
    """What lies on each place, in words."""
    assert board is not None
    return {
        board.names[at]: ", ".join(board.contents[content].words for content in contents)
        for at, contents in board.cells.items()
    }


def test_tictactoe_is_crosses_and_rings_between_lines() -> None:
    states = played("tictactoe", {"xplayer": "(mark 2 2)"}, {"oplayer": "(mark 1 3)"})
    cross, ring = PieceLook("x", "cross", "blue"), PieceLook("o", "ring", "red")
    names = ("1 3", "2 3", "3 3", "1 2", "2 2", "3 2", "1 1", "2 1", "3 1")
    assert seen(states) == Scene(
        board=BoardScene(
            columns=("1", "2", "3"),
            rows=("3", "2", "1"),
            shape="square",
            look="lines",
            names=names,
            absent=(),
            contents=(ring, cross),
            cells={0: (0,), 4: (1,)},
            last=(0,),
        ),
        cards=None,
        facts=(FactGroup("to move", ("xplayer",)),),
        told=(),
        is_hidden=False,
        spoken="To move: xplayer. Board of 3 columns and 3 rows: o on 1 3; x on 2 2. Last move: 1 3.",
    )
    assert choices(states, "xplayer")[0] == MoveChoice("(mark 1 1)", "mark 1 1", ("a1",), (6,))
    assert choices(states, "oplayer") == (MoveChoice("noop", "noop", (), waits=True),)


def test_discs_of_connect_four_fall_into_holes() -> None:
    states = played("connect_four", {"red": "(drop 4)"}, {"yellow": "(drop 4)"}, {"red": "(drop 1)"})
    board = seen(states).board
    assert board is not None
    assert (board.look, board.columns, board.rows) == ("holes", tuple("1234567"), tuple("654321"))
    assert board.contents == (PieceLook("red", "disc", "red"), PieceLook("yellow", "disc", "yellow"))
    assert lying(board) == {"4 1": "red", "4 2": "yellow", "1 1": "red"}
    assert [board.names[at] for at in board.last] == ["1 1"]
    places = {choice.words: [board.names[at] for at in choice.places] for choice in choices(states, "yellow")}
    assert places["drop 4"] == ["4 3"]
    assert places["drop 1"] == ["1 2"]
    assert places["drop 7"] == ["7 1"]


def test_chess_begins_with_its_men_on_squares() -> None:
    states = played("chess")
    scene = seen(states, "white")
    assert scene.board is not None
    assert (scene.board.look, scene.board.names[0], scene.board.names[-1]) == ("squares", "a8", "h1")
    men = lying(scene.board)
    assert [men[f"{column}1"] for column in "abcdefgh"] == [
        f"white {man}" for man in ("rook", "knight", "bishop", "queen", "king", "bishop", "knight", "rook")
    ]
    assert {men[f"{column}7"] for column in "abcdefgh"} == {"black pawn"}
    assert len(men) == 32
    assert {look.shape for look in scene.board.contents} == {
        "king",
        "queen",
        "rook",
        "bishop",
        "knight",
        "pawn",
    }
    sides = [f"{side} {wing}side" for side in ("black", "white") for wing in ("king", "queen")]
    assert scene.facts == (
        FactGroup("to move", ("white",)),
        FactGroup("may castle", tuple(sides)),
        FactGroup("step", ("1",)),
    )
    (opening,) = (choice for choice in choices(states, "white") if choice.move == "(move e 2 e 4)")
    assert opening.words == "♙ e2 e4"
    assert {"e4", "e2e4", "e2 e4"} <= set(opening.writings)
    assert [scene.board.names[at] for at in opening.places] == ["e2", "e4"]
    (knight,) = (choice for choice in choices(states, "white") if choice.move == "(move b 1 c 3)")
    assert knight.words == "♘ b1 c3"
    assert {"Nc3", "b1c3", "b1 c3"} <= set(knight.writings)


def test_hex_is_a_rhombus_of_hexagons() -> None:
    board = seen(played("hex", {"red": "(place 3 1)"})).board
    assert board is not None
    assert (board.shape, board.rows) == ("hex", tuple("123456789"))
    assert lying(board) == {"3 1": "red"}
    stars = seen(played("chinese_checkers")).board
    assert stars is not None
    assert (stars.shape, len(stars.names) - len(stars.absent)) == ("hex", 37)


@pytest.mark.long
def test_boards_of_squares_are_not_taken_for_hexagons() -> None:
    names = ["othello", "gomoku", "peg_solitaire", "lights_out", "eight_puzzle", "knights_tour", "pentago"]
    assert {board.shape for name in names if (board := seen(played(name)).board)} == {"square"}


def test_othello_has_discs_of_both_sides() -> None:
    states = played("othello", {"black": "(place 3 4)"})
    scene = seen(states, "black")
    assert scene.facts == (FactGroup("to move", ("white",)),)
    assert lying(scene.board) == dict.fromkeys(("4 5", "3 4", "4 4", "5 4"), "black") | {"5 5": "white"}
    assert {choice.move: choice.writings for choice in choices(states, "white")} == {
        "(place 3 3)": ("c3",),
        "(place 3 5)": ("c5",),
        "(place 5 3)": ("e3",),
    }


def test_a_poker_player_knows_the_own_card_and_what_was_said() -> None:
    deal = ({"random": "(deal alice king)"}, {"random": "(deal bob jack)"})
    states = played("kuhn_poker", *deal, {"alice": "check"})
    jack, king = CardFace("J", "", "black", "jack"), CardFace("K", "", "black", "king")
    own = CardHand("bob", True, None, (), CardPile("hand of bob", 1, (jack,)))
    assert seen(states, "bob") == Scene(
        board=None,
        cards=CardScene(
            hands=(CardHand("alice", False, None, (), CardPile("hand of alice", 1, None)), own),
            trick=(),
            is_taken=False,
            piles=(),
            suits=(),
        ),
        facts=(
            FactGroup("to move", ("bob",)),
            FactGroup("may be true", ("holds alice king", "holds alice queen")),
        ),
        told=("alice says check",),
        is_hidden=True,
        spoken="To move: bob. May be true: holds alice king, holds alice queen. Your hand: jack. "
        "Alice: 1 card. Last: alice says check. Some of this game is hidden from you.",
    )
    table = seen(states, "bob", is_over=True).cards
    assert table is not None
    assert [hand.hand.cards for hand in table.hands] == [(king,), (jack,)]
    table = seen(states).cards
    assert table is not None
    assert [(hand.hand.count, hand.hand.cards) for hand in table.hands] == [(1, None), (1, None)]


def test_krieg_tictactoe_shows_a_player_the_own_marks_and_tries() -> None:
    states = played("krieg_tictactoe", ["(mark 1 1)", "(mark 2 2)"], ["(mark 2 2)", "(mark 3 3)"])
    scene = seen(states, "xplayer")
    assert lying(scene.board) == {"2 2": "tried xplayer", "1 1": "xplayer"}
    assert scene.board is not None
    assert scene.board.is_unknown
    remarks = {look.words: look.remark for look in scene.board.contents}
    assert remarks == {"oplayer": False, "xplayer": False, "tried oplayer": True, "tried xplayer": True}
    assert scene.told == ("failed 2 2",)
    assert scene.facts == (FactGroup("may be true", ("50 facts",)),)
    hidden = seen(states)
    assert (lying(hidden.board), hidden.facts, hidden.told) == ({}, (), ())


def test_hearts_is_dealt_to_hands_that_only_their_players_see() -> None:
    states = random_states("hearts", 3, 52)
    scene = seen(states, "player0")
    assert scene.board is None
    assert scene.cards is not None
    own, *others = scene.cards.hands
    assert own.is_viewer
    assert own.hand.cards is not None
    assert " ".join(card.text for card in own.hand.cards) == "9♣ J♦ Q♦ 2♥ 4♥ 6♥ 7♥ 10♥ J♥ A♥ 2♠ 7♠ 10♠"
    assert others == [
        CardHand(f"player{at}", False, 0, (), CardPile(f"hand of player{at}", 13, None)) for at in (1, 2, 3)
    ]
    assert scene.cards.piles == ()
    assert scene.facts == (FactGroup("to move", ("player0",)),)
    assert all(hand.hand.cards is None for hand in seen(states).cards.hands)  # type: ignore[union-attr]
    (first, *_) = choices(states, "player0")
    assert (first.words, first.card) == ("9♣", CardFace("9", "♣", "black", "9 of clubs"))


def test_a_trick_of_hearts_lies_there_until_the_next_card_is_played() -> None:
    states = random_states("hearts", 3, 69)
    tables = [seen(states[:length], "player0").cards for length in (68, 69, 70)]
    tricks = [
        (table.is_taken, [(role, card.text) for role, card in table.trick]) for table in tables if table
    ]
    trick = [("player2", "2♣"), ("player3", "4♣"), ("player0", "8♣")]
    assert tricks == [
        (False, trick),
        (True, [*trick, ("player1", "K♣")]),
        (False, [("player1", "5♣")]),
    ]


@pytest.mark.long
def test_a_watcher_sees_the_same_as_one_look() -> None:
    for name, role in (("hearts", "player1"), ("krieg_tictactoe", "oplayer"), ("chess", "white")):
        states = random_states(name, 1, 20)
        game = states[0].game
        watcher = Watcher(game, game.role(role))
        for length in (1, 5, 18, 12, 21):  # moves are taken back, too
            assert scene_of(game, watcher.sight(states[:length])) == seen(states[:length], role)


def test_the_end_is_open_to_all() -> None:
    states = random_states("hearts", 3, 200)
    assert states[-1].is_terminal
    half = states[:80]
    assert not any(hand.hand.cards is None for hand in seen(half, None, is_over=True).cards.hands)  # type: ignore[union-attr]
    assert not seen(states, "player0").is_hidden
