"""All generators of proposals, each for one kind of slip."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from . import costs
from .focus import Focus
from .generate_arguments import propose_arguments
from .generate_arrows import propose_arrows
from .generate_brackets import propose_brackets
from .generate_conditions import propose_conditions
from .generate_facts import propose_facts
from .generate_head_variables import propose_head_variables
from .generate_keywords import propose_keywords
from .generate_marks import propose_marks
from .generate_mirrors import propose_mirrors
from .generate_moves import propose_moves
from .generate_names import propose_names
from .generate_negations import propose_negations
from .generate_swaps import propose_swaps
from .generate_turns import propose_turns
from .generate_variables import propose_variables
from .generate_wrappers import propose_wrappers
from .proposal import Edit, Proposal
from .sheet import TextUnderRepair

Generator = Callable[[TextUnderRepair, Focus], Iterator[Proposal]]

GENERATORS: tuple[Generator, ...] = (
    propose_brackets,
    propose_arrows,
    propose_names,
    propose_marks,
    propose_variables,
    propose_head_variables,
    propose_wrappers,
    propose_keywords,
    propose_arguments,
    propose_swaps,
    propose_conditions,
    propose_negations,
    propose_facts,
    propose_turns,
    propose_moves,
    propose_mirrors,
)


REWRITES = frozenset(
    {"names", "marks", "variables", "head_variables", "keywords", "swaps", "negations", "arguments"}
)
"""Kinds that change what a rule says rather than add what is missing."""


def proposals(sheet: TextUnderRepair, focus: Focus) -> list[Proposal]:
    """All proposals, the cheapest first; of two that make the same text the cheaper."""
    found: dict[tuple[Edit, ...], Proposal] = {}
    only_brackets = bool(sheet.bracket_faults)
    for generator in GENERATORS[:1] if only_brackets else GENERATORS:
        for bare in generator(sheet, focus):
            proposal = replace(bare, kind=generator.__name__.removeprefix("propose_"))
            known = found.get(proposal.edits)
            if known is None or proposal.cost < known.cost:
                found[proposal.edits] = proposal
    made = list(found.values())
    if focus.only_play:
        # Where no rule looks wrong, a slip in a rule is less likely than a rule left out.
        made = [replace(each, cost=each.cost + costs.OTHER_KIND * (each.kind in REWRITES)) for each in made]
    return sorted(made, key=lambda each: (each.cost, each.start))
