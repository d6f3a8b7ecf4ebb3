"""Derive only the rows that rules can ask for: the demand (magic set) transformation.

``threatened(?owner, ?x, ?y, ?after)`` has a row for every square and every conceivable capture, but rules ask
only for squares where a king may stand and captures that may happen. Each large relation gets a guard, the
rows that may be asked for:

    (<= (threatened ?o ?x ?y ?c) (asked_threatened ?x ?y ?c) ...)
    (<= (asked_threatened ?x ?y ?c) (may_true (cell ?x ?y king)) (may_capture ?c))

Guards do not look at the state: they hold whatever some reachable state may ask for. For that the rules are
repeated without negation in a relaxed world (``may_...``) where everything that can become true is true. That
is plain Datalog, so clingo turns it into facts, and no guard is left in the ground rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..dependencies import Dependencies
from ..keywords import GIVEN, KEYWORDS
from ..lenient.rewrite import FreshNames
from ..ruleset import Atom, Distinct, Not, Rule, Ruleset, formula_variables
from ..terms import Signature, Term, Variable, variables_of
from .estimate_sizes import Sizes
from .expand_connectives import Literal, expand_connectives
from .loose_arguments import loose_arguments

LARGE = 2000.0
"""Estimated rows from which a relation gets a guard: small ones are cheaper whole."""

Positions = tuple[int, ...]


def demand(ruleset: Ruleset, large: float = LARGE) -> Ruleset:
    """The same answers, with large relations restricted to the rows that rules can ask for."""
    ruleset = expand_connectives(ruleset)
    every = {signature: frozenset(range(signature[1])) for signature in ruleset.by_signature}
    return _guard(ruleset, _plan(ruleset, every, large))


def loose_demand(ruleset: Ruleset, large: float = LARGE) -> Ruleset:
    """The same answers, with large relations restricted by the arguments that their rules leave loose.

    The guards of all arguments can be larger than what they guard, where rules bind most of them anyway.
    """
    ruleset = expand_connectives(ruleset)
    return _guard(ruleset, _plan(ruleset, loose_arguments(ruleset), large))


def _guard(ruleset: Ruleset, plan: _Plan) -> Ruleset:
    return ruleset.with_rules(_Writer(ruleset, plan).rules()) if plan.guarded else ruleset


@dataclass
class _Plan:
    """Which arguments of which relations are guarded, and each rule's body in the order of evaluation."""

    guarded: dict[Signature, Positions]
    orders: dict[Rule, list[Literal]]


def _plan(ruleset: Ruleset, arguments: dict[Signature, frozenset[int]], large: float) -> _Plan:
    sizes = Sizes(ruleset)
    # The relaxed world is computed from these, so they must not depend on it.
    exempt = Dependencies(ruleset).reachable([("init", 1), ("role", 1)])
    guarded = {
        signature: tuple(sorted(arguments[signature]))
        for signature, rules in ruleset.by_signature.items()
        if signature in arguments and signature[0] not in KEYWORDS and signature not in exempt
        if any(rule.body for rule in rules) and sizes.rows(signature) >= large
    }
    while True:
        orders = {rule: _order(rule, guarded, sizes) for rule in ruleset.rules}
        asked = _asked_positions(orders, guarded)
        if asked == guarded:
            return _Plan(guarded, orders)
        guarded = asked


def _order(rule: Rule, guarded: dict[Signature, Positions], sizes: Sizes) -> list[Literal]:
    """The body in the best order: always the literal with fewest rows left, tests once they are bound."""
    bound = set(_guard_variables(rule.head, guarded))
    atoms = [literal for literal in rule.body if isinstance(literal, Atom)]
    tests: list[Literal] = [literal for literal in rule.body if not isinstance(literal, Atom)]  # type: ignore[misc]
    # A guarded relation under `not` binds nothing: it comes last, when most variables are bound.
    last = [literal for literal in tests if _signature(literal) in guarded]
    tests = [literal for literal in tests if literal not in last]
    found: list[Literal] = []
    while True:
        ready = [literal for literal in tests if bound.issuperset(formula_variables(literal))]
        found += ready
        tests = [literal for literal in tests if literal not in ready]
        if not atoms:
            return [*found, *tests, *last]
        # Unguarded relations come first: the more is bound before a guarded one, the fewer rows it needs.
        best = min(
            atoms,
            key=lambda atom: (atom.term.signature in guarded, sizes.matches_given(atom.term, bound)),
        )
        atoms.remove(best)
        bound.update(variables_of(best.term))
        found.append(best)


def _asked_positions(
    orders: dict[Rule, list[Literal]], guarded: dict[Signature, Positions]
) -> dict[Signature, Positions]:
    """The arguments of each guarded relation that are bound at each of its uses."""
    known = {signature: set(positions) for signature, positions in guarded.items()}
    for rule, order in orders.items():
        bound = set(_guard_variables(rule.head, guarded))
        for literal in order:
            atom = _atom_of(literal)
            if atom is not None and atom.signature in known:
                known[atom.signature] &= {
                    at for at, arg in enumerate(atom.args) if bound.issuperset(variables_of(arg))
                }
            if isinstance(literal, Atom):
                bound.update(variables_of(literal.term))
    return {signature: tuple(sorted(positions)) for signature, positions in known.items() if positions}


def _guard_variables(head: Term, guarded: dict[Signature, Positions]) -> Iterator[Variable]:
    for at in guarded.get(head.signature, ()):
        yield from variables_of(head.args[at])


def _signature(literal: Literal) -> Signature | None:
    atom = _atom_of(literal)
    return atom.signature if atom is not None else None


def _atom_of(literal: Literal) -> Term | None:
    match literal:
        case Atom(term) | Not(Atom(term)):
            return term
    return None


class _Writer:
    """Writes the guarded rules, the rules of the guards and the relaxed world behind them."""

    def __init__(self, ruleset: Ruleset, plan: _Plan) -> None:
        self.ruleset = ruleset
        self.plan = plan
        self.names = FreshNames(ruleset)
        self.asked: dict[Signature, str] = {}
        self.may: dict[Signature, str] = {}
        dependencies = Dependencies(ruleset)
        moving = dependencies.users_of([(name, 1 if name == "true" else 2) for name in GIVEN])
        # Relations that depend on neither state nor guards are the same in both worlds.
        self.relaxed = moving | dependencies.users_of(plan.guarded) | set(plan.guarded)
        self.relaxed |= {("true", 1), ("does", 2)}

    def rules(self) -> Iterator[Rule]:
        yield from (self._guarded(rule) for rule in self.ruleset.rules)
        made = [rule for rule in self.ruleset.rules for rule in self._guards(rule)]
        made += [self._relaxed_rule(rule) for rule in self.ruleset.rules if rule.signature in self.relaxed]
        made += self._world()
        yield from _needed(made, self.asked.values())

    def _guarded(self, rule: Rule) -> Rule:
        return Rule(rule.head, (*self._guard_of(rule.head), *rule.body), rule.node)

    def _guard_of(self, term: Term) -> tuple[Atom, ...]:
        positions = self.plan.guarded.get(term.signature)
        if positions is None:
            return ()
        name = self.asked.get(term.signature)
        if name is None:
            name = self.asked[term.signature] = self.names.new(f"asked_{term.name}")
        return (Atom(Term(name, tuple(term.args[at] for at in positions))),)

    def _guards(self, rule: Rule) -> Iterator[Rule]:
        """The guard rules of a rule: each guarded literal is demanded by the literals before it."""
        before: list[Literal] = [*self._guard_of(rule.head)]
        for literal in self.plan.orders[rule]:
            atom = _atom_of(literal)
            if atom is not None:
                for guard in self._guard_of(atom):
                    if guard not in before:
                        yield Rule(guard.term, _connected(before, guard.term), rule.node)
            before += self._relax(literal)

    def _relaxed_rule(self, rule: Rule) -> Rule:
        body = [made for literal in rule.body for made in self._relax(literal)]  # type: ignore[arg-type]
        return Rule(self._may(rule.head), (*self._guard_of(rule.head), *body), rule.node)

    def _relax(self, literal: Literal) -> Iterator[Literal]:
        """The literal in the relaxed world; nothing for what cannot be decided there."""
        match literal:
            case Atom(term):
                yield Atom(self._may(term), literal.node)
            case Not(Atom(term)):
                if term.signature not in self.relaxed:
                    yield literal
            case Distinct() | Not(Distinct()):
                yield literal

    def _may(self, term: Term) -> Term:
        if term.signature not in self.relaxed:
            return term
        name = self.may.get(term.signature)
        if name is None:
            name = self.may[term.signature] = self.names.new(f"may_{term.name}")
        return Term(name, term.args)

    def _world(self) -> list[Rule]:
        """The rules of the relaxed world: all that can become true is true, all that can be legal is done."""
        fact, role, move = Variable("fact"), Variable("role"), Variable("move")
        true = self._may(Term("true", (fact,)))
        following = self._may(Term("next", (fact,)))
        done, legal = self._may(Term("does", (role, move))), self._may(Term("legal", (role, move)))
        return [
            Rule(true, (Atom(Term("init", (fact,))),)),
            Rule(true, (Atom(following),)),
            Rule(done, (Atom(legal), Atom(Term("role", (role,))))),
        ]


def _connected(literals: Sequence[Literal], term: Term) -> tuple[Literal, ...]:
    """The literals that share variables with a term, directly or not; the others do not restrict it."""
    known = set(variables_of(term))
    found: set[int] = set()
    while True:
        more = {
            at
            for at, literal in enumerate(literals)
            if at not in found and not known.isdisjoint(formula_variables(literal))
        }
        if not more:
            return tuple(literals[at] for at in sorted(found))
        found |= more
        known.update(variable for at in more for variable in formula_variables(literals[at]))


def _needed(rules: Sequence[Rule], names: Iterable[str]) -> Iterator[Rule]:
    """The rules that some guard depends on, each once."""
    made = Ruleset(tuple(dict.fromkeys(rules)))
    wanted = set(names)
    roots = [signature for signature in made.by_signature if signature[0] in wanted]
    yield from Dependencies(made).slice(roots)
