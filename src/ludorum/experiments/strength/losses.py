"""Lost matches, and where the player's estimate of them broke."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ...arena.tournament.noted_decision import NotedDecision
from ...arena.tournament.plan import TournamentPlan
from ...arena.tournament.records import match_of, write_records
from ...arena.tournament.result import MatchResult, seat_points
from ...arena.tournament.run import Played
from ...arena.tournament.schedule import Fixture, Results
from ...rules.terms import format_term


@dataclass(frozen=True)
class OtherView:
    """What the other side said when it last moved before the estimate broke."""

    step: int
    player: str
    move: str
    value: float
    """The goal value that it expected for itself."""
    depth: int
    proven: bool


@dataclass(frozen=True)
class BrokenEstimate:
    """The largest fall of the player's estimate from one of its decisions to the next, or to the end."""

    step: int
    """How many joint moves had been made when it still believed in the higher value."""
    move: str
    before: float
    after: float
    after_step: int
    at_end: bool
    """Whether the fall was seen only when the match was over: then ``after`` is the goal value."""
    depth: int
    visits: int
    playouts: int
    nodes: int
    proven: bool
    """Whether the higher value was said to be proven: then something is wrong."""
    between: tuple[str, ...]
    """The joint moves from there to where the fall was seen."""
    other: OtherView | None

    @property
    def fall(self) -> float:
        return self.before - self.after


@dataclass(frozen=True)
class LostMatch:
    """A match that the player lost."""

    match_id: str
    game: str
    player: str
    seat: int
    role: str
    rivals: tuple[str, ...]
    goals: tuple[int, ...]
    length: int
    values: tuple[tuple[int, float], ...]
    """The step and the value of each decision of the player."""
    broken: BrokenEstimate | None
    """None where the player gave no values."""

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def lost_matches(plan: TournamentPlan, fixtures: Sequence[Fixture], results: Results) -> list[LostMatch]:
    """The matches that the first player of a plan lost, those first in which its estimate fell most.

    Matches for one role are not lost against anybody: those in which its goal is below 100 are listed.
    """
    found = []
    for fixture in fixtures:
        result = results.get(fixture.match_id)
        if result is not None and result.counts and _is_lost(plan, fixture, result):
            found.append(_lost_match(plan, fixture, result))
    return sorted(found, key=most_misjudged)


def most_misjudged(match: LostMatch) -> float:
    """A key for sorting: the larger the fall of an estimate, the earlier; without estimates last."""
    return 1.0 if match.broken is None else -match.broken.fall


def _is_lost(plan: TournamentPlan, fixture: Fixture, result: MatchResult) -> bool:
    first = plan.players[0]
    if first not in fixture.players:
        return False
    seat = fixture.players.index(first)
    if len(fixture.players) == 1:
        return result.goals[seat] < 100
    return seat_points(result.goals)[seat] < 0.5


def _lost_match(plan: TournamentPlan, fixture: Fixture, result: MatchResult) -> LostMatch:
    seat = fixture.players.index(plan.players[0])
    told = [one for one in result.decisions if one.seat == seat and one.value is not None]
    return LostMatch(
        fixture.match_id,
        fixture.game,
        fixture.players[seat],
        seat,
        plan.game(fixture.game).roles[seat],
        tuple(name for at, name in enumerate(fixture.players) if at != seat),
        result.goals,
        len(result.moves),
        tuple((one.step, one.value) for one in told if one.value is not None),
        _broken_estimate(plan, fixture, result, seat, told),
    )


def _broken_estimate(
    plan: TournamentPlan, fixture: Fixture, result: MatchResult, seat: int, told: Sequence[NotedDecision]
) -> BrokenEstimate | None:
    if not told:
        return None
    values = [one.value or 0.0 for one in told] + [float(result.goals[seat])]
    steps = [one.step for one in told] + [len(result.moves)]
    at = max(range(len(told)), key=lambda place: values[place] - values[place + 1])
    decision = told[at]
    moves = _seat_moves(plan, fixture, result)
    until = steps[at + 1]
    return BrokenEstimate(
        decision.step,
        moves[decision.step][seat],
        values[at],
        values[at + 1],
        until,
        at == len(told) - 1,
        decision.depth,
        decision.visits,
        decision.playouts,
        decision.nodes,
        decision.proven,
        result.moves[decision.step : until],
        _other_view(fixture, result, seat, until, moves),
    )


def _other_view(
    fixture: Fixture, result: MatchResult, seat: int, until: int, moves: Sequence[Sequence[str]]
) -> OtherView | None:
    others = [
        one for one in result.decisions if one.seat != seat and one.step < until and one.value is not None
    ]
    if not others:
        return None
    last = max(others, key=lambda one: one.step)
    return OtherView(
        last.step,
        fixture.players[last.seat],
        moves[last.step][last.seat],
        last.value or 0.0,
        last.depth,
        last.proven,
    )


def _seat_moves(plan: TournamentPlan, fixture: Fixture, result: MatchResult) -> list[list[str]]:
    """The move of each seat in each step, without those of nature."""
    match = match_of(plan, fixture, result)
    seats = [match.game.roles.index(role) for role in match.game.info.players]
    return [[format_term(joint[at]) for at in seats] for joint in match.moves]


def keep_records(plan: TournamentPlan, fixtures: Sequence[Fixture], results: Results, folder: Path) -> int:
    """Write a record of each lost match into a folder, for ``ludorum replay``; how many there are."""
    lost = {one.match_id for one in lost_matches(plan, fixtures, results)}
    kept = tuple(fixture for fixture in fixtures if fixture.match_id in lost)
    played = Played(plan, kept, {one.match_id: results[one.match_id] for one in kept})
    return write_records(played, folder)


def losses_text(lost: Sequence[LostMatch]) -> str:
    """Lost matches as a person reads them."""
    return "\n\n".join(map(_text_of, lost)) + "\n" if lost else "no match was lost\n"


def _text_of(one: LostMatch) -> str:
    goals = " ".join(map(str, one.goals))
    against = f" against {', '.join(dict.fromkeys(one.rivals))}" if one.rivals else ""
    lines = [f"{one.game}: {one.player} as {one.role}{against}, goals {goals} after {one.length} moves"]
    lines.append(f"  match {one.match_id}")
    broken = one.broken
    if broken is None:
        return "\n".join([*lines, "  it gave no values"])
    kind = "proven" if broken.proven else "estimated"
    where = "the end of the match" if broken.at_end else f"move {broken.after_step + 1}"
    lines.append(
        f"  move {broken.step + 1}: {broken.move}, {kind} {broken.before:.1f}, at {where} {broken.after:.1f}"
        f" ({-broken.fall:+.1f}); depth {broken.depth}, {broken.visits} visits of {broken.playouts} playouts"
        f" and {broken.nodes} nodes"
    )
    lines.append(f"  played from there: {' '.join(broken.between)}")
    if broken.other is not None:
        other = broken.other
        sure = "had proven" if other.proven else "expected"
        lines.append(
            f"  {other.player} at move {other.step + 1}: {other.move}, {sure} {other.value:.1f} for itself, "
            f"depth {other.depth}"
        )
    course = " ".join(f"{step + 1}:{value:.0f}" for step, value in one.values)
    return "\n".join([*lines, f"  its values by move: {course}"])
