"""The results of the strength bench as a part of docs/strength.md."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ...arena.tournament.statistics import elo_of
from .strength_rows import PooledScore, StrengthRow, pooled

BEGIN = "<!-- from bench/results/strength.jsonl, by `ludorum bench strength --page`: do not edit -->"
END = "<!-- end of the ladder -->"
FEW = 100
"""With fewer matches against an opponent the page says how little that is."""
UNEVEN = 2.0
"""The page says so where one side took this many times the processor time of the other."""
SEARCHED_SECONDS = 0.001
"""A player that takes less for a move does not search."""


def page_with(page: str, rows: Sequence[StrengthRow]) -> str:
    """The page with its part on the ladder made anew; appended where it has none."""
    part = f"{BEGIN}\n{ladder_part(rows)}{END}\n"
    before, begin, rest = page.partition(BEGIN)
    if not begin:
        return f"{page.rstrip()}\n\n{part}" if page.strip() else part
    _, end, after = rest.partition(END + "\n")
    if not end:
        raise ValueError(f"the page has no line {END!r} after {BEGIN!r}")
    return before + part + after


def ladder_part(rows: Sequence[StrengthRow]) -> str:
    """The tables: the newest version by opponent, kind and game, and all versions."""
    if not rows:
        return "\nNothing has been measured yet.\n\n"
    newest = rows[-1]
    current = [row for row in rows if _series(row) == _series(newest) and row.version == newest.version]
    lines = ["", *_about(current), "", *_by_rival(current), "", *_by_kind(current), ""]
    lines += [*_by_game(current), "", *_history(rows), ""]
    return "\n".join(lines)


def _series(row: StrengthRow) -> tuple[str, str]:
    """Rows that may be compared from version to version."""
    return row.player, row.allowance


def _about(rows: Sequence[StrengthRow]) -> list[str]:
    newest, games = rows[-1], {row.game for row in rows}
    total = pooled(rows)
    dates = sorted({row.date for row in rows})
    when = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    machines = ", ".join(dict.fromkeys(row.machine for row in rows))
    lines = [
        f"`{newest.player}` of version {newest.version} with {newest.allowance} a decision for each side: "
        f"{total.games} matches in {len(games)} games ({when}, {machines})."
    ]
    few = [rival for rival, some in _grouped(rows, lambda row: row.rival) if pooled(some).games < FEW]
    if few:
        lines.append(
            f"This is little: fewer than {FEW} matches against {', '.join(few)}. Intervals of single games "
            "are wide, and most say nothing yet."
        )
    uneven = [rival for rival, some in _grouped(rows, lambda row: row.rival) if _is_uneven(pooled(some))]
    if uneven:
        lines.append(
            f"It had less than half the processor time, or more than twice, of {', '.join(uneven)}: "
            "these scores compare counted work, not players at equal time."
        )
    faults = total.own.faults, total.theirs.faults
    if any(faults):
        lines.append(f"Moves that were late, illegal or failed: {faults[0]} of ours, {faults[1]} of theirs.")
    fallbacks = total.own.fallbacks, total.theirs.fallbacks
    if any(fallbacks):
        lines.append(f"Not by its own method: {fallbacks[0]} matches of ours, {fallbacks[1]} of theirs.")
    if total.unfinished:
        lines.append(f"{total.unfinished} matches met the bound on their length and count as they stood.")
    return lines


def _is_uneven(score: PooledScore) -> bool:
    """Whether two searches took very different time; a side that does not search has none."""
    own, theirs = score.own.seconds_a_move, score.theirs.seconds_a_move
    searched = min(own, theirs) >= SEARCHED_SECONDS
    return searched and max(own, theirs) > UNEVEN * min(own, theirs)


def _by_rival(rows: Sequence[StrengthRow]) -> list[str]:
    lines = [
        "| against | games | won-drawn-lost | score | 95 % interval | Elo | test | s a move, ours / theirs |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for rival, some in _grouped(rows, lambda row: row.rival):
        score = pooled(some)
        lines.append(
            f"| `{rival}` | {len({row.game for row in some})} | {_score(score)} | {_elo(score)} | "
            f"{score.answer()} | {score.own.seconds_a_move:.3f} / {score.theirs.seconds_a_move:.3f} |"
        )
    return lines


def _by_kind(rows: Sequence[StrengthRow]) -> list[str]:
    lines = ["| kind | against | won-drawn-lost | score | 95 % interval |", "|---|---|---|---|---|"]
    for kind, same in _grouped(rows, lambda row: row.kind):
        for rival, some in _grouped(same, lambda row: row.rival):
            lines.append(f"| {kind} | `{rival}` | {_score(pooled(some))} |")
    return lines


def _by_game(rows: Sequence[StrengthRow]) -> list[str]:
    lines = [
        "| game | from | against | won-drawn-lost | score | 95 % interval |",
        "|---|---|---|---|---|---|",
    ]
    for game, same in _grouped(rows, lambda row: row.game):
        for rival, some in _grouped(same, lambda row: row.rival):
            lines.append(f"| {game} | {some[0].origin} | `{rival}` | {_score(pooled(some))} |")
    return lines


def _history(rows: Sequence[StrengthRow]) -> list[str]:
    lines = [
        "All versions, the newest first. Only lines with the same allowance and the same number of games can "
        "be compared.",
        "",
        "| version | date | player | allowance | against | games | won-drawn-lost | score | 95 % interval |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    versions = _grouped(rows, lambda row: "\t".join((row.version, row.player, row.allowance)))
    for _, same in reversed(versions):
        for rival, some in _grouped(same, lambda row: row.rival):
            last = some[-1]
            lines.append(
                f"| {last.version} | {last.date} | `{last.player}` | {last.allowance} | `{rival}` | "
                f"{len({row.game for row in some})} | {_score(pooled(some))} |"
            )
    return lines


def _score(score: PooledScore) -> str:
    low, high = score.interval
    return f"{score.wins}-{score.draws}-{score.losses} | {score.share:.1%} | {low:.1%} to {high:.1%}"


def _elo(score: PooledScore) -> str:
    elo = elo_of(score.share)
    return f"{round(elo):+d}" if abs(elo) < float("inf") else ""


def _grouped(
    rows: Iterable[StrengthRow], key: Callable[[StrengthRow], str]
) -> list[tuple[str, list[StrengthRow]]]:
    """Rows by a key, in the order in which keys come first."""
    found: dict[str, list[StrengthRow]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return list(found.items())
