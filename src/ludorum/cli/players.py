"""``ludorum players``: the list of players, and the description of one."""

from __future__ import annotations

from typing import Annotated

import typer

from .common import JsonOption, print_json, readable_errors
from .completion import complete_player


def run(
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PLAYER",
            help="describe these in full: names, PATH.py:CLASS or PATH.toml",
            autocompletion=complete_player,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the players by name, those of other packages last, or describe some of them.

    Every verb that takes a player also takes a class of your own, PATH.py:CLASS, and a recipe, PATH.toml.
    """
    from ..players import describe_player, describe_players, player_names

    with readable_errors(as_json):
        if players:
            rows = [{"name": name, "about": describe_player(name)} for name in players]
        else:
            about = describe_players()
            rows = [
                {"name": name, "about": about.get(name, f"from another package: ludorum players {name}")}
                for name in player_names()
            ]
    if as_json:
        print_json(rows)
    elif players:
        typer.echo("\n\n".join(_described(row["name"], row["about"]) for row in rows))
    else:
        width = max(len(row["name"]) for row in rows)
        for row in rows:
            typer.echo(f"{row['name']:<{width}}  {row['about']}")


def _described(name: str, about: str) -> str:
    """The name, and its whole docstring under it."""
    lines = (about or "It has no docstring.").splitlines()
    return "\n".join([name, *(f"    {line}".rstrip() for line in lines)])
