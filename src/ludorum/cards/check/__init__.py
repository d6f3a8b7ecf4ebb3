"""Checks of charts, one idea a file: each lists all faults of its kind."""

from __future__ import annotations

from ..faults import ChartFault
from ..rules import Rules
from .flow import check_flow
from .words import check_words


def check_rules(rules: Rules, name: str = "chart") -> list[ChartFault]:
    """Every fault of a compiled chart."""
    return [*check_flow(rules, name), *check_words(rules, name)]


__all__ = ["check_rules"]
