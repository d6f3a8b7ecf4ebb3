"""``ludorum play``: a match in the terminal, person against player; without a terminal a demonstration."""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import (
    STRONGEST,
    GameArgument,
    LenientOption,
    NewSeedOption,
    player_option,
    readable_errors,
    seconds_option,
)
from .realtime_text import demonstrate, realtime_master, sit_in

if TYPE_CHECKING:
    from ..arena.table.table import Table
    from ..engine.game import Game
    from ..rules.library import Sheet
    from ..rules.terms import Term

FRESH_SEEDS = 10**6
"""Without a seed, one below this is drawn: short enough to be typed again."""
DEMONSTRATION_SECONDS = 0.4
"""Most thinking time a move in a demonstration, to keep it short."""


def run(
    game: GameArgument,
    role: Annotated[str | None, typer.Option("--role", help="your role; the first one if not given")] = None,
    player: Annotated[str, player_option("--player", "the player of the other roles")] = STRONGEST,
    seconds: Annotated[float, seconds_option("for each move of the player", least=0.05)] = 3.0,
    seed: NewSeedOption = None,
    watch: Annotated[bool, typer.Option("--watch", help="only watch: all roles are played")] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="line by line, also where lines come from a pipe")
    ] = False,
    record: Annotated[
        Path | None, typer.Option("--record", help="write the record of the match to this file in the end")
    ] = None,
    lenient: LenientOption = False,
) -> None:
    """Play a game in the terminal."""
    from ..arena.table.table import Table
    from ..engine.board import find_grid
    from ..engine.load import make_game
    from ..rules.library import find_sheet

    with readable_errors(as_json=False):
        if watch and role is not None:
            raise ValueError("either --role, to play, or --watch")
        if (master := realtime_master(game)) is not None:
            chosen = secrets.randbelow(FRESH_SEEDS) if seed is None else seed
            if _has_screen() and not (watch or plain):
                sit_in(master, role, player, chosen, record)
            elif plain and not watch:
                raise ValueError("a realtime game is played on a screen; --watch shows one line by line")
            else:
                demonstrate(master, player, chosen, record)
            return
        sheet = find_sheet(game)
        loaded = make_game(sheet, "auto", lenient)
        seat = None if watch else _seat(loaded, role)
        grid = find_grid(loaded)
        others: dict[Term, str] = {}
        if _has_screen() and not plain:
            from .terminal import play_on_screen as sit_down
        elif watch or plain or sys.stdin.isatty():
            from .play_plain import play_or_watch as sit_down
        else:
            typer.echo("No terminal to type in: a demonstration match instead.")
            from .play_plain import play_or_watch as sit_down

            seat, seconds = None, min(seconds, DEMONSTRATION_SECONDS)
            others = dict.fromkeys(loaded.info.players[1:], "random")
        seed = secrets.randbelow(FRESH_SEEDS) if seed is None else seed
        table = Table(loaded, seat, player, seconds, seed, others)
        try:
            sit_down(table, grid, rules_text(sheet))
        finally:
            _finish(table, record)


def rules_text(sheet: Sheet) -> str:
    """The rules in words, from the header of the sheet; empty where it has none."""
    return "\n\n".join(filter(None, (sheet.info.title, sheet.info.rules)))


def _seat(game: Game, name: str | None) -> Term:
    from ..engine.errors import GameError

    players = game.info.players
    if name is None:
        if not players:
            raise GameError(f"{game.name} has no role to play")
        return players[0]
    role = game.role(name)
    if role not in players:
        raise GameError(f"{role} is played by chance; choose from {', '.join(map(str, players))}")
    return role


def _has_screen() -> bool:
    """Whether there is a terminal that can show a screen."""
    term = os.environ.get("TERM", "")
    return sys.stdin.isatty() and sys.stdout.isatty() and term not in ("", "dumb", "unknown")


def _finish(table: Table, record: Path | None) -> None:
    table.leave()
    if record is not None:
        typer.echo(f"saved: {table.save(record, leaving=True)}")
    close = getattr(table.game, "close", None)
    if close is not None:
        close()
