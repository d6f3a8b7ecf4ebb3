"""``ludorum players``: who can be played against."""

from __future__ import annotations

import typer

from .common import JsonOption, print_json, readable_errors


def run(as_json: JsonOption = False) -> None:
    """List the players by name, those of other packages last."""
    from ..players import describe_players, player_names

    with readable_errors(as_json):
        about = describe_players()
        rows = [{"name": name, "about": about.get(name, "from another package")} for name in player_names()]
    if as_json:
        print_json(rows)
        return
    width = max(len(row["name"]) for row in rows)
    for row in rows:
        typer.echo(f"{row['name']:<{width}}  {row['about']}")
