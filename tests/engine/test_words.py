"""Texts stand for roles and moves wherever terms do, and refusals say what was given and what there is."""

from collections.abc import Iterator

import pytest

from ludorum.engine.auto import AutoGame
from ludorum.engine.errors import GameError, IllegalMoveError
from ludorum.engine.game import Game, State
from ludorum.engine.load import ENGINES, load_game
from ludorum.engine.reference import ReferenceGame
from ludorum.engine.words import Named, nearest
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.terms import Term

X, O = Term("xplayer"), Term("oplayer")  # noqa: E741
NOOP = Term("noop")
MIDDLE = parse_term("(mark 2 2)")


@pytest.fixture(scope="module", params=ENGINES)
def start(request: pytest.FixtureRequest) -> Iterator[State]:
    game = load_game("tictactoe", request.param)
    yield game.initial()
    if isinstance(game, AutoGame):
        game.close()


def test_a_text_names_a_role(start: State) -> None:
    assert start.legal("xplayer") == start.legal(X)
    assert start.legal("oplayer") == (NOOP,)
    assert start.goal("xplayer") == start.goal(X)
    assert start.goal_terms("oplayer") == start.goal_terms(O)
    assert start.percepts("xplayer") == ()
    assert start.view("xplayer") == start.view(X)
    assert start.game.role("XPlayer") is start.game.role(X) is X


@pytest.mark.parametrize(
    "moves",
    [
        [MIDDLE, NOOP],
        (MIDDLE, NOOP),
        ["(mark 2 2)", "noop"],
        ("(Mark 2 2)", NOOP),
        {"xplayer": "(mark 2 2)", "oplayer": "noop"},
        {O: NOOP, X: MIDDLE},
        {"xplayer": MIDDLE},
    ],
)
def test_moves_are_terms_or_texts_in_order_or_by_role(start: State, moves: list[str]) -> None:
    for _ in range(2):  # the second time an engine may know the joint move
        after = start.play(moves)
        assert after.joint == (MIDDLE, NOOP)
        assert parse_term("(cell 2 2 x)") in after.facts()


def test_a_card_game_takes_texts() -> None:
    state = load_game("hearts").initial()
    nature = state.legal("random")
    after = state.play({"random": str(nature[0])})
    assert after.joint is not None
    assert after.joint[-1] is nature[0]
    assert state.legal("player0") == (NOOP,)
    with pytest.raises(GameError, match="hearts has no role 'player9'"):
        state.legal("player9")


FAULTS: list[tuple[object, str]] = [
    (["(mark 9 9)", "noop"], "(mark 9 9) is not legal for xplayer; legal for xplayer: (mark 1 1), "
     "(mark 1 2), (mark 1 3), (mark 2 1), (mark 2 2), (mark 2 3), (mark 3 1), (mark 3 2) and 1 more"),
    (["(mark 1 1)", "nop"], "nop is not legal for oplayer; legal for oplayer: noop; did you mean noop?"),
    (["(mark 1 1)", "sleep"], "sleep is not legal for oplayer; legal for oplayer: noop"),
    (["mark 1 1", "noop"], "'mark 1 1' is not the text of a move (3 terms where one is needed); "
     "legal for xplayer: (mark 1 1), (mark 1 2), (mark 1 3), (mark 2 1), (mark 2 2), (mark 2 3), (mark 3 1), "
     "(mark 3 2) and 1 more; did you mean (mark 1 1)?"),
    ([5, "noop"], "5 is no move of xplayer: write a term or its text"),
    (["noop"], "1 moves for 2 roles: give one for each of xplayer, oplayer"),
    ("noop", "1 moves for 2 roles: give one for each of xplayer, oplayer"),
    ({"oplayer": "noop"}, "no move for xplayer; legal for xplayer: (mark 1 1), (mark 1 2), "
     "(mark 1 3), (mark 2 1), (mark 2 2), (mark 2 3), (mark 3 1), (mark 3 2) and 1 more"),
]  # fmt: skip


@pytest.mark.parametrize(("moves", "message"), FAULTS, ids=[str(moves) for moves, _ in FAULTS])
def test_a_refusal_names_the_move_the_role_and_the_legal_moves(
    start: State, moves: list[str], message: str
) -> None:
    with pytest.raises(IllegalMoveError) as refused:
        start.play(moves)
    assert str(refused.value) == message


def test_a_role_cannot_move_twice(start: State) -> None:
    moves: dict[Named, Named] = {"xplayer": "(mark 1 1)", X: "(mark 1 2)"}
    with pytest.raises(GameError, match=r"^two moves for xplayer: \(mark 1 1\) and \(mark 1 2\)$"):
        start.play(moves)


def test_a_role_without_moves_is_told_so() -> None:
    game = ReferenceGame(parse_kif("(role a) (init p) (goal a 0)"))
    with pytest.raises(IllegalMoveError, match=r"^noop is not legal for a; a has no legal move$"):
        game.initial().play("noop")


@pytest.mark.parametrize(
    ("name", "hint"), [("xplayr", "; did you mean xplayer?"), ("white", ""), ("player", ""), ("", "")]
)
def test_a_wrong_role_is_refused_with_the_roles_there_are(start: State, name: str, hint: str) -> None:
    game: Game = start.game
    expected = f"tictactoe has no role '{name}'; its roles are xplayer, oplayer{hint}"
    for ask in (start.legal, start.goal, start.goal_terms, start.percepts, start.view, game.role):
        with pytest.raises(GameError) as refused:
            ask(name)
        assert str(refused.value) == expected


def test_only_one_text_that_is_nearest_may_be_meant() -> None:
    assert nearest("Blakc", ["black", "white"]) == "black"
    assert nearest("(mark 1 4)", ["(mark 1 1)", "(mark 1 2)"]) == ""
    assert nearest("pass", []) == ""
