"""Faults of a chart: the node, the column of its caption, and how to mend it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...engine.errors import GameError
from ...rules.source import NOWHERE, Diagnostic, RulesError, Severity, Source, Span


@dataclass(frozen=True)
class ChartFault(Diagnostic):
    """A fault at a node of a chart; its source is the caption of the node, and ``column`` counts in it."""

    node: int | None = None

    def as_json(self) -> dict[str, object]:
        return {**super().as_json(), "node": self.node}

    def __str__(self) -> str:
        if self.node is None:
            return super().__str__()
        where = f"node {self.node}"
        if self.span != NOWHERE:
            where += f", column {self.column}"
        text = f"{self.source.name}: {where}: {self.severity}[{self.code}]: {self.message}"
        if self.span != NOWHERE:
            text += f"\n    {self.source.text}\n    {' ' * (self.column - 1)}^"
        return f"{text}\n    hint: {self.hint}" if self.hint else text


def fault(
    code: str,
    message: str,
    hint: str = "",
    *,
    node: int | None = None,
    caption: str = "",
    column: int = 0,
    severity: Severity = Severity.ERROR,
    chart: str = "chart",
) -> ChartFault:
    """A fault; ``column`` counts from 1, and 0 means the node as a whole."""
    span = NOWHERE if column < 1 else Span(column - 1, max(column, column - 1))
    return ChartFault(code, severity, span, message, hint, Source(chart, caption), node)


class ChartError(RulesError):
    """A chart that cannot be used; carries every fault found."""


class CardsError(GameError):
    """A game that cannot go on because of a fault of its chart, with the node."""

    def __init__(self, message: str, node: int | None = None, hint: str = "") -> None:
        self.message = message
        self.node = node
        self.hint = hint
        where = "" if node is None else f"node {node}: "
        super().__init__(where + message + (f" ({hint})" if hint else ""))


def errors_of(faults: Sequence[ChartFault]) -> list[ChartFault]:
    return [one for one in faults if one.severity is Severity.ERROR]
