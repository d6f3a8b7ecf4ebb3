"""Rules that can never fire, because a condition can never hold.

A least fixed point over names: a relation may hold if some rule of it has only conditions that may hold; a
fluent may hold if such an ``init`` or ``next`` makes it, a move may be made if such a ``legal`` allows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TypeAlias

from ..quoting import quoted
from ..ruleset import And, Atom, Formula, Or, Rule
from ..source import Diagnostic, Severity
from ..terms import Signature
from .analysis import ANYTHING, Analysis, signature_of

Thing: TypeAlias = tuple[str, Signature]
"""What may hold: a relation, a fluent of ``true`` or a move of ``does``."""

_MAKES = {"init": "true", "next": "true", "legal": "does"}


def lint_never_fires(analysis: Analysis) -> Iterator[Diagnostic]:
    possible = _possible(analysis)
    direct = _nowhere_made(analysis)
    for rule in analysis.ruleset.rules:
        for atom in _required(rule.body):
            thing = _thing(atom)
            # An atom that nothing defines is reported at its place; here only the consequences are.
            if not _may_hold(thing, possible) and thing not in direct:
                yield analysis.fault(
                    "never-fires", Severity.WARNING, atom.node,
                    f"this rule never fires: no rule that makes {quoted(atom.term)} hold can fire itself",
                    "mend or remove the rules it depends on",
                )  # fmt: skip
                break


def _possible(analysis: Analysis) -> set[Thing]:
    """Everything that may hold, computed forwards with counters, so that long chains cost one sweep."""
    waiting: dict[Thing, list[int]] = {}
    missing: list[int] = []
    makes: list[tuple[Thing, ...]] = []
    ready: list[int] = []
    for number, rule in enumerate(analysis.ruleset.rules):
        needs = {thing for atom in _required(rule.body) if _matters(thing := _thing(atom))}
        missing.append(len(needs))
        makes.append(_made_by(rule))
        for thing in needs:
            waiting.setdefault(thing, []).append(number)
        if not needs:
            ready.append(number)
    found: set[Thing] = set()
    while ready:
        made = makes[ready.pop()]
        for thing in chain.from_iterable(_woken(one, waiting, found) for one in made):
            for number in waiting.get(thing, ()):
                missing[number] -= 1
                if not missing[number]:
                    ready.append(number)
    return found


def _woken(made: Thing, waiting: dict[Thing, list[int]], found: set[Thing]) -> list[Thing]:
    """What a head makes possible for the first time; a variable as fluent or move makes all of them so."""
    if made in found:
        return []
    found.add(made)
    if made[1] != ANYTHING:
        return [made]
    rest = [thing for thing in waiting if thing[0] == made[0] and thing not in found]
    found.update(rest)
    return rest


def _may_hold(thing: Thing, possible: set[Thing]) -> bool:
    return not _matters(thing) or thing in possible or (thing[0], ANYTHING) in possible


def _matters(thing: Thing) -> bool:
    return thing[1] != ANYTHING


def _required(body: tuple[Formula, ...]) -> Iterator[Atom]:
    """Atoms that must hold for the body to hold: those outside ``not`` and ``or``."""
    for part in body:
        if isinstance(part, Atom):
            yield part
        elif isinstance(part, And) or (isinstance(part, Or) and len(part.parts) == 1):
            yield from _required(part.parts)


def _thing(atom: Atom) -> Thing:
    term = atom.term
    if term.name in ("true", "does") and term.args:
        return (term.name, signature_of(term.args[-1]))
    return ("", term.signature)


def _made_by(rule: Rule) -> tuple[Thing, ...]:
    """What a rule makes: its relation, and the fluent or move of its head."""
    relation: Thing = ("", rule.head.signature)
    name = _MAKES.get(rule.head.name)
    return (relation, (name, signature_of(rule.head.args[-1]))) if name and rule.head.args else (relation,)


def _nowhere_made(analysis: Analysis) -> set[Thing]:
    made = {thing for rule in analysis.ruleset.rules for thing in _made_by(rule)}
    used = {_thing(edge.atom) for edge in analysis.edges}
    return used - made
