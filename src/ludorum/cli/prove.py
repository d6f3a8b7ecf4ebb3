"""``ludorum prove``: properties of a game, proved, refuted with a witness, or left open."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from .common import (
    GAME_HELP,
    NO,
    JsonOption,
    LenientOption,
    SeedOption,
    memory_option,
    print_json,
    readable_errors,
    seconds_option,
)
from .completion import complete_from, complete_game
from .progress import Bar, shown_progress
from .supervise import limit_seconds

if TYPE_CHECKING:
    from ..solve.prove import Verdict

METHODS = ("auto", "exhaustive", "induction")
OPEN = 3
"""Exit code: nothing was refuted, but some property is unknown."""


def run(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help=GAME_HELP, autocompletion=complete_game)
    ] = None,
    properties: Annotated[
        list[str] | None, typer.Argument(metavar="PROPERTY", help="which properties; `all` for every one")
    ] = None,
    seconds: Annotated[float, seconds_option("for all proofs together", least=0.1)] = 30.0,
    states: Annotated[
        int, typer.Option("--states", min=1, help="explore the whole game up to so many states")
    ] = 300_000,
    megabytes: Annotated[float, memory_option("that each process may hold", least=50)] = 3000.0,
    plays: Annotated[int, typer.Option("--plays", min=1, help="random plays a claim must survive")] = 1000,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            help="auto, exhaustive (all states) or induction (never all states)",
            autocompletion=complete_from(*METHODS),
        ),
    ] = "auto",
    list_them: Annotated[bool, typer.Option("--list", help="list the properties and what they mean")] = False,
    seed: SeedOption = 0,
    lenient: LenientOption = False,
    as_json: JsonOption = False,
) -> None:
    """Prove properties of a game. Exit 0: all proved; 1: one is refuted; 3: none refuted, but one is open."""
    from ..engine.load import load_rules
    from ..rules.library import find_sheet
    from ..search.budget import Budget
    from ..solve.prove import PROPERTIES, ProofLimits, property_names, prove

    if list_them:
        _list({name: kind.claim for name, kind in PROPERTIES.items()}, as_json)
        return
    limit_seconds(seconds, OPEN)
    with readable_errors(as_json):
        if game is None:
            raise ValueError("name a GAME; --list alone lists the properties")
        if method not in METHODS:
            raise ValueError(f"no method {method!r}; there are {', '.join(METHODS)}")
        names = property_names(properties or ["all"])
        sheet = find_sheet(game)
        rules = load_rules(sheet, lenient)
        limits = ProofLimits(
            states, megabytes, plays, explore=method != "induction", induct=method != "exhaustive"
        )
        with shown_progress("properties", as_json, total=len(names)) as bar:
            told = _told(bar, as_json)
            verdicts = prove(
                rules, names, Budget(seconds=seconds), name=sheet.name, limits=limits, seed=seed, report=told
            )
    if as_json:
        found = [verdict.as_json() for verdict in verdicts]
        print_json(found[0] if len(found) == 1 and "all" not in (properties or ["all"]) else found)
    raise typer.Exit(_exit_code([verdict.status.value for verdict in verdicts]))


def _exit_code(statuses: list[str]) -> int:
    if "refuted" in statuses:
        return NO
    return 0 if all(status == "proved" for status in statuses) else OPEN


def _list(claims: dict[str, str], as_json: bool) -> None:
    if as_json:
        print_json(claims)
        return
    for name, claim in claims.items():
        typer.echo(f"{name:18} {claim}")


def _told(bar: Bar | None, as_json: bool) -> Callable[[Verdict], None]:
    """Handle each verdict as it comes: print it, and move the bar on."""
    count = 0

    def tell(verdict: Verdict) -> None:
        nonlocal count
        count += 1
        if not as_json:
            with bar.paused() if bar is not None else nullcontext():
                _print(verdict)
        if bar is not None:
            bar(count)

    return tell


def _print(verdict: Verdict) -> None:
    """Print a verdict as text: the words, then the witness move by move."""
    typer.echo(f"{verdict.property:18} {verdict.status.value:9} {verdict.reason}")
    if verdict.value is not None and verdict.property not in ("winnable", "strongly-winnable"):
        text = json.dumps(verdict.value, ensure_ascii=False)
        typer.echo(f"{'':18} value: {text if len(text) <= 200 else text[:200] + ' ...'}")
    trace = verdict.witness
    if trace is not None and len(trace.moves) + len(trace.loop) <= 40:
        moves = "  ".join(" ".join(map(str, joint)) for joint in trace.moves)
        typer.echo(f"{'':18} play: {moves or 'none, the initial state'}")
        if trace.loop:
            loop = "  ".join(" ".join(map(str, joint)) for joint in trace.loop)
            typer.echo(f"{'':18} for ever: {loop}")
