"""``ludorum repair``: the likeliest changes after which a faulty sheet can be played."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..rules.library import find_sheet
from .common import NO, GameArgument, JsonOption, need_logic, print_json, readable_errors

if TYPE_CHECKING:
    from ..solve.mend import Mended, Offer


def run(
    game: GameArgument,
    write: Annotated[bool, typer.Option("--write", "-w", help="change the file itself")] = False,
    choice: Annotated[
        int, typer.Option("--choice", "-c", min=1, help="which of several repairs is shown first and written")
    ] = 1,
    as_json: JsonOption = False,
) -> None:
    """Show how a faulty sheet can be mended, as a diff with reasons; --write does it."""
    with readable_errors(as_json):
        need_logic(game)
        from ..solve.mend import mend
        from .format import replace_file

        if write and not Path(game).is_file():
            raise ValueError("--write needs the path of a file")
        mended = mend(find_sheet(game).source)
        offers = _ordered(mended, choice)
        if write and offers:
            replace_file(Path(game), offers[0].after.text)
    if as_json:
        print_json(
            {
                "file": mended.before.name,
                "repairs": [_as_json(offer) for offer in offers],
                "left": mended.left,
                "written": write and bool(offers),
            }
        )
    else:
        _print(mended, offers, write)
    if mended.left:
        raise typer.Exit(NO)


def _ordered(mended: Mended, choice: int) -> list[Offer]:
    """The repairs with the chosen one first."""
    offers = list(mended.offers)
    if choice > max(len(offers), 1):
        raise ValueError(f"--choice {choice}: there are {len(offers)} repairs")
    return [*offers[choice - 1 : choice], *offers[: choice - 1], *offers[choice:]]


def _as_json(offer: Offer) -> dict[str, object]:
    return {
        "changes": [change.as_json() for change in offer.changes],
        "cost": offer.cost,
        "diff": offer.diff,
    }


def _print(mended: Mended, offers: list[Offer], written: bool) -> None:
    for number, offer in enumerate(offers):
        if number == 1:
            typer.echo(f"as likely ({len(offers) - 1} more; --choice takes one):")
        for change in offer.changes:
            typer.echo(f"- {change}")
        typer.echo(offer.diff, nl=False)
    for fault in mended.left:
        typer.echo(f"not mended: {fault}", err=True)
    if not offers and not mended.left:
        typer.echo(f"{mended.before.name}: nothing to mend")
    elif offers:
        typer.echo("written" if written else "nothing was written; --write changes the file", err=True)
