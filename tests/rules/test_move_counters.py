"""Counters of steps are proved from the rules, and left out of the text of a state."""

import pytest

from ludorum.engine.load import load_game
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.move_counters import move_counters

LIST = "(succ 1 2) (succ 2 3)"
STEP = "(init (step 1)) (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"


def counters(text: str) -> set[str]:
    return set(move_counters(parse_kif(f"(role white) (role black) {text}")))


def test_a_value_that_goes_through_a_list_of_facts_counts_steps() -> None:
    assert counters(STEP + LIST) == {"step"}
    assert counters(STEP.replace("?m ?n", "?n ?m").replace("step 1", "step 3") + LIST) == {"step"}, "down"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(STEP + LIST + "(succ 3 1)", id="a cycle"),
        pytest.param(STEP + LIST + "(succ 1 3)", id="two next values"),
        pytest.param(STEP + LIST + "(init (step 2))", id="two first values"),
        pytest.param(STEP + LIST + "(<= (next (step 1)) (does white reset))", id="a reset"),
        pytest.param(STEP + LIST + "(<= (next (step ?m)) (true (step ?m)))", id="a value that stays"),
        pytest.param(STEP + LIST + "(<= (succ 3 4) (true open))", id="a list that changes"),
        pytest.param(STEP + LIST + "(<= (next ?x) (true ?x) (kept ?x))", id="any fact may stay"),
        pytest.param(STEP.replace("(true (step ?m))", "(true (step ?m)) (true open)") + LIST, id="condition"),
        pytest.param(STEP.replace("step 1", "step white") + "(succ white black)", id="the role to move"),
    ],
)
def test_other_values_are_no_counters_of_steps(text: str) -> None:
    assert counters(text) == set()


def test_the_text_of_a_state_has_words_and_no_counter_of_steps() -> None:
    lines = load_game("chess", "lifted").initial().ascii().splitlines()
    assert lines[-3:] == [
        "control     white",
        "may castle  black kingside, black queenside, white kingside, white queenside",
        "quiet       0",
    ]
    assert "b black bishop  k black king" in lines[9]
    doors = load_game("monty_hall", "lifted")
    assert doors.initial().ascii() == "closed  1, 2, 3"
    assert doors.picture.text(frozenset({parse_term("(step 1)")})) == "step  1", "where nothing else is true"
