"""Moves as people type them."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.arena.table.typed_moves import matching_moves, near_moves, read_move, words_of
from ludorum.engine.errors import IllegalMoveError
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term

MARKS = [parse_term(f"(mark {column} {row})") for column in (1, 2, 10) for row in (1, 2)]
NOOP = parse_term("noop")
MANY = [Term("move", tuple(Term(str(n)) for n in (a, b, c, d))) for a in range(1, 9) for b in range(1, 9)
        for c in range(1, 9) for d in range(1, 5)]  # fmt: skip


def test_brackets_capitals_and_spaces_do_not_matter() -> None:
    for text in ("(mark 2 1)", "mark 2 1", "  MARK  2 1 ", "( Mark 2 1"):
        assert read_move(text, MARKS) is MARKS[2]


def test_as_much_as_only_one_move_has_is_enough() -> None:
    assert read_move("10 2", MARKS) is MARKS[5]
    assert read_move("no", [*MARKS, NOOP]) is NOOP


def test_a_whole_move_goes_before_longer_ones() -> None:
    one, ten = parse_term("(take 1)"), parse_term("(take 10)")
    assert read_move("take 1", [one, ten]) is one


def test_brackets_decide_where_words_are_the_same() -> None:
    nested, flat = parse_term("(f (g a))"), parse_term("(f g a)")
    assert read_move("(f (g a))", [flat, nested]) is nested
    with pytest.raises(IllegalMoveError, match=r"f g a may be \(f g a\) or \(f \(g a\)\): type more of it"):
        read_move("f g a", [flat, nested])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mark 1", "mark 1 may be (mark 1 1), (mark 1 2), (mark 10 1) or 1 more: type more of it"),
        ("mrk 2 2", "mrk 2 2 is not legal here; did you mean (mark 2 2), (mark 1 2) or (mark 2 1)?"),
        ("castle", "castle is not legal here; there are 6 legal moves, such as (mark 1 1) or (mark 1 2)"),
    ],
)
def test_what_is_no_move_is_explained(text: str, message: str) -> None:
    with pytest.raises(IllegalMoveError) as error:
        read_move(text, MARKS)
    assert str(error.value) == message


def test_filtering_looks_for_whole_words_and_an_unfinished_last_one() -> None:
    assert matching_moves("1 2", MARKS) == [MARKS[1]]
    assert matching_moves("mark 1", MARKS) == [MARKS[0], MARKS[1], MARKS[4], MARKS[5]]
    assert matching_moves("", MARKS) == MARKS
    assert matching_moves("0", MARKS) == []


def test_two_thousand_moves_are_searched_at_once() -> None:
    matching_moves("move", MANY)
    start = time.perf_counter()
    assert len(matching_moves("3 4 ", MANY)) > 100
    assert near_moves("mve 8 8 8 4", MANY)[0] is MANY[-1]
    assert time.perf_counter() - start < 2


@given(st.sampled_from(MANY))
def test_every_move_is_read_from_its_words(move: Term) -> None:
    assert read_move(words_of(move), MANY) is move
    assert read_move(str(move), MANY) is move
    assert move in matching_moves(words_of(move), MANY)


CHESS = [parse_term(text) for text in (
    "(move a 2 a 3)", "(move b 1 a 3)", "(move b 1 c 3)", "(move c 2 c 3)", "(move d 2 d 4)",
    "(move e 2 e 4)", "(move e 2 e 3)", "(promote e 7 e 8 queen)",
    "(promote e 7 e 8 knight)", "(castle kingside)",
)]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("e2e4", "(move e 2 e 4)"),
        ("E2E4", "(move e 2 e 4)"),
        ("e2-e4", "(move e 2 e 4)"),
        ("e2 e4", "(move e 2 e 4)"),
        ("e2 - e4!", "(move e 2 e 4)"),
        ("b1 c3", "(move b 1 c 3)"),
        ("b1xc3", "(move b 1 c 3)"),
        ("d4", "(move d 2 d 4)"),
        ("d2", "(move d 2 d 4)"),
        ("e7e8queen", "(promote e 7 e 8 queen)"),
        ("e7 e8 k", "(promote e 7 e 8 knight)"),
        ("kingside", "(castle kingside)"),
    ],
)
def test_places_are_typed_as_people_write_them(text: str, move: str) -> None:
    assert read_move(text, CHESS) is parse_term(move)


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("e2", "(move e 2 e 4) or (move e 2 e 3)"),
        ("a3", "(move a 2 a 3) or (move b 1 a 3)"),
        ("b1", "(move b 1 a 3) or (move b 1 c 3)"),
        ("e8", "(promote e 7 e 8 queen) or (promote e 7 e 8 knight)"),
        ("move", "(move a 2 a 3), (move b 1 a 3), (move b 1 c 3) or 4 more"),
    ],
)
def test_what_several_moves_fit_lists_them(text: str, moves: str) -> None:
    with pytest.raises(IllegalMoveError) as error:
        read_move(text, CHESS)
    assert str(error.value) == f"{text} may be {moves}: type more of it"


def test_a_column_is_typed_by_its_number() -> None:
    drops = [parse_term(f"(drop {column})") for column in range(1, 13)]
    assert [read_move(str(column), drops) for column in range(1, 13)] == drops


def test_numbers_run_together_are_read_where_only_one_reading_is_legal() -> None:
    two, both = parse_term("(mark 2 2)"), [parse_term("(mark 1 11)"), parse_term("(mark 11 1)")]
    assert read_move("22", [two, *both]) is two
    assert read_move("1 11", both) is both[0]
    assert read_move("11 1", both) is both[1]
    with pytest.raises(IllegalMoveError, match=r"111 may be \(mark 1 11\) or \(mark 11 1\)"):
        read_move("111", both)


def test_other_writings_keep_capitals_apart() -> None:
    bishop, pawn = parse_term("(move a 1 c 3)"), parse_term("(move b 2 c 3)")
    writings = {bishop: ("♗ a1 x c3", "Bc3"), pawn: ("♙ b2 x c3", "bc3")}
    assert read_move("Bc3", [bishop, pawn], writings.__getitem__) is bishop
    assert read_move("Bxc3+", [bishop, pawn], writings.__getitem__) is bishop
    assert read_move("bxc3", [bishop, pawn], writings.__getitem__) is pawn
    with pytest.raises(IllegalMoveError, match="BC3 may be ♗ a1 x c3 or ♙ b2 x c3: type more of it"):
        read_move("BC3", [bishop, pawn], writings.__getitem__)


def test_the_list_grows_shorter_with_every_letter() -> None:
    assert len(matching_moves("e", CHESS)) == 4
    assert matching_moves("e2", CHESS) == [CHESS[5], CHESS[6]]
    assert matching_moves("e2e", CHESS) == [CHESS[5], CHESS[6]]
    assert matching_moves("e2e4", CHESS) == [CHESS[5]]
