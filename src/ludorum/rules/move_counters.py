"""Relations of which the rules show that they only count the steps of a match, such as ``(step 7)``.

The proof is read off the rules: one value at the start, which is no role, and one kind of rule for the next
value, ``(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))``, where ``succ`` is a list of facts that never
leads back. Then the value depends on the number of steps alone and is another at every step.
"""

from __future__ import annotations

from functools import lru_cache

from .ruleset import Atom, Rule, Ruleset
from .terms import Signature, Term, Variable

INIT: Signature = ("init", 1)
NEXT: Signature = ("next", 1)
TRUE: Signature = ("true", 1)


@lru_cache(maxsize=16)
def move_counters(rules: Ruleset) -> frozenset[str]:
    """The names of the relations of one argument that are proved to count steps."""
    begins = _by_relation(rules, INIT)
    steps = _by_relation(rules, NEXT)
    return frozenset(
        name
        for name, found in steps.items()
        if len(begins.get(name, ())) == 1 and _counts(rules, name, begins[name][0], found)
    )


def _by_relation(rules: Ruleset, keyword: Signature) -> dict[str, list[Rule]]:
    """The rules of ``init`` or ``next`` by the relation that they are about, of any number of arguments."""
    found: dict[str, list[Rule]] = {}
    for rule in rules.by_signature.get(keyword, ()):
        fact = rule.head.args[0]
        name = fact.name if isinstance(fact, Term) else ""
        found.setdefault(name, []).append(rule)
    return {} if "" in found else found  # a variable may be any fact


def _counts(rules: Ruleset, name: str, begin: Rule, steps: list[Rule]) -> bool:
    first = _value(begin.head, name)
    if begin.body or not isinstance(first, Term) or not first.is_ground or first in rules.roles:
        return False
    follows: dict[Term, set[Term]] = {}
    for rule in steps:
        pairs = _pairs(rules, name, rule)
        if pairs is None:
            return False
        for one, other in pairs:
            follows.setdefault(one, set()).add(other)
    return _never_returns(first, follows)


def _value(sentence: Term, name: str) -> object:
    """``7`` of ``(next (step 7))``; None for a fact of another form."""
    fact = sentence.args[0]
    return fact.args[0] if isinstance(fact, Term) and fact.name == name and len(fact.args) == 1 else None


def _pairs(rules: Ruleset, name: str, rule: Rule) -> list[tuple[Term, Term]] | None:
    """The values and their next ones by a rule of the known form; None for any other rule."""
    atoms = [part.term for part in rule.body if isinstance(part, Atom)]
    if len(atoms) != len(rule.body) or len(atoms) != 2:
        return None
    now, order = sorted(atoms, key=lambda atom: atom.signature != TRUE)
    after = _value(rule.head, name)
    before = _value(now, name) if now.signature == TRUE else None
    if not isinstance(before, Variable) or not isinstance(after, Variable) or before == after:
        return None
    if order.signature == TRUE or order.args not in ((before, after), (after, before)):
        return None
    facts = [one.head.args for one in rules.by_signature.get(order.signature, ()) if not one.body]
    if len(facts) != len(rules.by_signature.get(order.signature, ())):
        return None
    at = order.args.index(before)
    pairs = [(fact[at], fact[1 - at]) for fact in facts]
    known = [(one, other) for one, other in pairs if isinstance(one, Term) and isinstance(other, Term)]
    return known if len(known) == len(pairs) else None


def _never_returns(first: Term, follows: dict[Term, set[Term]]) -> bool:
    """Whether one value follows another from the first on, and none comes again."""
    seen = {first}
    value = first
    while after := follows.get(value):
        if len(after) > 1 or after <= seen:
            return False
        (value,) = after
        seen.add(value)
    return len(seen) > 1
