"""Which symbols can stand at each place of each relation: a quick estimate without grounding anything.

A place is a path into a relation: ``("cell", 3), 1`` is the second argument of ``cell``. What a variable in a
head can be is what all places that bind it in the body allow. Functions have places below their own, down to
a depth where recursive terms are cut off: sizes there are rough, and no rewrite relies on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from ..ruleset import Atom, Rule, Ruleset
from ..terms import Pattern, Signature, Term, Variable

Place: TypeAlias = tuple[object, ...]
"""A signature, then alternately an argument number and the signature of the function that stands there."""

MAX_DEPTH = 9
"""Length of the longest place followed: four functions inside each other."""

MAX_ROUNDS = 200
"""The most rounds of the fixpoint: more than any chain of relations or counter needs."""

SAME_PLACES: dict[Signature, Signature] = {
    ("true", 1): ("next", 1),
    ("does", 2): ("legal", 2),
    ("init", 1): ("next", 1),
}
"""Relations whose rows come from another: facts from ``next`` and ``init``, what is done from ``legal``."""

Symbols: TypeAlias = set[Signature]


class Domains:
    """The symbols at each place, constants as functions of no arguments."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.symbols: dict[Place, Symbols] = {}
        self._sizes: dict[Place, float] = {}
        rules = [rule for rule in ruleset.rules if not rule.head.is_ground]
        for rule in ruleset.rules:
            if rule.head.is_ground:
                self._add_ground(place_of(rule.head), rule.head)
        links = [_links(rule) for rule in rules]
        self.complete = False
        """Whether the fixpoint was reached within the rounds."""
        for _ in range(MAX_ROUNDS):
            if not sum([self._apply(rule.head, link) for rule, link in zip(rules, links, strict=True)]):
                self.complete = True
                break

    def size(self, place: Place) -> float:
        """How many different terms may stand at a place."""
        known = self._sizes.get(place)
        if known is None:
            self._sizes[place] = 1.0  # a recursive term counts itself once
            known = 0.0
            for name, arity in self.symbols.get(place, ()):
                inside = 1.0
                for argument in range(arity):
                    inside *= self.size(_below(place, (name, arity), argument))
                known += inside
            self._sizes[place] = known
        return known

    def _add_ground(self, place: Place, term: Term) -> bool:
        grown = False
        for argument, arg in enumerate(term.args):
            assert isinstance(arg, Term)
            here = (*place, argument)
            known = self.symbols.setdefault(here, set())
            if arg.signature not in known:
                known.add(arg.signature)
                grown = True
            if arg.args and len(here) < MAX_DEPTH:
                grown |= self._add_ground((*here, arg.signature), arg)
        return grown

    def _apply(self, head: Term, links: dict[Variable, list[Place]]) -> bool:
        """Add the values that one rule gives to the places of its head; whether any was new."""
        grown = False
        for place, pattern in patterns_of(place_of(head), head):
            known = self.symbols.setdefault(place, set())
            before = len(known)
            if isinstance(pattern, Term):
                known.add(pattern.signature)
                grown |= len(known) > before
            elif pattern in links:
                grown |= self._flow(links[pattern], place)
        return grown

    def _flow(self, sources: list[Place], target: Place) -> bool:
        found = [self.symbols.get(source, set()) for source in sources]
        allowed = min(found, key=len).intersection(*found)
        known = self.symbols.setdefault(target, set())
        grown = not allowed <= known
        known |= allowed
        if len(target) < MAX_DEPTH:
            for name, arity in [symbol for symbol in allowed if symbol[1]]:
                for argument in range(arity):
                    below = [_below(source, (name, arity), argument) for source in sources]
                    grown |= self._flow(below, _below(target, (name, arity), argument))
        return grown


def place_of(term: Term) -> Place:
    """Where the arguments of a relation's atoms are kept."""
    return (SAME_PLACES.get(term.signature, term.signature),)


def variable_places(atom: Term) -> Iterator[tuple[Variable, Place]]:
    """Each occurrence of a variable in an atom, with its place."""
    for place, pattern in patterns_of(place_of(atom), atom):
        if isinstance(pattern, Variable):
            yield pattern, place


def patterns_of(place: Place, term: Term) -> Iterator[tuple[Place, Pattern]]:
    """Each argument of a term whose arguments are kept at a place, and of the functions in it."""
    for argument, arg in enumerate(term.args):
        here = (*place, argument)
        yield here, arg
        if isinstance(arg, Term) and arg.args and len(here) < MAX_DEPTH:
            yield from patterns_of((*here, arg.signature), arg)


def _below(place: Place, function: Signature, argument: int) -> Place:
    # Beyond the depth followed, a place stands for its own places below: recursive terms end there.
    return (*place, function, argument) if len(place) < MAX_DEPTH else place


def _links(rule: Rule) -> dict[Variable, list[Place]]:
    """The places in the body that bind each variable."""
    found: dict[Variable, list[Place]] = {}
    for atom in positive_atoms(rule):
        for variable, place in variable_places(atom):
            found.setdefault(variable, []).append(place)
    return found


def positive_atoms(rule: Rule) -> Iterable[Term]:
    """The positive atoms of a rule whose body is a list of literals."""
    return (literal.term for literal in rule.body if isinstance(literal, Atom))
