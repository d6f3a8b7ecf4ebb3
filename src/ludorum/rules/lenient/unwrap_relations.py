"""Take an ordinary relation out of ``true``: ``(true (line x))`` becomes ``(line x)``.

Old translators kept fluents and derived relations in one name space, and their games rely on it. Done only
where rules define the relation and no ``init`` or ``next`` ever makes it a fluent, and never for a relation
that looks at ``does``: what holds in a position cannot depend on the moves made in it.
"""

from __future__ import annotations

from ..dependencies import Dependencies
from ..quoting import quoted
from ..ruleset import Atom, Ruleset
from ..source import Diagnostic, Severity
from ..terms import Term
from .fluent_names import fluents_made
from .rewrite import note, rewrite_atoms


def unwrap_relations(ruleset: Ruleset) -> tuple[Ruleset, list[Diagnostic]]:
    fluents = fluents_made(ruleset)
    if fluents is None:
        return ruleset, []
    notes: list[Diagnostic] = []
    moving = Dependencies(ruleset).users_of([("does", 2)])

    def change(atom: Atom) -> Atom:
        term = atom.term
        if term.signature != ("true", 1) or not isinstance(inner := term.args[0], Term):
            return atom
        if inner.signature in fluents or inner.signature not in ruleset.by_signature:
            return atom
        if inner.signature in moving:
            return atom
        node = atom.node.items[1] if len(atom.node.items) == 2 else atom.node
        notes.append(note(
            ruleset, "wrapped-relation", Severity.WARNING, atom.node,
            f"read as {quoted(inner)}: rules define `{quoted(inner.name)}`, no init or next makes it",
            "write it without `true`",
        ))  # fmt: skip
        return Atom(inner, node)

    rules = [rewrite_atoms(rule, change) for rule in ruleset.rules]
    return (ruleset.with_rules(rules) if notes else ruleset), notes
