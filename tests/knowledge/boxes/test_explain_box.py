"""Explanations of what a role knows: supports and countersupports as they are printed."""

from __future__ import annotations

import pytest

from ludorum.engine.errors import GameError
from ludorum.knowledge.boxes.box_knower import BoxKnower
from ludorum.knowledge.boxes.explain_box import explain_atom
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from tests.knowledge.boxes.followed import players, ready


def candidate_after_two_steps() -> BoxKnower:
    knower = BoxKnower(ready("monty_hall")[1], Term("candidate"))
    knower.update(parse_term("(choose 1)"), [])
    knower.update(Term("noop"), [Term("3")])
    return knower


@pytest.mark.spec("filtering-gdl2", 36)
@pytest.mark.parametrize(
    ("atom", "text"),
    [
        (
            "(legal candidate switch)",
            "(legal candidate switch) is known: it follows from what is known alone\n",
        ),
        ("terminal", "terminal is impossible: nothing that may be true is enough for it\n"),
        (
            "(goal candidate 100)",
            "(goal candidate 100) is possible\n"
            "it holds where\n"
            "  (true (car 1))\n"
            "it does not hold where\n"
            "  not (true (car 1))\n",
        ),
    ],
)
def test_the_supports_of_what_the_candidate_knows(atom: str, text: str) -> None:
    assert explain_atom(candidate_after_two_steps(), parse_term(atom)) == text


@pytest.mark.spec("filtering-gdl2", 36)
def test_why_a_player_of_krieg_does_not_know_a_move() -> None:
    game, box = ready("krieg_tictactoe")
    knower = BoxKnower(box, players(game)[0])
    knower.update(parse_term("(mark 3 3)"), [parse_term("(got 3 3)")])
    assert explain_atom(knower, parse_term("(legal xplayer (mark 1 1))")) == (
        "(legal xplayer (mark 1 1)) is possible\n"
        "it holds where\n"
        "  (true (cell 1 1 b))\n"
        "  or (true (cell 1 1 oplayer))\n"
        "it does not hold where\n"
        "  not (true (cell 1 1 b)) and not (true (cell 1 1 oplayer))\n"
    )


def test_too_many_supports_are_not_listed() -> None:
    game, box = ready("krieg_tictactoe")
    knower = BoxKnower(box, players(game)[0])
    knower.update(parse_term("(mark 3 3)"), [parse_term("(got 3 3)")])
    told = explain_atom(knower, Term("terminal"), budget=10)
    assert told == "terminal: more than 10 supports of one atom; they are not listed\n"


def test_only_atoms_of_states_are_explained() -> None:
    knower = candidate_after_two_steps()
    with pytest.raises(GameError, match="true in no state"):
        explain_atom(knower, parse_term("(car 7)"))
    with pytest.raises(GameError, match="depends on moves"):
        explain_atom(knower, parse_term("(next (car 1))"))
