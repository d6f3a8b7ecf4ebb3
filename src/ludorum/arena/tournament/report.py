"""The report of a tournament: one HTML page with everything in it, to be sent and kept.

Here a summary becomes plain values; the template ``pages/report.html`` makes a page of them.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from ...pages import is_built, render
from ...pages.packed import packed
from ..protocol.invitations import format_invitation
from .plan import TournamentPlan
from .plots import line_plot, rating_plot, with_minus
from .run import Played, group_points
from .schedule import grouped
from .summary import NONE_COUNTS, GameTable, Score, Summary, settings_of

MOST_FAULTS = 200
"""Rows in the table of faults; the log has them all."""


@dataclass(frozen=True)
class ShownMatch:
    """A match that the report shows."""

    caption: str
    result: str
    last: str
    """The last position as text, for readers whose page draws nothing."""
    data: object
    """What the components of the web application draw."""


def report_page(summary: Summary, matches: Sequence[ShownMatch] = ()) -> str:
    """The page. The same result gives the same bytes."""
    played, plan = summary.played, summary.plan
    page = render(
        "report.html",
        title=f"{', '.join(game.name for game in plan.games)}: {len(plan.players)} players",
        about=_about(summary),
        lead=_lead(summary) if summary.is_counted else None,
        none_counts=NONE_COUNTS,
        notes=summary.notes,
        standings=_standings(summary),
        ratings=_ratings(summary),
        cross=_cross(summary),
        course=_course(played),
        test=None if played.test is None else _test(played),
        games=[_game(table) for table in summary.games],
        matches=matches,
        data=packed([match.data for match in matches]) if matches and is_built() else None,
        faults=_faults(summary),
        command=command_line(summary),
        own_rules=[game for game in plan.games if game.path],
        rules=_rules(plan),
        settings=_settings(plan),
    )
    return str(page)


@dataclass(frozen=True)
class ReportColumn:
    title: str
    kind: str = ""
    """name, text or code; otherwise numbers, aligned to the right."""


@dataclass(frozen=True)
class ReportTable:
    """Cells are text: the template escapes them."""

    columns: Sequence[ReportColumn]
    rows: Sequence[Sequence[str]]


def _about(summary: Summary) -> str:
    plan = summary.plan
    ends = ", ".join(f"{count} {ending}" for ending, count in summary.endings.items())
    return (
        f"{plan.schedule}, {len(summary.played.results)} matches ({ends}), seed {plan.seed}, "
        f"{plan.start_seconds:g} s to prepare, {plan.play_seconds:g} s a move."
    )


def _lead(summary: Summary) -> dict[str, str]:
    """Which player is ahead, and whether that is more than luck, for one sentence."""
    first, *others = summary.scores
    placing = dict(summary.played.placing or ())
    said = f"{first.share:.1%} of the points"
    if first.player in placing:
        said += f" ({placing[first.player]})"
    rating = summary.ratings.of(first.player)
    next_best = max(summary.ratings.of(score.player).high for score in others)
    margin = "clear of all others" if rating.low > next_best else "not clear of all others"
    return {"player": first.player, "said": said, "elo": _elo(summary, first.player), "margin": margin}


def _elo(summary: Summary, player: str) -> str:
    rating = summary.ratings.of(player)
    return with_minus(f"{rating.elo:+.0f}") + f" ± {rating.high - rating.elo:.0f}"


def _interval(bounds: tuple[float, float]) -> str:
    return f"{bounds[0]:.1%} to {bounds[1]:.1%}"


def _score_row(score: Score) -> list[str]:
    return [
        score.player,
        f"{score.points:g} / {score.games}",
        f"{score.share:.1%}",
        _interval(score.wilson),
        _interval(score.bootstrap),
        f"{score.wins}–{score.draws}–{score.losses}",
    ]


PLAYER = ReportColumn("player", "name")
SCORE_COLUMNS = tuple(
    map(ReportColumn, ("points", "share", "95 % (Wilson)", "95 % (bootstrap)", "won–drawn–lost"))
)


def _standings(summary: Summary) -> ReportTable:
    placing = dict(summary.played.placing or ())
    columns = [PLAYER, ReportColumn("elo"), *SCORE_COLUMNS, *([ReportColumn("placing")] if placing else [])]
    rows = []
    for score in summary.scores:
        name, *row = _score_row(score)
        placed = [placing[score.player]] if placing else []
        rows.append([name, _elo(summary, score.player), *row, *placed])
    return ReportTable(columns, rows)


def _ratings(summary: Summary) -> dict[str, str]:
    if not summary.is_counted:
        return {"plot": "", "note": "No match counts."}
    rows = sorted(summary.ratings.rows, key=lambda row: -row.elo)
    note = "Dots are Elo by Bradley and Terry; lines reach 95 % by the standard error, bars by the bootstrap."
    if not summary.ratings.is_bounded:
        note += " A player won or lost everything, so one draw against an average player was added for each."
    return {"plot": rating_plot(rows), "note": note}


def _cross(summary: Summary) -> dict[str, object]:
    names = [score.player for score in summary.scores]
    rows = [
        (one, [_cross_cell(*summary.cross(one, other)) if other != one else _cell("–") for other in names])
        for one in names
    ]
    return {"names": names, "rows": rows}


def _cross_cell(points: float, games: int) -> dict[str, str]:
    if not games:
        return _cell("")
    share = points / games
    return _cell(f"{points:g} / {games}", "good" if share >= 0.5 else "bad", f"{abs(share - 0.5):.2f}")


def _cell(text: str, tone: str = "", strength: str = "") -> dict[str, str]:
    return {"text": text, "tone": tone, "strength": strength}


def _course(played: Played) -> str:
    """The share of each player after each of its matches."""
    shares: dict[str, list[float]] = {name: [] for name in played.plan.players}
    totals = dict.fromkeys(played.plan.players, 0.0)
    counts = dict.fromkeys(played.plan.players, 0)
    for group in grouped(played.fixtures):
        for name, points in group_points(group, played.results).items():
            totals[name] += sum(points)
            counts[name] += len(points)
            shares[name].append(totals[name] / counts[name])
    return line_plot("Share of points, set by set", list(shares.items()), [0.5], percent=True)


def _test(played: Played) -> dict[str, str]:
    assert played.test is not None
    final = played.test
    curve = [0.0, *final.ratios]
    first, second = played.plan.players
    return {
        "first": first,
        "second": second,
        "said": {True: "stronger", False: "not stronger", None: "undecided"}[final.result],
        "terms": f"elo {final.elo1:g} against {final.elo0:g}, "
        f"error rates {final.alpha:g} and {final.beta:g}, {final.sets} sets",
        "plot": line_plot("Log likelihood ratio, set by set", [("ratio", curve)], final.bounds, first=0),
    }


def _game(game: GameTable) -> dict[str, object]:
    roles = ", ".join(f"{role} {share:.1%}" for role, share in game.roles)
    scores = sorted(game.scores, key=lambda score: -score.share)
    return {
        "name": game.game,
        "about": f"{game.matches} matches, {game.drawn:.1%} drawn, {game.mean_length:.1f} joint moves on "
        f"average. Points by role, all players together: {roles}.",
        "table": ReportTable((PLAYER, *SCORE_COLUMNS), list(map(_score_row, scores))),
    }


FAULT_COLUMNS = (
    PLAYER,
    ReportColumn("code", "code"),
    ReportColumn("step"),
    ReportColumn("match", "text"),
    ReportColumn("what happened", "text"),
)


def _faults(summary: Summary) -> dict[str, object]:
    rows = [
        [
            fault.player or "no player",
            fault.code,
            "start" if fault.step < 0 else str(fault.step),
            fault.match_id,
            fault.text,
        ]
        for fault in summary.faults[:MOST_FAULTS]
    ]
    return {
        "table": ReportTable(FAULT_COLUMNS, rows) if rows else None,
        "more": len(summary.faults) - len(rows),
    }


def _rules(plan: TournamentPlan) -> ReportTable:
    columns = (
        ReportColumn("game", "name"),
        ReportColumn("roles", "text"),
        ReportColumn("rules (SHA-256)", "digest"),
    )
    return ReportTable(columns, [(game.name, ", ".join(game.roles), game.digest) for game in plan.games])


def _settings(plan: TournamentPlan) -> ReportTable:
    columns = (ReportColumn("setting", "name"), ReportColumn("value", "text"))
    named = (
        (key.replace("_", " "), _plain(value)) for key, value in settings_of(plan).items() if key != "games"
    )
    return ReportTable(columns, list(named))


def _plain(value: object) -> str:
    """A setting as people write it."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {_plain(entry)}" for key, entry in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_plain, value)) or "none"
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return _exact(value) if isinstance(value, float) else str(value)


def _exact(number: float) -> str:
    """Every digit of a number, so that it is read back as it was."""
    return repr(float(number)).removesuffix(".0")


def _entrants(plan: TournamentPlan) -> str:
    return ",".join(format_invitation(plan.invitation(name)) for name in plan.players)


def command_line(summary: Summary) -> str:
    """The command that plays this tournament again."""
    plan = summary.plan
    words = [
        "ludorum",
        "arena",
        *(game.path or game.name for game in plan.games),
        "--players",
        _entrants(plan),
    ]
    clock = f"{_exact(plan.start_seconds)},{_exact(plan.play_seconds)}"
    words += ["--matches", str(plan.matches), "--clock", clock]
    words += ["--schedule", str(plan.schedule), "--opening", str(plan.opening), "--seed", str(plan.seed)]
    words += [] if plan.longest is None else ["--longest", str(plan.longest)]
    words += ["--seatings", str(plan.seatings), "--engine", plan.engine]
    if plan.rounds is not None:
        words += ["--rounds", str(plan.rounds)]
    if plan.sprt is not None:
        words += ["--sprt", f"{_exact(plan.sprt.elo0)},{_exact(plan.sprt.elo1)}"]
    words += ["--threads", str(plan.threads)] if plan.threads > 1 else []
    words += ["--ponder"] if plan.ponder else []
    return shlex.join([*words, *(["--lenient"] if plan.lenient else [])])
