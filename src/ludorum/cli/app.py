"""The ``ludorum`` command and its verbs."""

from __future__ import annotations

import typer

from .. import __version__
from . import (
    arena,
    bench,
    cards,
    check,
    explain,
    explore,
    format,
    games,
    host,
    knows,
    match,
    perft,
    plan,
    play,
    player,
    players,
    prove,
    rehearse,
    repair,
    replay,
    serve,
    show,
    simulate,
    solve,
    verify,
)
from .bounds import bound_numbers
from .plain_help import PlainCommand, PlainGroup

app = typer.Typer(
    name="ludorum",
    cls=PlainGroup,
    rich_markup_mode="markdown",
    help="Rules of any game in, a champion out.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@app.callback()
def ludorum(
    version: bool = typer.Option(
        False,
        "--version",
        is_eager=True,
        callback=lambda asked: _print_version(asked),
        help="print the version and how the kernels were built",
    ),
) -> None:
    """Reads the rules of a game, checks them, runs them, and plays."""


def _print_version(asked: bool) -> None:
    if asked:
        from .._core import build_info, vector_width

        info = build_info()
        try:
            width = vector_width()
        except ValueError as fault:  # an environment variable with an invalid value
            raise typer.BadParameter(str(fault)) from None
        typer.echo(f"ludorum {__version__} (kernels: {info['compiler']}, {width}-bit vectors)")
        raise typer.Exit


for verb in (
    games,
    check,
    format,
    repair,
    show,
    perft,
    explore,
    verify,
    simulate,
    plan,
    solve,
    prove,
    knows,
    explain,
    play,
    match,
    replay,
    players,
    player,
    rehearse,
    host,
    serve,
    arena,
):
    app.command(name=verb.__name__.rpartition(".")[2], cls=PlainCommand)(verb.run)
app.add_typer(bench.app, name="bench")
app.add_typer(cards.app, name="cards")
bound_numbers(app)
