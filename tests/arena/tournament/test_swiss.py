"""Swiss rounds and elimination: properties that hold whatever the results are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum._core import SplitMix64
from ludorum.arena.tournament import Fixture, ScheduleKind, TournamentPlan
from ludorum.arena.tournament.elimination import REPLAYS, Elimination, bracket
from ludorum.arena.tournament.make_schedule import schedule_of
from ludorum.arena.tournament.matching import largest_matching
from ludorum.arena.tournament.swiss import Standing, pair_round
from tests.arena.tournament.plans import DUEL, names, pretend


def most_pairs(size: int, edges: set[tuple[int, int]]) -> int:
    """The size of a largest matching, by trying everything."""
    if size < 2 or not edges:
        return 0
    last = size - 1
    best = most_pairs(last, {edge for edge in edges if last not in edge})
    for one, other in edges:
        if other == last:
            rest = {edge for edge in edges if not {one, last} & set(edge)}
            best = max(best, 1 + most_pairs(last, rest))
    return best


@given(st.integers(1, 8), st.data())
def test_largest_matchings_are_largest(size: int, data: st.DataObject) -> None:
    possible = list(combinations(range(size), 2))
    edges = data.draw(st.sets(st.sampled_from(possible))) if possible else set()
    assert largest_matching(size, edges) == most_pairs(size, edges)


def pairings(players: list[str]) -> Iterator[list[frozenset[str]]]:
    """All ways to pair people off."""
    if not players:
        yield []
    for other in players[1:]:
        rest = [name for name in players[1:] if name != other]
        for others in pairings(rest):
            yield [frozenset((players[0], other)), *others]


@given(st.integers(2, 8), st.integers(1, 9), st.integers(0, 2**32))
@settings(max_examples=60)
def test_nobody_meets_again_while_that_can_be_avoided_and_byes_go_round(
    count: int, rounds: int, seed: int
) -> None:
    standing, chance = Standing(names(count)), SplitMix64(seed)
    for _ in range(rounds):
        pairs, bye = pair_round(standing)
        present = [name for pair in pairs for name in pair]
        assert sorted([*present, *([bye] if bye else [])]) == sorted(names(count))
        assert (bye is not None) == (count % 2 == 1)
        repeats = sum(standing.met[frozenset(pair)] > 0 for pair in pairs)
        fewest_byes = min(standing.byes[name] for name in names(count))
        candidates = [name for name in names(count) if standing.byes[name] == fewest_byes]
        possible = min(
            sum(standing.met[pair] > 0 for pair in way)
            for out in (candidates if bye else [None])
            for way in pairings([name for name in names(count) if name != out])
        )
        assert repeats == possible
        for one, other in pairs:
            standing.met[frozenset((one, other))] += 1
            points = chance.below(3) / 2
            standing.scores[one] += points
            standing.scores[other] += 1 - points
        if bye is not None:
            standing.byes[bye] += 1
            standing.scores[bye] += 1
        byes = [standing.byes[name] for name in names(count)]
        assert max(byes) - min(byes) <= 1


def outcome(seed: int, draws: int) -> object:
    """Goals by lot, of which so many in ten are draws; the same for the same match."""

    def goals(fixture: Fixture) -> tuple[int, int]:
        lot = SplitMix64(seed ^ fixture.seed ^ fixture.player_seed(0)).below(20)
        return (50, 50) if lot < 2 * draws else ((100, 0) if lot % 2 else (0, 100))

    return goals


@given(st.integers(2, 9), st.integers(0, 99))
@settings(max_examples=40)
def test_a_swiss_tournament_pairs_equals_and_names_everybody(count: int, seed: int) -> None:
    plan = TournamentPlan((DUEL,), names(count), 2, ScheduleKind.SWISS, seed=seed)
    rounds, results = pretend(plan, outcome(seed, 2))  # type: ignore[arg-type]
    assert len(rounds) == max(1, (count - 1).bit_length())
    for fixtures in rounds:
        seats = Counter((name, seat) for fixture in fixtures for seat, name in enumerate(fixture.players))
        assert set(seats.values()) == {1}  # two matches, one in each seat
    placing = schedule_of(plan).placing(results)
    assert placing is not None
    assert sorted(name for name, _ in placing) == sorted(names(count))
    scores = [float(why.split()[0]) for _, why in placing]
    assert scores == sorted(scores, reverse=True)
    assert sum(scores) == len(rounds) * ((count + 1) // 2)  # each pair and each bye gives one point


def test_after_a_round_winners_meet_winners() -> None:
    plan = TournamentPlan((DUEL,), names(4), 2, ScheduleKind.SWISS)
    strong = {"p1", "p2"}
    rounds, results = pretend(plan, lambda fixture: (100, 0) if fixture.players[0] in strong else (0, 100))
    assert {frozenset(fixture.players) for fixture in rounds[0]} == {
        frozenset(("p0", "p1")),
        frozenset(("p2", "p3")),
    }
    assert {frozenset(fixture.players) for fixture in rounds[1]} == {
        frozenset(("p1", "p2")),
        frozenset(("p0", "p3")),
    }
    placing = schedule_of(plan).placing(results)
    assert placing is not None
    assert {name for name, _ in placing[:2]} == strong


@given(st.integers(1, 40))
def test_brackets_hold_everybody_and_give_byes_to_the_first(count: int) -> None:
    slots = bracket(names(count))
    assert sorted(filter(None, slots)) == sorted(names(count))
    pairs = [(slots[at], slots[at + 1]) for at in range(0, len(slots) - 1, 2)]
    free = {one or other for one, other in pairs if one is None or other is None}
    assert free == set(names(len(free)))
    assert len(slots) < 2 * count or count == 1
    if count > 1:  # the two best can only meet in the end
        half = len(slots) // 2
        assert ("p0" in slots[:half]) != ("p1" in slots[:half])


@given(st.integers(2, 17), st.integers(0, 99), st.integers(0, 10))
@settings(max_examples=60)
def test_elimination_has_one_winner_and_everybody_else_loses_once(count: int, seed: int, draws: int) -> None:
    plan = TournamentPlan((DUEL,), names(count), 2, ScheduleKind.ELIMINATION, seed=seed)
    rounds, results = pretend(plan, outcome(seed, draws))  # type: ignore[arg-type]
    stages = (count - 1).bit_length()
    assert stages <= len(rounds) <= stages * (REPLAYS + 1)
    placing = Elimination(plan).placing(results)
    assert [why for _, why in placing].count("winner") == 1
    assert placing[0][1] == "winner"
    assert sorted(name for name, _ in placing) == sorted(names(count))
    # A single elimination of n has n - 1 decided encounters, replays aside.
    assert len({frozenset(fixture.players) for fixtures in rounds for fixture in fixtures}) == count - 1
    if draws == 10:
        assert placing[0][0] == "p0"
        assert len(rounds) == stages * (REPLAYS + 1)


def test_the_stronger_wins_the_elimination() -> None:
    plan = TournamentPlan((DUEL,), names(6), 2, ScheduleKind.ELIMINATION)
    _, results = pretend(plan, lambda fixture: [int(name[1:]) for name in fixture.players])
    assert Elimination(plan).placing(results)[0] == ("p5", "winner")
