"""``ludorum verify``: an engine against recorded matches, or against the reference on random states."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from ..engine.load import DEFAULT_ENGINE
from ..rules.terms import format_term
from .common import (
    NO,
    EngineOption,
    GameArgument,
    JsonOption,
    LenientOption,
    SeedOption,
    print_json,
    readable_errors,
    seconds_option,
)
from .progress import shown_progress
from .supervise import limit_seconds

if TYPE_CHECKING:
    from ..arena import VerifyReport
    from ..engine.game import Game


def run(
    game: GameArgument,
    more: Annotated[list[Path] | None, typer.Argument(metavar="FILE", help="more records")] = None,
    record: Annotated[list[Path] | None, typer.Option("--record", help="recorded matches to replay")] = None,
    strategy: Annotated[
        Path | None,
        typer.Option("--strategy", help="a strategy of `ludorum solve`, against every answer"),
    ] = None,
    engine: EngineOption = DEFAULT_ENGINE,
    states: Annotated[int, typer.Option("--states", min=1, help="random states, without a record")] = 100,
    seconds: Annotated[float | None, seconds_option("for each record; without it any")] = None,
    seed: SeedOption = 0,
    lenient: LenientOption = False,
    as_json: JsonOption = False,
) -> None:
    """Verify an engine on a game, against records or else the reference, and list every disagreement."""
    from ..arena import load_record, verify, verify_random
    from ..engine.load import load_game

    reports: dict[str, VerifyReport] = {}
    limit_seconds(seconds)
    with readable_errors(as_json), shown_progress("steps", as_json) as report:
        if more and not record:
            listed = " ".join(map(str, more))
            raise ValueError(f"records come after --record: ludorum verify {game} --record {listed}")
        if strategy is not None:
            _verify_strategy(load_game(game, engine, lenient), strategy, seconds, as_json)
        if (worlds := _verify_worlds(game, [*(record or []), *(more or [])])) is not None:
            _show(worlds, as_json)
        loaded = load_game(game, engine, lenient, keep_names=True)
        for path in [*(record or []), *(more or [])]:
            limit_seconds(seconds)
            reports[str(path)] = verify(loaded, load_record(path), seconds=seconds, progress=report)
        if not reports:
            limit_seconds(seconds)
            reference = load_game(game, "reference", lenient, keep_names=True)
            reports["random play"] = verify_random(
                loaded, reference, states, seed, seconds=seconds, progress=report
            )
    _show(reports, as_json)


def _show(reports: dict[str, VerifyReport], as_json: bool) -> NoReturn:
    """Print what was found, and exit."""
    if as_json:
        print_json(as_json_value(reports))
    else:
        for name, found in reports.items():
            typer.echo(f"{name}: {found}")
            for one in found.disagreements:
                typer.echo(f"    {one}")
    raise typer.Exit(0 if all(found.agrees for found in reports.values()) else NO)


def _verify_worlds(game: str, records: list[Path]) -> dict[str, VerifyReport] | None:
    """The reports of records of a WDL match that are kept line by line; None where there are none such."""
    from ..arena.records.fields import read_text
    from ..arena.world.record import read_record, world_lines
    from ..arena.world.verify_record import verify_world
    from .replay_realtime import wdl_master

    lines = {str(path): world_lines(read_text(path)) for path in records}
    if not any(lines.values()):
        return None
    master = wdl_master(game)
    reports = {}
    for name, found in lines.items():
        if found is None:
            raise ValueError(f"{name} has a match of rounds; verify it without those in realtime")
        reports[name] = verify_world(master, read_record(found))
    return reports


def _verify_strategy(game: Game, path: Path, seconds: float | None, as_json: bool) -> NoReturn:
    """Play a strategy against every answer, print the result, and exit."""
    from ..search.budget import Budget
    from ..solve.values.check_strategy import check_strategy
    from ..solve.values.strategy import load_strategy

    strategy = load_strategy(path)
    found = check_strategy(game, strategy, Budget(seconds=seconds or 3600))
    sure = found.holds and found.complete
    if as_json:
        told = {"role": format_term(strategy.role), "value": strategy.value, "opened": strategy.opened}
        print_json({**told, **found.as_json()})
    else:
        promise = f"{format_term(strategy.role)} gets {strategy.value} at least"
        promise += ", with all information open" if strategy.opened else ""
        verdict = "yes" if sure else f"no: {found.fault}" if not found.holds else "not all was tried in time"
        typer.echo(f"{path}: {promise}: {verdict} ({found.states} states, {found.ends} ends)")
    raise typer.Exit(0 if sure else NO)


def as_json_value(reports: dict[str, VerifyReport]) -> dict[str, object]:
    """Sums over all records, with the disagreements of each marked by its record."""
    return {
        "states": sum(found.states for found in reports.values()),
        "disagreements": [
            {"record": name, **one.as_json()}
            for name, found in reports.items()
            for one in found.disagreements
        ],
        "records": {name: found.as_json() for name, found in reports.items()},
    }
