"""``ludorum explore``: every reachable state of a small game."""

from __future__ import annotations

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
    limit: Annotated[int, typer.Option("--limit", min=1, help="stop after this many states")] = 100_000,
    engine: EngineOption = "auto",
    lenient: LenientOption = False,
    as_json: JsonOption = False,
) -> None:
    """Explore a game exhaustively: states, terminal states, longest play, number of games."""
    from ..engine.load import load_game
    from ..engine.perft import explore

    with readable_errors(as_json), shown_progress("states at most", as_json, total=limit) as report:
        found = explore(load_game(game, engine, lenient), limit, report)
    if as_json:
        print_json(found.as_json())
        return
    typer.echo(f"states    {found.states}{'' if found.complete else ' seen, then the limit was reached'}")
    typer.echo(f"terminal  {found.terminal}")
    if found.stuck:
        typer.echo(f"stuck     {found.stuck} (not terminal, but some role has no move: a fault of the rules)")
    if found.complete:
        typer.echo(f"longest   {'endless' if found.longest is None else found.longest}")
        typer.echo(f"games     {'endless' if found.games is None else found.games}")
