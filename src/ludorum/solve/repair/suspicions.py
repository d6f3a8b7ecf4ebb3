"""Slips that break no rule of GDL: arguments that can never fit, fluents that get lost, names nearly alike.

Each yields a code, words without line numbers, a weight, and where it shows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TypeAlias

from ...rules.check.analysis import flattened
from ...rules.dependencies import Dependencies
from ...rules.keywords import KEYWORDS, STATE_KEYWORDS
from ...rules.normalise.estimate_domains import Domains, Place, Symbols, patterns_of, place_of
from ...rules.normalise.expand_connectives import expand_connectives
from ...rules.ruleset import Atom, Not, Rule, Ruleset, signed_atoms
from ...rules.source import RulesError, Span
from ...rules.syntax import Node, NodeKind
from ...rules.terms import Pattern, Signature, Term, Variable, as_integer
from . import costs
from .distance import nearness
from .spots import spots_of

Suspicion: TypeAlias = tuple[str, str, int, Span]

_LISTS: dict[Signature, Signature] = {("next", 1): ("base", 1), ("legal", 2): ("input", 2)}
"""The relations that define fluents and moves, and the one in which the author lists them."""
_ROLE_FIRST = frozenset({"legal", "goal", "does", "sees", "input"})


def suspicions(rules: Ruleset) -> Iterator[Suspicion]:
    """All of them."""
    yield from _lost_fluents(rules)
    yield from _never_made(rules)
    yield from _never_begun(rules)
    yield from _allowed_for_done(rules)
    yield from _compound_roles(rules)
    yield from _odd_facts(rules)
    yield from _lonely_variables(rules)
    try:
        flat = expand_connectives(rules)
    except RulesError:
        return
    domains = Domains(flat)
    if domains.complete:
        yield from _impossible(flat, domains)
        yield from _moves_of_others(rules, domains)


# -- arguments that never fit -----------------------------------------------------------------------------


def _impossible(rules: Ruleset, domains: Domains) -> Iterator[Suspicion]:
    seen: set[tuple[str, Span]] = set()
    for rule in rules.rules:
        for found in _impossible_in(rule, domains):
            if (found[1], found[3]) not in seen:  # alternatives of one `or` repeat their neighbours
                seen.add((found[1], found[3]))
                yield found


def _impossible_in(rule: Rule, domains: Domains) -> Iterator[Suspicion]:
    allowed: dict[Variable, Symbols] = {}
    for literal in rule.body:
        atom = literal.body if isinstance(literal, Not) else literal
        if not isinstance(atom, Atom):
            continue
        for place, pattern in patterns_of(place_of(atom.term), atom.term):
            known = domains.symbols.get(place)
            if not known:
                continue  # nothing defines it at all: another check reports that
            if isinstance(pattern, Term):
                if pattern.signature not in known:
                    words = f"{pattern} can never stand there in {atom.term}"
                    yield "impossible-argument", words, costs.WARNING, atom.node.span
            elif atom is literal:
                before = allowed.get(pattern)
                allowed[pattern] = known if before is None else before & known
                if not allowed[pattern] and (before is None or before):
                    words = f"nothing can be {pattern} in {atom.term} and in the conditions before it"
                    yield "impossible-variable", words, costs.WARNING, atom.node.span
    yield from _unlisted(rule, allowed, domains)


def _unlisted(rule: Rule, allowed: dict[Variable, Symbols], domains: Domains) -> Iterator[Suspicion]:
    """Fluents and moves that rules derive although `base` and `input` do not list them."""
    root = place_of(rule.head)[0]
    listed = _LISTS.get(root) if isinstance(root, tuple) and rule.head.name not in ("base", "input") else None
    if listed is None:
        return
    inner = rule.head.args[-1]
    if not isinstance(inner, Term):
        return
    last = len(rule.head.args) - 1
    begin: Place = (listed, last, inner.signature)
    for place, pattern in patterns_of(begin, inner):
        known = domains.symbols.get(place)
        made = _values(pattern, allowed)
        if known and made and not made & known:
            words = f"{pattern} in {rule.head} is not among what `{listed[0]}` lists"
            yield "unlisted-argument", words, costs.WARNING, rule.head_node.span


def _values(pattern: Pattern, allowed: dict[Variable, Symbols]) -> Symbols:
    return {pattern.signature} if isinstance(pattern, Term) else allowed.get(pattern, set())


# -- fluents and moves ------------------------------------------------------------------------------------


def _lost_fluents(rules: Ruleset) -> Iterator[Suspicion]:
    """Fluents that hold initially and that no `next` derives again, although rules use them."""
    kept = {_inner(rule) for rule in rules.by_signature.get(("next", 1), ())}
    if None in kept:
        return
    looked_at = {
        inner.signature if isinstance(inner, Term) else None
        for rule in rules.rules
        for atom, _ in signed_atoms(rule.body)
        if atom.term.signature == ("true", 1)
        for inner in atom.term.args
    }
    told: set[Signature] = set()
    for rule in rules.by_signature.get(("init", 1), ()):
        fluent = _inner(rule)
        seen = fluent in looked_at or None in looked_at
        if fluent is not None and seen and fluent not in kept and fluent not in told:
            told.add(fluent)
            words = f"{fluent[0]} holds at first, and no `next` makes it hold again"
            yield "lost-fluent", words, costs.SUSPICION, rule.node.span


def _never_made(rules: Ruleset) -> Iterator[Suspicion]:
    """Moves that `input` lists although no rule allows them."""
    made = {_inner(rule) for rule in rules.by_signature.get(("legal", 2), ())}
    for rule in rules.by_signature.get(("input", 2), ()):
        if None not in made and _inner(rule) not in made:
            words = f"`input` lists {rule.head.args[1]}, which nothing makes legal"
            yield "never-made", words, costs.WARNING, rule.node.span


def _never_begun(rules: Ruleset) -> Iterator[Suspicion]:
    """Fluents without an `init` that one `next` rule derives whatever is done, and others by moves."""
    makers = rules.by_signature.get(("next", 1), ())
    unbegun = [rule for rule in makers if not _is_begun(rule, rules)]
    if not unbegun:
        return
    dependencies = Dependencies(rules)
    by_play = {_inner(rule) for rule in makers if _looks_at_play(rule, dependencies)}
    for rule in unbegun:
        if _inner(rule) in by_play and not _looks_at_play(rule, dependencies):
            words = f"`next` makes {rule.head.args[0]} hold whatever is done, and no `init` begins it"
            yield "never-begun", words, costs.WARNING, rule.node.span


def _is_begun(maker: Rule, rules: Ruleset) -> bool:
    """Whether an `init` begins what a `next` derives: the fluent itself for facts, its name for rules."""
    for rule in rules.by_signature.get(("init", 1), ()):
        if _inner(rule) is None or rule.head.args == maker.head.args:
            return True
        if _inner(rule) == _inner(maker) and (rule.body or maker.body):
            return True
    return False


def _looks_at_play(rule: Rule, dependencies: Dependencies) -> bool:
    """Whether a rule depends on the position or the moves, itself or through other relations."""
    asked = dependencies.reachable(atom.term.signature for atom, _ in signed_atoms(rule.body))
    return any(name in STATE_KEYWORDS for name, _ in asked)


def _allowed_for_done(rules: Ruleset) -> Iterator[Suspicion]:
    """`next` rules that depend on a move being legal, not done: no public sheet means that."""
    found = [
        (rule, atom)
        for rule in rules.rules
        for atom, positive in signed_atoms(rule.body)
        if positive and atom.term.signature == ("legal", 2)
    ]
    if not found:
        return
    dependencies = Dependencies(rules)
    asked = dependencies.reachable([("terminal", 0), ("goal", 2), ("legal", 2), ("sees", 2)])
    made = dependencies.reachable([("next", 1)]) - asked
    for rule, atom in found:
        if rule.signature in made:
            done = {other.term.args for other, _ in signed_atoms(rule.body) if other.term.name == "does"}
            if atom.term.args not in done:
                words = f"what comes next depends on {atom.term}, not on what is done"
                yield "allowed-for-done", words, costs.WARNING, atom.node.span


def _inner(rule: Rule) -> Signature | None:
    """The fluent or move of a head; None for a variable."""
    inner = rule.head.args[-1]
    return inner.signature if isinstance(inner, Term) else None


def _compound_roles(rules: Ruleset) -> Iterator[Suspicion]:
    """A move where the role should stand."""
    for rule in rules.rules:
        for term, span in [
            (rule.head, rule.head_node.span),
            *((part.term, part.node.span) for part in rule.body if isinstance(part, Atom)),
        ]:
            role = term.args[0] if term.name in _ROLE_FIRST and len(term.args) == 2 else None
            if isinstance(role, Term) and role.args:
                yield "not-a-role", f"{role} in the place of a role", costs.WARNING, span


def _beside_roles(rules: Ruleset) -> set[str]:
    """The constants in a column of facts that also holds roles."""
    columns: dict[tuple[Signature, int], set[str]] = {}
    for rule in rules.rules:
        if not rule.body and rule.head.name not in KEYWORDS:
            for at, arg in enumerate(rule.head.args):
                if isinstance(arg, Term):
                    columns.setdefault((rule.signature, at), set()).add(arg.name)
    names = {role.name for role in rules.roles}
    return {name for column in columns.values() if column & names for name in column}


def _moves_of_others(rules: Ruleset, domains: Domains) -> Iterator[Suspicion]:
    """Moves and goal values for a constant that is no role, though facts name it beside roles."""
    roles = {role.signature for role in rules.roles}
    beside = _beside_roles(rules)
    if not roles or any(rule.body for rule in rules.by_signature.get(("role", 1), ())):
        return
    others = {
        symbol
        for relation in (("legal", 2), ("goal", 2))
        for symbol in domains.symbols.get((relation, 0), set()) - roles
        if not symbol[1] and symbol[0] in beside
    }
    span = rules.by_signature[("role", 1)][0].node.span
    for name, _ in sorted(others):
        yield "not-a-role", f"rules give moves or values to {name}, which is no role", costs.WARNING, span


# -- names ------------------------------------------------------------------------------------------------


def _lonely_variables(rules: Ruleset) -> Iterator[Suspicion]:
    """Variables that occur once in the sheet and are one slip from another of their rule."""
    own = [[node for node in flattened(rule.node) if node.kind is NodeKind.VARIABLE] for rule in rules.rules]
    counts = Counter(node.name for nodes in own for node in nodes)
    for rule, nodes in zip(rules.rules, own, strict=True):
        # Two names that both occur once, such as ?xw and ?xs, are two variables.
        names = {node.name for node in nodes if counts[node.name] > 1}
        for node in nodes:
            if counts[node.name] != 1:
                continue
            near = [
                other
                for other in names
                if nearness(node.name, other) == 1
                and (_stem(node.name) != _stem(other) or _is_doubled(node.name, other))
            ]
            once = [
                other.name
                for other in nodes
                if len(other.name) == len(node.name) == 1 and other.name in names
            ]
            near += [other for other in once if once.count(other) == 1 and other != node.name]
            long = any(max(len(_stem(other)), len(_stem(node.name))) > 1 for other in near)
            if long or _usual_there(rules, rule, node, near):
                yield "lonely-variable", f"`?{node.name}` occurs nowhere else", costs.SUSPICION, node.span


def _stem(name: str) -> str:
    """A name without its number: `?x1` and `?x2` are two names on purpose."""
    return name.rstrip("0123456789")


def _is_doubled(name: str, other: str) -> bool:
    """Whether a name is another with one of its letters or digits twice: `?x22` for `?x2`."""
    return any(other[: at + 1] + other[at:] == name for at in range(len(other)))


def _usual_there(rules: Ruleset, rule: Rule, node: Node, near: list[str]) -> bool:
    """Whether other rules have a near name in the very place where this one stands."""
    if not near:
        return False
    place = next((spot.place for spot in spots_of(rule.node) if spot.node is node), None)
    return place is not None and any(
        spot.place == place and spot.node.name in near
        for other in rules.rules
        for spot in spots_of(other.node)
        if spot.role == "variable"
    )


# -- facts ------------------------------------------------------------------------------------------------


def _odd_facts(rules: Ruleset) -> Iterator[Suspicion]:
    """Facts with two arguments in each other's place, compared with all other facts of the relation."""
    for (name, arity), own in rules.by_signature.items():
        facts = [rule for rule in own if not rule.body and rule.head.is_ground]
        if arity < 2 or len(facts) < 3 or name in KEYWORDS:
            continue
        columns = [Counter(rule.head.args[at] for rule in facts) for at in range(arity)]
        kinds = [Counter(as_integer(value) is not None for value in column.elements()) for column in columns]
        steps = Counter(_step(rule.head) for rule in facts)
        for rule in facts:
            step = _step(rule.head)
            backwards = step is not None and steps[step] < steps[-step] == len(facts) - steps[step]
            if backwards or any(
                _reversed(rule.head.args, columns, kinds, i, j) for i in range(arity) for j in range(i)
            ):
                words = f"{rule.head} has its arguments in another order than the other facts"
                yield "odd-fact", words, costs.SUSPICION, rule.node.span


def _step(fact: Term) -> int | None:
    """From the first number of a pair to the second."""
    numbers = [as_integer(arg) for arg in fact.args]
    return None if len(numbers) != 2 or numbers[0] is None or numbers[1] is None else numbers[1] - numbers[0]


def _reversed(
    args: tuple[Pattern, ...],
    columns: list[Counter[Pattern]],
    kinds: list[Counter[bool]],
    i: int,
    j: int,
) -> bool:
    """Whether two arguments fit each other's column, and not their own, as the other facts fill them."""
    one, other = args[i], args[j]
    numbers = [as_integer(one) is not None, as_integer(other) is not None]
    if numbers[0] != numbers[1] and kinds[i][numbers[0]] == kinds[j][numbers[1]] == 1:
        return True  # names in a column of numbers, and the other way round
    if columns[i][one] != 1 or columns[j][other] != 1:
        return False
    # In a chain such as (successor 1 2), (successor 2 3) each value stands in each column once.
    elsewhere = columns[i][other] + columns[j][one]
    if not (columns[i][other] and columns[j][one] and elsewhere > 2):
        return False
    return not (columns[i].keys() - {one}) & (columns[j].keys() - {other})
