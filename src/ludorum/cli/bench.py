"""``ludorum bench``: speed measurements, as tables and as files that a command reproduces."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import bench_evaluation, bench_knowledge, bench_plan, bench_strength
from .bench_results import about_run, results_file, write_results
from .common import MISUSE, JsonOption, SeedOption, print_json, readable_errors, seconds_option
from .plain_help import PlainCommand, PlainGroup
from .progress import Bar, shown_progress

if TYPE_CHECKING:
    from ..experiments.measure import Speeds

app = typer.Typer(help="Measure: the benchmark suite and its results.", no_args_is_help=True, cls=PlainGroup)

GAMES = (
    "tictactoe",
    "connect_four",
    "breakthrough",
    "othello",
    "english_draughts",
    "hex",
    "amazons_8",
    "chess",
)
SHEETS = (
    "ticTacToe", "connectFour", "breakthrough", "reversi", "checkers", "hex", "amazons_8x8", "amazons_10x10",
    "speedChess", "chess_200",
)  # fmt: skip
"""The public sheets of the same games."""

INTERRUPTED = 130

app.command("plan", cls=PlainCommand)(bench_plan.plan)
app.command("knowledge", cls=PlainCommand)(bench_knowledge.knowledge)
app.command("evaluation", cls=PlainCommand)(bench_evaluation.evaluation)
app.command("strength", cls=PlainCommand)(bench_strength.strength)


@app.callback()
def bench() -> None:
    """Measure: the benchmark suite and its results."""
    if find_spec("ludorum.experiments") is None:
        typer.echo("error: `ludorum bench` is part of a clone, not of the installed package", err=True)
        raise typer.Exit(MISUSE)


@app.command(cls=PlainCommand)
def engine(
    games: Annotated[str, typer.Option("--sheets", help="library names or paths, separated by commas")] = "",
    corpus: Annotated[
        Path | None, typer.Option("--corpus", help="also measure a folder of public sheets")
    ] = None,
    every: Annotated[
        int,
        typer.Option("--every", min=0, help="measure every Nth sheet of the corpus, not the usual ones"),
    ] = 0,
    seconds: Annotated[float, seconds_option("for each measurement")] = 1.0,
    engines: Annotated[
        str, typer.Option("--engines", help="which of lanes, single, lifted, reference")
    ] = "lanes,single,lifted,reference",
    rivals: Annotated[
        Path | None,
        typer.Option("--rivals", help="JSON {game: {rival: playouts_per_s}} to compare with"),
    ] = None,
    saved: Annotated[
        Path | None, typer.Option("--saved", help="show a file of earlier results instead of measuring")
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", help="the file the results go to")] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="print tables for a page")] = False,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Measure random play with every engine, and how far it is from the machine's limit.

    A run over the usual games, in a clone, is kept as bench/results/engine-DATE.json. Ctrl-C ends a run and
    keeps what has been measured.
    """
    from ..experiments.speed_table import format_markdown, format_text

    with readable_errors(as_json):
        asked = _known_engines(engines)
        if saved is not None:
            results: dict[str, Any] = json.loads(saved.read_text(encoding="utf-8"))
        else:
            names = _chosen_games(games, corpus, every)
            results = _measured(names, asked, seconds, seed, as_json)
        rows = _rows(results)
        if rivals is not None:
            _join(rows, json.loads(rivals.read_text(encoding="utf-8")))
        results["games"] = [row.as_json() for row in rows]
        results["geometric_means"] = _means(rows)
        usual = not games and not every and saved is None and results["complete"]
        target = output or (results_file("engine") if usual else None)
        write_results(results, target)
    if as_json:
        print_json(results)
    else:
        typer.echo((format_markdown if markdown else format_text)(rows))
    if not results["complete"]:
        raise typer.Exit(INTERRUPTED)


@app.command(cls=PlainCommand)
def start(
    games: Annotated[str, typer.Option("--sheets", help="library names or paths, separated by commas")] = "",
    tries: Annotated[
        int, typer.Option("--tries", min=1, help="fresh interpreters a game; the best counts")
    ] = 3,
    as_json: JsonOption = False,
) -> None:
    """Measure the time to start: the import, and the first compiled playout after it."""
    from ..experiments.measure_start import GAMES as USUAL
    from ..experiments.measure_start import measure_start
    from ..rules.library import find_sheet

    with readable_errors(as_json):
        names = [name.strip() for name in games.split(",") if name.strip()] or list(USUAL)
        for name in names:
            find_sheet(name)
        found = []
        with shown_progress("games", as_json, total=len(names)) as bar:
            for number, name in enumerate(names):
                _say(bar, f"{name}: {tries} starts", number)
                found.append(measure_start(name, tries))
    if as_json:
        print_json([one.as_json() for one in found])
        return
    typer.echo(f"{'game':<20} {'import s':>9} {'first playout s':>16} {'by the clock':>13}")
    for one in found:
        seconds = f"{one.first_playout_s:>16.3f} {one.first_playout_wall_s:>13.3f}"
        typer.echo(f"{one.game:<20} {one.import_s:>9.3f} {seconds}")


def _known_engines(text: str) -> list[str]:
    from ..experiments.measure import ENGINES

    asked = [name.strip() for name in text.split(",") if name.strip()]
    for name in asked:
        if name not in ENGINES:
            raise ValueError(f"no engine {name!r} to measure; there are {', '.join(ENGINES)}")
    return asked


def _chosen_games(games: str, corpus: Path | None, every: int) -> list[tuple[str, str]]:
    """What to measure: the name or path of each sheet, and its origin."""
    found = [(name.strip(), "library") for name in games.split(",") if name.strip()]
    if corpus is None:
        return found or [(name, "library") for name in GAMES]
    if not corpus.is_dir():
        raise NotADirectoryError(f"no folder of sheets: {corpus}")
    if every:
        return found + [(str(path), "corpus") for path in sorted(corpus.rglob("*.kif"))[::every]]
    # A sheet may lie in several folders of a corpus; the first is the plain one.
    sheets = [path for name in SHEETS for path in sorted(corpus.rglob(f"{name}.kif"))[:1]]
    return (found or [(name, "library") for name in GAMES]) + [(str(path), "corpus") for path in sheets]


def _measured(
    names: Sequence[tuple[str, str]], engines: Sequence[str], seconds: float, seed: int, as_json: bool
) -> dict[str, Any]:
    results: dict[str, Any] = {
        **about_run(),
        "seconds": seconds,
        "seed": seed,
        "complete": True,
        "games": [],
    }
    try:
        for row in _measure_all(names, engines, seconds, seed, as_json):
            results["games"].append(row)
    except KeyboardInterrupt:
        results["complete"] = False
        typer.echo("\nstopped; this is what was measured", err=True)
    results["games"] = [row.as_json() for row in results["games"]]
    return results


def _measure_all(
    names: Sequence[tuple[str, str]], engines: Sequence[str], seconds: float, seed: int, as_json: bool
) -> Iterator[Speeds]:
    """A row for each sheet, yielded before it is filled so that an interrupted one is kept."""
    from ..engine.load import load_rules
    from ..experiments.measure import Speeds, measure_game
    from ..rules.library import find_sheet

    with shown_progress("sheets", as_json, total=len(names)) as bar:
        for number, (name, source) in enumerate(names, 1):
            row = Speeds(Path(name).stem, source)
            yield row
            try:
                rules = load_rules(find_sheet(name), lenient=True, keep_names=True)
                for stage in measure_game(rules, row, seconds=seconds, seed=seed, engines=engines):
                    _say(bar, f"{number} of {len(names)}  {row.game}: {stage}", number - 1)
            except Exception as error:  # one bad sheet must not end the run
                row.error = f"{type(error).__name__}: {error}"
                _say(bar, f"{number} of {len(names)}  {row.game}: {row.error}", number)


def _say(bar: Bar | None, text: str, done: int) -> None:
    """Progress: a bar in a terminal, a line a stage in a file."""
    if bar is not None:
        bar.tell(text, done)
    elif not sys.stderr.isatty():
        sys.stderr.write(text + "\n")
        sys.stderr.flush()


def _rows(results: dict[str, Any]) -> list[Speeds]:
    from ..experiments.measure import Speeds

    return [
        Speeds(**{key: value for key, value in row.items() if key != "ratios"}) for row in results["games"]
    ]


def _join(rows: Sequence[Speeds], rivals: dict[str, Any]) -> None:
    """Rivals' figures beside ours. A public sheet with the name of one of ours may be another game."""
    ours = {row.game for row in rows if row.source == "library"}
    for row in rows:
        found = rivals.get(row.game, {}) if row.source == "library" or row.game not in ours else {}
        row.rivals |= {name: float(speed) for name, speed in found.items() if speed}


def _means(rows: Sequence[Speeds]) -> dict[str, float]:
    from ..experiments.measure import geometric_means

    return geometric_means(rows)
