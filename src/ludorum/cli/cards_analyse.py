"""``ludorum cards analyse``: what is known of a card game before it is played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from .common import GameArgument, JsonOption, describe, need_chart, print_json, readable_errors

if TYPE_CHECKING:
    from ..cards.analysis import ChartAnalysis, PseudoHeuristic
    from ..cards.language.rules import Rules


def run(
    game: GameArgument,
    passes: Annotated[
        int | None,
        typer.Option("--passes", min=0, help="follow loops without a bound so often, instead of refusing"),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="also ways that change nothing, and conditions that say nothing new")
    ] = False,
    table: Annotated[bool, typer.Option("--table", help="print a table for a page (Markdown)")] = False,
    as_json: JsonOption = False,
) -> None:
    """Analyse a chart: its main loop, what is worth having, and the pseudo-heuristics with their weights."""
    from ..cards.analysis import WalkConfig, analyse
    from ..cards.load import load_card_game

    with readable_errors(as_json):
        need_chart(game)
        loaded = load_card_game(game)
        found = analyse(loaded.chart, WalkConfig(passes=passes), loaded.name)
        if as_json:
            print_json(found.as_json(everything))
            return
        typer.echo(heuristics_table(found) if table else listing(loaded.chart, found, everything))


def listing(rules: Rules, found: ChartAnalysis, everything: bool = False) -> str:
    """The result for people."""
    header = found.main_loop.header
    lines = [
        f"main loop   node {header}: {rules.caption(header)}, {len(found.main_loop.body)} nodes in a pass"
    ]
    lines += _column("properties", [str(one) for one in found.properties])
    shown = found.instances if everything else found.heuristics
    count = f"{len(found.heuristics)}, and {len(found.hidden)} ways that change nothing"
    lines.append(f"heuristics  {count}")
    for one in shown:
        lines += ["", *_heuristic(one, everything)]
    if found.warnings:
        lines += ["", *(describe(one) for one in found.warnings)]
    return "\n".join(lines)


def heuristics_table(found: ChartAnalysis) -> str:
    """The pseudo-heuristics for a page: a row each."""
    from ..cards.language.captions import format_condition

    rows = ["| weight | path | conditions |", "|---:|---|---|"]
    for one in found.heuristics:
        conditions = " · ".join(f"`{text}`" for text in sorted(map(format_condition, one.conditions)))
        rows.append(f"| {one.weight:+d} | {one.path or '-'} | {conditions.replace('|', '&#124;')} |")
    return "\n".join(rows)


def _heuristic(one: PseudoHeuristic, everything: bool) -> list[str]:
    from ..cards.language.captions import format_condition

    conditions = sorted(map(format_condition, one.conditions))
    lines = [f"{one.weight:+4d}  path {one.path or '-'}"]
    lines += [f"      {condition}" for condition in conditions]
    lines += [f"      later: {format_condition(condition)}" for condition in sorted(one.unforeseen, key=str)]
    if everything:
        lines += [
            f"      (also {format_condition(condition)})" for condition in sorted(one.redundant, key=str)
        ]
    return lines


def _column(title: str, values: list[str]) -> list[str]:
    return [f"{title if at == 0 else '':<12}{value}" for at, value in enumerate(values)]
