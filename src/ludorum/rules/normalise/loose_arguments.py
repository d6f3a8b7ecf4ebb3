"""Which arguments of a relation its rules leave loose: they hold for any value of a domain.

    (<= (clear ?u ?v ?skip) (next ?u ?v) (coordinate ?skip))
    (<= (clear ?u ?w ?skip) (clear ?u ?v ?skip) (next ?v ?w) (true (empty ?v)))

``?skip`` is loose: there is a row for every coordinate. ``?u`` and ``?v`` are not, facts bind them to each
other. Guards (``demand``) save most where arguments are loose.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..keywords import KEYWORDS
from ..ruleset import Atom, Rule, Ruleset
from ..terms import Signature, Term, Variable, variables_of

Loose = dict[Signature, frozenset[int]]


def loose_arguments(ruleset: Ruleset) -> Loose:
    """The argument positions that most rules of a relation leave loose, where there are some.

    The bodies must be lists of literals.
    """
    loose = {signature: frozenset((0,)) for signature in unary_facts(ruleset)}
    derived = {
        signature: rules
        for signature, rules in ruleset.by_signature.items()
        if signature[0] not in KEYWORDS and all(rule.body for rule in rules)
    }
    loose |= {signature: frozenset(range(signature[1])) for signature in derived}
    while True:
        found = {
            signature: frozenset(at for at in loose[signature] if _is_mostly_loose(at, rules, loose))
            for signature, rules in derived.items()
        }
        if all(loose[signature] == positions for signature, positions in found.items()):
            return {signature: positions for signature, positions in loose.items() if positions}
        loose |= found


def unary_facts(ruleset: Ruleset) -> dict[Signature, frozenset[Term]]:
    """The relations of one argument that only facts define, and their rows."""
    return {
        signature: frozenset(rule.head.args[0] for rule in rules)  # type: ignore[misc]
        for signature, rules in ruleset.by_signature.items()
        if signature[1] == 1 and signature[0] not in KEYWORDS
        if all(not rule.body and rule.head.is_ground for rule in rules)
    }


def _is_mostly_loose(at: int, rules: Sequence[Rule], loose: Loose) -> bool:
    """Whether at least half of the rules leave the argument loose: a single one may tie it to another."""
    votes = [_is_loose(rule.head.args[at], rule, loose) for rule in rules]
    return 2 * sum(votes) >= len(votes)


def _is_loose(arg: object, rule: Rule, loose: Loose) -> bool:
    """Whether everything that binds the variable does so at a loose place."""
    if not isinstance(arg, Variable):
        return False
    atoms = [literal.term for literal in rule.body if isinstance(literal, Atom)]
    return all(
        inner == arg and at in loose.get(atom.signature, frozenset())
        for atom in atoms
        for at, inner in enumerate(atom.args)
        if arg in variables_of(inner)
    )
