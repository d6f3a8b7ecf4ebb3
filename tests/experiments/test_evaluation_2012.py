"""The experiments of 2012: published figures follow from published points, and ours from our matches."""

from __future__ import annotations

import pytest

from ludorum.engine.errors import GameError
from ludorum.experiments.evaluation_2012.published import FINAL_AGENT, SELF_PLAY
from ludorum.experiments.evaluation_2012.resolution import (
    Resolution,
    first_states,
    measure_resolution,
    summary_of,
)
from ludorum.experiments.evaluation_2012.strength import (
    GameSeries,
    VersionSide,
    compared,
    play_series,
    win_rate,
)
from ludorum.players.goal_searcher import GoalSearcher
from ludorum.rules.library import library_sheets
from tests.how_much import sample
from tests.library_games import compiled_game

SHEETS = [sheet.name for sheet in library_sheets() if sheet.language == "gdl"]
LARGE = {"amazons", "amazons_8", "chess", "english_draughts", "nine_mens_morris"}


@pytest.mark.spec("evaluation-functions", 60)
@pytest.mark.parametrize("row", FINAL_AGENT, ids=lambda row: f"{row.opponent} {row.clock}")
def test_published_rates_follow_from_published_points(row) -> None:  # type: ignore[no-untyped-def]
    assert win_rate(row.points, row.opponents_points) == pytest.approx(row.rate, abs=0.0006)


@pytest.mark.spec("evaluation-functions", 60)
def test_seats_are_changed_and_points_are_summed_before_they_are_divided() -> None:
    """Whoever begins wins this game at once, so that each wins half."""
    first = GameSeries("a", VersionSide("x", [100.0, 0.0]), VersionSide("y", [0.0, 100.0]))
    second = GameSeries("b", VersionSide("x", [10.0, 10.0]), VersionSide("y", [0.0, 0.0]))
    assert (first.rate, second.rate) == (0.5, 1.0)
    assert compared([first, second]).rate == 120 / 220
    nothing = GameSeries("c", VersionSide("x", [0.0]), VersionSide("y", [0.0]))
    assert nothing.rate is None


@pytest.mark.long
@pytest.mark.spec("evaluation-functions", 60)
def test_matches_of_two_versions() -> None:
    game = compiled_game("tictactoe")
    series, again = (play_series(game, ("v1.1", "v1.0"), 2, seconds=60, nodes=60, seed=3) for _ in range(2))
    assert [len(side.points) for side in (series.first, series.second)] == [2, 2]
    for own, other in zip(series.first.points, series.second.points, strict=True):
        assert own + other == 100
    assert series.first.states > 4
    assert again.as_json() == series.as_json()
    with pytest.raises(ValueError, match="an even number of matches is needed, not 3"):
        play_series(game, ("v1.1", "v1.0"), 3)


@pytest.mark.spec("evaluation-functions", 62)
@pytest.mark.parametrize(
    "name",
    [
        *sample(sorted({*SHEETS} - LARGE), 7),
        *(pytest.param(name, marks=[pytest.mark.long, pytest.mark.slow]) for name in sorted(LARGE)),
    ],
)
def test_a_weight_for_each_neuron_tells_no_fewer_moves_apart(name: str) -> None:
    found = measure_resolution(compiled_game(name))
    if found is not None:
        assert found.distinct[0] <= found.distinct[1] <= len(first_states(compiled_game(name).initial()))


@pytest.mark.spec("evaluation-functions", 62)
def test_first_moves_of_connect_four_are_told_apart_by_local_weights_alone() -> None:
    """The published example: columns left and right are mirror images, four of seven are different."""
    found = measure_resolution(compiled_game("connect_four"))
    assert found is not None
    assert (found.goal, found.distinct[1]) == (100, 4)
    assert found.distinct[0] < 4
    assert found.intervals[1] > found.intervals[0]


def test_a_summary_counts_games() -> None:
    rows = [
        Resolution("a", 100, (0.0, 1e-3), (1, 4)),
        Resolution("b", 100, (1e-2, 1e-3), (3, 3)),
        Resolution("c", 100, (0.0, 0.0), (1, 1)),
    ]
    found = summary_of(rows)
    assert (found.games, found.larger, found.smaller, found.more_distinct, found.fewer_distinct) == (
        3,
        1,
        1,
        1,
        0,
    )
    assert found.mean_intervals_where_larger == pytest.approx((2**-53, 1e-3))


def test_published_tables_are_whole() -> None:
    assert {(one.row, one.column): one.points for one in SELF_PLAY}["v1.1", "v1.0"] == 63.3
    for one in SELF_PLAY:
        other = next(each for each in SELF_PLAY if (each.row, each.column) == (one.column, one.row))
        assert one.points + other.points == pytest.approx(100, abs=0.01)


def test_a_version_that_fails_is_not_measured_as_what_plays_in_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_args: object) -> None:
        raise RuntimeError("no search today")

    monkeypatch.setattr(GoalSearcher, "search", fail)
    with pytest.raises(GameError, match=r"^v1\.0 plays by Monte Carlo tree search: .*no search today"):
        play_series(compiled_game("tictactoe"), ("v1.0", "v1.1"), 2, seconds=60, nodes=5)
