"""What play shows of a game, and how sure that is."""

import pytest

from ludorum.engine.game import Known, Status
from ludorum.engine.observe import observed_info, sample_play
from tests.small_games import circle, coin, door


@pytest.mark.spec("evaluation-functions", 6)
def test_one_state_proves_simultaneous_moves() -> None:
    game = door()
    info = observed_info(game, sample_play(game, 20, seed=1))
    assert info.simultaneous == Known(True, Status.PROVED)
    assert info.turn_taking == Known(False, Status.PROVED)


@pytest.mark.spec("evaluation-functions", 6)
def test_goal_sums_of_200_and_0_disprove_constant_sum() -> None:
    game = door()
    info = observed_info(game, sample_play(game, 60, seed=1))
    assert info.zero_sum == Known(False, Status.PROVED)
    assert info.constant_sum == Known(None, Status.UNKNOWN)


def test_nature_is_not_a_player() -> None:
    game = coin()
    assert [str(role) for role in game.info.players] == ["guesser"]
    info = observed_info(game, sample_play(game, 20))
    assert info.simultaneous == Known(False, Status.PROVED)
    assert info.perfect_information == Known(False, Status.PROVED)


def test_a_sample_without_an_end_claims_nothing_about_sums() -> None:
    game = circle()
    sample = sample_play(game, 7)
    assert (sample.states, sample.plays, sample.longest) == (8, 0, 7)
    assert observed_info(game, sample).zero_sum == Known(None, Status.UNKNOWN)


def test_declared_length_is_marked_as_declared() -> None:
    game = door()
    assert observed_info(game, sample_play(game, 0), 2).maximum_length == Known(2, Status.DECLARED)
