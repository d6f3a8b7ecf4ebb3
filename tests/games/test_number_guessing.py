"""Number Guessing: halving finds every number, and questions beyond the fourth cost."""

import pytest

from ludorum.engine.game import State
from ludorum.engine.load import load_game
from ludorum.engine.perft import perft
from tests.games.hidden_play import facts, goals, legal, seen, step


def picked(number: int) -> State:
    return step(load_game("number_guessing").initial(), random=f"(pick {number})")


def ask(state: State, number: int) -> State:
    return step(state, player=f"(ask_less {number})")


def test_the_first_steps_have_the_paths_worked_out() -> None:
    # 16 numbers; then 15 questions and 16 guesses; a guess ends the game.
    assert perft(load_game("number_guessing"), 3) == [16, 16 * 31, 16 * 15 * 31]


def test_the_pick_is_not_seen() -> None:
    state = picked(7)
    assert seen(state, "player") == []
    assert legal(load_game("number_guessing").initial(), "player") == ["noop"]
    assert len(legal(state, "player")) == 31
    assert legal(state, "random") == ["noop"]


@pytest.mark.parametrize(
    ("number", "question", "answer"),
    [(7, 8, "yes"), (7, 7, "no"), (7, 6, "no"), (1, 2, "yes"), (16, 16, "no")],
)
def test_questions_are_answered_truthfully(number: int, question: int, answer: str) -> None:
    assert seen(ask(picked(number), question), "player") == [answer]


@pytest.mark.parametrize("number", range(1, 17))
def test_four_questions_find_every_number(number: int) -> None:
    low, high = 1, 16
    state = picked(number)
    for _ in range(4):
        middle = (low + high + 1) // 2
        state = ask(state, middle)
        low, high = (low, middle - 1) if seen(state, "player") == ["yes"] else (middle, high)
    assert low == high == number
    end = step(state, player=f"(guess {low})")
    assert seen(end, "player") == [f"(secret {number})"]
    assert end.is_terminal
    assert goals(end) == {"random": 100, "player": 100}


@pytest.mark.parametrize(
    ("questions", "goal"),
    [(0, 100), (3, 100), (4, 100), (5, 90), (6, 80), (7, 70), (8, 60), (9, 50), (10, 40)],
)
def test_questions_beyond_the_fourth_cost_ten_each(questions: int, goal: int) -> None:
    state = picked(3)
    for _ in range(questions):
        state = ask(state, 9)
    assert facts(state, "asked") == [f"(asked {questions})"]
    assert goals(step(state, player="(guess 3)"))["player"] == goal
    assert goals(step(state, player="(guess 4)"))["player"] == 0


def test_after_ten_questions_only_a_guess_remains() -> None:
    state = picked(3)
    for _ in range(10):
        state = ask(state, 9)
    assert not state.is_terminal
    assert len(legal(state, "player")) == 16
    assert all(move.startswith("(guess") for move in legal(state, "player"))


def test_a_wrong_guess_tells_the_number_and_ends_the_game() -> None:
    end = step(picked(12), player="(guess 1)")
    assert seen(end, "player") == ["(secret 12)"]
    assert end.is_terminal
    assert goals(end)["player"] == 0
