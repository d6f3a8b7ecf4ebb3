"""Put a bare fluent into ``true``: ``(on b c)`` in a body becomes ``(true (on b c))``.

Done only where ``init`` or ``next`` makes the fluent and no rule defines a relation of that name, so the
literal as written could never hold.
"""

from __future__ import annotations

from ..keywords import KEYWORDS
from ..quoting import quoted
from ..ruleset import Atom, Ruleset
from ..source import Diagnostic, Severity
from ..terms import Term
from .fluent_names import fluents_made
from .rewrite import call_node, note, rewrite_atoms


def wrap_fluents(ruleset: Ruleset) -> tuple[Ruleset, list[Diagnostic]]:
    # A variable in `next` does no harm here: only fluents known by name are wrapped.
    fluents = fluents_made(ruleset) or frozenset()
    notes: list[Diagnostic] = []

    def change(atom: Atom) -> Atom:
        term = atom.term
        if term.name in KEYWORDS or term.signature not in fluents or term.signature in ruleset.by_signature:
            return atom
        notes.append(note(
            ruleset, "bare-fluent", Severity.WARNING, atom.node,
            f"read as (true {quoted(term)}): `{quoted(term.name)}` is a fluent that no rule defines",
            "write it inside (true ...)",
        ))  # fmt: skip
        return Atom(Term("true", (term,)), call_node("true", (atom.node,), atom.node))

    rules = [rewrite_atoms(rule, change) for rule in ruleset.rules]
    return (ruleset.with_rules(rules) if notes else ruleset), notes
