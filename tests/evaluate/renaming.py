"""Sheets with other names for everything, numbers among them: what is left is their shape."""

from __future__ import annotations

import random

from ludorum.rules.keywords import KEYWORDS
from ludorum.rules.ruleset import Ruleset, with_other_terms
from ludorum.rules.terms import Pattern, Term, Variable


class Renaming:
    """A new word for each name but the keywords and the values of goals, in an order that means nothing.

    A number that is the value of a goal stays wherever it stands: it is one symbol.
    """

    def __init__(self, rules: Ruleset, seed: int) -> None:
        self.names: dict[str, str] = {}
        self.chance = random.Random(seed)
        self.free = [f"w{number}" for number in range(5000)]
        self.chance.shuffle(self.free)
        values = (rule.head.args[1] for rule in rules.by_signature.get(("goal", 2), ()))
        self.kept = KEYWORDS | {value.name for value in values if isinstance(value, Term)}
        self.rules = rules.with_rules([with_other_terms(rule, self.term) for rule in rules.rules])

    def term(self, term: Pattern) -> Pattern:
        if isinstance(term, Variable):
            return term
        return Term(self.word(term.name), tuple(self.term(arg) for arg in term.args))

    def fact(self, term: Term) -> Term:
        changed = self.term(term)
        assert isinstance(changed, Term)
        return changed

    def word(self, name: str) -> str:
        if name in self.kept:
            return name
        if name not in self.names:
            self.names[name] = self.free.pop()
        return self.names[name]
