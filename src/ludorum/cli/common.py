"""What all verbs share: options, output for people and programs, readable errors, progress."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from ..rules.source import Diagnostic, RulesError, Severity

NO = 1
"""Exit code: the answer is "no"."""
MISUSE = 2
"""Exit code: the question could not be understood or its input not read."""

INTERRUPTED = 130
"""Exit code: Ctrl-C."""

UNREADABLE = frozenset({"unreadable", "too-large", "not-text", "unknown-game", "flow-chart", "match-record"})

MOST_SEED = 2**64 - 1

STRONGEST = "champion"
"""``ludorum.players.STRONGEST``, said again: to import the players takes longer than most verbs run."""

GameArgument = Annotated[
    str, typer.Argument(metavar="GAME", help="a library name, a path, or - for standard input")
]
JsonOption = Annotated[bool, typer.Option("--json", help="print one JSON value for programs")]
LenientOption = Annotated[bool, typer.Option("--lenient", help="repair what old sheets do wrong, and say so")]
SeedOption = Annotated[int, typer.Option("--seed", help="seed of every random choice", min=0, max=MOST_SEED)]
SecretSeedOption = Annotated[
    int | None,
    typer.Option(
        "--seed", help="seed of every random choice; else one nobody can foresee", min=0, max=MOST_SEED
    ),
]


def need_logic(game: str) -> None:
    """RulesError where a game is a flow chart or in another language, and rules in logic are needed."""
    from ..engine.load import load_rules
    from ..rules.library import FOLDERS, find_sheet

    if game != "-" and (sheet := find_sheet(game)).language not in FOLDERS:
        load_rules(sheet)


def print_json(value: object) -> None:
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def exit_code(faults: Iterable[Diagnostic]) -> int:
    """0 without errors, 2 if something could not be read at all, else 1."""
    errors = [fault for fault in faults if fault.severity is Severity.ERROR]
    if any(fault.code in UNREADABLE for fault in errors):
        return MISUSE
    return NO if errors else 0


@contextmanager
def readable_errors(as_json: bool) -> Iterator[None]:
    """Turn errors people can do something about into messages and exit codes."""
    from ..asp import SolverError
    from ..asp.ground import GroundingError
    from ..engine.errors import GameError

    try:
        yield
    except RulesError as error:
        if as_json:
            print_json(
                {"error": "the rules cannot be used", "diagnostics": [d.as_json() for d in error.diagnostics]}
            )
        else:
            for fault in error.diagnostics:
                typer.echo(describe(fault), err=True)
            is_chart = any(hasattr(one, "node") for one in error.diagnostics)
            if exit_code(error.diagnostics) == NO and not is_chart and not isinstance(error, GameError):
                typer.echo("The rules have errors. `--lenient` repairs what old sheets do wrong.", err=True)
        raise typer.Exit(exit_code(error.diagnostics)) from None
    except (GameError, GroundingError, SolverError) as error:
        if as_json:
            print_json({"error": str(error)})
        else:
            typer.echo(f"error: {error}", err=True)
        raise typer.Exit(NO) from None
    except BrokenPipeError:
        # The reader of our output has gone (`ludorum ... | head`): not an error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None
    except (ValueError, OSError) as error:
        if as_json:
            print_json({"error": str(error)})
        else:
            typer.echo(f"error: {error}", err=True)
        raise typer.Exit(MISUSE) from None
    except (RecursionError, MemoryError) as error:
        what = "terms nested so deeply" if isinstance(error, RecursionError) else "so much memory"
        if as_json:
            print_json({"error": f"this game needs {what} that it cannot be worked on"})
        else:
            typer.echo(f"error: this game needs {what} that it cannot be worked on", err=True)
        raise typer.Exit(NO) from None
    except KeyboardInterrupt:
        say_stopped()
        raise typer.Exit(INTERRUPTED) from None


_is_said = False


def say_stopped() -> None:
    """Say once that Ctrl-C was heard."""
    global _is_said
    if not _is_said:
        _is_said = True
        typer.echo("stopped", err=True)


def describe(fault: Diagnostic) -> str:
    """A diagnostic as people read it: place, message, the line with a mark under the fault, and the hint."""
    if fault.code in UNREADABLE and (not fault.source.text or fault.code == "flow-chart"):
        text = f"{fault.source.name}: {fault.severity}[{fault.code}]: {fault.message}"
        return f"{text}\n    hint: {fault.hint}" if fault.hint else text
    if getattr(fault, "node", None) is not None:  # of a flow chart: its node is its place
        return str(fault)
    line, column = fault.line, fault.column
    lines = [f"{fault.source.name}:{line}:{column}: {fault.severity}[{fault.code}]: {fault.message}"]
    shown = fault.source.line_text(line).replace("\t", " ")
    if shown.strip() and len(shown) <= 200:
        width = max(1, min(fault.span.end - fault.span.start, len(shown) - column + 1))
        lines += [f"    {shown}", f"    {' ' * (column - 1)}{'^' * width}"]
    if fault.hint:
        lines.append(f"    hint: {fault.hint}")
    return "\n".join(lines)


def show_log() -> None:
    """What players announce and what troubles them, on the error stream."""
    import logging

    log = logging.getLogger("ludorum.asp")
    log.setLevel(logging.INFO)
    if not any(type(handler) is logging.StreamHandler for handler in log.handlers):
        log.addHandler(logging.StreamHandler())


def progress(what: str, as_json: bool) -> Callable[[int], None] | None:
    """A counter on the terminal's error stream, renewed a few times a second; nothing in pipes."""
    if as_json or not sys.stderr.isatty():
        return None
    last = time.monotonic()

    def report(count: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last > 0.25:
            last = now
            sys.stderr.write(f"\r{count} {what} ... (Ctrl-C stops) ")
            sys.stderr.flush()

    return report


def status_line(as_json: bool) -> Callable[[object], None] | None:
    """A line on the terminal's error stream that says how far something has come; nothing in pipes."""
    if as_json or not sys.stderr.isatty():
        return None

    def report(status: object) -> None:
        sys.stderr.write(f"\r\033[K{status} ... (Ctrl-C stops) ")
        sys.stderr.flush()

    return report


def clear_progress(report: Callable[..., None] | None) -> None:
    """Leave the line empty for what comes next."""
    if report is not None:
        sys.stderr.write("\r\033[K")
