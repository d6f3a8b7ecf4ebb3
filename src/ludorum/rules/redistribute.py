"""Give every kind of thing variables of its own, as was done by hand for grounders of 2009.

The first kind that uses a name keeps it; another kind that uses it too gets a new name throughout. Layout and
comments stay, and so does what the rules mean: variables are local to their rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_lowercase

from .kif import read_kif
from .lenient.argument_classes import Place
from .reader import rule_language
from .ruleset import Ruleset
from .source import RulesError, Source
from .syntax import NodeKind
from .variable_kinds import VariableKinds

RESERVED = frozenset("tafr")
"""Letters that the translation of 2009 used itself; new names avoid them."""


def redistribute_variables(source: Source) -> str:
    """The text of a KIF sheet with renamed variables; RulesError where it cannot be read."""
    if rule_language(source) != "kif":
        raise ValueError("variables are redistributed in KIF; print the sheet with --to kif first")
    ruleset, faults = read_kif(source)
    if faults:
        raise RulesError(faults)
    text, names = source.text, new_names(ruleset)
    pieces: list[str] = []
    end = 0
    for start, stop, name in _renamed(ruleset, names):
        pieces += [text[end:start], f"?{name}"]
        end = stop
    return "".join([*pieces, text[end:]])


def new_names(ruleset: Ruleset) -> list[dict[str, str]]:
    """For each rule in text order, the new names of those of its variables that get one."""
    kinds = VariableKinds(ruleset)
    fresh = _fresh({use.variable.name for use in kinds.uses})
    owners: dict[str, Place] = {}
    renamed: dict[tuple[Place, str], str] = {}
    by_rule: dict[int, dict[str, str]] = {}
    for use in kinds.uses:
        name = use.variable.name
        if owners.setdefault(name, use.kind) == use.kind:
            continue
        if (use.kind, name) not in renamed:
            renamed[use.kind, name] = next(fresh)
        by_rule.setdefault(id(use.rule), {})[name] = renamed[use.kind, name]
    return [by_rule.get(id(rule), {}) for rule in ruleset.rules]


def _renamed(ruleset: Ruleset, names: list[dict[str, str]]) -> Iterator[tuple[int, int, str]]:
    """Where a variable with a new name stands in the text, from first to last."""
    found = [
        (node.span.start, node.span.end, new[node.name])
        for rule, new in zip(ruleset.rules, names, strict=True)
        if new
        for node in rule.node.walk()
        if node.kind is NodeKind.VARIABLE and node.name in new
    ]
    return iter(sorted(found))


def _fresh(taken: set[str]) -> Iterator[str]:
    """Single letters as long as there are some, then letters with numbers."""
    round_ = 0
    while True:
        for letter in ascii_lowercase:
            name = letter if round_ == 0 else f"{letter}{round_}"
            if name not in taken and name not in RESERVED:
                yield name
        round_ += 1
