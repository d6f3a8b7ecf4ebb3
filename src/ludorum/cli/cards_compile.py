"""``ludorum cards compile`` and ``decompile``: one chart in its four forms."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from .common import GameArgument, print_json, readable_errors

if TYPE_CHECKING:
    from ..cards.language.chart import Chart
    from ..cards.language.rules import Rules


class ChartFormat(StrEnum):
    """Drawings with places (chart facts, JSON), or rules without (state facts, a table)."""

    chart = "chart"
    json = "json"
    rules = "rules"
    table = "table"


ToOption = Annotated[
    ChartFormat, typer.Option("--to", help="chart facts, a JSON chart, compiled state facts, or a table")
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="print one JSON value for programs; drawings become a JSON chart")
]


def run(game: GameArgument, to: ToOption = ChartFormat.rules, as_json: JsonOption = False) -> None:
    """Compile a chart: connections go into the elements they leave, captions become terms."""
    _translate(game, to, as_json)


def decompile_chart(
    game: GameArgument, to: ToOption = ChartFormat.chart, as_json: JsonOption = False
) -> None:
    """Draw a chart for compiled rules, with places for all elements."""
    _translate(game, to, as_json)


def _translate(game: str, to: ChartFormat, as_json: bool) -> None:
    from ..cards.load import checked_rules, read_drawing
    from ..rules.library import find_sheet

    with readable_errors(as_json):
        sheet = find_sheet(game)
        rules = checked_rules(sheet.source, sheet.name)
        drawn = read_drawing(sheet.source, sheet.name)
        text = chart_text(drawn, rules, to)
    if not as_json or to is ChartFormat.json:
        typer.echo(text, nl=False)
    else:
        print_json({"name": sheet.name, "form": to.value, "text": text})


def chart_text(drawn: Chart | Rules, rules: Rules, to: ChartFormat) -> str:
    """A chart in a form; a drawing keeps its places."""
    from ..cards.language.chart import Chart, chart_to_json, format_chart
    from ..cards.language.compile import decompile
    from ..cards.language.rules import format_rules, format_table

    if to is ChartFormat.rules:
        return format_rules(rules)
    if to is ChartFormat.table:
        return format_table(rules)
    chart = drawn if isinstance(drawn, Chart) else decompile(rules)
    if to is ChartFormat.chart:
        return format_chart(chart)
    return json.dumps(chart_to_json(chart), indent=2, ensure_ascii=False) + "\n"
