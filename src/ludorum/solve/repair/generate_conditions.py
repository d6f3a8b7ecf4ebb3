"""Conditions that were left out, where no condition binds a variable of a rule.

The condition that binds a variable of that name in other rules comes first, most of all in rules that look
alike; then any relation that has a place for such a variable.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import chain

from ...rules.binding import free_variables
from ...rules.keywords import HINTS, KEYWORDS
from ...rules.lenient.argument_classes import ArgumentClasses, Place, places_in
from ...rules.ruleset import Atom, Rule, formula_variables, signed_atoms
from ...rules.syntax import Node
from ...rules.terms import Pattern, Term, Variable, format_term, variables_of
from . import costs
from .focus import Focus
from .proposal import Edit, Proposal, insert
from .sheet import Form, TextUnderRepair

MOST = 25
"""Conditions that are tried in one rule, the cheapest first."""


def propose_conditions(sheet: TextUnderRepair, focus: Focus) -> Iterator[Proposal]:
    """Conditions that bind the free variables of a rule."""
    seeker = _Seeker(sheet)
    for number in sorted(focus.forms):
        form = sheet.forms[number]
        if form.rule is not None and (free := free_variables(form.rule)):
            found = seeker.conditions(form.rule, frozenset(free))
            for term, cost in sorted(found.items(), key=lambda each: (each[1], str(each[0])))[:MOST]:
                names = ", ".join(f"`{variable}`" for variable in free)
                reason = f"nothing binds {names}; the condition {format_term(term)} does"
                yield Proposal(reason, (with_condition(sheet, form, format_term(term)),), cost)


class _Seeker:
    def __init__(self, sheet: TextUnderRepair) -> None:
        self.sheet = sheet
        self.rules = [form.rule for form in sheet.forms if form.rule is not None]

    @cached_property
    def classes(self) -> ArgumentClasses:
        return ArgumentClasses(self.sheet.rules)

    @cached_property
    def atoms(self) -> list[tuple[Term, Rule]]:
        """Every positive condition that has a variable, with its rule."""
        return [
            (atom.term, rule)
            for rule in self.rules
            for atom, positive in signed_atoms(rule.body)
            if positive and not atom.term.is_ground
        ]

    def conditions(self, rule: Rule, free: frozenset[Variable]) -> dict[Term, int]:
        found: dict[Term, int] = {}
        ways = (self._as_elsewhere(rule, free), self._by_kind(rule, free), self._as_turns_go(rule, free))
        for term, cost in chain.from_iterable(ways):
            found[term] = min(cost, found.get(term, cost))
        present = {part.term for part in rule.body if isinstance(part, Atom)}
        loose = _loose(rule) - free
        busy = {term.args[0] for term in present if term.signature == ("does", 2)}
        return {
            term: cost
            - costs.NEW_VARIABLE * len(loose & set(variables_of(term)))
            # A role makes one move at a time.
            + costs.OTHER_KIND * (term.signature == ("does", 2) and term.args[0] in busy)
            for term, cost in found.items()
            if term not in present and not self._stands_already(rule, term)
        }

    def _stands_already(self, rule: Rule, term: Term) -> bool:
        """Whether the rule with the condition would repeat another one."""
        whole = {*map(str, rule.body), str(Atom(term))}
        return any(
            other is not rule and other.head == rule.head and {*map(str, other.body)} == whole
            for other in self.rules
        )

    def _as_elsewhere(self, rule: Rule, free: frozenset[Variable]) -> Iterator[tuple[Term, int]]:
        """Conditions of other rules that bind the same names."""
        own = frozenset(_variables(rule))
        for term, other in self.atoms:
            if other is rule:
                continue
            bound = frozenset(variables_of(term))
            if not bound & free:
                continue
            cost = costs.CONDITION + costs.NEW_VARIABLE * len(bound - own) - _likeness(rule, other)
            yield term, cost + 2 * len(free - bound)

    def _as_turns_go(self, rule: Rule, free: frozenset[Variable]) -> Iterator[tuple[Term, int]]:
        """For a move: what rules for waiting say of roles, such as whose turn it is; for the next state of a
        fluent: that it holds."""
        head = rule.head
        if head.signature == ("next", 1) and free <= set(variables_of(head)):
            yield Term("true", head.args), costs.CONDITION
        role = head.args[0] if head.signature == ("legal", 2) else None
        if not isinstance(role, Variable) or free != {role}:
            return
        roles = {each.head.args[0] for each in self.sheet.rules.by_signature.get(("role", 1), ())}
        for other in self.sheet.rules.by_signature.get(("legal", 2), ()):
            if other is rule or (isinstance(other.head.args[1], Term) and other.head.args[1].args):
                continue
            waits = other.head.args[0]
            for atom, positive in signed_atoms(other.body):
                made = _substituted(atom.term, dict.fromkeys((waits, *roles), role))
                told = set(variables_of(atom.term)) <= {waits} and atom.term.name == "true"
                if told and set(variables_of(made)) == {role} and (not positive or waits in roles):
                    yield made, costs.CONDITION - costs.MISFIT

    def _by_kind(self, rule: Rule, free: frozenset[Variable]) -> Iterator[tuple[Term, int]]:
        """Conditions that stand elsewhere under other names, with this rule's variables by kind."""
        kinds = {variable: self._kind(rule, variable) for variable in _variables(rule)}
        wanted = {kinds[variable] for variable in free} - {None}
        for term in dict.fromkeys(term for term, _ in self.atoms):
            for variable, place in _places(term):
                if self.classes.find(place) in wanted:
                    for target in sorted(free, key=str):
                        if kinds[target] == self.classes.find(place):
                            made = _renamed(term, variable, target, kinds, self.classes)
                            if made is not None:
                                yield made, costs.CONDITION + 4
        used = {atom.term.signature for each in self.rules for atom, _ in signed_atoms(each.body)}
        for (name, arity), own in self.sheet.rules.by_signature.items():
            # A relation that is defined and never used was meant to be used.
            if not own or name in KEYWORDS or (name, arity) in used:
                continue
            if arity == 1:
                yield from ((Term(name, (target,)), costs.CONDITION) for target in free)
            elif free <= set(variables_of(own[0].head)) <= set(kinds):
                yield own[0].head, costs.CONDITION
        for target in free:
            kind = kinds[target]
            if kind is not None and self.classes.is_role(kind):
                yield Term("role", (target,)), costs.CONDITION + 1
            elif kind is not None:
                for (name, arity), own in self.sheet.rules.by_signature.items():
                    if (
                        arity == 1
                        and name not in KEYWORDS
                        and self.classes.find(("r", name, 1, 0)) == kind
                        and own
                    ):
                        yield Term(name, (target,)), costs.CONDITION + 3

    def _kind(self, rule: Rule, variable: Variable) -> Place | None:
        return self.classes.class_of(rule, variable)


def _variables(rule: Rule) -> dict[Variable, None]:
    found = dict.fromkeys(variables_of(rule.head))
    for part in rule.body:
        found.update(dict.fromkeys(formula_variables(part)))
    return found


def _loose(rule: Rule) -> frozenset[Variable]:
    """Variables that occur once in the rule: a condition that uses them is probably missing."""
    counts = Counter(
        variable
        for term in (rule.head, *(atom.term for atom, _ in signed_atoms(rule.body)))
        for variable in _occurrences(term)
    )
    return frozenset(variable for variable, count in counts.items() if count == 1)


def _occurrences(pattern: Pattern) -> Iterator[Variable]:
    if isinstance(pattern, Variable):
        yield pattern
    else:
        for each in pattern.args:
            yield from _occurrences(each)


def _places(term: Term) -> Iterator[tuple[Variable, Place]]:
    for place, pattern in places_in("r", term):
        if isinstance(pattern, Variable):
            yield pattern, place


def _renamed(
    term: Term,
    variable: Variable,
    target: Variable,
    kinds: dict[Variable, Place | None],
    classes: ArgumentClasses,
) -> Term | None:
    """The condition with the target for one variable, and variables of their kind for the others."""
    values: dict[Pattern, Pattern] = {variable: target}
    for other, place in _places(term):
        if other in values:
            continue
        same = [
            own for own, kind in kinds.items() if kind == classes.find(place) and own not in values.values()
        ]
        named = [own for own in same if own is other]
        values[other] = (named or same or [other])[0]
    made = _substituted(term, values)
    return made if made is not term else None


def _substituted(term: Term, values: Mapping[Pattern, Pattern]) -> Term:
    def change(pattern: Pattern) -> Pattern:
        if pattern in values or isinstance(pattern, Variable):
            return values.get(pattern, pattern)
        return Term(pattern.name, tuple(map(change, pattern.args)))

    return Term(term.name, tuple(map(change, term.args)))


def _likeness(rule: Rule, other: Rule) -> int:
    """How much two rules have in common: their head, and conditions that read the same."""
    head = rule.head.signature == other.head.signature
    inner = head and _inner(rule) == _inner(other)
    texts = {str(part) for part in rule.body if isinstance(part, Atom)}
    shared = sum(str(part) in texts for part in other.body if isinstance(part, Atom))
    hints = other.head.name in HINTS and rule.head.name not in HINTS
    return min(head + 2 * inner + shared, 5) - hints


def _inner(rule: Rule) -> object:
    last = rule.head.args[-1] if rule.head.args else None
    return last.signature if isinstance(last, Term) else last


def with_condition(sheet: TextUnderRepair, form: Form, text: str) -> Edit:
    """A condition at the end of a rule, laid out as the one before it; a fact becomes a rule."""
    node = form.node
    if node.head != "<=" or len(node.items) < 2:
        return Edit(node.span, f"(<= {sheet.text_of(node)}\n    {text})")
    last: Node = node.items[-1]
    line = sheet.source.text.rfind("\n", 0, last.span.start) + 1
    indent = re.match(r"[ \t]*", sheet.source.text[line : last.span.start])
    alone = indent is not None and indent.end() == last.span.start - line and len(node.items) > 2
    gap = f"\n{indent.group()}" if alone and indent is not None else "\n    "
    return insert(last.span.end, f"{gap}{text}")
