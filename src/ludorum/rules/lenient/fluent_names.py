"""Which names a sheet uses as fluents and which as ordinary relations."""

from __future__ import annotations

from ..ruleset import Atom, Rule, Ruleset
from ..terms import Signature, Term, Variable

MAKERS = (("init", 1), ("next", 1))


def fluents_made(ruleset: Ruleset) -> frozenset[Signature] | None:
    """The fluents `init` and `next` make, or None if a variable may stand for any."""
    found: set[Signature] = set()
    for maker in MAKERS:
        for rule in ruleset.by_signature.get(maker, ()):
            made = rule.head.args[0]
            if isinstance(made, Term):
                found.add(made.signature)
            elif not _only_keeps(rule, made):
                return None
    return frozenset(found)


def _only_keeps(rule: Rule, made: Variable) -> bool:
    """Whether this is a frame rule ``(<= (next ?f) (true ?f) ...)``, which makes no new fluent."""
    return any(isinstance(part, Atom) and part.term == Term("true", (made,)) for part in rule.body)
