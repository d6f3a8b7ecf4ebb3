"""Merge alternatives: rules that are equal but for some atoms become one, and their join is made once.

    (<= (h ?x ?y) (bishop ?x ?z) (far ?z ?y))  (<= (h ?x ?y) (rook ?x ?z) (far ?z ?y))
    becomes  (<= (h ?x ?y) (any_1 ?x ?z) (far ?z ?y)) with the rules of any_1: (bishop ?x ?z), (rook ?x ?z)

Expanding ``or`` in a body makes such rules. Done only for large joins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from ..lenient.rewrite import FreshNames
from ..ruleset import Atom, Formula, Rule, Ruleset, formula_variables
from ..terms import Term, Variable, variables_of
from .decompose_bodies import decomposed_size
from .estimate_sizes import Sizes
from .expand_connectives import expand_connectives

LARGE = 1e4
"""Estimated instances, after decomposition, from which on a rule is considered."""

LONGEST = 2
"""Atoms that may differ: the more there are, the less is shared."""

GAIN = 0.8
"""The fraction of instances that merging must leave."""

MOST = 40
"""Rules of one head that are compared with each other."""

Body = tuple[Formula, ...]


@dataclass(frozen=True)
class _Frame:
    """The part that rules have in common, and the variables it shares with the rest of each."""

    head: Term
    common: Body
    ties: tuple[Variable, ...]


def merge_alternatives(ruleset: Ruleset, large: float = LARGE, gain: float = GAIN) -> Ruleset:
    """The same answers, large rules that differ in an atom or two written as one where that saves work."""
    ruleset = expand_connectives(ruleset)
    merger = _Merger(Sizes(ruleset), FreshNames(ruleset), large, gain)
    while True:
        merged = merger.merged(ruleset.rules)
        if not merged:
            return ruleset
        ruleset = ruleset.with_rules(made for rule in ruleset.rules for made in merged.get(rule, [rule]))


@dataclass
class _Merger:
    """Merges rules that fit one frame, and keeps the relations made so far."""

    sizes: Sizes
    names: FreshNames
    large: float
    gain: float
    known: dict[tuple[object, ...], str] = field(default_factory=dict)

    def merged(self, rules: Iterable[Rule]) -> dict[Rule, list[Rule]]:
        """The replacements of the rules that can be merged: the first is replaced, the others are dropped."""
        found: dict[Rule, list[Rule]] = {}
        for frame, alike in _frames(rule for rule in rules if self._size([rule]) >= self.large):
            if found.keys().isdisjoint(alike) and self._saves(frame, alike):
                found |= {rule: [] for rule in alike}
                found[alike[0]] = self._merge(frame, alike)
        return found

    def _saves(self, frame: _Frame, rules: Sequence[Rule]) -> bool:
        atoms = [literal.term for literal in _rest(rules[0], frame.common) if isinstance(literal, Atom)]
        preview = Term("(any)", frame.ties)
        self.sizes.define(preview, atoms)
        merged = Rule(frame.head, (Atom(preview), *frame.common))
        return len(rules) * self.sizes.join(atoms) + self._size([merged]) <= self.gain * self._size(rules)

    def _size(self, rules: Iterable[Rule]) -> float:
        return decomposed_size(self.sizes, self.names, rules)

    def _merge(self, frame: _Frame, rules: Sequence[Rule]) -> list[Rule]:
        """The rules of the new relation unless there is one like it, and the rule that uses it."""
        rests = [_rest(rule, frame.common) for rule in rules]
        key = (frame.ties, *rests)
        made: list[Rule] = []
        if key not in self.known:
            either = Term(self.names.new("any"), frame.ties)
            self.sizes.define(either, [literal.term for literal in rests[0] if isinstance(literal, Atom)])
            self.known[key] = either.name
            made = [Rule(either, rest, rule.node) for rest, rule in zip(rests, rules, strict=True)]
        shared = Atom(Term(self.known[key], frame.ties))
        return [*made, Rule(frame.head, (shared, *frame.common), rules[0].node)]


def _frames(rules: Iterable[Rule]) -> Iterator[tuple[_Frame, list[Rule]]]:
    """The rules that fit into each frame, frames with most in common first."""
    by_head: dict[Term, list[Rule]] = {}
    for rule in dict.fromkeys(rules):
        by_head.setdefault(rule.head, []).append(rule)
    found: dict[_Frame, dict[Rule, None]] = {}
    for alike in by_head.values():
        for one, other in combinations(alike[:MOST], 2):
            frame = _frame(one, other)
            if frame is not None:
                found.setdefault(frame, {}).update({one: None, other: None})
    for frame, fitting in sorted(found.items(), key=lambda item: -len(item[0].common)):
        yield frame, list(fitting)


def _frame(one: Rule, other: Rule) -> _Frame | None:
    """What two rules of one head share, if all that differs is atoms tied to it by the same variables."""
    common = tuple(literal for literal in one.body if literal in other.body)
    rests = [_rest(rule, common) for rule in (one, other)]
    if not common or not all(_can_differ(rest) for rest in rests):
        return None
    outside = set(variables_of(one.head)).union(*map(formula_variables, common))
    ties = [
        tuple(dict.fromkeys(at for literal in rest for at in formula_variables(literal) if at in outside))
        for rest in rests
    ]
    return _Frame(one.head, common, ties[0]) if set(ties[0]) == set(ties[1]) else None


def _can_differ(rest: Body) -> bool:
    return 1 <= len(rest) <= LONGEST and all(isinstance(literal, Atom) for literal in rest)


def _rest(rule: Rule, common: Body) -> Body:
    return tuple(literal for literal in rule.body if literal not in common)
