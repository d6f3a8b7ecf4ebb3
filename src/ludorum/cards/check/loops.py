"""Faults that keep the analysis from making a player of a chart: warnings, for the game can be played."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.source import Severity
from ..language.faults import CardsError, ChartFault, fault
from ..language.rules import Rules


def check_loops(rules: Rules, name: str = "chart") -> Iterator[ChartFault]:
    """Loops that can never be brought into the form the analysis needs: no path leads out of them."""
    from ..analysis.normalise import normalise

    yield from (note for note in normalise(rules, name).notes if note.code == "loop-shape")


def check_for_player(rules: Rules, name: str = "chart") -> Iterator[ChartFault]:
    """All warnings of the analysis: loops of other forms, parts without a bound, the number of players.

    This does the whole analysis, which can take seconds.
    """
    from ..analysis import NotFinite, analyse

    if rules.players != 2:
        message = f"{rules.players} play: the method was made for two"
        hint = "two to six can be analysed, with weights that count all others as opponents"
        yield fault("player-count", message, hint, severity=Severity.WARNING, chart=name)
    try:
        yield from analyse(rules, name=name).warnings
    except CardsError as error:
        code = "not-finite" if isinstance(error, NotFinite) else "no-analysis"
        yield fault(code, error.message, error.hint, node=error.node, severity=Severity.WARNING, chart=name)
