"""A match in a file of its own: written, appended to, read again, gone on with."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludorum.engine import load_game
from ludorum.engine.errors import GameError
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from ludorum.search.budget import Budget
from ludorum.solve.match_program import MatchProgram

ENOUGH = Budget(seconds=300)
PAST = ["((mark 2 2) noop)", "(noop (mark 1 1))", "((mark 1 2) noop)", "(noop (mark 3 2))"]


def joint(text: str) -> tuple[Term, ...]:
    return parse_term(f"(moves {text[1:-1]})").args  # type: ignore[return-value]


@pytest.mark.spec("asp-player", 46)
def test_a_match_is_read_again_and_goes_on(tmp_path: Path) -> None:
    game = load_game("tictactoe")
    assert game.rules is not None
    path = tmp_path / "m1.lp"
    first = MatchProgram(path, game.rules)
    other = MatchProgram(tmp_path / "m2.lp", game.rules)  # a match beside it
    state = game.initial()
    for text in PAST:
        first.append(joint(text))
        state = state.play(joint(text))
    again = MatchProgram(path, game.rules)
    assert again.moves == first.moves == tuple(map(joint, PAST))
    assert (other.moves, again.translation) == ((), other.translation)
    planner = again.planner()
    plan = planner.plan(game.roles[0], ENOUGH).plan
    assert plan is not None
    begun = {str(move) for move in planner.first_moves(plan, ENOUGH)}
    assert begun == {"(mark 1 3)", "(mark 2 1)", "(mark 2 3)", "(mark 3 1)"}
    for moves in plan.moves:
        again.append(moves)
        state = state.play(moves)
    assert state.goal(game.roles[0]) == 100
    assert MatchProgram(path, game.rules).moves == again.moves


@pytest.mark.spec("asp-player", 46)
def test_half_a_joint_move_did_not_happen(tmp_path: Path) -> None:
    game = load_game("tictactoe")
    assert game.rules is not None
    path = tmp_path / "m.lp"
    program = MatchProgram(path, game.rules)
    for text in PAST[:2]:
        program.append(joint(text))
    path.write_text("\n".join(path.read_text().splitlines()[:-1]) + "\n")
    assert MatchProgram(path, game.rules).moves == (joint(PAST[0]),)
    path.write_text(path.read_text().split("\n", 1)[1])  # as older versions wrote it
    with pytest.raises(GameError, match="written by another version"):
        MatchProgram(path, game.rules)
    path.write_text("something else")
    with pytest.raises(GameError, match="no file of a match"):
        MatchProgram(path, game.rules)
