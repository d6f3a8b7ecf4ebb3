"""Rules of `next` that were left out: whose turn it is, a counter, a fluent that stays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TypeGuard

from ...rules.keywords import KEYWORDS
from ...rules.lenient.argument_classes import ArgumentClasses, Place
from ...rules.ruleset import Atom, Formula, Not, Rule, format_formula, formula_variables
from ...rules.terms import Signature, Term, Variable, format_term, variables_of
from . import costs
from .focus import Focus
from .proposal import Proposal, added
from .sheet import TextUnderRepair

MOST_ROLES = 8


def propose_turns(sheet: TextUnderRepair, focus: Focus) -> Iterator[Proposal]:
    """Rules for fluents that hold initially and that no `next` rule derives again."""
    if sheet.reading.unread:
        return
    work = _Turns(sheet)
    for fluent in work.begun:
        # A fluent that some rule derives may still lack another rule; that costs more.
        extra = 0 if fluent not in work.made else costs.GUESS // 2
        if extra and not focus.only_play:
            continue
        for reason, text, cost in work.rules(fluent):
            yield Proposal(reason, (added(sheet.source, text),), cost + extra)


class _Turns:
    def __init__(self, sheet: TextUnderRepair) -> None:
        self.sheet = sheet
        self.known = sheet.rules
        self.classes = ArgumentClasses(sheet.rules)
        self.begun = _fluents(self.known.by_signature.get(("init", 1), ()))
        self.made = _fluents(self.known.by_signature.get(("next", 1), ()))

    def rules(self, fluent: Signature) -> Iterator[tuple[str, str, int]]:
        name, arity = fluent
        if arity == 1:
            place: Place = ("f", name, 1, 0)
            yield from self._turns(name) if self._holds_roles(fluent) else self._steps(name, place)
        yield from self._other_cases(fluent)
        names = self._names(fluent)
        whole = format_term(Term(name, names)) if names else format_term(Term(name))
        text = f"(<= (next {whole})\n    (true {whole}))"
        yield f"no `next` keeps {name}", text, costs.RULE + 3

    def _holds_roles(self, fluent: Signature) -> bool:
        roles = set(self.known.roles)
        return any(
            isinstance(inner := rule.head.args[0], Term)
            and inner.signature == fluent
            and inner.args[0] in roles
            for rule in self.known.by_signature.get(("init", 1), ())
        )

    def _turns(self, name: str) -> Iterator[tuple[str, str, int]]:
        """The next role's turn: by a relation between roles, or role by role."""
        why = f"no `next` passes {name} on"
        roles = self.known.roles
        for (relation, arity), own in self.known.by_signature.items():
            pairs = {rule.head.args for rule in own if not rule.body}
            if arity != 2 or relation in KEYWORDS or not pairs:
                continue
            if {one for one, _ in pairs} == set(roles) == {other for _, other in pairs}:
                text = f"(<= (next ({name} ?q))\n    (true ({name} ?p))\n    ({relation} ?p ?q))"
                yield why, text, costs.RULE
        players = [role for role in roles if format_term(role) != "random"]
        if 1 < len(players) <= MOST_ROLES:
            pairs_ = list(zip(players, [*players[1:], players[0]], strict=True))
            there = set(self.known.rules)
            texts = [
                f"(<= (next ({name} {new}))\n    (true ({name} {old})))"
                for old, new in pairs_
                if _passing(name, old, new) not in {(rule.head, len(rule.body)) for rule in there}
            ]
            if texts:
                yield why, "\n".join(texts), costs.RULE + 1 + len(players) - 2

    def _other_cases(self, fluent: Signature) -> Iterator[tuple[str, str, int]]:
        """Rules for where the condition of a rule does not hold: the fluent stays, or is passed on."""
        name, _ = fluent
        for rule in self.known.by_signature.get(("next", 1), ()):
            made = rule.head.args[0]
            if not isinstance(made, Term) or made.signature != fluent:
                continue
            before = [part.term.args[0] for part in rule.body if _is_true_of(part, fluent)]
            if len(before) != 1 or not isinstance(before[0], Term):
                continue
            given = before[0]
            for part in rule.body:
                turned = _turned(part, set(variables_of(given)))
                if turned is None:
                    continue
                why = f"no `next` says what becomes of {name} where {format_formula(turned)}"
                if made is not given:
                    text = f"(<= (next {given})\n    (true {given})\n    {format_formula(turned)})"
                    yield why, text, costs.RULE - costs.GUESS // 2
                elif self._holds_roles(fluent):
                    for _, turn, cost in self._turns(name):
                        renamed = turn.replace("?p", format_term(given.args[0]))
                        text = f"{renamed[:-1]}\n    {format_formula(turned)})"
                        if "?q" in turn:
                            yield why, text, cost - costs.GUESS // 2

    def _steps(self, name: str, place: Place) -> Iterator[tuple[str, str, int]]:
        """The next number, by a relation that counts."""
        first = {
            rule.head.args[0].args[0]
            for rule in self.known.by_signature.get(("init", 1), ())
            if isinstance(rule.head.args[0], Term) and rule.head.args[0].signature == (name, 1)
        }
        for (relation, arity), own in self.known.by_signature.items():
            pairs = [rule.head.args for rule in own if not rule.body and rule.head.is_ground]
            if arity != 2 or relation in KEYWORDS or len(pairs) < 2:
                continue
            befores, afters = {pair[0] for pair in pairs}, {pair[1] for pair in pairs}
            if len(befores) == len(pairs) == len(afters) and first <= befores | afters:
                cost = costs.RULE + (
                    0 if self.classes.find(("r", relation, 2, 0)) == self.classes.find(place) else 2
                )
                up = f"(<= (next ({name} ?n))\n    (true ({name} ?m))\n    ({relation} ?m ?n))"
                down = f"(<= (next ({name} ?n))\n    (true ({name} ?m))\n    ({relation} ?n ?m))"
                why = f"no `next` counts {name} on"
                yield why, up, cost + (0 if first <= befores else 4)
                yield why, down, cost + (0 if not first <= befores else 4)

    def _names(self, fluent: Signature) -> tuple[Variable, ...]:
        """Variables for the arguments of a fluent, named as the sheet names them."""
        found: dict[str, None] = {}
        for index in range(fluent[1]):
            held = self.sheet.held.get(("f", fluent[0], fluent[1], index), Counter())
            usual = [text[1:] for text in held if text.startswith("?") and text[1:] not in found]
            found[usual[0] if usual else f"x{index + 1}"] = None
        return tuple(map(Variable, found))


def _is_true_of(part: Formula, fluent: Signature) -> TypeGuard[Atom]:
    if not isinstance(part, Atom) or part.term.name != "true":
        return False
    inner = part.term.args[0]
    return isinstance(inner, Term) and inner.signature == fluent


def _turned(part: Formula, bound: set[Variable]) -> Formula | None:
    """The opposite of a condition all of whose variables are bound."""
    if not set(formula_variables(part)) <= bound:
        return None
    if isinstance(part, Not):
        return part.body
    return Not(part) if isinstance(part, Atom) and part.term.name != "true" else None


def _passing(name: str, old: Term, new: Term) -> tuple[Term, int]:
    return Term("next", (Term(name, (new,)),)), 1


def _fluents(rules: tuple[Rule, ...]) -> dict[Signature, None]:
    return {inner.signature: None for rule in rules if isinstance(inner := rule.head.args[0], Term)}
