"""States as texts: lists of facts."""

from __future__ import annotations

from collections.abc import Iterable

from ..rules.terms import Term, format_term, sort_key
from .errors import MalformedStateError


def format_facts(facts: Iterable[Term]) -> str:
    """Facts as one sorted KIF list: ``((cell 1 1 b) (control x))``."""
    return f"({' '.join(format_term(fact) for fact in sorted(facts, key=sort_key))})"


def parse_facts(text: str) -> frozenset[Term]:
    """The facts of a KIF list; the twin of ``format_facts``."""
    from ..rules.build import build_term
    from ..rules.kif import read_nodes
    from ..rules.source import Source
    from ..rules.syntax import NodeKind

    source = Source("<state>", text)
    nodes, faults = read_nodes(source)
    if faults or len(nodes) != 1 or nodes[0].kind is not NodeKind.LIST:
        reason = faults[0].message if faults else "write one list of facts: ((fact ...) (fact ...))"
        raise MalformedStateError(f"not a state: {reason}")
    terms = [build_term(item, source, faults) for item in nodes[0].items]
    if faults:
        raise MalformedStateError(f"not a state: {faults[0].message}")
    facts = frozenset(term for term in terms if isinstance(term, Term) and term.is_ground)
    if len(facts) != len(set(terms)):
        raise MalformedStateError("not a state: facts cannot hold variables")
    return facts
