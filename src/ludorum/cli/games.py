"""``ludorum games``: the library."""

from __future__ import annotations

import typer

from ..rules.library import Sheet, chart_sheets, library_sheets, realtime_sheets, wdl_sheets
from .common import JsonOption, print_json, readable_errors


def run(as_json: JsonOption = False) -> None:
    """List the game library: name, language, roles, information, length."""
    with readable_errors(as_json):
        logic = (*library_sheets(), *wdl_sheets(), *realtime_sheets())
        rows = [describe_sheet(sheet) for sheet in logic]
        rows += [describe_chart(sheet) for sheet in chart_sheets()]
    if as_json:
        print_json(rows)
        return
    width = max((len(str(row["name"])) for row in rows), default=4)
    for row in rows:
        kind = [str(row["language"]), f"{row['players']} player{'s' if row['players'] != 1 else ''}"]
        if row["information"] == "hidden":
            kind.append("hidden information")
        if row["realtime"]:
            kind.append("realtime")
        if row["length"]:
            kind.append(f"at most {row['length']} moves")
        typer.echo(f"{row['name']:<{width}}  {row['title']} ({', '.join(kind)})")


def describe_sheet(sheet: Sheet) -> dict[str, object]:
    """The entry of a sheet in the list, from its header and its role facts only: no engine is started."""
    from ..engine.information import info_by_rules
    from ..rules.logic_sheets import read_wdl_sheet, rules_of

    if sheet.is_realtime:
        world, _ = read_wdl_sheet(sheet)
        roles, hides = world.roles, world.hides
    else:
        ruleset, _ = rules_of(sheet)
        roles, hides = ruleset.roles, not info_by_rules(ruleset, ruleset.roles).is_open
    return {
        "name": sheet.name,
        "title": sheet.info.title,
        "language": sheet.language,
        "roles": [str(role) for role in roles],
        "players": sheet.info.players,
        "information": "hidden" if hides else "open",
        "realtime": sheet.is_realtime,
        "length": sheet.info.length,
        "rules": sheet.info.rules,
    }


def describe_chart(sheet: Sheet) -> dict[str, object]:
    """The entry of a card game, from its header only."""
    count = sheet.info.players or 0
    return {
        "name": sheet.name,
        "title": sheet.info.title,
        "language": sheet.language,
        "roles": [*(f"player{index}" for index in range(count)), "random"],
        "players": count,
        "information": "hidden",
        "realtime": False,
        "length": sheet.info.length,
        "rules": sheet.info.rules,
    }
