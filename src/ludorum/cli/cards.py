"""``ludorum cards``: flow charts of card games, one file a verb."""

from __future__ import annotations

import typer

from . import cards_analyse, cards_check, cards_compile, cards_stats, cards_step

app = typer.Typer(
    name="cards",
    help="Card games from flow charts: check, translate, walk through, analyse, measure.",
    no_args_is_help=True,
)
app.command(name="check")(cards_check.run)
app.command(name="compile")(cards_compile.run)
app.command(name="decompile")(cards_compile.decompile_chart)
app.command(name="step")(cards_step.run)
app.command(name="analyse")(cards_analyse.run)
app.command(name="stats")(cards_stats.run)
