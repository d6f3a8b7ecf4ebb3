"""One name for different kinds of things: harmless today, fatal for grounders with one domain a name.

Not among the usual checks, since most good sheets do it; ``ludorum check --portable`` asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..lenient.argument_classes import Place
from ..quoting import quoted
from ..ruleset import variable_span
from ..source import Diagnostic, Severity
from ..variable_kinds import KindOfVariable, VariableKinds
from .analysis import Analysis

MOST_SHOWN = 3
"""Examples of a kind that are written out."""


def lint_variable_kinds(analysis: Analysis) -> Iterator[Diagnostic]:
    kinds = VariableKinds(analysis.ruleset)
    seen: dict[str, list[KindOfVariable]] = {}
    for use in kinds.uses:
        name = use.variable.name
        before = seen.setdefault(name, [])
        if any(other.kind == use.kind for other in before):
            continue
        apart = next((other for other in before if kinds.have_nothing_in_common(other.kind, use.kind)), None)
        before.append(use)
        if apart is not None:
            line = analysis.ruleset.source.position(variable_span(apart.rule.node, apart.variable).start)[0]
            yield analysis.fault(
                "variable-of-two-kinds", Severity.NOTE, variable_span(use.rule.node, use.variable),
                f"?{quoted(name)} is one of {_things(kinds, use.kind)} here, "
                f"one of {_things(kinds, apart.kind)} in line {line}",
                "`ludorum format --redistribute` gives each kind of thing names of its own",
            )  # fmt: skip


def _things(kinds: VariableKinds, kind: Place) -> str:
    things = kinds.things(kind)
    shown = ", ".join(quoted(str(thing)) for thing in things[:MOST_SHOWN])
    return f"{shown}, …" if len(things) > MOST_SHOWN else shown
