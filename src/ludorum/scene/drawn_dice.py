"""Which facts and moves of a WDL game hold the faces of dice: what a name drew, wherever the rules keep it.

``(next (left ?n 4))`` holds a face where ``?n`` comes from ``(does ?p (roll ?n))`` and a roll draws a die.
Rules are followed from bodies to heads for as long as they hand the event on unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ..rules.normalise.evaluate_static import evaluate_static
from ..rules.ruleset import And, Atom, Formula, Or, Rule
from ..rules.terms import Pattern, Signature, Term, Variable
from ..rules.wdl.draws import names_in
from ..rules.wdl.sheet import RANDOM_FACT, WdlSheet
from ..rules.wdl.views import bare
from .amounts import FACES

Place = tuple[str, Signature, int]
"""An argument: of a move, of a fact, or of a relation that rules derive."""
MOVE, FACT, RELATION = "does", "true", ""


@dataclass(frozen=True)
class DrawnDice:
    """Which argument is the face of a die: of facts, and of moves as they were made."""

    facts: Mapping[Signature, int] = field(default_factory=dict)
    moves: Mapping[Signature, int] = field(default_factory=dict)


def find_dice(sheet: WdlSheet) -> DrawnDice:
    """The dice of a sheet."""
    places = set(_drawn_in_moves(sheet, dice_names(sheet)))
    rules = [rule for rule in sheet.master.rules if rule.body]
    while found := {place for rule in rules for place in _handed_on(rule, places)} - places:
        places |= found
    ordered = sorted(places, reverse=True)
    return DrawnDice(*({one: at for kind, one, at in ordered if kind == which} for which in (FACT, MOVE)))


def dice_names(sheet: WdlSheet) -> frozenset[Term]:
    """The random names whose events are faces of a die."""
    faces = {str(face) for face in FACES}
    return frozenset(
        name for name, events in listed_events(sheet).items() if len(events) > 1 and events <= faces
    )


def listed_events(sheet: WdlSheet) -> dict[Term, frozenset[str]]:
    """What random names may become, where the sheet lists their events or takes them from a list."""
    rows = evaluate_static(sheet.master).by_signature
    found: dict[Pattern, set[str]] = {}
    for rule in sheet.master.by_signature.get(RANDOM_FACT, ()):
        name, _, event = rule.head.args
        found.setdefault(name, set()).update(_values(event, rule.body, rows))
    return {name: frozenset(events) for name, events in found.items() if isinstance(name, Term)}


def _values(
    event: Pattern, body: Iterable[Formula], rows: Mapping[Signature, tuple[Rule, ...]]
) -> Iterator[str]:
    """All values of an event: itself, or the entries of the first list that has it."""
    if event.is_ground:
        yield str(event)
        return
    for term in _atoms(body):
        listed = rows.get(term.signature, ())
        if event in term.args and listed and not any(rule.body for rule in listed):
            yield from (str(rule.head.args[term.args.index(event)]) for rule in listed)
            return
    yield ""


def _drawn_in_moves(sheet: WdlSheet, names: frozenset[Term]) -> Iterator[Place]:
    for rule in sheet.master.by_signature.get(("legal", 2), ()):
        move = rule.head.args[1]
        if isinstance(move, Term) and names_in(move, names):
            plain = bare(move)
            assert isinstance(plain, Term)
            for at, arg in enumerate(plain.args):
                if arg in names:
                    yield MOVE, plain.signature, at


def _handed_on(rule: Rule, places: set[Place]) -> Iterator[Place]:
    """The arguments of a rule's head that are taken from one of these places."""
    drawn = {variable for kind, term in map(_read, _atoms(rule.body)) for variable in _at(kind, term, places)}
    if rule.head.signature == ("next", 1) and isinstance(fact := rule.head.args[0], Term):
        yield from ((FACT, fact.signature, at) for at, arg in enumerate(fact.args) if arg in drawn)
    else:
        head = rule.head
        yield from ((RELATION, head.signature, at) for at, arg in enumerate(head.args) if arg in drawn)


def _atoms(body: Iterable[Formula]) -> Iterator[Term]:
    for part in body:
        if isinstance(part, Atom):
            yield part.term
        elif isinstance(part, And | Or):
            yield from _atoms(part.parts)


def _read(term: Term) -> tuple[str, Pattern]:
    """What a condition asks for: a move, a fact, or a relation."""
    if term.signature == ("does", 2):
        return MOVE, term.args[1]
    return (FACT, term.args[0]) if term.signature == ("true", 1) else (RELATION, term)


def _at(kind: str, term: Pattern, places: set[Place]) -> Iterator[Variable]:
    if isinstance(term, Term):
        for at, arg in enumerate(term.args):
            if isinstance(arg, Variable) and (kind, term.signature, at) in places:
                yield arg
