"""The output of ``ludorum arena``: a live table in a terminal, and the result."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..arena.tournament.statistics import elo_of
from .progress import duration

if TYPE_CHECKING:
    from rich.table import Table

    from ..arena.tournament import Progress
    from ..arena.tournament.statistics import PairedSprt
    from ..arena.tournament.summary import Summary

REFRESH_SECONDS = 0.5


@contextmanager
def watch(as_json: bool) -> Iterator[Callable[[Progress], None]]:
    """A message on the tournament's progress, shown on the error stream of a terminal."""
    if as_json or not sys.stderr.isatty():
        yield lambda progress: None
    else:
        with _live_table() as show:
            yield show


def _position(progress: Progress) -> str:
    text = f"round {progress.round + 1}: {progress.done} of {progress.total} matches"
    if progress.test is not None:
        low, high = progress.test.bounds
        text += f", test at {progress.test.log_likelihood_ratio:+.2f} ({low:.2f} to {high:.2f})"
    return text


@contextmanager
def _live_table() -> Iterator[Callable[[Progress], None]]:
    from rich.console import Console
    from rich.live import Live

    begin = time.monotonic()
    drawn = -REFRESH_SECONDS
    first: int | None = None
    with Live(console=Console(stderr=True), auto_refresh=False, transient=True) as live:

        def show(progress: Progress) -> None:
            nonlocal drawn, first
            first = progress.done if first is None else first
            now = time.monotonic() - begin
            if now - drawn >= REFRESH_SECONDS or progress.done == progress.total:
                drawn = now
                live.update(live_table(progress, now, progress.done - first), refresh=True)

        yield show


def live_table(progress: Progress, seconds: float, here: int) -> Table:
    """The scores so far; ``here``: matches of this run, from which the remaining time is estimated."""
    from rich.table import Table

    from ..arena.tournament.duels import duels_of

    left = (progress.total - progress.done) * seconds / here if here else None
    caption = f"{progress.done / max(progress.total, 1):.0%}, {_position(progress)}"
    if left is not None:
        caption += f", about {duration(left)} left"
    table = Table("player", "points", "share", "won-drawn-lost", caption=f"{caption} (Ctrl-C stops)")
    duels = duels_of(progress.plan.players, progress.fixtures, progress.results)
    rows = []
    for name, (wins, draws, losses) in zip(progress.plan.players, duels.records(), strict=True):
        games = wins + draws + losses
        rows.append(((wins + draws / 2) / games if games else 0.5, name, wins, draws, losses))
    for share, name, wins, draws, losses in sorted(rows, key=lambda row: -row[0]):
        played = wins + draws + losses
        table.add_row(name, f"{wins + draws / 2:g}/{played}", f"{share:.1%}", f"{wins}-{draws}-{losses}")
    return table


def result_text(summary: Summary) -> str:
    """The result as text."""
    plan, placing = summary.plan, dict(summary.played.placing or ())
    names = ", ".join(game.name for game in plan.games)
    lines = [f"{names}: {plan.schedule}, {len(summary.played.results)} matches, seed {plan.seed}", ""]
    width = max(len("player"), *(len(score.player) for score in summary.scores))
    lines.append(f"    {'player':{width}}  points        share  95 % interval     won-drawn-lost  elo")
    for place, score in enumerate(summary.scores, 1):
        if not score.games:
            lines.append(f"{place:3} {score.player:{width}}  0/0")
            continue
        rating = summary.ratings.of(score.player)
        low, high = score.wilson
        lines.append(
            f"{place:3} {score.player:{width}}  {f'{score.points:g}/{score.games}':12} {score.share:6.1%}  "
            f"{f'{low:.1%} to {high:.1%}':16}  {f'{score.wins}-{score.draws}-{score.losses}':14}  "
            f"{rating.elo:+.0f} ± {rating.high - rating.elo:.0f}"
            + (f"  {placing[score.player]}" if placing else "")
        )
    lines.append("")
    if not summary.ratings.is_bounded and any(score.games for score in summary.scores):
        lines.append("A player won or lost every match: one draw is added to each for the ratings.")
    if summary.played.test is not None:
        lines.append(test_text(summary.played.test, *plan.players))
    lines += summary.notes
    if summary.lapses:
        lines.append(f"{len(summary.lapses)} faults; the first: {fault_text(summary)}")
    return "\n".join(lines).rstrip("\n") + "\n"


def fault_text(summary: Summary) -> str:
    fault = summary.lapses[0]
    return f"{fault.match_id}: {fault.player or 'no player'} {fault.code} {fault.text}".rstrip()


def test_text(test: PairedSprt, first: str, second: str) -> str:
    """The result of a sequential test."""
    said = {
        True: f"{first} is stronger than {second}",
        False: f"{first} is not stronger than {second}",
        None: f"It is undecided whether {first} is stronger than {second}",
    }
    share = test.score / test.games if test.games else 0.5
    return (
        f"{said[test.result]} (elo {elo_of(share):+.0f}; {test.elo1:g} against "
        f"{test.elo0:g}, log likelihood ratio {test.log_likelihood_ratio:+.2f} after {test.sets} sets)"
    )
