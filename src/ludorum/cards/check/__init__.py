"""Checks of charts, one idea a file: each lists all faults of its kind."""

from __future__ import annotations

from ..language.faults import ChartFault, errors_of
from ..language.rules import Rules
from .flow import check_flow
from .limit import check_limit
from .lints import lint
from .loops import check_loops
from .words import check_words


def check_rules(rules: Rules, name: str = "chart") -> list[ChartFault]:
    """Every fault of a compiled chart."""
    faults = [*check_flow(rules, name), *check_words(rules, name), *check_limit(rules, name)]
    return faults if errors_of(faults) else [*faults, *lint(rules, name), *check_loops(rules, name)]


__all__ = ["check_rules"]
