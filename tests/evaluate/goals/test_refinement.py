"""What is known of a state beside its goals: it is measured, and decides between equals alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.lifted import LiftedGame
from ludorum.evaluate.goals import refinement
from ludorum.evaluate.goals.evaluation import GoalEvaluation
from ludorum.evaluate.goals.goal_theory import goal_theory
from ludorum.evaluate.goals.refinement import (
    QUANTUM,
    SAMPLE,
    Refinement,
    find_piece_values,
    find_refinement,
    sample_states,
    with_bonus,
)
from ludorum.rules.kif import parse_kif, parse_term
from tests.library_games import compiled_game

TRACK = """
(role white) (role black)
(succ 1 2) (succ 2 3) (succ 3 4) (after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6)
(<= (near ?a ?b) (succ ?a ?b)) (<= (near ?a ?b) (succ ?b ?a))
(<= (cell_name ?a) (succ ?a ?b)) (<= (cell_name ?b) (succ ?a ?b))
(init (cell 1 runner)) (init (cell 2 blank)) (init (cell 3 jumper)) (init (cell 4 stone))
(init (control white)) (init (step 0))
(<= (legal white (run ?a ?b)) (true (control white)) (true (cell ?a runner)) (near ?a ?b)
    (true (cell ?b blank)))
(<= (legal white (run ?a ?b)) (true (control white)) (true (cell ?a runner)) (near ?a ?b)
    (true (cell ?b stone)))
(<= (legal white (jump ?a ?b)) (true (control white)) (true (cell ?a jumper)) (cell_name ?b)
    (true (cell ?b blank)))
(<= (legal black (drop ?b)) (true (control black)) (true (cell ?b blank)))
(<= (legal black noop) (true (control white)))
(legal white pass)
(<= (legal black pass) (true (control black)))
(<= (next (cell ?b runner)) (does white (run ?a ?b)))
(<= (next (cell ?b jumper)) (does white (jump ?a ?b)))
(<= (next (cell ?a blank)) (does white (run ?a ?b)))
(<= (next (cell ?a blank)) (does white (jump ?a ?b)))
(<= (next (cell ?b stone)) (does black (drop ?b)))
(<= (changed ?a) (does white (run ?a ?b))) (<= (changed ?b) (does white (run ?a ?b)))
(<= (changed ?a) (does white (jump ?a ?b))) (<= (changed ?b) (does white (jump ?a ?b)))
(<= (changed ?a) (does black (drop ?a)))
(<= (next (cell ?a ?what)) (true (cell ?a ?what)) (not (changed ?a)))
(<= (next (control black)) (true (control white))) (<= (next (control white)) (true (control black)))
(<= (next (step ?n)) (true (step ?m)) (after ?m ?n))
(<= terminal (true (step 6)))
(<= (goal white 60) (true (cell 2 runner))) (<= (goal white 40) (not (true (cell 2 runner))))
(<= (goal black 40) (true (cell 2 runner))) (<= (goal black 60) (not (true (cell 2 runner))))
"""


@pytest.fixture(scope="module")
def track() -> CompiledGame:
    return CompiledGame(parse_kif(TRACK), "track")


@pytest.mark.spec("evaluation-functions", 52)
def test_a_piece_is_worth_the_moves_that_it_has_on_an_empty_board(track: CompiledGame) -> None:
    """On a track of four cells who steps has one move or two, and who jumps has three; a stone has none."""
    white = track.role("white")
    values = {str(fact): value for fact, value in find_piece_values(track)[white].items()}
    assert values == {f"(cell {at} runner)": 1.5 for at in range(1, 5)} | {
        f"(cell {at} jumper)": 3.0 for at in range(1, 5)
    }
    assert set(find_piece_values(track)) == {white}


@pytest.mark.long
@pytest.mark.spec("evaluation-functions", 52)
def test_pieces_of_chess_are_ranked_by_their_moves() -> None:
    """By about what books say that they do on an empty board: a knight 5.25, a bishop 8.75, a rook 14."""
    game = compiled_game("chess")
    values = {
        str(fact.args[-1]): value for own in find_piece_values(game).values() for fact, value in own.items()
    }
    worth = {piece.partition("_")[2]: value for piece, value in values.items() if piece.startswith("white")}
    assert {piece: round(value, 1) for piece, value in worth.items()} == {
        "pawn": 1.3,
        "knight": 5.2,
        "king": 6.5,
        "bishop": 8.7,
        "rook": 13.9,
        "queen": 22.7,
    }
    assert all(values[f"black_{piece}"] == value for piece, value in worth.items())


@pytest.mark.spec("evaluation-functions", 52)
def test_pieces_with_too_many_moves_have_no_value(
    track: CompiledGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of each and either role: moves on the empty board, those with the piece in four cells, and these."""
    white = [1 + 4 * 1 + 4, 1 + (2 + 3 + 3 + 2) + 4, 1 + 4 * 4 + 4]
    black = 5 + 4 * 4 + 4
    counted = sum(white) + 3 * black
    monkeypatch.setattr(refinement, "MOST_COUNTED", counted)
    assert find_piece_values(track)
    monkeypatch.setattr(refinement, "MOST_COUNTED", counted - 1)
    assert not find_piece_values(track)


@pytest.mark.spec("evaluation-functions", 52)
@given(st.floats(0.001, 99.999), st.floats(0.001, 99.999), st.floats(0, 1), st.floats(0, 1))
def test_no_bonus_turns_two_values_round(low: float, high: float, one: float, other: float) -> None:
    low, high = sorted((low, high))
    if high - low > QUANTUM:
        assert with_bonus(low, one) < with_bonus(high, other)
    assert 0 < with_bonus(low, one) < 100
    if one + 1 / 32 < other:
        assert with_bonus(low, one) < with_bonus(low, other), "between equals it decides"


@pytest.mark.spec("evaluation-functions", 52)
def test_more_moves_and_more_pieces_are_a_larger_bonus(track: CompiledGame) -> None:
    found = find_refinement(track)
    white = track.role("white")
    others = [parse_term("(control white)"), parse_term("(step 2)")]

    def bonus(*cells: str) -> float:
        facts = [parse_term(f"(cell {at} {what})") for at, what in enumerate(cells, 1)]
        return found.bonus(track.state([*facts, *others]), white)

    assert found.usual_moves is not None
    assert bonus("runner", "blank", "blank", "stone") < bonus("blank", "runner", "blank", "stone")
    assert bonus("runner", "stone", "jumper", "stone") > bonus("runner", "stone", "stone", "stone")


@pytest.mark.spec("evaluation-functions", 53)
def test_goals_that_hold_before_the_end_count_for_half(track: CompiledGame) -> None:
    found = find_refinement(track)
    assert found.has_goals
    only = Refinement(has_goals=True)
    state = track.initial()
    assert only(state, track.role("white"), 70.0) == with_bonus(55.0, 0)
    assert only(state, track.role("black"), 70.0) == with_bonus(65.0, 0)


@pytest.mark.spec("evaluation-functions", 53)
def test_goals_that_tell_nothing_before_the_end_are_left_out() -> None:
    """In tic-tac-toe nobody has a line before the end: all have the same goal until then."""
    found = find_refinement(compiled_game("tictactoe"))
    assert not found.has_goals
    assert find_refinement(compiled_game("othello")).has_goals


@pytest.mark.spec("evaluation-functions", 53)
def test_what_takes_too_many_joins_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the work that is counted, not the time: the limit is met in the same state on every machine."""
    game = LiftedGame(parse_kif(TRACK), "track")
    assert find_refinement(game) == find_refinement(CompiledGame(parse_kif(TRACK), "track"))
    begin = game.program.core.steps
    assert len(sample_states(game)) == SAMPLE
    work = game.program.core.steps - begin
    monkeypatch.setattr(refinement, "MOST_JOINS", work // 2)
    assert find_refinement(game) == Refinement()


def test_a_refined_value_is_inside_and_kept(track: CompiledGame) -> None:
    assert track.rules is not None
    evaluation = GoalEvaluation(goal_theory(track.rules))
    plain = evaluation(track.initial(), track.role("white"))
    evaluation.learn({}, find_refinement(track))
    for state in track.playout(3):
        for role in track.roles:
            value = evaluation(state, role)
            assert value == state.goal(role) if state.is_terminal else 0 < value < 100
            assert evaluation(state, role) == value
    assert evaluation(track.initial(), track.role("white")) != plain
