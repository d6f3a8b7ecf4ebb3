"""The rules of the next state with what they use unfolded, so that steps of symbols can be read off them.

``(next_cell east ?x ?y ?v ?y)`` says in its own rules that ``?v`` follows ``?x``.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.normalise.substitute_rules import rename_apart, rule_variables
from ...rules.ruleset import Atom, Rule, Ruleset
from ...rules.terms import Term
from ...rules.unify import resolve, unify
from .argument_graphs import is_antisymmetric
from .conjunctions import with_values
from .relations import Relations

MOST_CLAUSES = 64
"""The most clauses that one rule becomes; a relation that would make more of it is left as it is."""


def step_clauses(relations: Relations) -> Ruleset:
    """Clauses for ``next``, and the rows of relations between two symbols that they use."""
    clauses = [
        clause
        for rule in relations.by_signature.get(("next", 1), ())
        for clause in _unfolded(rule, relations)
    ]
    used = dict.fromkeys(
        literal.term.signature for clause in clauses for literal in clause.body if isinstance(literal, Atom)
    )
    rows = (row for signature in used if signature[1] == 2 for row in relations.rows(signature) or ())
    return relations.rules.with_rules([*clauses, *map(Rule, rows)])


def _unfolded(rule: Rule, relations: Relations) -> list[Rule]:
    """The clauses of a rule, each atom replaced by the bodies of its relation as long as they are few."""
    done: list[Rule] = []
    waiting = [(rule, 0)]
    while waiting:
        clause, at = waiting.pop()
        if at == len(clause.body):
            done.append(clause)
            continue
        found = list(_replaced(clause, at, relations)) if _is_unfolded(clause, at, relations) else None
        if found is None or len(done) + len(waiting) + len(found) > MOST_CLAUSES:
            waiting.append((clause, at + 1))
        else:
            waiting += [(each, at) for each in reversed(found)]
    return done


def _is_unfolded(clause: Rule, at: int, relations: Relations) -> bool:
    literal = clause.body[at]
    if not isinstance(literal, Atom) or literal.term.name in ("true", "does", "role"):
        return False
    signature = literal.term.signature
    if signature in relations.recursive or signature not in relations.by_signature:
        return False
    if all(not rule.body for rule in relations.by_signature[signature]):
        return False
    pairs = relations.pairs(signature)
    return pairs is None or not is_antisymmetric(pairs)


def _replaced(clause: Rule, at: int, relations: Relations) -> Iterator[Rule]:
    literal = clause.body[at]
    assert isinstance(literal, Atom)
    for rule in relations.by_signature[literal.term.signature]:
        rule = rename_apart(rule, rule_variables(clause))
        values = unify(rule.head, literal.term)
        if values is not None:
            head = resolve(clause.head, values)
            assert isinstance(head, Term)
            body = (*clause.body[:at], *rule.body, *clause.body[at + 1 :])
            yield Rule(head, with_values(body, values), clause.node)  # type: ignore[arg-type]
