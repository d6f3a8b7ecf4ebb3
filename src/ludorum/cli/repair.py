"""``ludorum repair``: the fewest changes after which a faulty sheet can be played."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..rules.library import find_sheet
from .common import NO, GameArgument, JsonOption, need_logic, print_json, readable_errors


def run(
    game: GameArgument,
    write: Annotated[bool, typer.Option("--write", "-w", help="change the file itself")] = False,
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
        if write and mended.made:
            replace_file(Path(game), mended.after.text)
    if as_json:
        print_json(
            {
                "file": mended.before.name,
                "changes": [change.reason for change in mended.made],
                "diff": mended.diff,
                "left": mended.left,
                "written": write and bool(mended.made),
            }
        )
    else:
        for change in mended.made:
            typer.echo(f"- {change.reason}")
        if mended.made:
            typer.echo(mended.diff, nl=False)
        for fault in mended.left:
            typer.echo(f"not mended: {fault}", err=True)
        if not mended.made and not mended.left:
            typer.echo(f"{mended.before.name}: nothing to mend")
        elif mended.made:
            typer.echo("written" if write else "nothing was written; --write changes the file", err=True)
    if mended.left:
        raise typer.Exit(NO)
