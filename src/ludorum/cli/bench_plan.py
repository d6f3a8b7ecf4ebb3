"""``ludorum bench plan``: the planning tables of 2009 with published, old and new figures."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from .bench_results import about_run, results_file, write_results
from .common import JsonOption, print_json, readable_errors

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
    from ..experiments.planning_2009.measure_2009 import PlanBench, measure_2009
    from ..experiments.planning_2009.tables_2009 import format_markdown, format_text

    bench, complete = PlanBench(), True
    with readable_errors(as_json):
        if saved is not None:
            results = json.loads(saved.read_text(encoding="utf-8"))
            bench = PlanBench.from_json(results)
        else:
            try:
                for stage, bench in measure_2009(full):  # noqa: B007 - the last one counts
                    _say(stage)
            except KeyboardInterrupt:
                complete = False
            results = {**about_run(), "full": full, "complete": complete, **bench.as_json()}
        target = output or (results_file("plan") if complete and saved is None else None)
        write_results(results, target)
    if as_json:
        print_json(results)
    else:
        typer.echo((format_markdown if markdown else format_text)(bench))
    if not complete:
        raise typer.Exit(INTERRUPTED)


def _say(stage: str) -> None:
    """Progress: one line that is rewritten in a terminal, a line a stage in a file."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{stage}")
    elif stage:
        sys.stderr.write(stage + "\n")
    sys.stderr.flush()
