"""Variables that occur once: often on purpose ("any"), sometimes a misspelling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..quoting import quoted
from ..ruleset import signed_atoms
from ..source import Diagnostic, Severity
from ..syntax import NodeKind
from .analysis import Analysis, flattened


def lint_singletons(analysis: Analysis) -> Iterator[Diagnostic]:
    for rule, nodes in analysis.tokens:
        if not rule.body:
            continue
        count = Counter(node.name for node in nodes if node.kind is NodeKind.VARIABLE)
        once = {name for name, times in count.items() if times == 1 and not name.startswith("_")}
        if not once:
            continue
        # A variable that occurs once in a head, a negation or a comparison is unsafe: `check_safety` says so.
        for atom, positive in signed_atoms(rule.body):
            for node in flattened(atom.node) if positive else ():
                if node.kind is NodeKind.VARIABLE and node.name in once:
                    yield analysis.fault(
                        "singleton-variable", Severity.NOTE, node,
                        f"?{quoted(node.name)} occurs only here: it stands for anything",
                        f"write ?_{quoted(node.name)} if that is meant",
                    )  # fmt: skip
