"""Checks of rule sheets: every fault with its place and how to mend it, one check a file.

Input: a ``Ruleset`` or a ``Source``. Output: diagnostics sorted by place. ``check_*`` files hold what GDL
forbids, ``lint_*`` files what is allowed and yet suspicious. May import ``rules`` only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..lenient import repair
from ..reader import read_rules
from ..ruleset import Ruleset
from ..source import Diagnostic, Severity, Source
from .analysis import Analysis
from .check_alternatives import check_alternatives
from .check_connectives import check_connectives
from .check_does_dependence import check_does_dependence
from .check_goal_values import check_goal_values
from .check_keyword_arity import check_keyword_arity
from .check_keyword_bodies import check_keyword_bodies
from .check_keyword_heads import check_keyword_heads
from .check_recursion import check_recursion
from .check_required import check_required
from .check_safety import check_safety
from .check_sizes import check_sizes
from .check_static_keywords import check_static_keywords
from .check_stratification import check_stratification
from .lenient import relax
from .lint_arities import lint_arities
from .lint_base_input import lint_base_input
from .lint_binding_order import lint_binding_order
from .lint_capitals import lint_capitals
from .lint_contradictions import lint_contradictions
from .lint_duplicates import lint_duplicates
from .lint_fluents import lint_fluents
from .lint_forgotten_marks import lint_forgotten_marks
from .lint_form import lint_form
from .lint_keyword_functions import lint_keyword_functions
from .lint_near_names import lint_near_names
from .lint_never_fires import lint_never_fires
from .lint_percepts import lint_percepts
from .lint_relations import lint_relations
from .lint_roles import lint_roles
from .lint_singletons import lint_singletons
from .lint_terminal import lint_terminal
from .lint_variable_kinds import lint_variable_kinds
from .refuse_hidden_information import refuse_hidden_information

Check = Callable[[Analysis], Iterator[Diagnostic]]

CHECKS: tuple[Check, ...] = (
    check_required,
    check_sizes,
    check_keyword_arity,
    check_keyword_heads,
    check_keyword_bodies,
    check_static_keywords,
    check_does_dependence,
    check_connectives,
    check_goal_values,
    check_safety,
    check_stratification,
    check_recursion,
    check_alternatives,
    lint_arities,
    lint_base_input,
    lint_binding_order,
    lint_capitals,
    lint_contradictions,
    lint_duplicates,
    lint_fluents,
    lint_forgotten_marks,
    lint_form,
    lint_keyword_functions,
    lint_near_names,
    lint_never_fires,
    lint_percepts,
    lint_relations,
    lint_roles,
    lint_singletons,
    lint_terminal,
)

__all__ = [
    "CHECKS",
    "Analysis",
    "Check",
    "check_portability",
    "check_ruleset",
    "check_source",
    "refuse_hidden_information",
]


def check_ruleset(ruleset: Ruleset, lenient: bool = False) -> list[Diagnostic]:
    """Every fault of some rules, by place.

    Lenient: the repaired rules are checked, what is only a matter of form counts less, and each repair is
    listed.
    """
    if not lenient:
        return _sorted(_run(ruleset))
    repaired, notes = repair(ruleset)
    return _sorted([*notes, *map(relax, _run(repaired))])


def check_source(source: Source, lenient: bool = False) -> list[Diagnostic]:
    """Every fault of a rule text: those of reading, then those of the rules that could be read."""
    ruleset, faults = read_rules(source)
    if any(fault.severity is Severity.ERROR for fault in faults):
        # Rules are missing, so "undefined" and "unused" would only repeat the reader in other words.
        return _sorted([*faults, *(fault for fault in check_ruleset(ruleset, lenient) if _still_true(fault))])
    return _sorted([*faults, *check_ruleset(ruleset, lenient)])


def check_portability(source: Source) -> list[Diagnostic]:
    """Faults for older players only; none where the text cannot be read."""
    ruleset, faults = read_rules(source)
    return [] if faults else _sorted(list(lint_variable_kinds(Analysis(ruleset))))


def _run(ruleset: Ruleset) -> list[Diagnostic]:
    analysis = Analysis(ruleset)
    return [fault for check in CHECKS for fault in check(analysis)]


def _still_true(fault: Diagnostic) -> bool:
    """Whether a fault of the rules that could be read remains one whatever the unreadable rules say."""
    return not fault.code.startswith(("missing-", "role-without-", "un", "fluent-", "move-", "never-")) or (
        fault.code.startswith("unsafe")
    )


def _sorted(faults: list[Diagnostic]) -> list[Diagnostic]:
    return sorted(faults, key=lambda fault: (fault.span.start, -fault.severity, fault.code, fault.span.end))
