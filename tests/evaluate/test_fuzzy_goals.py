"""Goals in shades: 1 where an engine says that they hold, less elsewhere, and more where they are near."""

from __future__ import annotations

import pytest

from ludorum.asp.ground import ground_rules
from ludorum.engine import load_game
from ludorum.engine.game import Game, State
from ludorum.evaluate.fuzzy_goals import FuzzyFormulas, TooLargeError, goal_formulas
from ludorum.rules.kif import parse_kif
from ludorum.rules.terms import Term
from tests.how_much import sample

GAMES = ["tictactoe", "connect_four", "breakthrough", "nim", "blocks", "buttons", "maze", "hodgepodge",
         "tron", "lights_out", "eight_puzzle", "rock_paper_scissors"]  # fmt: skip


def formulas(game: Game) -> tuple[FuzzyFormulas, dict[Term, Term]]:
    assert game.rules is not None
    return goal_formulas(game.rules)


@pytest.mark.spec("asp-player", 50)
@pytest.mark.parametrize("name", sample(GAMES, 3))
def test_what_holds_is_worth_one_and_nothing_else_is(name: str) -> None:
    game = load_game(name)
    fuzzy, best = formulas(game)
    for seed in range(6):
        for step, state in enumerate(game.playout(seed)):
            if step > 60:
                break
            truths = fuzzy.truths(state.facts())
            for role, atom in best.items():
                assert 0 <= truths[atom] <= 1
                assert (truths[atom] == 1) == (atom.args[1] in state.goal_terms(role))


def nearness(marks: str, who: str = "xplayer") -> float:
    game = load_game("tictactoe")
    fuzzy, best = formulas(game)
    state: State = game.parse_state(
        "("
        + " ".join(f"(cell {at // 3 + 1} {at % 3 + 1} {mark})" for at, mark in enumerate(marks))
        + " (control xplayer))"
    )
    return fuzzy.truths(state.facts())[best[Term(who)]]


@pytest.mark.spec("asp-player", 50)
@pytest.mark.long
def test_lines_that_are_nearly_full_are_near() -> None:
    empty, edge, corner, middle = map(nearness, ("bbbbbbbbb", "bxbbbbbbb", "xbbbbbbbb", "bbbbxbbbb"))
    assert empty < edge < corner < middle
    assert middle < nearness("xbbbxbbbb") < nearness("xbbbxbbbx") == 1.0
    assert nearness("xbbbxbbbb", "oplayer") == nearness("bbbbbbbbb", "oplayer")


CIRCULAR = """
(role r) (init a) (init (at 1)) (edge 1 2) (edge 2 3) (edge 3 1)
(legal r go)
(<= (next (at ?y)) (does r go) (true (at ?x)) (edge ?x ?y))
(<= (reach ?x) (true (at ?x)))
(<= (reach ?y) (reach ?x) (edge ?x ?y) (true (open ?x ?y)))
(<= (next (open ?x ?y)) (true (at ?x)) (edge ?x ?y))
(<= (next (open ?x ?y)) (true (open ?x ?y)))
(<= terminal (true (open 3 1)))
(<= (goal r 100) (reach 3))
(<= (goal r 0) (not (reach 3)))
"""


def test_circles_and_giants_are_given_up() -> None:
    with pytest.raises(TooLargeError, match="goes in a circle"):
        goal_formulas(parse_kif(CIRCULAR))
    game = load_game("tictactoe")
    assert game.rules is not None
    program = ground_rules(game.rules)
    with pytest.raises(TooLargeError, match="more than 5 parts"):
        FuzzyFormulas(program, [Term("goal", (Term("xplayer"), Term("100")))], most_nodes=5)
