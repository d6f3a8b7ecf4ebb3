"""Ratings find the strengths that were planted, and are as sure as they say."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from ludorum.arena.tournament import Ending, Fixture, MatchResult, TournamentPlan
from ludorum.arena.tournament.duels import Duels, Floats, duels_of
from ludorum.arena.tournament.ratings import rate
from ludorum.arena.tournament.statistics import PairedSprt, elo_of, expected_share
from tests.arena.tournament.plans import DUEL, SOLO, TRIO, names, pretend
from tests.how_much import sample

PLANTED = np.array([0.0, 60.0, 150.0, -120.0, 40.0])


def pairs_of_games(
    elo: float, sets: int, draws: float, opening: float, chance: np.random.RandomState
) -> Floats:
    """The points of the first of two players in pairs of games, a row a pair.

    ``draws``: this share of what is not clear is drawn. ``opening``: Elo by which the opening of a pair
    favours a seat, so that its two games are not independent. Both seats together give exactly the share
    that the Elo says, whatever the opening does.
    """
    base = expected_share(elo)
    swing = chance.choice([-1, 1], (sets, 1)) * min(base, 1 - base) * (2 * expected_share(opening) - 1)
    share = base + swing * np.array([[1, -1]])
    half = draws * np.minimum(share, 1 - share)
    lot = chance.random_sample((sets, 2))
    return np.asarray(np.where(lot < share - half, 1.0, np.where(lot < share + half, 0.5, 0.0)))


def simulated(chance: np.random.RandomState, sets: int, draws: float, opening: float) -> Duels:
    """A round robin of players with planted strengths."""
    pairs = list(combinations(range(len(PLANTED)), 2))
    games, points, drawn = np.zeros((3, sets * len(pairs), len(pairs)))
    for column, (one, other) in enumerate(pairs):
        rows = slice(column * sets, (column + 1) * sets)
        found = pairs_of_games(float(PLANTED[one] - PLANTED[other]), sets, draws, opening, chance)
        games[rows, column], points[rows, column] = 2, found.sum(axis=1)
        drawn[rows, column] = (found == 0.5).sum(axis=1)
    return Duels(names(len(PLANTED)), games, points, drawn)


@pytest.mark.long
@pytest.mark.parametrize(("draws", "opening"), sample([(0.3, 300.0), (0.0, 0.0), (0.6, 0.0)], 3))
def test_intervals_hold_the_planted_strengths_as_often_as_they_say(draws: float, opening: float) -> None:
    chance = np.random.RandomState(5)
    times, sets = 200, 25
    by_error, by_bootstrap, total, bias = 0, 0, 0, np.zeros(len(PLANTED))
    for number in range(times):
        ratings = rate(
            simulated(chance, sets, draws, opening), "p0", bootstrap=60 if number < 40 else 0, seed=number
        )
        for at, row in enumerate(ratings.rows[1:], 1):
            total += 1
            bias[at] += (row.elo - PLANTED[at]) / times
            by_error += row.low <= PLANTED[at] <= row.high
            by_bootstrap += number < 40 and row.bootstrap[0] <= PLANTED[at] <= row.bootstrap[1]
    # 95 % promised; 800 intervals of 200 tournaments: three standard deviations are about 3 %.
    assert 0.915 <= by_error / total <= 0.985
    assert by_bootstrap / 160 >= 0.87  # 60 samples cut the tails a little short
    assert np.abs(bias).max() < 6


def test_two_players_are_rated_by_their_share() -> None:
    plan = TournamentPlan((DUEL,), names(2), 40)
    (fixtures,), results = pretend(plan, lambda fixture: wins_of_the_first(fixture, 3))
    duels = duels_of(plan.players, fixtures, results)
    ratings = rate(duels, "p1", 1000.0)
    assert ratings.is_bounded
    assert ratings.of("p0").elo == pytest.approx(1000 + elo_of(float(duels.points.sum()) / 40))
    assert (ratings.of("p1").elo, ratings.of("p1").error) == (1000.0, 0.0)


def wins_of_the_first(fixture: Fixture, of_four: int) -> tuple[int, int]:
    won = fixture.seed % 4 < of_four
    return (100, 0) if won == (fixture.players[0] == "p0") else (0, 100)


def test_the_error_of_independent_games_is_the_textbooks() -> None:
    games = np.full((400, 1), 1.0)
    points = np.array([[float(number % 4 > 0)] for number in range(400)])
    rating = rate(Duels(names(2), games, points, 0 * games), "p1").of("p0")
    # The delta method: d elo / d share = 400 / (ln 10 p (1 - p)), and the share's own error.
    error = 400 / math.log(10) / (0.75 * 0.25) * math.sqrt(0.75 * 0.25 / 400)
    assert rating.error == pytest.approx(error, rel=0.01)
    assert rating.elo == pytest.approx(elo_of(0.75))
    assert rating.bootstrap == pytest.approx((rating.low, rating.high), abs=10)


def test_who_wins_everything_gets_a_finite_rating_and_a_remark() -> None:
    plan = TournamentPlan((DUEL,), names(3), 4)
    (fixtures,), results = pretend(plan, lambda fixture: [int(name[1:]) for name in fixture.players])
    ratings = rate(duels_of(plan.players, fixtures, results))
    assert not ratings.is_bounded
    elos = [row.elo for row in ratings.rows]
    assert elos == sorted(elos)
    assert sum(elos) == pytest.approx(0)
    assert all(math.isfinite(row.elo) and row.error > 50 for row in ratings.rows)


def two_of(games: float, points: float) -> Duels:
    return Duels(names(2), np.array([[games]]), np.array([[points]]), np.zeros((1, 1)))


@pytest.mark.parametrize("points", [0.5, 1.0, 3.0, 3.5])
def test_a_single_point_or_half_of_one_bounds_the_rating(points: float) -> None:
    ratings = rate(two_of(4, points), "p1")
    assert ratings.is_bounded
    assert ratings.of("p0").elo == pytest.approx(elo_of(points / 4))


@pytest.mark.parametrize("games", [1, 4, 100])
def test_a_drawn_game_with_an_average_player_bounds_those_who_win_everything(games: int) -> None:
    """At the top of likelihood what was scored, that game included, is what was to be expected."""
    for points in (games, 0):
        ratings = rate(two_of(games, points))
        assert not ratings.is_bounded
        elo = ratings.of("p0").elo
        assert ratings.of("p1").elo == pytest.approx(-elo)
        expected = games * expected_share(2 * elo) + expected_share(elo)
        assert expected == pytest.approx(points + 0.5)


def test_a_long_line_of_players_each_far_stronger_than_the_next() -> None:
    """Only neighbours have met; a full step of Newton's method would overshoot."""
    size = 9
    pairs = list(combinations(range(size), 2))
    games = np.array([[100.0 if other == one + 1 else 0.0 for one, other in pairs]])
    ratings = rate(Duels(names(size), games, 0.98 * games, 0 * games), "p8", bootstrap=0)
    elos = [row.elo for row in ratings.rows]
    assert elos == pytest.approx([(size - 1 - at) * elo_of(0.98) for at in range(size)])


def test_games_of_three_are_rated_by_their_duels() -> None:
    plan = TournamentPlan((TRIO,), names(4), 12, seed=3)

    def goals(fixture: Fixture) -> list[int]:
        strong = {"p0": 30, "p1": 20, "p2": 10, "p3": 0}
        return [strong[name] + (fixture.seed >> (3 * seat)) % 60 for seat, name in enumerate(fixture.players)]

    (fixtures,), results = pretend(plan, goals)
    duels = duels_of(plan.players, fixtures, results)
    assert duels.games.sum() == 3 * len(fixtures)
    elos = [row.elo for row in rate(duels).rows]
    assert elos == sorted(elos, reverse=True)


def test_those_who_play_alone_are_compared_set_by_set() -> None:
    plan = TournamentPlan((SOLO,), names(3), 2)
    (fixtures,), results = pretend(plan, lambda fixture: [50 if fixture.players[0] == "p1" else 20])
    duels = duels_of(plan.players, fixtures, results)
    assert duels.games.tolist() == [[1, 1, 1], [1, 1, 1]]
    assert duels.records()[1] == (4, 0, 0)
    assert duels.records()[0] == (0, 2, 2)


def test_void_matches_are_left_out() -> None:
    plan = TournamentPlan((DUEL,), names(2), 2)
    (fixtures,), results = pretend(plan, lambda fixture: (100, 0))
    changed = dict(results)
    changed[fixtures[0].match_id] = MatchResult(fixtures[0].match_id, (0, 0), Ending.VOID)
    assert duels_of(plan.players, fixtures, changed).games.sum() == 1


def test_an_unknown_anchor_is_refused() -> None:
    with pytest.raises(ValueError, match="anchor 'p9' is no player; there are p0, p1"):
        rate(Duels(names(2), *np.ones((3, 1, 1))), "p9")


def verdict(
    test: PairedSprt, elo: float, draws: float, opening: float, chance: np.random.RandomState
) -> bool:
    """A sequential test of pairs between players so far apart."""
    while True:
        for points in pairs_of_games(elo, 100, draws, opening, chance).tolist():
            test.add(points)
            if (result := test.result) is not None:
                return result


@pytest.mark.long
@pytest.mark.parametrize(
    ("elo0", "elo1", "draws", "opening"),
    sample(
        [
            (0, 100, 0.0, 0.0),
            (0, 50, 0.7, 0.0),
            (0, 50, 0.2, 400.0),
            (0, 100, 0.0, 800.0),
            (100, 150, 0.9, 0.0),
        ],
        5,
    ),
)
def test_sequential_tests_err_as_rarely_as_promised(
    elo0: float, elo1: float, draws: float, opening: float
) -> None:
    """Also where most sets are drawn, openings decide nearly everything, or one player is much stronger."""
    chance = np.random.RandomState(11)
    times = 200
    wrong_yes = sum(verdict(PairedSprt(elo0, elo1), elo0, draws, opening, chance) for _ in range(times))
    wrong_no = sum(not verdict(PairedSprt(elo0, elo1), elo1, draws, opening, chance) for _ in range(times))
    # 5 % of 200 are 10; two and a half standard deviations beyond are 17.
    assert wrong_yes <= 17
    assert wrong_no <= 17


@pytest.mark.slow
@pytest.mark.parametrize("opening", [0.0, 400.0])
@pytest.mark.parametrize("draws", [0.0, 0.2, 0.7, 0.95])
@pytest.mark.parametrize(("elo0", "elo1"), [(0, 20), (0, 50), (0, 100), (-30, 0), (100, 150), (-200, -150)])
def test_sequential_tests_err_as_rarely_as_promised_in_many_settings(
    elo0: float, elo1: float, draws: float, opening: float
) -> None:
    chance = np.random.RandomState(5)
    times = 1500
    wrong_yes = sum(verdict(PairedSprt(elo0, elo1), elo0, draws, opening, chance) for _ in range(times))
    wrong_no = sum(not verdict(PairedSprt(elo0, elo1), elo1, draws, opening, chance) for _ in range(times))
    # 5 % of 1500 are 75; three standard deviations beyond are 100.
    assert wrong_yes <= 100
    assert wrong_no <= 100


@pytest.mark.long
def test_players_beyond_what_is_asked_are_told_apart_more_surely() -> None:
    chance = np.random.RandomState(3)
    weaker = [verdict(PairedSprt(0, 100), -50, 0.3, 0.0, chance) for _ in range(150)]
    stronger = [verdict(PairedSprt(0, 100), 150, 0.3, 0.0, chance) for _ in range(150)]
    assert sum(weaker) <= 3
    assert sum(not result for result in stronger) <= 3
