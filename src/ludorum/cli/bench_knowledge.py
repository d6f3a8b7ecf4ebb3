"""``ludorum bench knowledge``: what roles know in the games of 2013, beside the published table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..rules.terms import format_term
from .bench_results import about_run, results_file, write_results
from .circuit_game import load_with_circuit
from .common import INTERRUPTED, JsonOption, SeedOption, print_json, readable_errors
from .progress import Bar, shown_progress

if TYPE_CHECKING:
    from ..engine.game import Game
    from ..experiments.filtering_2013.rows_2013 import Row2013
    from ..experiments.filtering_2013.table_2013 import MeasuredRow

COMPILE_SECONDS = 60.0
"""Processor seconds for the circuit of a sheet."""


def knowledge(
    corpus: Annotated[
        Path | None, typer.Option("--corpus", help="a folder with the published sheets")
    ] = None,
    matches: Annotated[int, typer.Option("--matches", min=1, help="random matches a row")] = 10,
    engines: Annotated[
        str, typer.Option("--engines", help="which of L0, L1, L2, L3, L4, L5, complete")
    ] = "L0,complete",
    rows: Annotated[str, typer.Option("--rows", help="numbers of rows, separated by commas")] = "",
    output: Annotated[Path | None, typer.Option("--output", help="the file the results go to")] = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Measure what a role knows in random matches: its legal moves, the end, its goal value.

    L0 is the published method, L1 to L5 take one more kind of reasoning each, and `complete` finds all that
    follows. Without --corpus our own versions of the games stand for the published sheets. Times are
    processor seconds for 1000 rounds. A run over all rows is kept as bench/results/knowledge-DATE.json.
    """
    from ..experiments.filtering_2013.measure_2013 import ENGINES
    from ..experiments.filtering_2013.table_2013 import format_text

    with readable_errors(as_json):
        asked = [name.strip() for name in engines.split(",") if name.strip()]
        for name in asked:
            if name not in ENGINES:
                raise ValueError(f"no engine {name!r}; there are {', '.join(ENGINES)}")
        chosen = _chosen(rows)
        found: list[MeasuredRow] = []
        complete = True
        try:
            for one in _measured(chosen, corpus, asked, range(seed, seed + matches), as_json):
                found.append(one)
        except KeyboardInterrupt:
            complete = False
            typer.echo("\nstopped; this is what was measured", err=True)
        results = {
            **about_run(),
            "matches": matches,
            "seed": seed,
            "complete": complete,
            "rows": [one.as_json() for one in found],
        }
        usual = complete and not rows and corpus is not None
        write_results(results, output or (results_file("knowledge") if usual else None))
    if as_json:
        print_json(results)
    else:
        typer.echo(format_text(found))
    if not complete:
        raise typer.Exit(INTERRUPTED)


def _chosen(text: str) -> list[Row2013]:
    from ..experiments.filtering_2013.rows_2013 import ROWS_2013

    asked = [name.strip() for name in text.split(",") if name.strip()]
    known = {row.number: row for row in ROWS_2013}
    for name in asked:
        if name not in known:
            raise ValueError(f"no row {name!r}; there are {', '.join(known)}")
    return [known[name] for name in asked] or list(ROWS_2013)


def _measured(
    rows: Sequence[Row2013], corpus: Path | None, engines: Sequence[str], seeds: range, as_json: bool
) -> Iterator[MeasuredRow]:
    """Each row as it is measured, with what there is of it where the measurement is interrupted."""
    from ..engine.compiled import CompiledGame
    from ..experiments.filtering_2013.measure_2013 import COMPLETE, measure_knowing
    from ..experiments.filtering_2013.table_2013 import MeasuredRow, remark_without_circuit

    with shown_progress("rows", as_json, total=len(rows)) as bar:
        for number, row in enumerate(rows):
            path = _public(row, corpus)
            if path is None and not row.own_sheet:
                continue
            name = row.own_sheet if path is None else str(path)
            _say(bar, f"{row.title}: compile", number)
            game = _loaded(name, path is not None)
            role = game.info.players[row.role]
            measured = MeasuredRow(row, Path(name).stem, path is not None, format_term(role))
            yield measured
            for engine in engines:
                if engine == COMPLETE and not isinstance(game, CompiledGame):
                    measured.remarks.append(remark_without_circuit(measured))
                    continue
                _say(bar, f"{row.title}: {engine}", number)
                measured.found.append(measure_knowing(game, role, engine, seeds))


def _loaded(name: str, lenient: bool) -> Game:
    """The game, with a circuit where it can be had soon."""
    from ..engine.errors import GameError
    from ..engine.load import load_game

    try:
        return load_with_circuit(name, lenient, COMPILE_SECONDS)[0]
    except GameError:
        return load_game(name, "lifted", lenient)


def _public(row: Row2013, corpus: Path | None) -> Path | None:
    if corpus is None or not row.public_sheet:
        return None
    if not corpus.is_dir():
        raise NotADirectoryError(f"no folder of sheets: {corpus}")
    return next(iter(sorted(corpus.rglob(f"{row.public_sheet}.kif"))), None)


def _say(bar: Bar | None, text: str, done: int) -> None:
    if bar is not None:
        bar.tell(text, done)
