"""Mastermind: answers worked out by hand and by counting."""

from collections import Counter

import pytest

from ludorum._core import SplitMix64
from ludorum.engine.game import State
from ludorum.engine.load import load_game
from tests.games.hidden_play import facts, goals, legal, seen, step

COLOURS = {"r": "red", "y": "yellow", "g": "green", "b": "blue"}


def pegs(letters: str) -> str:
    return " ".join(COLOURS[letter] for letter in letters)


def hidden(code: str) -> State:
    return step(load_game("mastermind").initial(), random=f"(hide {pegs(code)})")


def guess(state: State, letters: str) -> State:
    return step(state, player=f"(guess {pegs(letters)})")


def answer(code: str, guessed: str) -> list[str]:
    """Black: right in colour and place. White: what else both have in common."""
    black = sum(one == other for one, other in zip(code, guessed, strict=True))
    common = (Counter(code) & Counter(guessed)).total()
    return [f"(black {black})", f"(white {common - black})"]


def test_there_are_256_codes_and_256_guesses() -> None:
    start = load_game("mastermind").initial()
    assert len(legal(start, "random")) == 256
    assert legal(start, "player") == ["noop"]
    state = hidden("rygb")
    assert seen(state, "player") == []
    assert legal(state, "random") == ["noop"]
    assert len(legal(state, "player")) == 256


@pytest.mark.parametrize(
    ("code", "guessed", "black", "white"),
    [
        ("rygb", "rygb", 4, 0),
        ("rygb", "bgyr", 0, 4),
        ("rrrr", "bbbb", 0, 0),
        ("rrgb", "rgrr", 1, 2),  # the first red is right; of the two other reds one is used, and the green
        ("rryy", "yyrr", 0, 4),
        ("rryy", "rrry", 3, 0),
        ("gggb", "bbbg", 0, 2),
        ("gbgb", "ggbb", 2, 2),
    ],
)
def test_answers_count_each_peg_once(code: str, guessed: str, black: int, white: int) -> None:
    assert answer(code, guessed) == [f"(black {black})", f"(white {white})"]
    assert seen(guess(hidden(code), guessed), "player") == [f"(black {black})", f"(white {white})"]


def test_answers_agree_with_counting_on_random_pairs() -> None:
    chooser = SplitMix64(4)
    for _ in range(6):
        code = "".join("rygb"[chooser.below(4)] for _ in range(4))
        state = hidden(code)
        for _ in range(5):
            guessed = "".join("rygb"[chooser.below(4)] for _ in range(4))
            assert seen(guess(state, guessed), "player") == answer(code, guessed)


def test_finding_the_code_wins_at_once() -> None:
    state = guess(hidden("gbry"), "gbrr")
    assert not state.is_terminal
    assert facts(state, "guesses") == ["(guesses 1)"]
    end = guess(state, "gbry")
    assert seen(end, "player") == ["(black 4)", "(white 0)"]
    assert end.is_terminal
    assert goals(end) == {"random": 100, "player": 100}


def test_the_eighth_guess_is_the_last() -> None:
    state = hidden("gbry")
    for _ in range(7):
        state = guess(state, "rrrr")
        assert not state.is_terminal
    lost = guess(state, "gbrr")
    assert lost.is_terminal
    assert goals(lost)["player"] == 0
    won = guess(state, "gbry")
    assert won.is_terminal
    assert goals(won)["player"] == 100
