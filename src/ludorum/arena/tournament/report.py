"""The report of a tournament: one HTML page with everything in it, to be sent and kept."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from ..protocol.invitations import format_invitation
from .plan import Plan, PlannedGame
from .plots import line_plot, rating_plot
from .run import Played, group_points
from .schedule import grouped
from .summary import NONE_COUNTS, GameTable, Score, Summary, settings_of

MOST_FAULTS = 200
"""Rows in the table of faults; the log has them all."""

MINUS = "−"
"""As wide as a plus sign, which a hyphen is not."""


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
    style = files("ludorum.arena.tournament").joinpath("report.css").read_text(encoding="utf-8")
    ends = ", ".join(f"{count} {ending}" for ending, count in summary.endings.items())
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:; '
        "style-src 'unsafe-inline'\">"
        f'<title>{escape(title)}</title><link rel="icon" href="data:,"><style>{style}</style></head>\n'
        f"<body><h1>{escape(title)}</h1>"
        f'<p class="about">{escape(str(plan.schedule))}, {len(played.results)} matches ({escape(ends)}), '
        f"seed {plan.seed}, {plan.start_seconds:g} s to prepare, {plan.play_seconds:g} s a move.</p>\n"
        f'<p class="lead">{_lead(summary)}</p>\n'
        f"{notes}{body}</body></html>\n"
    )


TABLE_NAME = ' class="name"'


def _lead(summary: Summary) -> str:
    """Who is ahead, and whether that is more than luck, in one sentence."""
    if not summary.is_counted:
        return escape(NONE_COUNTS)
    first, *others = summary.scores
    placing = dict(summary.played.placing or ())
    said = f"{first.share:.1%} of the points"
    if first.player in placing:
        said += f" ({placing[first.player]})"
    rating = summary.ratings.of(first.player)
    next_best = max(summary.ratings.of(score.player).high for score in others)
    clear = "clear of all others" if rating.low > next_best else "not clear of all others"
    elo = f"{_signed(rating.elo)} ± {rating.high - rating.elo:.0f}"
    return f"First is <b>{escape(first.player)}</b> with {escape(said)}; its Elo, {elo}, is {clear}."


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows of cells that are HTML already; the first column holds names."""
    rows = list(rows)
    kinds = [' class="text"' if rows and c.startswith('<td class="text"') else "" for c in [*rows, head][0]]
    kinds[0] = TABLE_NAME
    top = "".join(
        f'<th scope="col"{kind}>{escape(cell)}</th>' for kind, cell in zip(kinds, head, strict=True)
    )
    body = "".join(
        "<tr>" + "".join(c if c.startswith(("<td", "<th")) else f"<td>{c}</td>" for c in row) + "</tr>"
        for row in rows
    )
    return f'<div class="wide"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'


def _name(text: str) -> str:
    return f'<th scope="row"{TABLE_NAME} title="{escape(text)}">{escape(text)}</th>'


def _signed(elo: float) -> str:
    return f"{elo:+.0f}".replace("-", MINUS)


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
    head = ("player", "elo", *SCORE_HEAD[1:], *(["placing"] if placing else []))
    rows = []
    for score in summary.scores:
        rating = summary.ratings.of(score.player)
        name, *row = _score_row(score)
        elo = f"{_signed(rating.elo)} ± {rating.high - rating.elo:.0f}"
        rows.append([name, elo, *row, *([escape(placing[score.player])] if placing else [])])
    return table(head, rows)


def _ratings(summary: Summary) -> str:
    if not summary.is_counted:
        return '<p class="note">No match counts.</p>'
    rows = sorted(summary.ratings.rows, key=lambda row: -row.elo)
    note = "Dots are Elo by Bradley and Terry; lines reach 95 % by the standard error, bars by the bootstrap."
    if not summary.ratings.is_bounded:
        note += " Somebody won or lost everything, so one draw against an average player was added for each."
    return _wide(rating_plot(rows)) + f'<p class="note">{note}</p>'


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
    series = list(shares.items())
    note = '<p class="note">Share of the points after each set of matches.</p>'
    return _wide(line_plot("Share of points, set by set", series, [0.5], percent=True)) + note


def _wide(content: str) -> str:
    return f'<div class="wide">{content}</div>'


def _test(played: Played) -> str:
    assert played.test is not None
    final = played.test
    curve = [0.0, *final.ratios]
    said = {True: "stronger", False: "not stronger", None: "undecided"}[final.result]
    first, second = map(escape, played.plan.players)
    return (
        f"<p><b>{first}</b> against <b>{second}</b>: {said} (elo {final.elo1:g} against {final.elo0:g}, "
        f"error rates {final.alpha:g} and {final.beta:g}, {final.sets} sets).</p>"
        + _wide(line_plot("Log likelihood ratio, set by set", [("ratio", curve)], final.bounds, first=0))
        + '<p class="note">The test ends where the curve reaches a dashed line; above is stronger.</p>'
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
            f'<td class="code">{escape(fault.code)}</td>',
            "start" if fault.step < 0 else str(fault.step),
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
    named = [
        [_name(key.replace("_", " ")), _text(_plain(value))]
        for key, value in settings.items()
        if key != "games"
    ]
    return (
        f"<p>To play it again:</p><pre>{_unbroken(command_line(summary))}</pre>"
        + "".join(_own_rules(game) for game in plan.games if game.path)
        + table(["game", "roles", "rules (SHA-256)"], rows)
        + table(["setting", "value"], named)
    )


def _unbroken(command: str) -> str:
    """A command whose lines break between words only, not at the hyphens of options."""
    return " ".join(f"<span>{escape(word)}</span>" for word in command.split(" "))


def _own_rules(game: PlannedGame) -> str:
    """The rules of a game that others do not have: the command means the file, and this is what was in it."""
    text = escape(game.text)
    return f"<details><summary>The rules in {escape(game.path)}</summary><pre>{text}</pre></details>"


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


def _entrants(plan: Plan) -> str:
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
    return shlex.join([*words, *(["--lenient"] if plan.lenient else [])])
