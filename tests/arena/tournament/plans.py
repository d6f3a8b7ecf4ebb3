"""Plans for tests: games that need no rules, because nobody plays them, and small real ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ludorum.arena.tournament import Fixture, MatchResult, PlannedGame, TournamentPlan, planned_game
from ludorum.arena.tournament.make_schedule import schedule_of
from ludorum.arena.tournament.schedule import Results, round_fixtures

DUEL = PlannedGame("duel", "gdl", "", ("one", "two"))
TRIO = PlannedGame("trio", "gdl", "", ("one", "two", "three"))
SOLO = PlannedGame("solo", "gdl", "", ("one",))


def names(count: int) -> tuple[str, ...]:
    return tuple(f"p{number}" for number in range(count))


def pretend(
    plan: TournamentPlan, goals: Callable[[Fixture], Sequence[int]]
) -> tuple[list[list[Fixture]], Results]:
    """All rounds of a tournament whose matches end as a function says."""
    schedule = schedule_of(plan)
    rounds: list[list[Fixture]] = []
    results: dict[str, MatchResult] = {}
    while (fixtures := round_fixtures(plan, schedule, len(rounds), results)) is not None:
        rounds.append(fixtures)
        for fixture in fixtures:
            assert fixture.match_id not in results
            results[fixture.match_id] = MatchResult(fixture.match_id, tuple(goals(fixture)))
    return rounds, results


def small_plan(**changes: object) -> TournamentPlan:
    """A few seconds of real matches whose players are bounded by counted work."""
    settings: dict[str, object] = {"matches": 4, "seed": 7, "play_seconds": 30.0}
    return TournamentPlan(
        (planned_game("tictactoe"), planned_game("connect_four")),
        ("random", "greedy", "mcts:playouts=20"),
        **(settings | changes),  # type: ignore[arg-type]
    )
