"""Rules that may wrap terms in terms without end: ``(<= (next (n (s ?x))) (true (n ?x)))``.

Each argument of a relation, a fluent or a move gets a depth: an upper bound of the nesting of its terms, as
variables carry terms from bodies to heads. A variable is as deep as the shallowest place of the body that
binds it. Where no such numbers exist, depths rise for ever (argument-restricted programs: Lierler and
Lifschitz, *One More Decidable Class of Finitely Ground Programs*, 2009). Negated conditions bound nothing
here, so that a rule that is found may still be harmless.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from .quoting import quoted
from .ruleset import Rule, Ruleset, signed_atoms
from .terms import Pattern, Term, Variable

Place: TypeAlias = tuple[str, str, int, int]
"""A relation, the function and the number of arguments inside it, and one of these."""
Occurrence: TypeAlias = tuple[Variable, Place, int]
"""A variable, the place in which it stands, and how deep."""

_INNER = {"next": "true", "init": "true", "true": "true", "legal": "does", "does": "does"}
"""Keywords whose last argument is a fluent or a move, and under which name its places are kept."""
_WHOLE = ""
"""The function of a fluent or a move that is a variable."""


def growing_rule(rules: Ruleset) -> Rule | None:
    """The first rule by which terms may grow without end; None where depths have a bound."""
    growing = [rule for rule in map(_Carried, rules.rules) if rule.carried]
    rise = sum(rule.rise for rule in growing)
    if not rise:
        return None
    deepest = rise + max((depth for rule in growing for _, depth in rule.depths), default=0) + len(growing)
    depths: dict[Place, int] = {}
    changed = True
    while changed:
        changed = False
        for rule in growing:
            for place, depth in rule.lifted(depths):
                if depth > depths.get(place, 0):
                    whole = (place[0], _WHOLE, 0, 0)
                    depths[place], depths[whole] = depth, max(depth, depths.get(whole, 0))
                    changed = True
                if depth > deepest:
                    return _to_blame(growing, depths, deepest)
    return None


def told_growth(rules: Ruleset) -> str:
    """The rule that makes terms grow, in words and with its line; empty where there is none."""
    rule = growing_rule(rules)
    if rule is None:
        return ""
    line = rules.source.position(rule.node.span.start)[0]
    where = f" in line {line}" if rules.source.text else ""
    return f"{quoted(rule)}{where} wraps terms in terms again and again, and nothing bounds them"


class _Carried:
    """The depths that a rule carries from its body to its head."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        body: dict[Variable, list[tuple[Place, int]]] = {}
        for atom, positive in signed_atoms(rule.body):
            if positive:
                for variable, place, depth in _occurrences(atom.term):
                    body.setdefault(variable, []).append((place, depth))
        self.carried = [
            (place, depth, body[variable])
            for variable, place, depth in _occurrences(rule.head)
            if variable in body
        ]
        """Places of the head with a variable, how deep it stands there, and where the body binds it."""

    @property
    def rise(self) -> int:
        """The most levels of nesting that the rule can add to a term."""
        return max((depth - min(own for _, own in bound) for _, depth, bound in self.carried), default=0)

    @property
    def depths(self) -> Iterator[tuple[Place, int]]:
        for place, depth, _ in self.carried:
            yield place, depth

    def lifted(self, depths: dict[Place, int]) -> Iterator[tuple[Place, int]]:
        """The depth that each place of the head has by this rule."""
        for place, depth, bound in self.carried:
            yield place, depth + max(0, min(depths.get(one, 0) - own for one, own in bound))


def _to_blame(rules: Iterable[_Carried], depths: dict[Place, int], deepest: int) -> Rule:
    """The first rule that adds nesting to a place whose depth is already unbounded."""
    high = max(1, deepest // 2)
    for rule in rules:
        for place, depth, bound in rule.carried:
            wraps = any(depth > own for _, own in bound)
            if wraps and depths.get(place, 0) > high and all(depths.get(one, 0) > high for one, _ in bound):
                return rule.rule
    return next(rule.rule for rule in rules if rule.rise > 0)


def _occurrences(sentence: Term) -> Iterator[Occurrence]:
    """The variables of a sentence, each with its place and how many functions of the place are around it."""
    inner = _INNER.get(sentence.name)
    for at, argument in enumerate(sentence.args):
        if inner is None or at + 1 < len(sentence.args):
            yield from _within(argument, (sentence.name, _WHOLE, len(sentence.args), at), 0)
        elif isinstance(argument, Variable):
            yield argument, (inner, _WHOLE, 0, 0), 0
        else:
            for number, own in enumerate(argument.args):
                yield from _within(own, (inner, argument.name, len(argument.args), number), 1)


def _within(pattern: Pattern, place: Place, depth: int) -> Iterator[Occurrence]:
    if isinstance(pattern, Variable):
        yield pattern, place, depth
    else:
        for argument in pattern.args:
            yield from _within(argument, place, depth + 1)
