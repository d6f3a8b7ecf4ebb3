"""Whether a chart can be played fast: a warning where it has no bytecode."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.source import Severity
from ..language.faults import CardsError, ChartFault, fault
from ..language.rules import Rules


def check_speed(rules: Rules, name: str = "chart") -> Iterator[ChartFault]:
    """A warning with the reason where only the readable machine plays a chart, some thousand times slower."""
    from ..compiled import NotCompiled, compile_program

    try:
        compile_program(rules)
    except NotCompiled as error:
        message = f"this chart has no bytecode: {error}"
        hint = "it is played, but by the slow machine: searches see some thousand times less"
        yield fault("no-bytecode", message, hint, severity=Severity.WARNING, chart=name)
    except CardsError:
        return  # it fails before its pack is shuffled, which random play reports
