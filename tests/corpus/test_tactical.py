"""Tactical positions of the corpus: the scripts replay, and the champion finds acceptable moves in time."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludorum.engine.load import load_game
from ludorum.experiments.tactical import TacticalCase, read_cases, replay, solve_case
from ludorum.players import make_player
from tests.how_much import sample

pytestmark = pytest.mark.corpus

# Solved in a hundredth of their clocks on a busy machine.
SURE = ("breakthrough", "tictactoe__stanford", "tron_10x10")


def cases(corpus: Path) -> list[TacticalCase]:
    return list(read_cases(corpus))


@pytest.mark.long
def test_all_cases_replay_and_their_moves_exist(corpus: Path) -> None:
    found = cases(corpus)
    assert len(found) == 16
    assert sum(case.skipped for case in found) == 3
    for case in found:
        game = load_game(str(case.sheet), lenient=True)
        state = replay(case, game.initial())
        assert not state.is_terminal
        if case.acceptable:
            assert case.moves <= set(state.legal(game.roles[case.seat]))


@pytest.mark.long
@pytest.mark.alone
@pytest.mark.parametrize("sheet", sample(SURE, 3))
def test_sure_cases_are_solved_quickly(corpus: Path, sheet: str) -> None:
    for case in cases(corpus):
        if case.sheet.stem == sheet and not case.skipped:
            answer = solve_case(case, make_player("champion", 1), scale=0.1)
            assert answer.solved, f"{case.name}: {answer.move}, wanted {case.wanted}"


@pytest.mark.slow
def test_nine_of_ten_are_solved_within_their_clocks(corpus: Path) -> None:
    asked = [case for case in cases(corpus) if not case.skipped]
    solved = [solve_case(case, make_player("champion", 1)).solved for case in asked]
    assert sum(solved) >= 0.9 * len(solved)
