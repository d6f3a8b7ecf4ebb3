"""Results of benchmarks: their header, and the files they are kept in."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import typer


def about_run() -> dict[str, Any]:
    """The time, the commit and the machine of a measurement."""
    from .._paths import clone_folder
    from ..experiments.machine import commit_of, describe_machine

    clone = clone_folder()
    return {
        "date": _today(),
        "commit": None if clone is None else commit_of(clone),
        "machine": describe_machine(),
    }


def results_file(kind: str) -> Path | None:
    """The file for today's results of a kind in a clone; None outside of clones."""
    from .._paths import clone_folder

    clone = clone_folder()
    return None if clone is None else clone / "bench" / "results" / f"{kind}-{_today()}.json"


def write_results(results: dict[str, Any], target: Path | None) -> None:
    """Write results to a file, if there is one, and say where."""
    if target is None:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    typer.echo(f"written: {target}", err=True)


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
