"""Code shared by all verbs: common options, output for people and programs, errors."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from typer.models import OptionInfo

from ..rules.source import Diagnostic, RulesError, Severity
from .completion import ENGINE_NAMES, complete_from, complete_game, complete_player, complete_players

NO = 1
"""Exit code: the answer is "no"."""
MISUSE = 2
"""Exit code: the command line is wrong, or its input cannot be read."""

INTERRUPTED = 130
"""Exit code: Ctrl-C."""

UNREADABLE = frozenset({"unreadable", "too-large", "not-text", "unknown-game", "flow-chart", "match-record"})

STRONGEST = "champion"
"""A copy of ``ludorum.players.STRONGEST``: importing the players takes longer than most verbs run."""

GAME_HELP = "a library name, a path, or - for standard input"
PLAYER_HELP = "a name that `ludorum players` lists, PATH.py:CLASS or PATH.toml"

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help=GAME_HELP, autocompletion=complete_game)]
GamesArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="GAME", help="library names, paths, or - for standard input", autocompletion=complete_game
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="print one JSON value for programs")]
LenientOption = Annotated[bool, typer.Option("--lenient", help="repair the faults of old sheets, and say so")]
SeedOption = Annotated[int, typer.Option("--seed", help="seed of every random choice", min=0)]
SecretSeedOption = Annotated[
    int | None,
    typer.Option(
        "--seed",
        help="seed of every random choice; without it a secret one",
        min=0,
    ),
]
NewSeedOption = Annotated[
    int | None,
    typer.Option("--seed", help="seed of every random choice; without it a new one, which is shown", min=0),
]
EngineOption = Annotated[
    str,
    typer.Option(
        "--engine",
        help=f"engine that runs the rules: {', '.join(ENGINE_NAMES)}",
        autocompletion=complete_from(*ENGINE_NAMES),
    ),
]


def seconds_option(what: str, least: float = 0) -> OptionInfo:
    """``--seconds``: a time limit; ``what`` ends its help text."""
    option: OptionInfo = typer.Option("--seconds", min=least, help=f"time in seconds {what}")
    return option


def memory_option(what: str, least: float, most: float | None = None) -> OptionInfo:
    """``--memory``: megabytes; ``what`` ends its help text."""
    option: OptionInfo = typer.Option("--memory", min=least, max=most, help=f"memory in megabytes {what}")
    return option


def player_option(name: str, what: str) -> OptionInfo:
    """``--player`` or ``--as``: one player; ``what`` says which roles it plays."""
    option: OptionInfo = typer.Option(
        name, metavar="PLAYER", help=f"{what}: {PLAYER_HELP}", autocompletion=complete_player
    )
    return option


def players_option(more: str) -> OptionInfo:
    """``--players``: names with commas between them; ``more`` ends its help text."""
    option: OptionInfo = typer.Option(
        "--players",
        metavar="A,B,...",
        help=f"players, separated by commas: {more}; each is {PLAYER_HELP}",
        autocompletion=complete_players,
    )
    return option


def clock_option(without: str = "") -> OptionInfo:
    """``--clock``: seconds to prepare and for a move; ``without`` is the default in words."""
    option: OptionInfo = typer.Option(
        "--clock",
        metavar="START,PLAY",
        help="seconds to prepare and for a move, in realtime games for the whole match"
        + (f"; without it {without}" if without else ""),
    )
    return option


THREADS_HELP = "threads of each search, where its player's name does not say it"
PONDER_HELP = "let players search while others move, where their names do not say it"

ThreadsOption = Annotated[int, typer.Option("--threads", min=1, max=1024, help=THREADS_HELP)]
PonderOption = Annotated[bool, typer.Option("--ponder/--no-ponder", help=PONDER_HELP)]


def need_logic(game: str) -> None:
    """RulesError where a game is a flow chart or in another language, and rules in logic are needed."""
    from ..engine.load import load_rules
    from ..rules.library import LOGIC, find_sheet

    if game != "-" and (sheet := find_sheet(game)).language not in LOGIC:
        load_rules(sheet)


def need_chart(game: str) -> None:
    """ValueError where a game of the library has rules in logic and a flow chart is needed."""
    from ..rules.library import CHARTS, find_sheet, is_path

    if game != "-" and not is_path(game) and find_sheet(game).language != CHARTS:
        raise ValueError(
            f"{game} has rules in logic, and a flow chart is needed here: `ludorum games` lists both"
        )


def print_json(value: object) -> None:
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def exit_code(faults: Iterable[Diagnostic]) -> int:
    """0 without errors, 2 if an input could not be read at all, else 1."""
    errors = [fault for fault in faults if fault.severity is Severity.ERROR]
    if any(fault.code in UNREADABLE for fault in errors):
        return MISUSE
    return NO if errors else 0


@contextmanager
def readable_errors(as_json: bool) -> Iterator[None]:
    """Turn errors that the user can act on into messages and exit codes."""
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
            can_be_mended = not is_chart and not any(one.code == "realtime" for one in error.diagnostics)
            if exit_code(error.diagnostics) == NO and can_be_mended and not isinstance(error, GameError):
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
        text = _of_file(error) if isinstance(error, OSError) else str(error)
        if as_json:
            print_json({"error": text})
        else:
            typer.echo(f"error: {text}", err=True)
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


def _of_file(error: OSError) -> str:
    """An error of the system, with the file first and without its number."""
    if error.filename is None or not error.strerror:
        return str(error)
    advice = {
        "FileNotFoundError": "; check the path",
        "FileExistsError": "; name another one",
        "PermissionError": "; its rights must be changed, or another file named",
        "IsADirectoryError": "; name a file in it",
    }
    return f"{error.filename}: {error.strerror}{advice.get(type(error).__name__, '')}"


_is_said = False


def say_stopped() -> None:
    """Report Ctrl-C once."""
    global _is_said
    if not _is_said:
        _is_said = True
        typer.echo("stopped", err=True)


def describe(fault: Diagnostic) -> str:
    """A diagnostic as text: place, message, the line with a mark under the fault, and the hint."""
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
    """Log messages of players, on the error stream."""
    import logging

    log = logging.getLogger("ludorum.asp")
    log.setLevel(logging.INFO)
    if not any(type(handler) is logging.StreamHandler for handler in log.handlers):
        log.addHandler(logging.StreamHandler())
