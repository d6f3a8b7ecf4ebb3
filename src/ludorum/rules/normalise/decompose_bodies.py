"""Split long rule bodies into shared parts, so that fewer instances have to be written down.

``h(x) :- p(x,y), q(y,z), r(z)`` has as many instances as there are triples x, y, z. With the part
``part(y) :- q(y,z), r(z)`` there are only pairs: z was eliminated, as in bucket elimination (Dechter 1999) or
the tree decomposition of rules (Bichler, Morak, Woltran 2016). A variable is eliminated only where the
estimated number of instances falls; equal parts of different rules are one relation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field

from ..lenient.rewrite import FreshNames
from ..ruleset import Atom, Distinct, Not, Rule, Ruleset, formula_variables
from ..terms import Pattern, Signature, Term, Variable, substitute, variables_of
from .estimate_domains import positive_atoms
from .estimate_sizes import Sizes
from .expand_connectives import Literal, expand_connectives

WORTHWHILE = 64.0
"""Instances from which on a rule is decomposed: below, parts cost more than they save."""

GAIN = 0.7
"""The fraction of instances that a split may leave at most: estimates are no more precise than that."""

HIDDEN = 0.5
"""The assumed fraction of rows left where an argument is hidden, if literals are counted."""

HOPELESS = 1e6
"""Estimated instances, after decomposition, from which on other rewrites are tried."""

Body = tuple[Literal, ...]


def decompose_bodies(ruleset: Ruleset, worthwhile: float = WORTHWHILE, gain: float = GAIN) -> Ruleset:
    """The same rules, with parts in relations of their own where that pays off."""
    ruleset = expand_connectives(ruleset)
    return _decompose(ruleset, _Parts(Sizes(ruleset), FreshNames(ruleset), worthwhile, gain))


def decompose_wide_bodies(ruleset: Ruleset, worthwhile: float = WORTHWHILE, gain: float = GAIN) -> Ruleset:
    """The same, but counting literals: a part may have as many instances as its rule if it is shorter."""
    ruleset = expand_connectives(ruleset)
    return _decompose(ruleset, _Parts(Sizes(ruleset), FreshNames(ruleset), worthwhile, gain, by_length=True))


def _decompose(ruleset: Ruleset, parts: _Parts) -> Ruleset:
    rules = [made for rule in ruleset.rules for made in parts.decompose(rule)]
    domains = ruleset.domains.union(parts.domains)
    return Ruleset(tuple(rules), ruleset.source, domains, ruleset.weights)


def decomposed_size(sizes: Sizes, names: FreshNames, rules: Iterable[Rule]) -> float:
    """Estimated instances of rules and their parts after decomposition; the rules are not changed."""
    parts = _Parts(sizes, names, WORTHWHILE, GAIN)
    made = [one for rule in rules for one in parts.decompose(rule)]
    return sum((sizes.join(list(positive_atoms(rule))) for rule in made), 0.0)


@dataclass(frozen=True)
class _Split:
    """One variable eliminated: ``part`` goes into a relation over ``kept``, ``rest`` stays."""

    part: Body
    rest: Body
    kept: tuple[Variable, ...]


@dataclass
class _Parts:
    """The parts made so far, by their form up to the names of variables."""

    sizes: Sizes
    names: FreshNames
    worthwhile: float
    gain: float
    by_length: bool = False
    known: dict[tuple[object, ...], str] = field(default_factory=dict)
    domains: set[Signature] = field(default_factory=set)
    promised: dict[str, Rule] = field(default_factory=dict)
    """Rules of new domains that are not written yet, by name."""

    def decompose(self, rule: Rule) -> list[Rule]:
        """The rule and the rules of the new parts it uses, parts first."""
        made: list[Rule] = []
        body: Body = rule.body  # type: ignore[assignment]
        head = frozenset(variables_of(rule.head))
        cost = self._cost(_atoms(body), body)
        while cost >= self.worthwhile:
            best = min(self._priced(body, head), default=None, key=lambda pair: pair[0])
            if best is None or best[0] > self.gain * cost:
                break
            split = best[1]
            atom, fresh = self._relation(split, rule)
            body = (Atom(atom, rule.node), *split.rest)
            cost = self._cost(_atoms(body), body)
            made += fresh
        return [*made, Rule(rule.head, body, rule.node)]

    def _priced(self, body: Body, head: frozenset[Variable]) -> Iterable[tuple[float, _Split]]:
        """Every split with the instances it would leave to write down."""
        sizes = self.sizes
        for variable in _variables(body):
            if variable in head:
                continue
            for split in self._splits(body, head, variable):
                part = _atoms(split.part)
                key, _ = _canonical(split)
                shared = key in self.known
                smallest = min((sizes.join([atom]) for atom in part), default=0.0)
                length = len(split.part) if self.by_length else 1
                cost = 0.0 if shared else length * max(sizes.join(part), smallest / 2)
                preview = Term(self.known[key] if shared else "(part)", split.kept)
                sizes.define(preview, part)
                yield cost + self._cost([preview, *_atoms(split.rest)], (*split.rest, *split.rest[:1])), split

    def _cost(self, atoms: Sequence[Term], body: Body) -> float:
        """The size of a rule's instances: their number, or the literals in them."""
        return self.sizes.join(atoms) * (len(body) if self.by_length else 1)

    def _relation(self, split: _Split, rule: Rule) -> tuple[Term, list[Rule]]:
        """The atom that stands for a part, and its rules if it is new."""
        key, order = _canonical(split)
        known = self.known.get(key)
        if known is not None:
            return Term(known, order), []
        name = self.known[key] = self.names.new("part")
        atom = Term(name, order)
        self.sizes.define(atom, _atoms(split.part))
        names = [term.name for term in _atoms(split.part)]
        used = [self.promised.pop(name) for name in names if name in self.promised]
        return atom, [*used, *self.decompose(Rule(atom, split.part, rule.node))]

    def _splits(self, body: Body, head: frozenset[Variable], variable: Variable) -> Iterable[_Split]:
        """Ways to eliminate a variable: with the literals that have it, or all that its part can decide."""
        part = [literal for literal in body if variable in formula_variables(literal)]
        positive = [literal for literal in part if isinstance(literal, Atom)]
        bound = set(_variables(positive))
        rest = [literal for literal in body if literal not in part]
        # A negated atom or a comparison is safe only where its variables are bound: bring along what binds
        # them. That stays outside as well, so inside only the variables needed there are considered.
        wanted = {other for literal in part for other in formula_variables(literal)}
        loose = wanted - bound
        binding: list[Atom] = []
        for literal in rest:
            if isinstance(literal, Atom) and loose & set(variables_of(literal.term)):
                binding.append(literal)
                loose -= set(variables_of(literal.term))
        if loose:
            return
        guards: list[Literal] = [self._domain(literal, wanted) for literal in binding]
        bound.update(_variables(guards))
        yield from _split(part + guards, rest, head)
        inside = [
            literal for literal in rest if literal not in binding and bound >= set(formula_variables(literal))
        ]
        if inside:
            outside = [literal for literal in rest if literal not in inside]
            yield from _split(part + guards + inside, outside, head)

    def _domain(self, atom: Atom, wanted: Set[Variable]) -> Atom:
        """The atom with its other variables hidden: itself, or an atom of a relation of its own."""
        kept = tuple(variable for variable in _variables([atom]) if variable in wanted)
        if len(kept) == len(_variables([atom])):
            return atom
        shape, order = _canonical(_Split((atom,), (), kept))
        key = ("domain", *shape)  # marked as no part: a domain only says which values variables have
        name = self.known.get(key)
        if name is None:
            name = self.known[key] = self.names.new("domain")
            made = Term(name, order)
            self.domains.add(made.signature)
            self.sizes.define(made, [atom.term])
            if self.by_length:
                self.sizes.scale(made.signature, HIDDEN)
            self.promised[name] = Rule(made, (atom,), atom.node)
        return Atom(Term(name, order), atom.node)


def _split(part: Sequence[Literal], rest: Sequence[Literal], head: frozenset[Variable]) -> Iterable[_Split]:
    inside = _variables(part)
    outside = head.union(_variables(rest))
    kept = tuple(variable for variable in inside if variable in outside)
    # Without another positive literal, or with all variables in the part, nothing gets smaller.
    if any(isinstance(literal, Atom) for literal in rest) and not outside <= set(inside):
        yield _Split(tuple(part), tuple(rest), kept)


def _canonical(split: _Split) -> tuple[tuple[object, ...], tuple[Variable, ...]]:
    """A key that is equal for parts equal up to names and order, and the kept variables in its order."""
    literals = sorted(split.part, key=lambda literal: _shape(literal, {}))
    numbers: dict[Variable, Pattern] = {}
    for literal in literals:
        for variable in formula_variables(literal):
            numbers.setdefault(variable, Variable(f"v{len(numbers)}"))
    order = tuple(variable for variable in numbers if variable in split.kept)
    shapes = tuple(_shape(literal, numbers) for literal in literals)
    return (shapes, tuple(numbers[variable] for variable in order)), order


def _shape(literal: Literal, names: dict[Variable, Pattern]) -> str:
    blank = {variable: names.get(variable, Variable("")) for variable in formula_variables(literal)}
    match literal:
        case Atom(term):
            return str(substitute(term, blank))
        case Distinct(left, right):
            return f"(distinct {substitute(left, blank)} {substitute(right, blank)})"
        case Not(body):
            return f"(not {_shape(body, names)})"  # type: ignore[arg-type]


def _atoms(body: Iterable[Literal]) -> list[Term]:
    return [literal.term for literal in body if isinstance(literal, Atom)]


def _variables(body: Iterable[Literal]) -> list[Variable]:
    return list(dict.fromkeys(variable for literal in body for variable in formula_variables(literal)))
