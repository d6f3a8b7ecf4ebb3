"""Counting along a chain of conditions, even where one of them fails.

Sheets count stones by one condition for each cell, ``(add_cell ?in 1 2 x ?out)``, each of which takes the
number where the one before left it, or by a relation that calls itself for the next cell. While a cell is
empty such a condition may fail, and no number comes out at the end. A chain passes over what fails: what
goes in comes out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ...rules.normalise.substitute_rules import rename_apart
from ...rules.ruleset import Atom, Rule, formula_variables
from ...rules.terms import Pattern, Substitution, Term, Variable, match, sort_key
from ...rules.unify import resolve, unify
from .conjunctions import Conjunction, variables_in, with_values
from .instances import simplified
from .leaf import LeafPosition, LeafQuery, Row
from .relations import Relations
from .solution_features import query_of

LONGEST = 500
"""The most links of a chain."""
_CARRIED = " : carried"


@dataclass(frozen=True)
class Way:
    """One way to come from the values that go in to those that come out."""

    query: LeafQuery | None
    """What has to hold; None where nothing has to."""
    ins: tuple[Pattern, ...]
    outs: tuple[Pattern, ...]

    def result(self, position: LeafPosition, values: Sequence[Term]) -> Row | None:
        """The values that come out; the least ones where several do."""
        known: Substitution | None = {}
        for pattern, value in zip(self.ins, values, strict=True):
            known = None if known is None else match(pattern, value, known)
        if known is None:
            return None
        found = [self._outs({**known, **own}) for own in self._solutions(position, known)]
        return min(found, key=_in_order, default=None)

    def _solutions(self, position: LeafPosition, known: Substitution) -> Iterator[Substitution]:
        if self.query is None:
            yield {}
            return
        for row in position.rows(self.query):
            own = dict(zip(self.query.variables, row, strict=True))
            if all(known.get(variable, value) is value for variable, value in own.items()):
                yield {**own}

    def _outs(self, values: Substitution) -> Row:
        found = tuple(resolve(pattern, values) for pattern in self.outs)
        assert all(isinstance(value, Term) and value.is_ground for value in found)
        return found  # type: ignore[return-value]


def _in_order(row: Row) -> tuple[object, ...]:
    return tuple(sort_key(value) for value in row)


@dataclass(frozen=True)
class CountChain:
    """Links in the order of counting, each with its ways; and what is there before the first."""

    first: tuple[Way, ...]
    """Ways that take nothing in."""
    otherwise: Row
    """The values before the first link where none of its ways is open."""
    links: tuple[tuple[Way, ...], ...]
    result: tuple[Variable, ...]

    @property
    def asks(self) -> tuple[LeafQuery, ...]:
        ways = [*self.first, *(way for link in self.links for way in link)]
        return tuple(dict.fromkeys(way.query for way in ways if way.query is not None))

    def rows(self, position: LeafPosition, variables: Sequence[Variable]) -> list[Row]:
        """The one row of values of some variables of the result."""
        values = _through(self.first, position, ()) or self.otherwise
        for link in self.links:
            values = _through(link, position, values) or values
        found = dict(zip(self.result, values, strict=True))
        return [tuple(found[variable] for variable in variables)]


def _through(ways: Sequence[Way], position: LeafPosition, values: Sequence[Term]) -> Row | None:
    return next((found for way in ways if (found := way.result(position, values)) is not None), None)


def chain_of(literals: Conjunction, relations: Relations) -> CountChain | None:
    """A conjunction as a chain whose result has all its variables, or None where it is none."""
    wanted = tuple(variables_in(literals))
    found = _unfolded(literals, wanted, relations)
    if found is None:
        return None
    links, outs = found
    if len(links) == 1 and isinstance(links[0], Atom) and relations.is_recursive(links[0].term.signature):
        chain = _unrolled(links[0].term, relations)
    else:
        chain = _linked(links, relations)
    if chain is None or not set(outs) <= set(chain.result):
        return None
    names = dict(zip(outs, wanted, strict=True))
    if len(names) < len(wanted):
        return None
    return CountChain(
        chain.first, chain.otherwise, chain.links, tuple(names.get(one, one) for one in chain.result)
    )


def is_chained(literals: Conjunction, relations: Relations) -> bool:
    """Whether conditions of one relation hand values on from one to the next, in the order of the text."""
    atoms = [
        one.term
        for one in literals
        if isinstance(one, Atom) and relations.changes(one.term.signature) and one.term.name != "true"
    ]
    return any(one.signature == other.signature and handed_on(one, other) for one, other in pairwise(atoms))


def handed_on(one: Term, other: Term) -> list[tuple[int, int]]:
    """The arguments where a relation takes something, and those from which its next use takes it."""
    return [
        (into, out)
        for into, arg in enumerate(other.args)
        for out, given in enumerate(one.args)
        if isinstance(arg, Variable) and arg is given and into != out
    ]


def _unfolded(
    literals: Conjunction, wanted: Sequence[Variable], relations: Relations
) -> tuple[Conjunction, tuple[Variable, ...]] | None:
    """Conditions that have one rule replaced by its body; and what the variables wanted have become."""
    carried: Conjunction = (_carrier(wanted), *literals)
    for _ in range(LONGEST):
        at = next((at for at, one in enumerate(carried) if _has_one_rule(one, relations)), None)
        if at is None:
            break
        literal = carried[at]
        assert isinstance(literal, Atom)
        (rule,) = _rules_for(literal.term, relations)
        rule = rename_apart(rule, variables_in(carried))
        values = unify(rule.head, literal.term)
        assert values is not None
        simple = simplified(with_values((*carried[:at], *rule.body, *carried[at + 1 :]), values), relations)  # type: ignore[arg-type]
        if isinstance(simple, bool):
            return None
        carried = simple
    outs = _carried(carried)
    if len(carried) > LONGEST or not all(isinstance(one, Variable) for one in outs):
        return None
    return carried[1:], outs  # type: ignore[return-value]


def _carrier(patterns: Sequence[Pattern]) -> Atom:
    """A literal that is kept by every simplification, and so tells what has become of its arguments."""
    return Atom(Term("true", (Term(_CARRIED, tuple(patterns)),)))


def _carried(literals: Conjunction) -> tuple[Pattern, ...]:
    carrier = literals[0]
    assert isinstance(carrier, Atom)
    (inner,) = carrier.term.args
    assert isinstance(inner, Term)
    return inner.args


def _rules_for(term: Term, relations: Relations) -> list[Rule]:
    taken = variables_in((Atom(term),))
    rules = relations.by_signature.get(term.signature, ())
    return [rule for rule in rules if unify(rename_apart(rule, taken).head, term) is not None]


def _has_one_rule(literal: object, relations: Relations) -> bool:
    if not isinstance(literal, Atom) or literal.term.name == "true":
        return False
    signature = literal.term.signature
    if signature in relations.recursive or not relations.changes(signature):
        return False
    return len(_rules_for(literal.term, relations)) == 1


def _linked(literals: Conjunction, relations: Relations) -> CountChain | None:
    """A chain of conditions of one relation, each of which takes what the one before has left."""
    atoms = [one.term for one in literals if isinstance(one, Atom)]
    if len(atoms) < 2 or len(atoms) < len(literals) or len({atom.signature for atom in atoms}) > 1:
        return None
    places = handed_on(atoms[0], atoms[1])
    if not places or any(handed_on(one, other) != places for one, other in pairwise(atoms)):
        return None
    start = tuple(atoms[0].args[into] for into, _ in places)
    result = tuple(atoms[-1].args[out] for _, out in places)
    if not all(one.is_ground for one in start) or not all(isinstance(one, Variable) for one in result):
        return None
    links = []
    for literal, atom in zip(literals, atoms, strict=True):
        ins = tuple(_variable_at(into) for into, _ in places)
        args = list(atom.args)
        for variable, (into, _) in zip(ins, places, strict=True):
            args[into] = variable
        query = query_of((Atom(Term(atom.name, tuple(args)), literal.node),))
        links.append((Way(query, ins, tuple(atom.args[out] for _, out in places)),))
    return CountChain((), start, tuple(links), result)  # type: ignore[arg-type]


def _variable_at(place: int) -> Variable:
    return Variable(f"in {place}")


def _unrolled(call: Term, relations: Relations) -> CountChain | None:
    """A recursive relation as a chain from its last call to the first, where each call has one next."""
    outs = tuple(at for at, arg in enumerate(call.args) if not arg.is_ground)
    result = tuple(call.args[at] for at in outs)
    if not outs or not all(isinstance(one, Variable) for one in result) or len(set(result)) < len(result):
        return None
    calls: list[Term] = []
    links: list[tuple[Way, ...]] = []
    while True:
        if len(calls) >= LONGEST or call in calls:
            return None
        calls.append(call)
        found = _next_calls(call, outs, relations)
        if found is None:
            return None
        if not found:
            break
        following = {after for after, _ in found}
        if len(following) > 1:
            return None
        (call,) = following
        links.append(tuple(way for _, way in found))
    first, least = _last_call(calls[-1], outs, relations)
    if least is None or not links:
        return None
    return CountChain(first, least, tuple(reversed(links)), result)  # type: ignore[arg-type]


def _next_calls(call: Term, outs: Sequence[int], relations: Relations) -> list[tuple[Term, Way]] | None:
    """For each recursive rule that may apply its next call and its way; None where one is of another form."""
    found = []
    for body, head in _bodies(call, relations):
        inner = [one for one in body if isinstance(one, Atom) and one.term.signature == call.signature]
        if not inner:
            continue
        after = inner[0].term
        rest = tuple(one for one in body if one is not inner[0])
        ins = tuple(after.args[at] for at in outs)
        fixed = [arg for at, arg in enumerate(after.args) if at not in outs]
        way = _way(rest, ins, tuple(head[at] for at in outs))
        if len(inner) > 1 or way is None or not all(arg.is_ground for arg in fixed):
            return None
        args = tuple(call.args[at] if at in outs else arg for at, arg in enumerate(after.args))
        found.append((Term(call.name, args), way))
    return found


def _last_call(call: Term, outs: Sequence[int], relations: Relations) -> tuple[tuple[Way, ...], Row | None]:
    """The ways of the call that calls no other, and the least of the values that they have."""
    ways: list[Way] = []
    heads: list[tuple[Pattern, ...]] = []
    for body, head in _bodies(call, relations):
        values = tuple(head[at] for at in outs)
        way = _way(body, (), values)
        if way is None:
            return (), None
        ways.append(way)
        heads.append(values)
    known = [[one for one in column if one.is_ground] for column in zip(*heads, strict=True)]
    if not known or not all(known):
        return (), None
    return tuple(ways), tuple(min(column, key=sort_key) for column in known)


def _bodies(call: Term, relations: Relations) -> Iterator[tuple[Conjunction, tuple[Pattern, ...]]]:
    """The bodies of rules for a call, as far as they can be true, and the arguments of their heads."""
    for rule in relations.by_signature.get(call.signature, ()):
        rule = rename_apart(rule, variables_in((Atom(call),)))
        values: Substitution | None = {}
        for arg, given in zip(rule.head.args, call.args, strict=True):
            if values is not None and given.is_ground:
                values = unify(arg, given, values)
        if values is None:
            continue
        simple = simplified(
            with_values((_carrier(rule.head.args), *rule.body), values),  # type: ignore[arg-type]
            relations,
        )
        if not isinstance(simple, bool):
            yield simple[1:], _carried(simple)


def _way(body: Conjunction, ins: tuple[Pattern, ...], outs: tuple[Pattern, ...]) -> Way | None:
    """A way where its conditions bind all that they test, and what comes out."""
    bound = set(variables_in(one for one in body if isinstance(one, Atom)))
    if not bound.issuperset(variables_in(body)):
        return None
    known = bound.union(variables_in((Atom(Term("ins", ins)),)))
    if not known.issuperset(formula_variables(Atom(Term("outs", outs)))):
        return None
    return Way(query_of(body) if body else None, ins, outs)
