"""``ludorum perft``: joint-move paths by depth."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from .common import (
    EngineOption,
    GameArgument,
    JsonOption,
    LenientOption,
    print_json,
    readable_errors,
)
from .progress import shown_progress


def run(
    game: GameArgument,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", min=1, help="deepest level counted")],
    engine: EngineOption = "auto",
    lenient: LenientOption = False,
    as_json: JsonOption = False,
) -> None:
    """Count the joint-move paths of length 1 to DEPTH."""
    from ..engine.load import load_game
    from ..engine.perft import perft

    start = time.perf_counter()
    with readable_errors(as_json), shown_progress("states", as_json) as report:
        paths = perft(load_game(game, engine, lenient), depth, report)
    seconds = time.perf_counter() - start
    if as_json:
        print_json({"paths": paths, "seconds": round(seconds, 3), "engine": engine})
        return
    for level, count in enumerate(paths, start=1):
        typer.echo(f"{level:3d}  {count}")
