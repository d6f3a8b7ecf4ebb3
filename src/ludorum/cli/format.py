"""``ludorum format``: rule sheets in the standard layout, comments kept, or in another language."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path
from typing import Annotated

import typer

from ..rules.library import Sheet, find_sheet
from ..rules.source import Source
from .common import NO, GameArgument, JsonOption, describe, need_logic, print_json, readable_errors


def run(
    game: GameArgument,
    to: Annotated[
        str | None,
        typer.Option(
            "--to", help="print in another notation, kif or prolog, or another language, gdl2 or wdl"
        ),
    ] = None,
    write: Annotated[bool, typer.Option("--write", "-w", help="change the file itself")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="only say whether the layout is right (exit 1 if not)")
    ] = False,
    redistribute: Annotated[
        bool,
        typer.Option("--redistribute", help="give every kind of thing (cells, steps, ...) its own variables"),
    ] = False,
    role: Annotated[
        str | None,
        typer.Option("--role", metavar="ROLE", help="print what the player of a role is told of a WDL sheet"),
    ] = None,
    ticks: Annotated[
        int,
        typer.Option(
            "--ticks", min=1, max=100_000, help="with --to gdl2, after how many ticks a realtime game ends"
        ),
    ] = 1000,
    as_json: JsonOption = False,
) -> None:
    """Print a rule sheet in the standard layout; comments are kept and rules never change their meaning."""
    from ..rules.format import format_as, format_text
    from ..rules.logic_sheets import TRANSLATED
    from ..rules.redistribute import redistribute_variables

    with readable_errors(as_json):
        need_logic(game)
        if to not in (None, "kif", "prolog", *TRANSLATED):
            raise ValueError(f"no language {to!r}; there are kif, prolog, gdl2 and wdl")
        if to in TRANSLATED and role is not None:
            raise ValueError("--role shows rules in WDL: leave --to out")
        if write and (to is not None or role is not None or not Path(game).is_file()):
            raise ValueError("--write needs the path of a file, and keeps its language")
        sheet = find_sheet(game)
        source = sheet.source
        written = source.text
        if role is not None:
            source = told_rules(sheet, role)
        if to in TRANSLATED:
            source, to = translation(sheet, to, ticks), "kif"
        if redistribute:
            source = Source(source.name, redistribute_variables(source))
        text = format_text(source) if to is None else format_as(source, to)
        changed = text != written
        if write and changed:
            replace_file(Path(game), text)
    if as_json:
        print_json({"file": source.name, "changed": changed, "text": text})
    elif check or write:
        changes = "layout differs" if check else "written"
        typer.echo(f"{source.name}: {changes if changed else 'as it should be'}")
    else:
        typer.echo(text, nl=False)
    raise typer.Exit(NO if check and changed else 0)


def translation(sheet: Sheet, to: str, ticks: int) -> Source:
    """The text of a game in another language under the header of its sheet; tells what is lost."""
    from ..rules.logic_sheets import translated

    found = translated(sheet, to, ticks)
    for warning in found.warnings:
        typer.echo(describe(warning), err=True)
    header = takewhile(lambda line: line.startswith(";"), sheet.source.text.splitlines())
    return Source(sheet.source.name, "\n".join([*header, "", str(found.rules)]))


def told_rules(sheet: Sheet, role: str) -> Source:
    """The description that a player of WDL is sent: with all modules, without what is for others."""
    from ..rules.logic_sheets import description_for

    return Source(sheet.source.name, str(description_for(sheet, role)))


def replace_file(path: Path, text: str) -> None:
    """Write beside the file and rename, so that a full disk never loses the old text."""
    beside = path.with_name(path.name + ".new")
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
