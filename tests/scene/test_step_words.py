"""The steps of a match as lines of words, and the question to a role."""

from __future__ import annotations

from itertools import islice

import pytest

from ludorum.engine.game import State
from ludorum.engine.load import load_game
from ludorum.scene import StepLines, asked


def random_states(name: str, steps: int, seed: int = 1) -> list[State]:
    return list(islice(load_game(name).playout(seed), steps + 1))


def lines(states: list[State], role: str | None, is_open: bool) -> list[tuple[int, int, str]]:
    game = states[0].game
    made = StepLines(game, None if role is None else game.role(role)).lines(states, is_open)
    return [(line.first, line.step, line.words) for line in made]


def test_roles_without_a_choice_are_not_named() -> None:
    states = random_states("connect_four", 3)
    assert lines(states, None, is_open=True) == [
        (1, 1, "red drop 3"),
        (2, 2, "yellow drop 1"),
        (3, 3, "red drop 6"),
    ]


def test_moves_at_the_same_time_stand_in_one_line() -> None:
    assert lines(random_states("rock_paper_scissors", 1), "left", is_open=True) == [
        (1, 1, "left show scissors, right show rock")
    ]


def test_chessmen_are_written_with_their_signs() -> None:
    game = load_game("chess")
    states: list[State] = [game.initial()]
    for joint in ({"white": "(move g 1 f 3)"}, {"black": "(move d 7 d 5)"}):
        states.append(states[-1].play(joint))
    words = [words for _, _, words in lines(states, "white", is_open=True)]
    assert words == ["white ♘ g1 f3", "black ♟ d7 d5"]


def test_a_role_is_told_its_own_moves_and_percepts() -> None:
    game = load_game("krieg_tictactoe")
    states: list[State] = [game.initial()]
    for moves in (["(mark 1 1)", "(mark 2 2)"], ["(mark 2 2)", "(mark 3 3)"]):
        states.append(states[-1].play(moves))
    assert lines(states, "xplayer", is_open=False) == [
        (1, 1, "xplayer mark 1 1; told: got 1 1"),
        (2, 2, "xplayer mark 2 2; told: failed 2 2"),
    ]
    assert lines(states, None, is_open=False) == []
    assert lines(states, None, is_open=True)[1] == (2, 2, "xplayer mark 2 2, oplayer mark 3 3")


def test_a_run_of_chance_is_one_line() -> None:
    poker = load_game("kuhn_poker")
    states: list[State] = [poker.initial()]
    for joint in ({"random": "(deal alice king)"}, {"random": "(deal bob jack)"}, {"alice": "bet"}):
        states.append(states[-1].play(joint))
    assert lines(states, None, is_open=True) == [
        (1, 2, "by chance: deal alice king, deal bob jack"),
        (3, 3, "alice bet"),
    ]
    hearts = random_states("hearts", 54, seed=3)
    assert lines(hearts, None, is_open=True)[0] == (1, 52, "52 cards dealt")
    assert [words.split(" ")[:3] for _, _, words in lines(hearts, "player0", is_open=False)] == [
        ["you", "are", "dealt"],
        ["you", "pass", "on"],
        ["you", "pass", "on"],
    ]


def test_lines_that_were_made_are_kept_until_moves_are_taken_back() -> None:
    states, others = random_states("kuhn_poker", 4), random_states("kuhn_poker", 4, seed=2)
    game = states[0].game
    kept = StepLines(game, game.role("alice"))
    for match in (states[:3], states, states[:2], others, states):
        for is_open in (False, True, False):
            fresh = StepLines(game, game.role("alice"))
            assert kept.lines(match, is_open) == fresh.lines(match, is_open)


@pytest.mark.parametrize(
    ("name", "steps", "role", "question"),
    [
        ("tictactoe", 0, "xplayer", "Choose a place to mark."),
        ("tictactoe", 0, "oplayer", ""),
        ("connect_four", 0, "red", "Choose a column."),
        ("chess", 0, "white", "Move a piece."),
        ("hex", 0, "red", "Choose a place."),
        ("knights_tour", 0, "player", "Choose where to move."),
        ("rock_paper_scissors", 0, "left", "Choose: show paper, show rock or show scissors."),
        ("mastermind", 1, "player", "Choose what to guess."),
        ("kuhn_poker", 2, "alice", "Choose: bet or check."),
        ("hearts", 52, "player0", "Choose a card to pass."),
        ("hearts", 52, "player1", ""),
    ],
)
def test_a_role_is_asked_in_words(name: str, steps: int, role: str, question: str) -> None:
    state = random_states(name, steps)[-1]
    assert asked(state.game, state, state.game.role(role)) == question
