"""``ludorum bench plan``: the planning tables of 2009 with published, old and new figures."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from .common import JsonOption, print_json, readable_errors

INTERRUPTED = 130


def plan(
    full: Annotated[
        bool,
        typer.Option("--full", help="count all 89,180 answer sets of Hodgepodge, too: a minute more"),
    ] = False,
    saved: Annotated[
        Path | None, typer.Option("--from", help="show a file of earlier results instead of measuring")
    ] = None,
    output: Annotated[Path | None, typer.Option(help="the file the results go to")] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="print tables for a page")] = False,
    as_json: JsonOption = False,
) -> None:
    """Plan the five games of 2009 with the method of then and of now, beside what was published.

    Times are processor seconds. A run in a clone is kept as bench/results/plan-DATE.json; Ctrl-C ends it and
    prints what has been measured.
    """
    from ..solve.measure_2009 import PlanBench, measure_2009
    from ..solve.tables_2009 import format_markdown, format_text

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
            results = {**_about(full, complete), **bench.as_json()}
        target = output or (_results_file() if complete and saved is None else None)
        if target is not None:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
            typer.echo(f"written: {target}", err=True)
    if as_json:
        print_json(results)
    else:
        typer.echo((format_markdown if markdown else format_text)(bench))
    if not complete:
        raise typer.Exit(INTERRUPTED)


def _about(full: bool, complete: bool) -> dict[str, Any]:
    from .._paths import clone_folder
    from ..engine.machine import commit_of, describe_machine

    clone = clone_folder()
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "commit": None if clone is None else commit_of(clone),
        "machine": describe_machine(),
        "full": full,
        "complete": complete,
    }


def _results_file() -> Path | None:
    from .._paths import clone_folder

    clone = clone_folder()
    if clone is None:
        return None
    return clone / "bench" / "results" / f"plan-{datetime.now(UTC).date().isoformat()}.json"


def _say(stage: str) -> None:
    """Progress: one line that renews itself in a terminal, a line a stage in a file."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{stage}")
    elif stage:
        sys.stderr.write(stage + "\n")
    sys.stderr.flush()
