"""``ludorum cards``: flow charts of card games, one file a verb."""

from __future__ import annotations

import typer

from . import cards_analyse, cards_check, cards_compile, cards_stats, cards_step
from .plain_help import PlainCommand, PlainGroup

app = typer.Typer(
    name="cards",
    help="Card games from flow charts: check, translate, walk through, analyse, measure.",
    no_args_is_help=True,
    cls=PlainGroup,
)
app.command(name="check", cls=PlainCommand)(cards_check.run)
app.command(name="compile", cls=PlainCommand)(cards_compile.run)
app.command(name="decompile", cls=PlainCommand)(cards_compile.decompile_chart)
app.command(name="step", cls=PlainCommand)(cards_step.run)
app.command(name="analyse", cls=PlainCommand)(cards_analyse.run)
app.command(name="stats", cls=PlainCommand)(cards_stats.run)
