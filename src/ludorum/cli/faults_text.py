"""The faults of rule sheets as verbs print them."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, NoReturn

import typer

from ..rules.source import Diagnostic, Severity
from .common import describe, exit_code, print_json

FastOption = Annotated[bool, typer.Option("--fast", help="only read the rules; do not play them")]


def report(faults: list[Diagnostic], shown: list[Diagnostic], text: str, as_json: bool) -> NoReturn:
    """Print some faults and a last line, and exit with the code of all of them."""
    if as_json:
        print_json([fault.as_json() for fault in shown])
    else:
        for fault in shown:
            typer.echo(describe(fault))
        typer.echo(text)
    raise typer.Exit(exit_code(faults))


def summary(faults: list[Diagnostic], sheets: int) -> str:
    counts = Counter(fault.severity for fault in faults)
    found = ", ".join(
        f"{counts[severity]} {severity}{'s' if counts[severity] != 1 else ''}"
        for severity in sorted(Severity, reverse=True)
        if counts[severity]
    )
    return f"{sheets} sheet{'s' if sheets != 1 else ''} checked: {found or 'no faults'}"
