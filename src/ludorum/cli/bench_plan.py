"""``ludorum bench plan``: the planning tables of 2009 with published, old and new figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .bench_results import about_run, results_file, write_results
from .common import JsonOption, print_json, readable_errors
from .progress import shown_progress

if TYPE_CHECKING:
    from ..experiments.planning_2009.measure_2009 import PlanBench

INTERRUPTED = 130


def plan(
    full: Annotated[
        bool,
        typer.Option("--full", help="count all 89,180 answer sets of Hodgepodge, too: a minute more"),
    ] = False,
    saved: Annotated[
        Path | None, typer.Option("--saved", help="show a file of earlier results instead of measuring")
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", help="the file the results go to")] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="print tables for a page")] = False,
    as_json: JsonOption = False,
) -> None:
    """Plan the five games of 2009 with the old and the new method, beside the published figures.

    Times are processor seconds. A run in a clone is kept as bench/results/plan-DATE.json; Ctrl-C ends it and
    prints what has been measured.
    """
    from ..experiments.planning_2009.measure_2009 import PlanBench
    from ..experiments.planning_2009.tables_2009 import format_markdown, format_text

    bench, complete = PlanBench(), True
    with readable_errors(as_json):
        if saved is not None:
            results = json.loads(saved.read_text(encoding="utf-8"))
            bench = PlanBench.from_json(results)
        else:
            complete = _measured(full, bench, as_json)
            results = {**about_run(), "full": full, "complete": complete, **bench.as_json()}
        target = output or (results_file("plan") if complete and saved is None else None)
        write_results(results, target)
    if as_json:
        print_json(results)
    else:
        typer.echo((format_markdown if markdown else format_text)(bench))
    if not complete:
        raise typer.Exit(INTERRUPTED)


def _measured(full: bool, bench: PlanBench, as_json: bool) -> bool:
    """Measure all stages into the tables; False where Ctrl-C ended the run."""
    from ..experiments.planning_2009.measure_2009 import stages_2009

    stages = stages_2009(full)
    with shown_progress("stages", as_json, total=len(stages)) as bar:
        try:
            for done, stage in enumerate(stages):
                if bar is not None:
                    bar.tell(stage.name, done)
                stage.measure(bench)
        except KeyboardInterrupt:
            return False
    return True
