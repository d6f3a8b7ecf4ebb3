"""One rung of the ladder: a player against one opponent in all games that the two can play.

Its matches are those of a tournament plan, logged as a tournament's are. The name of its folder tells
settings apart, so the same command goes on where it was stopped, and another one begins anew.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from ...arena.match.match import ErrorCode
from ...arena.protocol.invitations import Invitation, format_invitation
from ...arena.tournament.log import LOG_NAME, MatchLog, read_log
from ...arena.tournament.make_schedule import schedule_of
from ...arena.tournament.outside import check_outside
from ...arena.tournament.plan import PlanError, ScheduleKind, TournamentPlan
from ...arena.tournament.result import Ending, MatchResult
from ...arena.tournament.run import Runner, group_points
from ...arena.tournament.schedule import Fixture, Results, grouped, round_fixtures
from ...arena.tournament.statistics import PairedSprt, TwoSidedSprt, wilson_interval
from ..machine import version_of
from .allowance import COUNTED_START_SECONDS, OPENSPIEL, PATIENCE_SECONDS, Allowance
from .ladder_games import CORPUS_ORIGIN, LadderGame
from .strength_rows import SideWork, StrengthRow

MOST_MATCHES = 1000
"""Of a game: a plan is made for these, and as many are played as are asked for, so a run can be grown."""
OPENING = 2


@dataclass(frozen=True)
class Rung:
    """The player and its opponent, by their names without bounds, and the plan of their matches."""

    player: str
    rival: str
    plan: TournamentPlan
    games: tuple[LadderGame, ...]
    left_out: tuple[str, ...] = ()
    """Remarks on games that the two cannot play."""
    versions: tuple[str, ...] = ()
    """What tells files and clones of this name apart that have been changed since."""

    @property
    def folder_name(self) -> str:
        """Readable, and different for different plans."""
        text = json.dumps([self.plan.as_json(), self.versions], sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()[:8]
        return re.sub(r"[^\w.-]+", "_", f"{self.player}-{self.rival}")[:60] + f"-{digest}"

    def fixtures(self, matches: int) -> list[Fixture]:
        """The first so many matches of each game, in whole sets; the games in turn."""
        plan = replace(self.plan, matches=min(matches, MOST_MATCHES))
        return round_fixtures(plan, schedule_of(plan), 0, {}) or []


def make_rung(
    player: str, rival: Invitation, games: Sequence[LadderGame], allowance: Allowance, seed: int
) -> Rung:
    """The rung of two players; PlanError where there is no game that they can play."""
    if rival.remote and allowance.is_counted:
        raise PlanError(f"{rival.name} plays at an address, where work cannot be counted: use --seconds")
    playable, left_out = [], []
    for game in games:
        trouble = _trouble(player, rival, game, allowance, seed)
        if trouble:
            left_out.append(f"{game.name} is left out against {rival.name}: {trouble}")
        else:
            playable.append(game)
    if not playable:
        raise PlanError(f"{player} and {rival.name} can play none of these games: {'; '.join(left_out)}")
    plan = _plan(player, rival, playable, allowance, seed)
    versions = tuple(map(player_version, (player, rival.name)))
    shown = f"{rival.name.partition('@')[0]}@{versions[1]}" if "@" in rival.name else rival.name
    return Rung(player, shown, plan, tuple(playable), tuple(left_out), versions)


def player_version(name: str) -> str:
    """What a player's name does not say: the version of its clone, or a digest of its file."""
    base, _, clone = name.partition("@")
    if clone:
        return version_of(Path(clone)) or Path(clone).name
    file = Path(base.partition(":")[0])
    if file.suffix in (".toml", ".py") and file.is_file():
        return hashlib.sha256(file.read_bytes()).hexdigest()[:12]
    return ""


def _plan(
    player: str, rival: Invitation, games: Iterable[LadderGame], allowance: Allowance, seed: int
) -> TournamentPlan:
    return TournamentPlan(
        games=tuple(game.planned for game in games),
        players=(allowance.named(player), rival.name if rival.remote else allowance.named(rival.name)),
        matches=MOST_MATCHES,
        schedule=ScheduleKind.LADDER,
        start_seconds=COUNTED_START_SECONDS if allowance.is_counted else allowance.start_seconds,
        play_seconds=PATIENCE_SECONDS if allowance.is_counted else allowance.seconds,
        opening=OPENING,
        seed=seed,
        lenient=any(game.origin == CORPUS_ORIGIN for game in games),
        outside=(format_invitation(rival),) if rival.remote else (),
    )


def _trouble(player: str, rival: Invitation, game: LadderGame, allowance: Allowance, seed: int) -> str:
    """Why the two cannot play a game; empty where they can."""
    if rival.name.partition(":")[0] == OPENSPIEL:
        from .openspiel_games import TWINS  # where it is installed

        if game.name not in TWINS or game.origin == CORPUS_ORIGIN:
            return "OpenSpiel has no game with these rules and names of moves"
    try:
        check_outside(_plan(player, rival, [game], allowance, seed))
    except PlanError as error:
        return str(error)
    return ""


class RungMatches:
    """The matches of a rung: those that are logged, and those that are still to be played."""

    def __init__(self, rung: Rung, fixtures: Sequence[Fixture], results: Results) -> None:
        self.rung = rung
        self.fixtures = fixtures
        self.results = results

    @property
    def missing(self) -> list[Fixture]:
        return [one for one in self.fixtures if not self._has(one)]

    def _has(self, fixture: Fixture) -> bool:
        found = self.results.get(fixture.match_id)
        return found is not None and found.counts

    def complete_sets(self) -> Iterator[tuple[list[Fixture], list[float]]]:
        """The sets all of whose matches were played, in order, and the player's points in each."""
        first = self.rung.plan.players[0]
        for group in grouped(self.fixtures):
            if all(map(self._has, group)):
                points = group_points(group, self.results).get(first)
                if points:
                    yield group, points

    def test(self, margin: float) -> TwoSidedSprt:
        """The comparison of the two: sets count in the order of the schedule, up to the first that is missing
        or to the decision, whatever order they were played in."""
        test, first = TwoSidedSprt(margin), self.rung.plan.players[0]
        for group in grouped(self.fixtures):
            if test.is_over or not all(map(self._has, group)):
                break
            points = group_points(group, self.results).get(first)
            if points:
                test.add(points)
        return test

    def rows(self, about: RowOrigin) -> list[StrengthRow]:
        """A row of results for each game of which a set was played."""
        found: dict[str, list[tuple[list[Fixture], list[float]]]] = {}
        for group, points in self.complete_sets():
            found.setdefault(group[0].game, []).append((group, points))
        return [self._row(about, game, found[game.name]) for game in self.rung.games if game.name in found]

    def _row(
        self, about: RowOrigin, game: LadderGame, sets: Sequence[tuple[list[Fixture], list[float]]]
    ) -> StrengthRow:
        tally = PairedSprt()
        for _, points in sets:
            tally.add(points)
        played = [fixture for group, _ in sets for fixture in group]
        results = [self.results[fixture.match_id] for fixture in played]
        first = self.rung.plan.players[0]
        work = {True: SideWork(), False: SideWork()}
        for fixture, result in zip(played, results, strict=True):
            for seat, name in enumerate(fixture.players):
                work[name == first] += _work_of(result, seat)
        return StrengthRow(
            **about._asdict(),
            player=self.rung.player,
            rival=self.rung.rival,
            game=game.name,
            kind=game.kind,
            origin=game.origin,
            wins=tally.wins,
            draws=tally.draws,
            losses=tally.losses,
            unfinished=sum(result.ending is Ending.UNFINISHED for result in results),
            sets={f"{mean:g}": count for mean, count in sorted(tally.means.items())},
            own=work[True],
            theirs=work[False],
        )


class RowOrigin(NamedTuple):
    """What all rows of a run have in common."""

    version: str
    date: str
    machine: str
    allowance: str
    seed: int


def _work_of(result: MatchResult, seat: int) -> SideWork:
    decisions = [one for one in result.decisions if one.seat == seat]
    lapses = [one for one in result.faults if one.seat == seat and one.code is not ErrorCode.FALLBACK]
    return SideWork(
        len(decisions),
        round(sum(one.processor_seconds for one in decisions), 4),
        sum(one.playouts for one in decisions),
        len(lapses),
        int(any(one.seat == seat and one.code is ErrorCode.FALLBACK for one in result.faults)),
    )


def verdict_text(played: RungMatches, test: TwoSidedSprt) -> str:
    """The answer of a comparison in words."""
    counted, player, rival = test.better, played.rung.player, played.rung.rival
    low, high = wilson_interval(counted.score, counted.games)
    share = counted.score / counted.games if counted.games else 0.5
    more = f"; neither is stronger by {test.margin:g} Elo" if test.is_even else ""
    return (
        f"{test.answer}: {player} against {rival}, {counted.wins}-{counted.draws}-{counted.losses}, "
        f"{share:.1%} (95 % interval {low:.1%} to {high:.1%}){more}"
    )


def logged_matches(place: Path) -> Iterator[tuple[TournamentPlan, list[Fixture], Results]]:
    """The logs of all rungs below a folder, with the matches that were played."""
    logs = sorted(place.glob(f"*/{LOG_NAME}"))
    if not logs:
        there = sorted(path.name for path in place.parent.glob("*") if path.is_dir())
        known = f"; there are {', '.join(there)}, named by --label" if there else ""
        raise FileNotFoundError(f"no matches of {place.name} are kept in {place.parent}{known}")
    for path in logs:
        plan, results = read_log(path.parent)
        fixtures = round_fixtures(plan, schedule_of(plan), 0, {}) or []
        yield plan, [one for one in fixtures if one.match_id in results], results


def open_log(rung: Rung, folder: Path) -> MatchLog:
    """The log of a rung below a folder, new or with what was played before."""
    place = folder / rung.folder_name
    if (place / LOG_NAME).exists():
        return MatchLog.resume(place, rung.plan)
    return MatchLog.create(place, rung.plan)


def play_rung(
    rung: Rung,
    log: MatchLog,
    runner: Runner,
    matches: int,
    on_match: Callable[[RungMatches], bool] = lambda matches: True,
) -> RungMatches:
    """Play what the log does not have yet. ``on_match`` is called before the first match and after each, and
    says whether to go on."""
    found = RungMatches(rung, rung.fixtures(matches), log.results)
    missing = found.missing
    if not on_match(found) or not missing:
        return found
    with closing(runner.results(rung.plan, missing)) as arriving:
        for result in arriving:
            log.add([result])
            if not on_match(found):
                break
    return found
