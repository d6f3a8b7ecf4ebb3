"""What can stand at each argument of each relation, fluent and move: the domains of a sheet.

Constants and functions flow from bodies to heads along shared variables until nothing is new; facts come from
``init`` and ``next``, moves from ``legal`` (asp-player, section 9.6). What stands there in truth is a subset.
"""

from __future__ import annotations

from .normalise.estimate_domains import Domains
from .normalise.expand_connectives import expand_connectives
from .ruleset import Ruleset
from .terms import Signature

NAMES: dict[Signature, Signature] = {("next", 1): ("true", 1), ("legal", 2): ("does", 2)}
"""The names shown to people: the analysis keeps facts under `next` and moves under `legal`."""


def argument_domains(ruleset: Ruleset) -> dict[Signature, tuple[frozenset[str], ...]]:
    """For each relation and function the names that may stand at each of its arguments."""
    found: dict[Signature, list[set[str]]] = {}
    for place, symbols in Domains(expand_connectives(ruleset)).symbols.items():
        owner, argument = place[-2], place[-1]
        assert isinstance(owner, tuple)
        assert isinstance(argument, int)
        owner = NAMES.get(owner, owner)
        columns = found.setdefault(owner, [set() for _ in range(owner[1])])
        columns[argument] |= {name for name, _ in symbols}
    return {owner: tuple(map(frozenset, columns)) for owner, columns in found.items()}
