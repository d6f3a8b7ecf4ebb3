"""``ludorum repair``: the most likely changes after which a faulty sheet can be played."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..rules.library import find_sheet
from .common import NO, GameArgument, JsonOption, need_logic, print_json, readable_errors

if TYPE_CHECKING:
    from ..solve.repair import Mended, Offer


def run(
    game: GameArgument,
    write: Annotated[
        bool, typer.Option("--write", "-w", help="change the file itself, if that mends the sheet")
    ] = False,
    partial: Annotated[
        bool, typer.Option("--partial", help="with --write: also where something is left wrong")
    ] = False,
    choice: Annotated[
        int, typer.Option("--choice", "-c", min=1, help="which of several repairs is shown first and written")
    ] = 1,
    as_json: JsonOption = False,
) -> None:
    """Show how a faulty sheet can be mended, as a diff with reasons; --write does it."""
    with readable_errors(as_json):
        need_logic(game)
        from ..solve.repair import mend
        from .format import replace_file

        if partial and not write:
            raise ValueError("--partial says what --write may write: give both")
        if write and not Path(game).is_file():
            raise ValueError("--write needs the path of a file")
        mended = mend(find_sheet(game).source)
        offers = _ordered(mended, choice)
        left = offers[0].left if offers else mended.left
        written = write and bool(offers) and (partial or not left)
        if written:
            replace_file(Path(game), offers[0].after.text)
    if as_json:
        print_json(
            {
                "file": mended.before.name,
                "repairs": [_as_json(offer) for offer in offers],
                "left": left,
                "written": written,
            }
        )
    else:
        _print(mended, offers, left)
        if offers:
            typer.echo(_what_was_written(write, written, left), err=True)
    if left:
        raise typer.Exit(NO)


def _ordered(mended: Mended, choice: int) -> list[Offer]:
    """The repairs with the chosen one first."""
    offers = list(mended.offers)
    if choice > max(len(offers), 1):
        raise ValueError(
            f"--choice {choice}: there are {len(offers)} repairs; leave --choice out for the first"
        )
    return [*offers[choice - 1 : choice], *offers[: choice - 1], *offers[choice:]]


def _as_json(offer: Offer) -> dict[str, object]:
    return {
        "changes": [change.as_json() for change in offer.changes],
        "cost": offer.cost,
        "diff": offer.diff,
    }


def _print(mended: Mended, offers: list[Offer], left: list[str]) -> None:
    for number, offer in enumerate(offers):
        if number == 1:
            typer.echo(f"as likely ({len(offers) - 1} more; --choice takes one):")
        for change in offer.changes:
            typer.echo(f"- {change}")
        typer.echo(offer.diff, nl=False)
    for fault in left:
        typer.echo(f"not mended: {fault}", err=True)
    if not offers and not left:
        typer.echo(f"{mended.before.name}: nothing to mend")


def _what_was_written(write: bool, written: bool, left: list[str]) -> str:
    if written:
        return "written, although the sheet is not mended" if left else "written"
    if left:
        way = "adding --partial" if write else "--write --partial"
        return f"nothing was written, since the sheet is not mended by this; {way} writes it all the same"
    return "nothing was written; --write changes the file"
