"""The report of a tournament: one HTML page with everything in it, to be sent and kept."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from html import escape

from ..protocol.invitations import format_invitation
from ..statistics import PairedSprt
from .plan import Plan
from .plots import line_plot, rating_plot
from .run import Played, group_points
from .schedule import grouped
from .summary import GameTable, Score, Summary, settings_of

MOST_FAULTS = 200
"""Rows in the table of faults; the log has them all."""

STYLE = """
:root { --ink: #1d2430; --soft: #667085; --paper: #fff; --edge: #d8dce3; --mark: #2563a8; --mist: #2563a833;
  --good: 34, 139, 84; --bad: 196, 62, 62; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --soft: #98a2b3; --paper: #14181f;
  --edge: #323a46; --mark: #6cb0f5; --mist: #6cb0f540; --good: 74, 190, 128; --bad: 232, 106, 106; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--edge); text-align: right; }
th:first-child, td.name, th.name { text-align: left; } th { color: var(--soft); font-weight: 600; }
td.text { text-align: left; overflow-wrap: anywhere; }
.wide { overflow-x: auto; } .note { color: var(--soft); }
pre { background: var(--mist); padding: .8rem; overflow-x: auto; }
svg { width: 100%; height: auto; } svg text { font-size: 12px; fill: var(--ink); }
.grid { stroke: var(--edge); } .level { stroke: var(--soft); stroke-dasharray: 5 4; }
.bar { fill: var(--mist); } .whisker { stroke: var(--mark); stroke-width: 2; } .dot { fill: var(--mark); }
.curve { fill: none; stroke-width: 2; } svg text[class] { font-weight: 600; }
""" + "".join(
    f".curve.c{number} {{ stroke: {colour}; }} svg text.c{number} {{ fill: {colour}; }}\n"
    for number, colour in enumerate(
        ["#3b82c4", "#d9822b", "#3f9d63", "#c2504f", "#8a6fc0", "#8c6d5a", "#c774a8", "#7f8790"]
    )
)


def report_page(summary: Summary) -> str:
    """The page. The same result gives the same bytes."""
    played, plan = summary.played, summary.plan
    title = f"{', '.join(game.name for game in plan.games)}: {len(plan.players)} players"
    sections = [
        ("Standings", _standings(summary)),
        ("Ratings", _ratings(summary)),
        ("Cross table", _cross(summary)),
        ("Course", _course(played)),
        *([("Sequential test", _test(played))] if played.test is not None else []),
        *((f"Game: {table.game}", _game(table)) for table in summary.games),
        ("Faults", _faults(summary)),
        ("Settings", _settings(summary)),
    ]
    notes = "".join(f'<p class="note">{escape(note)}</p>\n' for note in summary.notes)
    body = "".join(f"<section><h2>{escape(name)}</h2>{content}</section>\n" for name, content in sections)
    ends = ", ".join(f"{count} {ending}" for ending, count in summary.endings.items())
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n<body><h1>{escape(title)}</h1>"
        f"<p>{escape(str(plan.schedule))}, {len(played.results)} matches ({escape(ends)}), seed {plan.seed}, "
        f"{plan.start_seconds:g} s to prepare, {plan.play_seconds:g} s a move.</p>\n"
        f"{notes}{body}</body></html>\n"
    )


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows of cells that are HTML already; the first column holds names."""
    top = "".join(f"<th{' class=name' if not at else ''}>{escape(cell)}</th>" for at, cell in enumerate(head))
    body = "".join(
        "<tr>" + "".join(c if c.startswith("<td") else f"<td>{c}</td>" for c in row) + "</tr>" for row in rows
    )
    return f'<div class="wide"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'


def _name(text: str) -> str:
    return f'<td class="name">{escape(text)}</td>'


def _text(text: str) -> str:
    return f'<td class="text">{escape(text)}</td>'


def _interval(bounds: tuple[float, float]) -> str:
    return f"{bounds[0]:.1%} to {bounds[1]:.1%}"


def _score_row(score: Score) -> list[str]:
    return [
        _name(score.player),
        f"{score.points:g} / {score.games}",
        f"{score.share:.1%}",
        _interval(score.wilson),
        _interval(score.bootstrap),
        f"{score.wins}–{score.draws}–{score.losses}",
    ]


SCORE_HEAD = ("player", "points", "share", "95 % (Wilson)", "95 % (bootstrap)", "won–drawn–lost")


def _standings(summary: Summary) -> str:
    placing = dict(summary.played.placing or ())
    head = (*SCORE_HEAD, "elo", *(["placing"] if placing else []))
    rows = []
    for score in summary.scores:
        rating = summary.ratings.of(score.player)
        row = [*_score_row(score), f"{rating.elo:+.0f} ± {rating.high - rating.elo:.0f}"]
        rows.append([*row, *([escape(placing[score.player])] if placing else [])])
    return table(head, rows)


def _ratings(summary: Summary) -> str:
    rows = sorted(summary.ratings.rows, key=lambda row: -row.elo)
    note = "Dots are Elo by Bradley and Terry; lines reach 95 % by the standard error, bars by the bootstrap."
    if not summary.ratings.is_bounded:
        note += " Somebody won or lost everything, so one draw against an average player was added for each."
    return rating_plot(rows) + f'<p class="note">{note}</p>'


def _cross(summary: Summary) -> str:
    names = [score.player for score in summary.scores]
    rows = []
    for one in names:
        cells = [_cross_cell(*summary.cross(one, other)) if other != one else "–" for other in names]
        rows.append([_name(one), *cells])
    return table(["", *names], rows) + '<p class="note">Points of the row against the column.</p>'


def _cross_cell(points: float, games: int) -> str:
    if not games:
        return ""
    share = points / games
    colour, strength = ("--good" if share >= 0.5 else "--bad"), abs(share - 0.5)
    return f'<td style="background: rgba(var({colour}), {strength:.2f})">{points:g} / {games}</td>'


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
    series = [(name, curve) for name, curve in shares.items() if curve]
    note = '<p class="note">Share of the points after each set of matches.</p>'
    return line_plot("Share of points, set by set", series, [0.5]) + note


def _test(played: Played) -> str:
    assert played.test is not None
    final = played.test
    test = PairedSprt(final.elo0, final.elo1, final.alpha, final.beta)
    curve = [0.0]
    for group in grouped(played.fixtures):
        points = group_points(group, played.results).get(played.plan.players[0])
        if points:
            test.add(points)
            curve.append(test.log_likelihood_ratio)
    said = {True: "stronger", False: "not stronger", None: "undecided"}[final.result]
    first, second = map(escape, played.plan.players)
    return (
        f"<p><b>{first}</b> against <b>{second}</b>: {said} (elo {final.elo1:g} against {final.elo0:g}, "
        f"error rates {final.alpha:g} and {final.beta:g}, {final.sets} sets).</p>"
        + line_plot("Log likelihood ratio, set by set", [("ratio", curve)], final.bounds)
    )


def _game(game: GameTable) -> str:
    roles = ", ".join(f"{escape(role)} {share:.1%}" for role, share in game.roles)
    scores = sorted(game.scores, key=lambda score: -score.share)
    return (
        f"<p>{game.matches} matches, {game.drawn:.1%} drawn, {game.mean_length:.1f} joint moves on average. "
        f"Points by role, whoever played it: {roles}.</p>" + table(SCORE_HEAD, map(_score_row, scores))
    )


def _faults(summary: Summary) -> str:
    if not summary.faults:
        return "<p>None: every move was legal and in time.</p>"
    rows = [
        [
            _name(fault.player or "nobody"),
            fault.code,
            str(fault.step),
            _text(fault.match_id),
            _text(fault.text),
        ]
        for fault in summary.faults[:MOST_FAULTS]
    ]
    more = len(summary.faults) - len(rows)
    note = f'<p class="note">{more} more are in the log.</p>' if more > 0 else ""
    return table(["player", "code", "step", "match", "what happened"], rows) + note


def _settings(summary: Summary) -> str:
    plan = summary.plan
    rows = [
        [_name(game.name), _text(", ".join(game.roles)), f"<code>{game.digest}</code>"] for game in plan.games
    ]
    settings = settings_of(plan)
    named = "".join(
        f"<tr>{_name(key)}{_text(str(value))}</tr>" for key, value in settings.items() if key != "games"
    )
    return (
        f"<p>To play it again:</p><pre>{escape(command_line(summary))}</pre>"
        + table(["game", "roles", "rules"], rows)
        + f'<div class="wide"><table><tbody>{named}</tbody></table></div>'
    )


def _entrants(plan: Plan) -> str:
    return ",".join(format_invitation(plan.invitation(name)) for name in plan.players)


def command_line(summary: Summary) -> str:
    """The command that plays this tournament again."""
    plan = summary.plan
    words = ["ludorum", "arena", *(game.name for game in plan.games), "--players", _entrants(plan)]
    words += ["--matches", str(plan.matches), "--clock", f"{plan.start_seconds:g},{plan.play_seconds:g}"]
    words += ["--schedule", str(plan.schedule), "--opening", str(plan.opening), "--seed", str(plan.seed)]
    words += ["--longest", str(plan.longest), "--seatings", str(plan.seatings), "--engine", plan.engine]
    if plan.rounds is not None:
        words += ["--rounds", str(plan.rounds)]
    if plan.sprt is not None:
        words += ["--sprt", f"{plan.sprt.elo0:g},{plan.sprt.elo1:g}"]
    return shlex.join([*words, *(["--lenient"] if plan.lenient else [])])
