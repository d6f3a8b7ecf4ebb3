"""From a sheet to a card game: charts come as tables, chart facts, compiled facts or JSON."""

from __future__ import annotations

import json
from dataclasses import replace

from ..rules.library import Sheet, find_sheet
from ..rules.source import Severity, Source, Span
from .check import check_rules
from .language.chart import Chart, chart_from_json, parse_chart
from .language.compile import compile_chart
from .language.config import USUAL, MachineConfig
from .language.drawing import check_drawing
from .language.facts import fact_fault
from .language.faults import ChartError, ChartFault, errors_of
from .language.rules import Rules, parse_rules, parse_table
from .machine.game import CardGame
from .show.picture import table_picture

MOST_NODES = 10_000
"""Most nodes of a chart; those of the library have about fifty."""
MOST_PARTS = 3 * MOST_NODES
"""Most elements and connections of a drawing, or facts: a choice has two connections."""


def load_card_game(name: str, config: MachineConfig = USUAL) -> CardGame:
    """The card game a library name or a path stands for; ChartError with all faults of a bad chart."""
    sheet = find_sheet(name)
    return CardGame(checked_rules(sheet.source, sheet.name), sheet.name, config, table_picture)


def make_card_game(sheet: Sheet, engine: str = "") -> CardGame:
    """The game of a sheet, for any engine: a chart has its own."""
    return CardGame(checked_rules(sheet.source, sheet.name), sheet.name, table=table_picture)


def checked_rules(source: Source, name: str) -> Rules:
    """The rules of a chart in any of its forms; ChartError with every error."""
    rules, faults = read_chart(source, name)
    if rules is None or errors_of(faults):
        raise ChartError(errors_of(faults))
    return rules


def read_chart(source: Source, name: str) -> tuple[Rules | None, list[ChartFault]]:
    """The rules of a chart, where it can be read, and all its faults and warnings."""
    try:
        chart = read_drawing(source, name)
        rules = chart if isinstance(chart, Rules) else compile_chart(chart, name)
    except ChartError as error:
        return None, [_named(one, name) for one in error.diagnostics if isinstance(one, ChartFault)]
    warnings = list(check_drawing(chart, name)) if isinstance(chart, Chart) else []
    return rules, warnings + check_rules(rules, name)


def read_drawing(source: Source, name: str) -> Chart | Rules:
    """A chart as it was drawn, or its rules where it has no places; ChartError where it cannot be read."""
    text = source.text.lstrip()
    if text.startswith("{"):
        chart = chart_from_json(_json(source), name)
        _refuse_too_many(len(chart.elements) + len(chart.connections), MOST_PARTS, source)
        return chart
    lines = [line for line in text.splitlines() if line.strip() and line.lstrip()[0] not in ";%"]
    if not lines:
        raise ChartError([fact_fault("empty-chart", "there is no chart here", Span(0, 0), source)])
    _refuse_too_many(max(len(lines), text.count(").")), MOST_PARTS, source)
    if lines[0].lstrip()[0].isdigit():
        _refuse_too_many(len(lines), MOST_NODES, source)
        return parse_table(source)
    if any("state(" in line.replace(" ", "") for line in lines[:3]):
        return parse_rules(source)
    return parse_chart(source)


def _refuse_too_many(count: int, most: int, source: Source) -> None:
    if count > most:
        message = f"{count} parts: a chart has {most} at most here"
        raise ChartError([fact_fault("too-many-nodes", message, Span(0, 0), source)])


def _named(one: ChartFault, name: str) -> ChartFault:
    """A fault of a caption under the name of its chart."""
    return one if one.node is None else replace(one, source=Source(name, one.source.text))


def _json(source: Source) -> object:
    try:
        return json.loads(source.text)
    except (json.JSONDecodeError, RecursionError) as error:
        at = error.pos if isinstance(error, json.JSONDecodeError) else 0
        message = error.msg if isinstance(error, json.JSONDecodeError) else "brackets are nested too deeply"
        raise ChartError(
            [ChartFault("bad-json", Severity.ERROR, Span(at, at + 1), message, "", source)]
        ) from None
