"""Facts that were left out: a role, or an initial fact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice, product

from ...rules.lenient.argument_classes import ROLE, ArgumentClasses
from ...rules.ruleset import Rule
from ...rules.terms import Pattern, Signature, Term, as_integer, format_term, sort_key
from . import costs
from .focus import Focus
from .proposal import Proposal, added, insert
from .sheet import TextUnderRepair

MOST = 12
"""Initial facts that are tried for one fluent."""


def propose_facts(sheet: TextUnderRepair, focus: Focus) -> Iterator[Proposal]:
    """Roles that rules name, and initial facts of fluents that would never become true."""
    if sheet.reading.unread:
        return
    yield from _roles(sheet)
    yield from _beginnings(sheet)
    yield from _rows(sheet)


def _roles(sheet: TextUnderRepair) -> Iterator[Proposal]:
    roles = set(sheet.rules.roles)
    named = {spot.text: 0 for spot in sheet.all_spots() if spot.place == ROLE and spot.role == "constant"}
    for term in ArgumentClasses(sheet.rules).terms(ROLE):
        if not term.args:
            named.setdefault(format_term(term), 3)
    last = max((form.node.span.end for form in sheet.forms if form.node.head == "role"), default=0)
    for name, extra in named.items():
        if Term(name) not in roles:
            edit = insert(last, f"\n(role {name})" if last else f"(role {name})\n")
            yield Proposal(f"{name} is used as a role and is none", (edit,), costs.FACT + extra)


def _beginnings(sheet: TextUnderRepair) -> Iterator[Proposal]:
    rules = sheet.rules
    begun = {_inner(rule) for rule in rules.by_signature.get(("init", 1), ())}
    spoken = {
        (spot.text, spot.arity): None
        for spot in sheet.all_spots()
        if spot.place == ("r", "true", 1, 0) and spot.role in ("function", "constant")
    }
    classes = ArgumentClasses(rules)
    for name, arity in spoken:
        if (name, arity) in begun:
            continue
        columns = [_values(classes, rules.roles, (name, arity), index) for index in range(arity)]
        for choice in islice(product(*columns), MOST):
            text = format_term(Term(name, tuple(value for value, _ in choice)))
            cost = costs.FACT + sum(extra for _, extra in choice) + (costs.GUESS // 2) * max(arity - 1, 0)
            yield Proposal(
                f"no `init` says how {name} begins", (added(sheet.source, f"(init {text})"),), cost
            )


def _values(
    classes: ArgumentClasses, roles: tuple[Term, ...], fluent: Signature, index: int
) -> list[tuple[Term, int]]:
    """The initial values of an argument: the first role, the smallest number, or else any value."""
    place = ("f", *fluent, index)
    terms = [term for term in classes.terms(place) if term.is_ground]
    if classes.is_role(place):
        terms = [
            *(role for role in roles if format_term(role) != "random"),
            *(t for t in terms if t not in roles),
        ]
        return [(term, min(rank, 2)) for rank, term in enumerate(terms)]
    numbers = sorted((term for term in terms if as_integer(term) is not None), key=sort_key)
    ones = [term for term in numbers if term.name == "1"]
    ordered = dict.fromkeys([*numbers[:1], *ones, *(term for term in terms if term not in numbers), *numbers])
    return [(term, min(rank, 4)) for rank, term in enumerate(ordered)]


def _rows(sheet: TextUnderRepair) -> Iterator[Proposal]:
    """The one row that a table of initial facts lacks."""
    for row in missing_rows(sheet.rules.by_signature.get(("init", 1), ())):
        text = format_term(Term("init", (row,)))
        yield Proposal(f"the table of first facts lacks {row}", (added(sheet.source, text),), costs.FACT)


def missing_rows(rules: tuple[Rule, ...]) -> Iterator[Term]:
    """For each fluent whose initial facts are a table short of one row, that row with the commonest value."""
    tables: dict[Signature, list[tuple[Pattern, ...]]] = {}
    for rule in rules:
        inner = rule.head.args[0]
        if not isinstance(inner, Term) or rule.body or not inner.is_ground:
            tables.pop(signature, None) if (signature := _inner(rule)) else None
            continue
        tables.setdefault(inner.signature, []).append(inner.args)
    for (name, arity), rows in tables.items():
        if arity < 2 or len(rows) < 7:
            continue
        keys = [row[:-1] for row in rows]
        columns = [list(dict.fromkeys(key[index] for key in keys)) for index in range(arity - 1)]
        size = 1
        for column in columns:
            size *= len(column)
        if len(set(keys)) == len(rows) == size - 1:
            present = set(keys)
            key = next(key for key in product(*columns) if key not in present)
            value = Counter(row[-1] for row in rows).most_common(1)[0][0]
            yield Term(name, (*key, value))


def _inner(rule: Rule) -> Signature | None:
    inner = rule.head.args[0]
    return inner.signature if isinstance(inner, Term) else None
